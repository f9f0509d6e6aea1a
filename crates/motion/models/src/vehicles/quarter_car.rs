//! The quarter car: a quarter of a vehicle's body on its suspension, alone (model A of Shome, Haug & Jay, Fig. 2) and
//! with a wheel on a spring that represents its tire (model B).

use crate::equations::{Equations, Number};
use crate::model::{ModelKind, ModelParts};
use crate::parameter::{AdmissibleValues, Parameter, Values};
use crate::vehicles::drawing::Drawing;

/// Source of body, spring, damper and tire: the quarter car in J.-S. Lin & I. Kanellakopoulos, Nonlinear design of
/// active suspensions, IEEE Control Systems Magazine 17(3), 1997, with 290 kg, 16 812 N/m, 1000 N s/m and 190 000 N/m.
pub(crate) const QUARTER_CAR: &str = "near Lin & Kanellakopoulos 1997";

const fn parameter(name: &'static str, meaning: &'static str, value: f64, unit: &'static str) -> Parameter {
    Parameter::new(name, meaning, value, unit).from(QUARTER_CAR)
}

const BODY_MASS: Parameter = parameter("body-mass", "a quarter of the body", 290.0, "kg");
const STIFFNESS: Parameter = parameter("suspension-stiffness", "spring", 16_200.0, "N/m");
const DAMPING: Parameter =
    parameter("suspension-damping", "damper", 1000.0, "N s/m").within(AdmissibleValues::NotNegative);

/// m x'' = −k x − c x' about the static equilibrium; all variables are slow.
pub(crate) static BODY: ModelKind = ModelKind {
    name: "quarter-car-body",
    title: "quarter car A: a body on a spring and a damper",
    parameters: &[BODY_MASS, STIFFNESS, DAMPING],
    build: |values| {
        let body = SprungBody { mass: values.of("body-mass"), suspension: Suspension::new(values) };
        let variables = [("body position", "m"), ("body speed", "m/s")];
        Some(ModelParts::new(&variables, &[2], body).starting(vec![0.05, 0.0]).lasting(5.0).drawing(&[0]))
    },
};

/// m_b x_b'' = −k (x_b − x_w) − c (x_b' − x_w'), m_w x_w'' = k (x_b − x_w) + c (x_b' − x_w') − k_t x_w, about the
/// static equilibrium on a flat road. The wheel is fast.
pub(crate) static KIND: ModelKind = ModelKind {
    name: "quarter-car",
    title: "quarter car B: a body on its suspension, a wheel on the spring of its tire",
    parameters: &[
        BODY_MASS,
        Parameter::new("wheel-mass", "wheel and hub", 40.0, "kg"),
        STIFFNESS,
        DAMPING,
        parameter("tyre-stiffness", "tire", 191_000.0, "N/m"),
    ],
    build: |values| {
        let car = QuarterCar {
            body: values.of("body-mass"),
            wheel: values.of("wheel-mass"),
            suspension: Suspension::new(values),
            tire: values.of("tyre-stiffness"),
        };
        let variables =
            [("body position", "m"), ("body speed", "m/s"), ("wheel position", "m"), ("wheel speed", "m/s")];
        let initial = vec![0.05, 0.0, 0.01, 0.0];
        Some(ModelParts::new(&variables, &[2, 2], car).starting(initial).lasting(5.0).drawing(&[0, 2]))
    },
};

struct Suspension {
    stiffness: f64,
    damping: f64,
}

impl Suspension {
    fn new(values: Values<'_>) -> Self {
        Self { stiffness: values.of("suspension-stiffness"), damping: values.of("suspension-damping") }
    }

    /// Returns the force that pushes the ends apart, for a compression `travel` from rest and its rate `approach`.
    fn force<N: Number>(&self, travel: N, approach: N) -> N {
        travel * self.stiffness + approach * self.damping
    }

    fn energy<N: Number>(&self, travel: N) -> N {
        travel * travel * (self.stiffness / 2.0)
    }
}

/// Heights of body and wheel in equilibrium as drawn, and the radius of the wheel, in m.
const BODY_AT: f64 = 0.85;
const WHEEL_AT: f64 = 0.3;
const WHEEL: f64 = 0.2;
/// Half width and height of the body, in m.
const BOX: [f64; 2] = [0.3, 0.2];

