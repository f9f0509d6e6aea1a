//! A bar swinging about a fixed joint, with a light particle on a spring at its free end: Gil, Sanfelice & Nikravesh
//! (2013), (63)–(68).

use crate::equations::{Equations, Number};
use crate::model::{ModelKind, ModelParts};
use crate::parameter::{AdmissibleValues, Parameter};

const SOURCE: &str = "Gil et al. (2013)";

/// Body coordinates: r₁ is the bar's center and θ its angle from hanging. s = (L/2)(sin θ, −cos θ) leads from the
/// center to the free end, and the joint requires r₁ = s. With f_s = k (r₂ − r₁ − s)
///
/// m₁ r₁'' = λ + m₁ g + f_s, J₁ θ'' = −s'(θ)·λ + s × f_s, m₂ r₂'' = m₂ g − f_s.
///
/// The second derivative of the constraint, r₁'' = s'(θ) θ'' − s θ'², and s·s' = 0 eliminate λ: (J₁ + m₁ L²/4) θ'' =
/// s'·(m₁ g + f_s) + s × f_s. The particle is fast: its frequency is √(k/m₂) ≈ 707 rad/s, not k/m₂ as printed in the
/// paper. Equations (66) and (67) have g with the opposite sign of (63b), which is followed here. The paper does not
/// give the initial angle; bar and particle start at rest.
pub(crate) static KIND: ModelKind = ModelKind {
    name: "pendulum-particle",
    title: "pendulum with a light particle on a spring at its end",
    parameters: &[
        Parameter::new("bar-mass", "mass m₁ of the bar", 100.0, "kg").from(SOURCE),
        Parameter::new("bar-inertia", "inertia J₁ of the bar about its center", 100.0, "kg m²").from(SOURCE),
        Parameter::new("length", "length L of the bar", 1.0, "m").from(SOURCE),
        Parameter::new("particle-mass", "mass m₂ of the particle", 1e-5, "kg").from(SOURCE),
        Parameter::new("stiffness", "spring k", 5.0, "N/m").from(SOURCE),
        Parameter::new("gravity", "gravity", 9.81, "m/s²").from(SOURCE).within(AdmissibleValues::NotNegative),
        Parameter::new("angle", "initial angle θ", std::f64::consts::FRAC_PI_4, "rad").within(AdmissibleValues::Real),
    ],
    build: |values| {
        let pendulum = Pendulum {
            bar: values.of("bar-mass"),
            inertia: values.of("bar-inertia"),
            half: values.of("length") / 2.0,
            particle: values.of("particle-mass"),
            stiffness: values.of("stiffness"),
            gravity: values.of("gravity"),
        };
        let angle = values.of("angle");
        let s = [pendulum.half * angle.sin(), -pendulum.half * angle.cos()];
        let initial = vec![s[0], s[1], angle, 0.0, 0.0, 0.0, 2.0 * s[0], 2.0 * s[1], 0.0, 0.0];
        let variables = [
            ("bar x", "m"),
            ("bar y", "m"),
            ("bar angle", "rad"),
            ("bar x speed", "m/s"),
            ("bar y speed", "m/s"),
            ("bar angle speed", "rad/s"),
            ("particle x", "m"),
            ("particle y", "m"),
            ("particle x speed", "m/s"),
            ("particle y speed", "m/s"),
        ];
        let built = ModelParts::new(&variables, &[6, 4], pendulum).starting(initial);
        Some(built.lasting(5.0).drawing(&[2, 6]))
    },
};

struct Pendulum {
    bar: f64,
    inertia: f64,
    /// The half length L/2.
    half: f64,
    particle: f64,
    stiffness: f64,
    gravity: f64,
}

impl Pendulum {
    /// Returns s and s'(θ).
    fn arm<N: Number>(&self, angle: N) -> ([N; 2], [N; 2]) {
        let (sin, cos) = angle.sin_cos();
        let (sin, cos) = (sin * self.half, cos * self.half);
        ([sin, -cos], [cos, sin])
    }

    /// Returns r₂ − r₁ − s.
    fn stretch<N: Number>(y: &[N; 10], s: [N; 2]) -> [N; 2] {
        [y[6] - y[0] - s[0], y[7] - y[1] - s[1]]
    }
}

impl Equations for Pendulum {
    fn rate<N: Number>(&self, partition: usize, _t: f64, y: &[N], rate: &mut [N]) {
        let Ok(y) = <&[N; 10]>::try_from(y) else { return };
        let (s, slope) = self.arm(y[2]);
        let spring = Self::stretch(y, s).map(|stretch| stretch * self.stiffness);
        if partition == 0 {
            let force = [spring[0], spring[1] - self.bar * self.gravity];
            let moment = slope[0] * force[0] + slope[1] * force[1] + s[0] * spring[1] - s[1] * spring[0];
            let turning = moment / (self.inertia + self.bar * self.half * self.half);
            let square = y[5] * y[5];
            let center = [0, 1].map(|k| slope[k] * turning - s[k] * square);
            rate.copy_from_slice(&[y[3], y[4], y[5], center[0], center[1], turning]);
        } else {
            let [x, up] = spring.map(|force| -force / self.particle);
            rate.copy_from_slice(&[y[8], y[9], x, up - self.gravity]);
        }
    }

