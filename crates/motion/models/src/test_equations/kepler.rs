//! Kepler's problem: a planet about a sun at the origin.

use crate::equations::{Equations, Number};
use crate::model::{ModelKind, ModelParts};
use crate::parameter::{AdmissibleValues, Parameter};

/// q' = v, v' = −q/|q|³ from the pericenter of the orbit with semi-major axis 1: the period is 2π. Positions are
/// partition 0, velocities partition 1; neither is faster.
pub(crate) static KIND: ModelKind = ModelKind {
    name: "kepler",
    title: "Kepler's problem, positions and velocities in separate partitions",
    parameters: &[
        Parameter::new("eccentricity", "eccentricity e of the orbit", 0.3, "1").within(AdmissibleValues::Fraction)
    ],
    build: |values| {
        let orbit = Kepler { eccentricity: values.of("eccentricity") };
        let variables = [("x", "1"), ("y", "1"), ("x speed", "1"), ("y speed", "1")];
        let initial = orbit.exact(0.0)?;
        Some(ModelParts::new(&variables, &[2, 2], orbit).starting(initial).lasting(20.0).drawing(&[0, 1]))
    },
};

struct Kepler {
    eccentricity: f64,
}

impl Kepler {
    /// Solves E − e sin E = t for the eccentric anomaly E at the mean anomaly t. Within one revolution the function is
    /// monotone, and starting from the side on which it is convex, Newton's iterates are monotone as well.
    fn anomaly(&self, t: f64) -> f64 {
        let e = self.eccentricity;
        let turn = std::f64::consts::TAU * (t / std::f64::consts::TAU).round();
        let mean = t - turn;
        let mut anomaly = if mean == 0.0 { 0.0 } else { std::f64::consts::PI.copysign(mean) };
        for _ in 0..100 {
            let change = (anomaly - e * anomaly.sin() - mean) / (1.0 - e * anomaly.cos());
            anomaly -= change;
            if change.abs() <= f64::EPSILON * anomaly.abs() {
                break;
            }
        }
        turn + anomaly
    }
}

impl Equations for Kepler {
    fn rate<N: Number>(&self, partition: usize, _t: f64, y: &[N], rate: &mut [N]) {
        let (&[x, y, v, w], [first, second]) = (y, rate) else { return };
        if partition == 0 {
            (*first, *second) = (v, w);
        } else {
            let square = x * x + y * y;
            let cube = square * square.sqrt();
            (*first, *second) = (-x / cube, -y / cube);
        }
    }

    fn exact(&self, t: f64) -> Option<Vec<f64>> {
        let (e, (sin, cos)) = (self.eccentricity, self.anomaly(t).sin_cos());
        let axis = (1.0 - e * e).sqrt();
        let rate = 1.0 / (1.0 - e * cos);
        Some(vec![cos - e, axis * sin, -sin * rate, axis * cos * rate])
    }

    fn energy<N: Number>(&self, _t: f64, y: &[N]) -> Option<N> {
        let &[x, y, v, w] = y else { return None };
        Some((v * v + w * w) / 2.0 - (x * x + y * y).sqrt().recip())
    }
}

#[cfg(test)]
mod tests {
    use super::Kepler;
    use crate::check::{energy_rate, observed_order};
    use crate::equations::Equations;
    use crate::registry::model;

    #[test]
    fn anomalies_solve_keplers_equation() {
        for eccentricity in [0.0, 0.3, 0.9, 0.999] {
            let orbit = Kepler { eccentricity };
            for k in -40..40 {
                let t = 0.37 * f64::from(k);
                let found = orbit.anomaly(t);
                assert!((found - eccentricity * found.sin() - t).abs() < 1e-14 * (1.0 + t.abs()), "{eccentricity} {t}");
            }
        }
    }

    #[test]
    fn the_ellipse_has_its_energy_momentum_and_period() {
        let orbit = Kepler { eccentricity: 0.6 };
        let start = orbit.exact(0.0).unwrap();
        for t in [0.0, 0.1, 1.0, 3.0, 5.5] {
            let y = orbit.exact(t).unwrap();
            // Energy −1/2a and angular momentum √(1 − e²), with a = 1.
            assert!((orbit.energy(0.0, &y).unwrap() + 0.5).abs() < 1e-14);
            assert!((y[0] * y[3] - y[1] * y[2] - 0.8).abs() < 1e-14);
            assert!(energy_rate(&orbit, &[2, 2], t, &y).abs() < 1e-14);
        }
        let later = orbit.exact(std::f64::consts::TAU).unwrap();
        assert!(start.iter().zip(later).all(|(a, b)| (a - b).abs() < 1e-14));
    }

    #[test]
    fn the_classical_method_converges_at_order_four() {
        let order = observed_order(&model("kepler", &[]).unwrap(), 5.0, 400);
        assert!((order - 4.0).abs() < 0.1, "{order}");
    }
}