impl Drawing {
    /// Draws the body of a quarter car, with its lower side at height z.
    pub(crate) fn body(self, x: f64, z: f64) -> Self {
        let [half, height] = BOX;
        self.polygon(&[[x - half, z], [x + half, z], [x + half, z + height], [x - half, z + height]])
    }

    /// Draws the ground below a quarter car.
    fn ground(self) -> Self {
        self.line([-BOX[0], 0.0], [BOX[0], 0.0])
    }
}

struct SprungBody {
    mass: f64,
    suspension: Suspension,
}

impl Equations for SprungBody {
    fn rate<N: Number>(&self, _partition: usize, _t: f64, y: &[N], rate: &mut [N]) {
        let (&[x, v], [dx, dv]) = (y, rate) else { return };
        *dx = v;
        *dv = self.suspension.force(-x, -v) / self.mass;
    }

    fn energy<N: Number>(&self, _t: f64, y: &[N]) -> Option<N> {
        let &[x, v] = y else { return None };
        Some(v * v * (self.mass / 2.0) + self.suspension.energy(x))
    }

    fn outline(&self, y: &[f64]) -> Option<Vec<Vec<[f64; 3]>>> {
        let height = BODY_AT - WHEEL_AT + y.first()?;
        Some(Drawing::default().ground().strut([0.0, 0.0], [0.0, height], [0.0, 1.0]).body(0.0, height).lines())
    }
}

struct QuarterCar {
    body: f64,
    wheel: f64,
    suspension: Suspension,
    tire: f64,
}

impl Equations for QuarterCar {
    fn rate<N: Number>(&self, partition: usize, _t: f64, y: &[N], rate: &mut [N]) {
        let (&[x, v, w, u], [position, speed]) = (y, rate) else { return };
        let force = self.suspension.force(w - x, u - v);
        if partition == 0 {
            *position = v;
            *speed = force / self.body;
        } else {
            *position = u;
            *speed = -(force + w * self.tire) / self.wheel;
        }
    }

    fn energy<N: Number>(&self, _t: f64, y: &[N]) -> Option<N> {
        let &[x, v, w, u] = y else { return None };
        let kinetic = v * v * (self.body / 2.0) + u * u * (self.wheel / 2.0);
        Some(kinetic + self.suspension.energy(w - x) + w * w * (self.tire / 2.0))
    }

    fn outline(&self, y: &[f64]) -> Option<Vec<Vec<[f64; 3]>>> {
        let &[x, _, w, _] = y else { return None };
        let (wheel, body) = ([0.0, WHEEL_AT + w], [0.0, BODY_AT + x]);
        let drawing = Drawing::default().ground().spring([0.0, 0.0], wheel).circle(wheel, WHEEL);
        Some(drawing.strut(wheel, body, [0.0, 1.0]).body(0.0, body[1]).lines())
    }
}

#[cfg(test)]
mod tests {
    use super::{SprungBody, Suspension};
    use crate::check::{energy_rate, rates};
    use crate::model::Model;
    use crate::registry::model;
    use hemiola_stability::real_eigenvalues;

    fn jacobian(model: &Model) -> Vec<Vec<f64>> {
        model.jacobian_at(0.0, &model.initial)
    }

    #[test]
    fn undamped_frequencies_solve_the_biquadratic() {
        let (m, w, k, t) = (290.0, 40.0, 16_200.0, 191_000.0);
        let car = model("quarter-car", &[("suspension-damping", 0.0)]).unwrap();
        // m w ω⁴ − (k w + (k + t) m) ω² + k t = 0.
        let (b, discriminant) = (k * w + (k + t) * m, f64::powi(k * w + (k + t) * m, 2) - 4.0 * m * w * k * t);
        let mut found: Vec<f64> =
            real_eigenvalues(&jacobian(&car)).unwrap().iter().map(|value| value.im).filter(|im| *im > 0.0).collect();
        found.sort_by(f64::total_cmp);
        for (found, sign) in found.iter().zip([-1.0, 1.0]) {
            let expected = ((b + sign * discriminant.sqrt()) / (2.0 * m * w)).sqrt();
            assert!((found / expected - 1.0).abs() < 1e-10, "{found} {expected}");
        }
        // The body bounces at about 1.14 Hz, the wheel hops at about 11.5 Hz.
        assert!(
            (found[0] / std::f64::consts::TAU - 1.14).abs() < 0.01
                && (found[1] / std::f64::consts::TAU - 11.46).abs() < 0.02
        );
    }

