//! Internal stability as a term of the objective: the propagation of perturbations of stages to the step.
//!
//! For y' = λy a perturbation of stage j enters the step with the factor Q_j(z), where Q(z)ᵀ = z bᵀ(I − zA)⁻¹
//! (Ketcheson, Lóczi & Parsani 2014). Long fast partitions can amplify rounding by many orders of magnitude. This
//! term is the mean of Σ|Q_j|² along the axis of the fast partition's polynomial, up to its limit.

use hemiola_polynomial::Axis;
use num_complex::Complex64;

use crate::error::DesignError;
use crate::pair::coefficients::PairCoefficients;
use crate::pair::partitions::FAST;
use crate::specification::definition::Specification;
use crate::specification::stability::Stability;
use crate::terms::stability_limit::first_exit;
use crate::terms::term::Term;

/// Number of points on the axis.
const SAMPLES: usize = 32;

/// Half the weighted mean of Σ|Q_j(z)|² over points z.
#[derive(Clone)]
pub(crate) struct InternalStability {
    points: Vec<Complex64>,
    /// The square of the weight, divided by the number of points.
    factor: f64,
}

impl InternalStability {
    /// Creates the term.
    ///
    /// # Errors
    /// Returns [`DesignError::OutOfRange`] if the fast partition's polynomial is free, or stable on neither axis.
    pub(crate) fn new(weight: f64, specification: &Specification) -> Result<Self, DesignError> {
        let none = |found: &str| DesignError::OutOfRange {
            name: "the fast partition's stability polynomial",
            found: found.to_owned(),
            expected: "an optimum on an axis or given coefficients, with a stable interval on which internal \
            stability is measured",
        };
        let [_, fast] = specification.polynomials()?;
        let fast = fast.ok_or_else(|| none("free"))?;
        let coefficients: Vec<f64> = fast.iter().map(|beta| beta.to_f64().value()).collect();
        // |R| touches one for optimal polynomials and may slightly exceed it for their rounded coefficients.
        let along = |direction| (direction, first_exit(&coefficients, direction, 1e-9));
        let [imaginary, real] = [Complex64::I, -Complex64::ONE];
        let (direction, limit) = match &specification.stability[FAST] {
            Stability::Optimal { axis: Axis::Real, .. } => along(real),
            Stability::Optimal { axis: Axis::Imaginary, .. } => along(imaginary),
            // Choose the axis with the larger limit: an excess of order y⁴ stays within the tolerance for a short
            // interval.
            _ => [along(imaginary), along(real)]
                .into_iter()
                .max_by(|x, y| x.1.total_cmp(&y.1))
                .filter(|(_, limit)| *limit > 0.0)
                .ok_or_else(|| none("unstable on both axes"))?,
        };
        let points = (1..=SAMPLES).map(|k| direction * (limit * k as f64 / SAMPLES as f64)).collect();
        Ok(Self { points, factor: weight * weight / SAMPLES as f64 })
    }

    /// Returns `count` points on the axis up to the limit of the polynomial, evenly spaced.
    pub(crate) fn points(&self, count: usize) -> Vec<Complex64> {
        let end = self.points.last().copied().unwrap_or_default();
        (1..=count).map(|k| end * (k as f64 / count as f64)).collect()
    }
}

/// Computes Q(z) of the fast partition, from the last stage to the first: Q_j = z(b_j + Σ_{i>j} a_ij Q_i).
pub(crate) fn amplification(at: &PairCoefficients, z: Complex64) -> Vec<Complex64> {
    let s = at.stages;
    let mut q: Vec<Complex64> = at.row(FAST, s).iter().map(|&b| b * z).collect();
    for i in (1..s).rev() {
        let own = q[i] * z;
        at.row(FAST, i)[..i].iter().zip(&mut q[..i]).for_each(|(a, q)| *q += own * a);
    }
    q
}

impl Term for InternalStability {
    fn value(&self, at: &PairCoefficients) -> f64 {
        let size = |z: &Complex64| amplification(at, *z).iter().map(Complex64::norm_sqr).sum::<f64>();
        self.factor / 2.0 * self.points.iter().map(size).sum::<f64>()
    }

    fn add_gradient(&self, at: &PairCoefficients, gradient: &mut PairCoefficients) {
        let s = at.stages;
        for &z in &self.points {
            let q = amplification(at, z);
            // dF = Re Σ adjoint_j dQ_j, from the first stage to the last.
            let mut adjoints: Vec<Complex64> = q.iter().map(|q| q.conj() * self.factor).collect();
            for j in 0..s {
                let own = adjoints[j] * z;
                let weight = gradient.row_offset(FAST, s) + j;
                gradient.entries[weight] += own.re;
                for i in j + 1..s {
                    let entry = gradient.row_offset(FAST, i) + j;
                    gradient.entries[entry] += (own * q[i]).re;
                    adjoints[i] += own * at.row(FAST, i)[j];
                }
            }
        }
    }

    fn localized(&self, _: &PairCoefficients) -> Box<dyn Term> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn given_polynomials_are_stable_somewhere() {
        let mut specification = Specification::new(2, 4, None).unwrap();
        let beta = |denominator: u8| dashu::rational::RBig::from_parts(1.into(), denominator.into());
        // RK4's polynomial is stable up to √8, that of order two with two stages only on the real axis, and a free
        // one is unknown.
        specification.stability[FAST] = Stability::Given([1, 1, 2, 6, 24].map(beta).to_vec());
        let term = InternalStability::new(1.0, &specification).unwrap();
        assert!((term.points[SAMPLES - 1].im - 8f64.sqrt()).abs() < 2e-3);
        specification.stability[FAST] = Stability::Given([1, 1, 2].map(beta).to_vec());
        let term = InternalStability::new(1.0, &specification).unwrap();
        assert!((term.points[SAMPLES - 1].re + 2.0).abs() < 2e-3);
        specification.stability[FAST] = Stability::Free;
        assert!(matches!(InternalStability::new(1.0, &specification), Err(DesignError::OutOfRange { .. })));
    }

    #[test]
    fn amplifications_are_those_of_the_classical_method() {
        // RK4: Q₁ = z/6 + z²/6 + z³/12 + z⁴/24, Q₄ = z/6, computed from z bᵀ(I − zA)⁻¹ by hand.
        let mut at = PairCoefficients::zero(4);
        for (row, column, value) in [(1, 0, 0.5), (2, 1, 0.5), (3, 2, 1.0)] {
            let entry = at.row_offset(FAST, row) + column;
            at.entries[entry] = value;
        }
        let weights = at.row_offset(FAST, 4);
        at.entries[weights..weights + 4].copy_from_slice(&[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0]);
        let z = Complex64::new(-0.3, 1.1);
        let q = amplification(&at, z);
        assert!((q[0] - (z / 6.0 + z.powi(2) / 6.0 + z.powi(3) / 12.0 + z.powi(4) / 24.0)).norm() < 1e-15);
        assert!((q[3] - z / 6.0).norm() < 1e-15);
    }
}
