//! Vehicles as multibody systems: the HMMWV, a sedan and a tractor with its trailer.

use hemiola_multibody::{Characteristic, Machine, Maneuver, Road, vehicles};

use crate::machine::{SOLVER, built};
use crate::model::{ModelKind, ModelParts};
use crate::parameter::{AdmissibleValues, Parameter, Values, joined};

/// Parameters of the maneuver. The data of bodies, springs and tires are in `hemiola-multibody`, with their sources.
const DRIVE: [Parameter; 5] = [
    Parameter::new("speed", "speed at the start", 15.0, "m/s").within(AdmissibleValues::NotNegative),
    Parameter::new("lane-change", "steering of a double lane change, as a fraction of full steering", 0.2, "1")
        .within(AdmissibleValues::Real),
    Parameter::new("circle", "steering of a turn that is held, as a fraction of full steering", 0.0, "1")
        .within(AdmissibleValues::Real),
    Parameter::new("throttle", "throttle that is opened after half a second", 0.0, "1")
        .within(AdmissibleValues::Fraction),
    Parameter::new("bump", "height of half a sine under the left wheels", 0.0, "m")
        .within(AdmissibleValues::NotNegative),
];

static PARAMETERS: [Parameter; 7] = joined(DRIVE, SOLVER);

/// Parameters of the truck. With rods, loops couple all of them in one reduced matrix.
static TRUCK_PARAMETERS: [Parameter; 8] = joined(
    PARAMETERS,
    [Parameter::choice(
        "axles",
        "on slides and hinges, or each on four rods, with a tie rod that steers",
        &["sliding", "rods"],
    )],
);

pub(crate) static HMMWV: ModelKind = ModelKind {
    name: "hmmwv",
    title: "HMMWV with double wishbones, 15 degrees of freedom",
    parameters: &PARAMETERS,
    build: |values| vehicle(vehicles::hmmwv, values),
};

pub(crate) static SEDAN: ModelKind = ModelKind {
    name: "sedan",
    title: "sedan with double wishbones, 16 degrees of freedom",
    parameters: &PARAMETERS,
    build: |values| vehicle(vehicles::sedan, values),
};

pub(crate) static TRUCK: ModelKind = ModelKind {
    name: "truck",
    title: "tractor with semitrailer, 40 degrees of freedom",
    parameters: &TRUCK_PARAMETERS,
    build: |values| {
        let truck = if values.is("axles", "rods") { vehicles::truck_on_rods } else { vehicles::truck };
        vehicle(truck, values)
    },
};

fn vehicle(describe: fn(&Maneuver) -> Machine, values: Values<'_>) -> Option<ModelParts> {
    let mechanism = describe(&maneuver(values)).build().ok()?;
    // Lateral and vertical position.
    Some(built(mechanism, values).drawing(&[1, 2]))
}

/// Creates the steering over time of a double lane change, scaled, plus a turn that is held.
pub(crate) fn steering(lanes: &Maneuver, lane_change: f64, circle: f64) -> Characteristic {
    let turn = |t: f64| circle * ((t - 0.5) / 1.0).clamp(0.0, 1.0);
    let wheel = |[t, steered]: [f64; 2]| [t, steered / Maneuver::LANE_CHANGE * lane_change + turn(t)];
    let points: Vec<[f64; 2]> = lanes.steering.points().iter().copied().map(wheel).collect();
    Characteristic::table(&points)
}

/// Creates a maneuver with a double lane change, a turn that is held, an open throttle and a bump, each of a given
/// size.
fn maneuver(values: Values<'_>) -> Maneuver {
    let lanes = Maneuver::double_lane_change(values.of("speed"));
    let throttle = values.of("throttle");
    let bump = Road::HalfSine { start: 8.0, length: 2.0, height: values.of("bump") };
    Maneuver {
        steering: steering(&lanes, values.of("lane-change"), values.of("circle")),
        throttle: Characteristic::table(&[[0.0, 0.0], [0.5, 0.0], [1.0, throttle], [2.0, throttle]]),
        roads: [bump, Road::Flat],
        ..lanes
    }
}

#[cfg(test)]
mod tests {
    use hemiola_integrate::{Implicit, Stepper};

    use crate::registry::model;

    /// Variables that are zero by symmetry, and velocities at rest, keep receiving corrections of the size of rounding.
    #[test]
    fn stage_equations_are_solved_for_symmetric_motion() {
        let method = hemiola_tableau::library::method("gauss-2").unwrap();
        for (name, speed) in [("hmmwv", 15.0), ("hmmwv", 0.0), ("sedan", 15.0), ("truck", 15.0), ("truck", 0.0)] {
            let vehicle = model(name, &[("speed", speed)]).unwrap();
            let mut stepper = Implicit::new(&method, &vehicle).unwrap();
            let mut y = vehicle.initial.clone();
            for k in 0..10 {
                stepper.step(&vehicle, f64::from(k) * 1e-3, 1e-3, &mut y).unwrap();
            }
            assert!((y[0] - vehicle.initial[0] - 0.01 * speed).abs() < 1e-3, "{name}: {}", y[0]);
        }
    }
}
