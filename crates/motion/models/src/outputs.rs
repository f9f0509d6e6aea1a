//! Quantities derived from a state: forces between wheels and road, energies, power.

/// A quantity derived from a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The part, such as `front left wheel` or `kinetic`; empty for the whole.
    pub of: String,
    /// The quantity: `load`, `force along`, `force aside`, `energy` or `power`.
    pub what: &'static str,
    /// Its unit.
    pub unit: &'static str,
}

impl Output {
    pub(crate) fn new(of: &str, what: &'static str, unit: &'static str) -> Self {
        Self { of: of.to_owned(), what, unit }
    }

    /// Returns the forces of the road on a wheel, in N: along the road's normal, forward and to the left.
    pub(crate) fn forces(wheel: &str) -> [Self; 3] {
        ["load", "force along", "force aside"].map(|what| Self::new(wheel, what, "N"))
    }

    /// Returns the forces of the road on a wheel of a planar model.
    pub(crate) fn plane_forces(wheel: &str) -> [Self; 2] {
        ["load", "force along"].map(|what| Self::new(wheel, what, "N"))
    }

    /// Returns the full name, such as `front left wheel load`, `kinetic energy`, `power`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{} {}", self.of, self.what).trim_start().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::rk4;
    use crate::model::Model;
    use crate::registry::{model, model_with, names};

    fn value(model: &Model, name: &str, t: f64, y: &[f64]) -> f64 {
        let place = model.outputs().iter().position(|output| output.name() == name).unwrap();
        model.output_values(t, y)[place]
    }

    #[test]
    fn outputs_are_named_apart_and_finite_at_the_start() {
        for name in names() {
            let model = model(name, &[]).unwrap();
            let (outputs, values) = (model.outputs(), model.output_values(0.0, &model.initial));
            let names: std::collections::BTreeSet<String> = outputs.iter().map(Output::name).collect();
            assert!(names.len() == outputs.len() && values.len() == outputs.len(), "{name}");
            assert!(values.iter().all(|value| value.is_finite()), "{name}: {values:?}");
        }
    }

    /// The change of energy over a run equals the integral of the power.
    #[test]
    fn power_is_the_rate_of_energy() {
        let sedan = model("sedan", &[("throttle", 0.5), ("lane-change", 0.4)]).unwrap();
        let rings = model("spatial-vehicle", &[("lane-change", 0.1)]).unwrap();
        let plane = model("planar-vehicle", &[]).unwrap();
        for (model, h, steps) in [(sedan, 1e-3, 1000), (rings, 5e-4, 1200), (plane, 5e-4, 1200)] {
            let (mut work, mut last, mut most) = (0.0, None, 0.0f64);
            let (mut first, mut change) = (None, 0.0);
            rk4(&model, h, steps, |t, y| {
                let (power, energy) = (value(&model, "power", t, y), value(&model, "total energy", t, y));
                if let Some(last) = last {
                    work += h / 2.0 * (power + last);
                }
                most = most.max(power.abs());
                (last, change) = (Some(power), energy - *first.get_or_insert(energy));
            });
            // Trapezoidal rule, with steps that resolve every motion.
            let allowed = 1e-3 * most * h * steps as f64;
            assert!(change.abs() > 10.0 * allowed || most < 1.0, "{}: {change} {allowed}", model.name);
            assert!((work - change).abs() < allowed, "{}: {work} {change} {most}", model.name);
        }
    }

    #[test]
    fn wheels_carry_the_weight_and_drive_the_vehicle() {
        for name in ["hmmwv", "sedan", "truck", "spatial-vehicle", "planar-vehicle", "quarter-car-ring"] {
            let vehicle = model(name, &[]).unwrap();
            // A machine first settles on its springs; vehicles with rings start in a steady state.
            let settled = if name.ends_with("vehicle") || name.ends_with("ring") {
                vehicle.initial.clone()
            } else {
                let still = model_with(name, &[("speed", 0.0.into()), ("lane-change", 0.0.into())]).unwrap();
                rk4(&still, 1e-3, 6000, |_, _| {})
            };
            let of = |what: &str| {
                let pairs = vehicle.outputs().into_iter().zip(vehicle.output_values(0.0, &settled));
                pairs.filter(|(output, _)| output.what == what).map(|(_, value)| value).sum::<f64>()
            };
            let weight = of("load") / 9.81;
            let expected = match name {
                "hmmwv" | "spatial-vehicle" => 2400.0..2600.0,
                "sedan" => 1300.0..2200.0,
                "truck" => 15e3..45e3,
                "planar-vehicle" => 655.0..665.0,
                _ => 329.9..330.1,
            };
            assert!(expected.contains(&weight), "{name}: {weight}");
            assert!(of("force aside").abs() < 0.01 * of("load"), "{name}: {}", of("force aside"));
        }
    }

    /// The total thrust of the tires in steady motion equals the model's drag.
    #[test]
    fn thrust_is_drag_in_steady_motion() {
        let vehicle = model("planar-vehicle", &[]).unwrap();
        let thrust = ["front", "rear"]
            .map(|wheel| value(&vehicle, &format!("{wheel} wheel force along"), 0.0, &vehicle.initial));
        assert!((thrust[0] + thrust[1] - 0.2 * 400.0).abs() < 1e-6, "{thrust:?}");
    }
}