    #[test]
    fn energy_is_lost_in_the_damper_alone() {
        let car = model("quarter-car", &[]).unwrap();
        let [body, wheel, k, c, tire] = [0, 1, 2, 3, 4].map(|i| car.parameters[i].value);
        for q in [[0.01, -0.3, 0.02, 1.0], [-0.05, 0.2, 0.0, -0.4], [0.0, 1.0, -0.01, 1.0]] {
            let rate = rates(&car, 0.0, &q);
            let [x, v, y, u] = q;
            // E = m v²/2 + w u²/2 + k (x − y)²/2 + t y²/2.
            let power =
                body * v * rate[1] + wheel * u * rate[3] + k * (x - y) * (rate[0] - rate[2]) + tire * y * rate[2];
            assert!((power + c * (v - u).powi(2)).abs() < 1e-9 * (1.0 + power.abs()), "{power}");
        }
    }

    #[test]
    fn a_load_on_the_body_compresses_both_springs() {
        // J q + F/m e = 0: both springs carry the force F.
        let car = model("quarter-car", &[]).unwrap();
        let force = 500.0;
        let wheel = -force / 191_000.0;
        let q = [wheel - force / 16_200.0, 0.0, wheel, 0.0];
        let load = [0.0, -force / 290.0, 0.0, 0.0];
        for (rate, load) in rates(&car, 0.0, &q).iter().zip(load) {
            assert!((rate + load).abs() < 1e-12);
        }
    }

    #[test]
    fn drawings_follow_the_state() {
        let car = model("quarter-car", &[]).unwrap();
        let top = |y: &[f64]| {
            let lines = car.outline(y).unwrap();
            lines.iter().flatten().map(|point| point[2]).fold(f64::NEG_INFINITY, f64::max)
        };
        let wheel = |y: &[f64]| {
            let lines = car.outline(y).unwrap();
            let circle = lines.into_iter().find(|line| line.len() > 2).unwrap();
            circle[1..].iter().map(|point| point[2]).sum::<f64>() / (circle.len() - 1) as f64
        };
        let (rest, moved) = ([0.0; 4], [0.07, 0.0, -0.02, 0.0]);
        assert!((top(&moved) - top(&rest) - 0.07).abs() < 1e-12 && (wheel(&moved) - wheel(&rest) + 0.02).abs() < 1e-12);
        assert_eq!(car.outline(&[0.0]), None);
        assert!(model("quarter-car-body", &[]).unwrap().outline(&[0.1, 0.0]).is_some());
    }

    #[test]
    fn the_body_alone_bounces_as_a_damped_oscillator() {
        let body = model("quarter-car-body", &[]).unwrap();
        let values = real_eigenvalues(&jacobian(&body)).unwrap();
        // λ² + c/m λ + k/m = 0.
        assert!(((values[0] * values[1]).re - 16_200.0 / 290.0).abs() < 1e-12);
        assert!(((values[0] + values[1]).re + 1000.0 / 290.0).abs() < 1e-12);
        assert!((values[0].im.abs() - (16_200.0f64 / 290.0 - f64::powi(500.0 / 290.0, 2)).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn the_body_alone_loses_energy_in_its_damper() {
        let body = SprungBody { mass: 290.0, suspension: Suspension { stiffness: 16_200.0, damping: 1000.0 } };
        for (x, v) in [(0.1, 0.0), (-0.03, 0.4), (0.0, -1.0)] {
            let power = energy_rate(&body, &[2], 0.0, &[x, v]);
            assert!((power + 1000.0 * v * v).abs() < 1e-12 * (1.0 + 16_200.0 * f64::abs(x * v)), "{power}");
        }
    }
}
