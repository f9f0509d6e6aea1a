//! The linear test pair q' = Λq of Gil, Sanfelice & Nikravesh (2013), eqs (50), (51), (62).

use num_complex::Complex64;

use crate::equations::{Equations, Number};
use crate::model::{ModelKind, ModelParts};
use crate::parameter::{AdmissibleValues, Parameter};

/// x' = λ_s x + μ z, z' = δ x + λ_f z with complex λ_f = α λ_s, μ = β λ_s and δ = β λ_f, in real and imaginary parts;
/// x(0) = z(0) = 1. z is fast.
pub(crate) static KIND: ModelKind = ModelKind {
    name: "linear-pair",
    title: "linear pair of a slow and a fast complex variable",
    parameters: &[
        Parameter::new("decay", "−Re λ_s", 1.0, "1/s")
            .from("Gil et al. (2013), eq. (62)")
            .within(AdmissibleValues::NotNegative),
        Parameter::new("frequency", "Im λ_s", 1.0, "rad/s").from("Gil et al. (2013), eq. (62)"),
        Parameter::new("ratio", "α = λ_f/λ_s", 10.0, "1"),
        Parameter::new("coupling", "β = δ/λ_f = μ/λ_s", 0.1, "1").within(AdmissibleValues::Real),
    ],
    build: |values| {
        let slow = Complex64::new(-values.of("decay"), values.of("frequency"));
        let pair = LinearPair { slow, fast: values.of("ratio") * slow, coupling: values.of("coupling") };
        let variables = [("Re x", "1"), ("Im x", "1"), ("Re z", "1"), ("Im z", "1")];
        let built = ModelParts::new(&variables, &[2, 2], pair).starting(vec![1.0, 0.0, 1.0, 0.0]);
        Some(built.lasting(5.0 / slow.norm()).drawing(&[0, 2]))
    },
};

struct LinearPair {
    slow: Complex64,
    fast: Complex64,
    coupling: f64,
}

impl Equations for LinearPair {
    fn rate<N: Number>(&self, partition: usize, _t: f64, y: &[N], rate: &mut [N]) {
        let (&[x, x_i, z, z_i], [re, im]) = (y, rate) else { return };
        // Both rows have the form λ (own + β other).
        let (lambda, u, v) = if partition == 0 {
            (self.slow, x + z * self.coupling, x_i + z_i * self.coupling)
        } else {
            (self.fast, z + x * self.coupling, z_i + x_i * self.coupling)
        };
        *re = u * lambda.re - v * lambda.im;
        *im = u * lambda.im + v * lambda.re;
    }

    /// Computes exp(tΛ) = e^{tλ₁} I + (e^{tλ₁} − e^{tλ₂})/(λ₁ − λ₂) (Λ − λ₁ I), the interpolation at the eigenvalues.
    fn exact(&self, t: f64) -> Option<Vec<f64>> {
        let (mu, delta) = (self.coupling * self.slow, self.coupling * self.fast);
        let (mean, half) = ((self.slow + self.fast) / 2.0, (self.slow - self.fast) / 2.0);
        let root = (half * half + mu * delta).sqrt();
        let [first, second] = [mean + root, mean - root].map(|lambda| (t * lambda).exp());
        let slope = if root.norm() == 0.0 { t * first } else { (first - second) / (2.0 * root) };
        let x = first + slope * (self.slow - mean - root + mu);
        let z = first + slope * (self.fast - mean - root + delta);
        Some(vec![x.re, x.im, z.re, z.im])
    }
}

#[cfg(test)]
mod tests {
    use crate::check::{observed_order, rates};
    use crate::registry::model;

    #[test]
    fn the_exact_solution_satisfies_the_equations() {
        for (ratio, coupling) in [(10.0, 0.1), (100.0, 0.5), (1.0, 0.0), (3.0, -2.0)] {
            let pair = model("linear-pair", &[("ratio", ratio), ("coupling", coupling)]).unwrap();
            let t = 0.4;
            let span = 1e-4 / ratio;
            let (left, here, right) =
                (pair.exact(t - span).unwrap(), pair.exact(t).unwrap(), pair.exact(t + span).unwrap());
            let rates = rates(&pair, t, &here);
            for k in 0..4 {
                // The relative error of the difference is (span λ)²/6, with |λ| ≤ √2 α (1 + |β|).
                let found = (right[k] - left[k]) / (2.0 * span);
                assert!((found - rates[k]).abs() < 1e-6 * ratio * (1.0 + coupling.abs()), "{ratio} {k}");
            }
        }
    }

    #[test]
    fn the_classical_method_converges_at_order_four() {
        let pair = model("linear-pair", &[]).unwrap();
        let order = observed_order(&pair, 1.0, 100);
        assert!((order - 4.0).abs() < 0.1, "{order}");
    }

    #[test]
    fn the_slow_manifold_is_as_printed() {
        // Eq. (52): z' = 0 at z = −β x.
        let pair = model("linear-pair", &[("coupling", 0.3)]).unwrap();
        let rate = rates(&pair, 0.0, &[1.0, 2.0, -0.3, -0.6]);
        assert!(rate[2].abs() < 1e-15 && rate[3].abs() < 1e-15);
        // Eq. (53): at that z, x' = (1 − β²) λ_s x.
        assert!((rate[0] - 0.91 * (-1.0 - 2.0)).abs() < 1e-15 && (rate[1] - 0.91 * (1.0 - 2.0)).abs() < 1e-15);
    }
}
