//! Smallest polynomial on a spectrum at a given scale, under linear conditions.

use crate::arithmetic::real::{BigReal, Real};
use crate::error::PolynomialError;
use crate::problem::condition::LinearCondition;
use crate::problem::statement::Problem;
use crate::solve::sampled::SampledProblem;

/// Decimal digits for the change from the orthogonal basis to powers, which may lose as many digits as there are
/// stages.
const DIGITS: usize = 60;

/// Polynomial that is as small as possible on a spectrum at a fixed scale.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedScalePolynomial {
    /// Coefficients β₀ … β_s.
    pub coefficients: Vec<f64>,
    /// Smallest t with |R(hλ)| ≤ 1 + Wt on the samples of the boundary, where W is the size of |R|² − 1 near the
    /// origin.
    ///
    /// It is at most zero if the polynomial is stable there.
    pub level: f64,
}

impl Problem {
    /// Finds the polynomial of this degree and order that satisfies linear conditions and is smallest on h times the
    /// spectrum.
    ///
    /// Returns `None` if the conic solver fails, as it does for contradictory conditions.
    ///
    /// ```
    /// use hemiola_polynomial::{LinearCondition, Problem, Spectrum};
    /// let problem = Problem::new(Spectrum::Disk, 5, 2);
    /// let limit = problem.solve()?.limit(); // 4
    /// let pinned = [LinearCondition::Coefficient { power: 3, value: 1.0 / 6.0 }];
    /// assert!(problem.at_scale(0.99 * limit, &[])?.unwrap().level < 0.0);
    /// let third = problem.at_scale(0.99 * limit, &pinned)?.unwrap();
    /// assert!(third.level > 0.0 && (third.coefficients[3] - 1.0 / 6.0).abs() < 1e-9);
    /// # Ok::<(), hemiola_polynomial::PolynomialError>(())
    /// ```
    ///
    /// # Errors
    /// [`PolynomialError`] for an invalid problem, as in [`solve`](Self::solve), or a scale that is not positive.
    pub fn at_scale(
        &self,
        h: f64,
        conditions: &[LinearCondition],
    ) -> Result<Option<FixedScalePolynomial>, PolynomialError> {
        self.validate()?;
        if !(h > 0.0 && h.is_finite()) {
            return Err(PolynomialError::OutOfRange { name: "the scale", value: h, expected: "a positive number" });
        }
        let mut search = SampledProblem::new(self.stages, self.order, self.pieces()?);
        let Some(best) = search.best_under(h, conditions) else { return Ok(None) };
        let like = BigReal::new(1.0, DIGITS);
        let gamma: Vec<BigReal> = best.gamma.iter().map(|gamma| like.like(*gamma)).collect();
        let free = search.constraints.prepared(&like).free_coefficients(&gamma, &like);
        let mut coefficients = vec![1.0; self.order + 1];
        for k in 1..=self.order {
            coefficients[k] = coefficients[k - 1] / k as f64;
        }
        coefficients.extend(free.iter().map(Real::to_f64));
        coefficients.resize(self.stages + 1, 0.0);
        Ok(Some(FixedScalePolynomial { coefficients, level: best.level }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::axis::Axis;
    use crate::problem::spectrum::Spectrum;

    #[test]
    fn the_optimum_satisfies_the_conditions_that_it_satisfies_anyway() {
        for (spectrum, stages, order) in [(Spectrum::Disk, 12, 3), (Spectrum::Axis(Axis::Real), 9, 2)] {
            let problem = Problem::new(spectrum, stages, order);
            let optimum = problem.solve().unwrap();
            let polynomial = optimum.polynomial(17).unwrap();
            let z = -0.7;
            let value = polynomial.value(num_complex::Complex64::new(z, 0.0)).re;
            let power = order + 1;
            let through = [
                LinearCondition::Value { z, value },
                LinearCondition::Coefficient { power, value: polynomial.to_f64()[power] },
            ];
            let level = |factor: f64, conditions: &[LinearCondition]| {
                problem.at_scale(factor * optimum.limit(), conditions).unwrap().unwrap().level
            };
            assert!(level(0.999, &through) < 0.0 && level(1.001, &through) > 0.0);
            // Another value reduces the largest feasible scale.
            assert!(level(0.999, &[LinearCondition::Value { z, value: value + 0.2 }]) > 0.0);
        }
    }

    #[test]
    fn conditions_hold() {
        let problem = Problem::new(Spectrum::Wedge { degrees: 60.0 }, 10, 4);
        let (z, value) = (-2.5, 0.25);
        let found = problem.at_scale(3.0, &[LinearCondition::Value { z, value }]).unwrap().unwrap();
        let sum = found.coefficients.iter().rev().fold(0.0, |sum, beta| sum * z + beta);
        assert!((sum - value).abs() < 1e-8, "{sum}");
    }

    #[test]
    fn scales_are_positive() {
        assert!(Problem::new(Spectrum::Disk, 5, 2).at_scale(-1.0, &[]).is_err());
    }
}
