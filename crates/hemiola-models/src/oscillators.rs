//! Two damped oscillators, coupled by a spring that keeps the energy.

use crate::model::{Kind, Parameter};

const fn parameter(name: &'static str, meaning: &'static str, value: f64, unit: &'static str) -> Parameter {
    Parameter { name, meaning, value, unit, source: "chosen", may_vanish: false }
}

/// x'' + 2ζω x' + ω² x = γ ω κω y, y'' + 2ζκω y' + (κω)² y = γ ω κω x: with γ < 1 the stiffness is positive definite, and γ² is the part of
/// its determinant that coupling takes away. The oscillator with frequency κω is fast.
pub(crate) static KIND: Kind = Kind {
    name: "coupled-oscillators",
    variables: &["slow position", "slow speed", "fast position", "fast speed"],
    partition: &[0, 0, 1, 1],
    parameters: &[
        parameter("frequency", "slow frequency ω", 1.0, "rad/s"),
        parameter("ratio", "ratio κ of the frequencies", 5.0, "1"),
        Parameter { may_vanish: true, ..parameter("coupling", "strength γ of the coupling", 0.1, "1") },
        Parameter { may_vanish: true, ..parameter("damping", "damping ratio ζ of both", 0.05, "1") },
    ],
    jacobian,
};

fn jacobian(values: &[f64]) -> Vec<Vec<f64>> {
    let &[slow, ratio, gamma, zeta] = values else { return Vec::new() };
    let fast = ratio * slow;
    let coupling = gamma * slow * fast;
    vec![
        vec![0.0, 1.0, 0.0, 0.0],
        vec![-slow * slow, -2.0 * zeta * slow, coupling, 0.0],
        vec![0.0, 0.0, 0.0, 1.0],
        vec![coupling, 0.0, -fast * fast, -2.0 * zeta * fast],
    ]
}

#[cfg(test)]
mod tests {
    use crate::model::model;
    use hemiola_stability::real_eigenvalues;
    use num_complex::Complex64;

    #[test]
    fn uncoupled_eigenvalues_are_those_of_each_oscillator() {
        let model = model("coupled-oscillators", &[("coupling", 0.0), ("damping", 0.25), ("frequency", 2.0)]).unwrap();
        let values = real_eigenvalues(&model.jacobian).unwrap();
        for frequency in [2.0, 10.0] {
            let expected = frequency * Complex64::new(-0.25, (1.0f64 - 0.0625).sqrt());
            assert!(values.iter().any(|value| (value - expected).norm() < 1e-12), "{values:?}");
        }
    }

    #[test]
    fn coupling_beyond_one_is_unstable() {
        let largest = |coupling: f64| {
            let model = model("coupled-oscillators", &[("coupling", coupling)]).unwrap();
            real_eigenvalues(&model.jacobian).unwrap().iter().map(|value| value.re).fold(f64::MIN, f64::max)
        };
        assert!(largest(0.99) < 0.0 && largest(1.01) > 0.0);
    }
}
