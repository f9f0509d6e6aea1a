//! Two damped oscillators, coupled by a conservative spring.

use crate::equations::{Equations, Number};
use crate::model::{ModelKind, ModelParts};
use crate::parameter::{AdmissibleValues, Parameter};

/// x'' + 2ζω x' + ω² x = γ ω κω y, y'' + 2ζκω y' + (κω)² y = γ ω κω x. The oscillator with frequency κω is fast. The
/// stiffness is positive definite for γ < 1, and the coupling reduces its determinant by the fraction γ².
pub(crate) static KIND: ModelKind = ModelKind {
    name: "coupled-oscillators",
    title: "a slow and a fast damped oscillator, coupled by a spring",
    parameters: &[
        Parameter::new("frequency", "slow frequency ω", 1.0, "rad/s"),
        Parameter::new("ratio", "ratio κ of the frequencies", 5.0, "1"),
        Parameter::new("coupling", "strength γ of the coupling", 0.1, "1").within(AdmissibleValues::NotNegative),
        Parameter::new("damping", "damping ratio ζ of both", 0.05, "1").within(AdmissibleValues::NotNegative),
    ],
    build: |values| {
        let slow = values.of("frequency");
        let fast = values.of("ratio") * slow;
        let equations = Oscillators { slow, fast, gamma: values.of("coupling"), zeta: values.of("damping") };
        let variables = [("slow position", "1"), ("slow speed", "1/s"), ("fast position", "1"), ("fast speed", "1/s")];
        let built = ModelParts::new(&variables, &[2, 2], equations).starting(vec![1.0, 0.0, 0.2, 0.0]);
        Some(built.lasting(20.0 / slow).drawing(&[0, 2]))
    },
};

struct Oscillators {
    slow: f64,
    fast: f64,
    gamma: f64,
    zeta: f64,
}

impl Equations for Oscillators {
    fn rate<N: Number>(&self, partition: usize, _t: f64, y: &[N], rate: &mut [N]) {
        let (&[x, v, z, w], [position, speed]) = (y, rate) else { return };
        let (frequency, own, own_speed, other) =
            if partition == 0 { (self.slow, x, v, z) } else { (self.fast, z, w, x) };
        let coupling = self.gamma * self.slow * self.fast;
        *position = own_speed;
        *speed = other * coupling - own * (frequency * frequency) - own_speed * (2.0 * self.zeta * frequency);
    }

    fn energy<N: Number>(&self, _t: f64, y: &[N]) -> Option<N> {
        let &[x, v, z, w] = y else { return None };
        let springs = (x * self.slow).powi(2) + (z * self.fast).powi(2);
        Some((v * v + w * w + springs) / 2.0 - x * z * (self.gamma * self.slow * self.fast))
    }
}

#[cfg(test)]
mod tests {
    use super::Oscillators;
    use crate::check::energy_rate;
    use crate::registry::model;
    use hemiola_stability::real_eigenvalues;
    use num_complex::Complex64;

    #[test]
    fn uncoupled_eigenvalues_are_those_of_each_oscillator() {
        let model = model("coupled-oscillators", &[("coupling", 0.0), ("damping", 0.25), ("frequency", 2.0)]).unwrap();
        let values = real_eigenvalues(&model.jacobian_at(0.0, &model.initial)).unwrap();
        for frequency in [2.0, 10.0] {
            let expected = frequency * Complex64::new(-0.25, (1.0f64 - 0.0625).sqrt());
            assert!(values.iter().any(|value| (value - expected).norm() < 1e-12), "{values:?}");
        }
    }

    #[test]
    fn coupling_beyond_one_is_unstable() {
        let largest = |coupling: f64| {
            let model = model("coupled-oscillators", &[("coupling", coupling)]).unwrap();
            real_eigenvalues(&model.jacobian_at(0.0, &model.initial))
                .unwrap()
                .iter()
                .map(|value| value.re)
                .fold(f64::MIN, f64::max)
        };
        assert!(largest(0.99) < 0.0 && largest(1.01) > 0.0);
    }

    #[test]
    fn energy_is_lost_in_the_dampers_alone() {
        let oscillators = Oscillators { slow: 1.5, fast: 6.0, gamma: 0.4, zeta: 0.1 };
        let q = [0.3, -0.7, 1.1, 2.0];
        let power = energy_rate(&oscillators, &[2, 2], 0.0, &q);
        let lost = 0.2 * (1.5 * q[1] * q[1] + 6.0 * q[3] * q[3]);
        assert!((power + lost).abs() < 1e-12, "{power} {lost}");
    }
}