    /// Returns the energy, eq. (68).
    fn energy<N: Number>(&self, _t: f64, y: &[N]) -> Option<N> {
        let y = <&[N; 10]>::try_from(y).ok()?;
        let stretch = Self::stretch(y, self.arm(y[2]).0);
        let square = |a: N, b: N| a * a + b * b;
        let kinetic = square(y[3], y[4]) * self.bar + y[5] * y[5] * self.inertia + square(y[8], y[9]) * self.particle;
        let height = y[1] * self.bar + y[7] * self.particle;
        Some((kinetic + square(stretch[0], stretch[1]) * self.stiffness) / 2.0 + height * self.gravity)
    }
}

#[cfg(test)]
mod tests {
    use super::Pendulum;
    use crate::check::{energy_rate, rates};
    use crate::registry::model;
    use nalgebra::{SMatrix, SVector};

    const PENDULUM: Pendulum =
        Pendulum { bar: 100.0, inertia: 100.0, half: 0.5, particle: 1e-5, stiffness: 5.0, gravity: 9.81 };

    /// Returns a state that satisfies the constraint and its derivative.
    fn state(angle: f64, speed: f64, particle: [f64; 4]) -> [f64; 10] {
        let (s, slope) = PENDULUM.arm(angle);
        let [x, y, v, w] = particle;
        [s[0], s[1], angle, slope[0] * speed, slope[1] * speed, speed, x, y, v, w]
    }

    #[test]
    fn energy_is_kept() {
        for y in [state(0.7, 1.3, [1.0, -0.2, 0.3, 2.0]), state(-2.0, -0.4, [0.0, 0.0, -5.0, 1.0])] {
            let power = energy_rate(&PENDULUM, &[6, 4], 0.0, &y);
            // The terms are of the size of the power of gravity, m g v ≈ 10³ W.
            assert!(power.abs() < 1e-11, "{power}");
        }
    }

    /// Comparison with eqs (63) and (64) as printed, with the multipliers as unknowns.
    #[test]
    fn the_multipliers_are_eliminated_rightly() {
        let model = model("pendulum-particle", &[]).unwrap();
        for y in [state(0.7, 1.3, [1.0, -0.2, 0.3, 2.0]), state(2.5, -3.0, [0.4, 0.1, 0.0, 1.0])] {
            let (half, angle) = (0.5, y[2]);
            let s = [half * angle.sin(), -half * angle.cos()];
            let force = [5.0 * (y[6] - y[0] - s[0]), 5.0 * (y[7] - y[1] - s[1])];
            let d = [[1.0, 0.0, -half * angle.cos()], [0.0, 1.0, -half * angle.sin()]];
            let mut matrix = SMatrix::<f64, 5, 5>::from_diagonal(&SVector::from([100.0, 100.0, 100.0, 0.0, 0.0]));
            for (i, row) in d.iter().enumerate() {
                for (k, &entry) in row.iter().enumerate() {
                    matrix[(3 + i, k)] = entry;
                    matrix[(k, 3 + i)] = -entry;
                }
            }
            let square = y[5] * y[5];
            let moment = s[0] * force[1] - s[1] * force[0];
            let right = SVector::from([force[0], force[1] - 981.0, moment, -s[0] * square, -s[1] * square]);
            let solution = matrix.lu().solve(&right).unwrap();
            let found = rates(&model, 0.0, &y);
            assert!((0..3).all(|k| (found[3 + k] - solution[k]).abs() < 1e-12), "{found:?} {solution}");
        }
    }

    #[test]
    fn it_hangs_still_where_the_spring_carries_the_particle() {
        let model = model("pendulum-particle", &[]).unwrap();
        let sag = 1e-5 * 9.81 / 5.0;
        let rate = rates(&model, 0.0, &state(0.0, 0.0, [0.0, -1.0 - sag, 0.0, 0.0]));
        assert!(rate.iter().all(|rate| rate.abs() < 1e-10), "{rate:?}");
    }

    #[test]
    fn the_particle_is_fast_with_its_own_frequency() {
        let model = model("pendulum-particle", &[]).unwrap();
        let jacobian = model.jacobian_at(0.0, &model.initial);
        assert!((jacobian[8][6] + 5e5).abs() < 1e-9 && (jacobian[9][7] + 5e5).abs() < 1e-9);
    }
}
