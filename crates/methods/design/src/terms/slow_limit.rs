//! The stability limit of the slow partition as a term of the objective.
//!
//! The polynomials that are stable up to a point form a convex set. This term is a penalty outside of it: half the
//! sum of the squares of positive excesses of |R(z)|² − 1 along the axis.

use hemiola_polynomial::Axis;

use crate::error::DesignError;
use crate::pair::coefficients::PairCoefficients;
use crate::pair::partitions::SLOW;
use crate::specification::definition::Specification;
use crate::specification::stability::{Stability, optimal_limit, taylor};
use crate::terms::term::Term;

/// Number of points on the interval.
const SAMPLES: usize = 48;
/// Distance from an excess of zero at which the penalty begins, so that its minimum is stable rather than only nearly
/// stable.
const MARGIN: f64 = 2e-3;
/// Accuracy with which descents reach the limit, as a fraction of it.
const ACCURACY: f64 = 1e-3;
/// Number of points at which limits are measured.
const MEASURED: usize = 2000;

/// The penalty of slow polynomials that are unstable on an axis before `end`.
#[derive(Clone)]
pub(crate) struct SlowLimit {
    axis: Axis,
    /// The order of the pair, and the number of slow evaluations.
    order: usize,
    evaluations: usize,
    end: f64,
    /// The weight of the excess, equal to that of the errors, so that their common scale has no effect.
    weight: f64,
}

impl SlowLimit {
    /// Creates the penalty for a limit up to `end`.
    pub(crate) fn new(axis: Axis, specification: &Specification, end: f64) -> Self {
        let weight = specification.objective.error.into_iter().fold(0.0, f64::max);
        Self { axis, order: specification.order, evaluations: specification.slow, end, weight }
    }

    /// Creates the penalty of a specification; `None` if it requires no slow limit.
    ///
    /// # Errors
    /// Returns a [`DesignError`] if no polynomial has a limit along the axis.
    pub(crate) fn of(specification: &Specification) -> Result<Option<Self>, DesignError> {
        let Stability::AtLeast { axis, fraction } = specification.stability[SLOW] else { return Ok(None) };
        let optimum = optimal_limit(axis, specification.slow, specification.order)?;
        Ok(Some(Self::new(axis, specification, fraction * optimum)))
    }

    /// Returns the lowest power of t in |R|² − 1: order p forces |R(iy)|² = 1 + O(yᵖ⁺¹).
    fn lowest_power(&self) -> usize {
        if self.axis == Axis::Imaginary { self.order + 2 - self.order % 2 } else { 1 }
    }

    /// Returns the sign of β_j β_k t^{j+k} in |R|²; zero for those that cancel.
    fn sign(&self, j: usize, k: usize) -> f64 {
        let is_even = |n: usize| n.is_multiple_of(2);
        match self.axis {
            Axis::Imaginary if !is_even(j + k) => 0.0,
            Axis::Imaginary if is_even(j.abs_diff(k) / 2) => 1.0,
            Axis::Real if is_even(j + k) => 1.0,
            _ => -1.0,
        }
    }

    /// Computes the coefficients of (|R|² − 1)/(t/end)ⁿ for the lowest power n, in units of `end`.
    ///
    /// Powers that vanish because of the order are omitted, so that rounding does not hide the sign near the origin.
    fn excess(&self, betas: &[f64]) -> Vec<f64> {
        let lowest = self.lowest_power();
        let mut excess = vec![0.0; (2 * betas.len()).saturating_sub(1 + lowest)];
        for (j, x) in betas.iter().enumerate() {
            for (k, y) in betas.iter().enumerate().filter(|(k, _)| j + k >= lowest) {
                excess[j + k - lowest] += self.sign(j, k) * x * y * self.end.powi((j + k) as i32);
            }
        }
        excess
    }

    /// Computes β_k = bᵀAᵏ⁻¹𝟙 of the slow partition, with 1/k! up to the order.
    fn betas(&self, powers: &[Vec<f64>], at: &PairCoefficients) -> Vec<f64> {
        let mut betas: Vec<f64> = taylor(self.order).iter().map(|beta| beta.to_f64().value()).collect();
        let weights = at.row(SLOW, at.stages);
        let beta = |power: &Vec<f64>| weights.iter().zip(power).map(|(b, x)| b * x).sum::<f64>();
        betas.extend(powers[self.order..].iter().map(beta));
        betas
    }

    /// Computes 𝟙, A𝟙, A²𝟙, … of the slow partition, one for each evaluation.
    fn powers(&self, at: &PairCoefficients) -> Vec<Vec<f64>> {
        let times = |power: &Vec<f64>| {
            let row = |i: usize| at.row(SLOW, i)[..i].iter().zip(power).map(|(a, x)| a * x).sum::<f64>();
            Some((0..at.stages).map(row).collect())
        };
        std::iter::successors(Some(vec![1.0; at.stages]), times).take(self.evaluations).collect()
    }

    /// Returns the excess beyond the margin at each point t/end where it is positive.
    fn violations(&self, betas: &[f64]) -> Vec<(f64, f64)> {
        let excess = self.excess(betas);
        let points = (0..=SAMPLES).map(|k| k as f64 / SAMPLES as f64);
        points.map(|t| (t, value(&excess, t) + MARGIN)).filter(|(_, excess)| *excess > 0.0).collect()
    }

    /// Returns whether the limit is reached, up to the accuracy of descents.
    pub(crate) fn holds(&self, at: &PairCoefficients) -> bool {
        self.limit(at) >= (1.0 - ACCURACY) * self.end
    }

    /// Finds the limit of the slow polynomial of a pair, up to `end`.
    pub(crate) fn limit(&self, at: &PairCoefficients) -> f64 {
        let excess = self.excess(&self.betas(&self.powers(at), at));
        let is_stable = |t: f64| value(&excess, t) <= 0.0;
        let point = |k: usize| k as f64 / MEASURED as f64;
        let Some(exit) = (0..=MEASURED).find(|&k| !is_stable(point(k))) else { return self.end };
        let Some(before) = exit.checked_sub(1) else { return 0.0 };
        let (mut stable, mut unstable) = (point(before), point(exit));
        for _ in 0..40 {
            let middle = f64::midpoint(stable, unstable);
            if is_stable(middle) { stable = middle } else { unstable = middle }
        }
        stable * self.end
    }
}

/// Evaluates a polynomial.
fn value(coefficients: &[f64], t: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, x| sum * t + x)
}

impl Term for SlowLimit {
    fn value(&self, at: &PairCoefficients) -> f64 {
        let violations = self.violations(&self.betas(&self.powers(at), at));
        violations.iter().fold(0.0, |sum, (_, excess)| sum + (self.weight * excess).powi(2)) / 2.0
    }

    fn add_gradient(&self, at: &PairCoefficients, gradient: &mut PairCoefficients) {
        let powers = self.powers(at);
        let betas = self.betas(&powers, at);
        let violations = self.violations(&betas);
        if violations.is_empty() {
            return;
        }
        // The derivative of the excess with respect to β_k: 2 Σ_j ±β_j end^{j+k} t^{j+k−n}.
        let lowest = self.lowest_power();
        let slope = |k: usize| {
            let of = |t: f64, j: usize| {
                let beyond = (j + k).checked_sub(lowest)?;
                Some(2.0 * self.sign(j, k) * betas[j] * self.end.powi((j + k) as i32) * t.powi(beyond as i32))
            };
            let at = |t: f64| (0..betas.len()).filter_map(|j| of(t, j)).sum::<f64>();
            violations.iter().map(|&(t, excess)| self.weight.powi(2) * excess * at(t)).sum::<f64>()
        };
        // β_k = bᵀv_k with v₁ = 𝟙 and v_{k+1} = Av_k; `adjoint` is the derivative with respect to v_k.
        let (s, weights) = (at.stages, at.row(SLOW, at.stages));
        let mut adjoint = vec![0.0; s];
        for (k, power) in powers.iter().enumerate().rev() {
            let slope = if k < self.order { 0.0 } else { slope(k + 1) };
            let row = gradient.row_offset(SLOW, s);
            (0..s).for_each(|j| gradient.entries[row + j] += slope * power[j]);
            (0..s).for_each(|j| adjoint[j] += slope * weights[j]);
            let Some(before) = k.checked_sub(1).map(|k| &powers[k]) else { break };
            let mut earlier = vec![0.0; s];
            for i in 0..s {
                let row = gradient.row_offset(SLOW, i);
                for j in 0..i {
                    gradient.entries[row + j] += adjoint[i] * before[j];
                    earlier[j] += at.row(SLOW, i)[j] * adjoint[i];
                }
            }
            adjoint = earlier;
        }
    }

    fn localized(&self, _: &PairCoefficients) -> Box<dyn Term> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a slow partition that is a chain: each stage uses only the previous one, and only the last stage has a
    /// weight, so that β_k is the product of the last k factors.
    fn chain(factors: &[f64]) -> PairCoefficients {
        let mut at = PairCoefficients::zero(factors.len());
        for (i, &factor) in factors.iter().enumerate() {
            let entry = at.row_offset(SLOW, i + 1) + i;
            at.entries[entry] = factor;
        }
        at
    }

    fn measured(axis: Axis, order: usize, betas: &[f64]) -> f64 {
        let factors: Vec<f64> = betas.windows(2).rev().map(|pair| pair[1] / pair[0]).collect();
        let specification = Specification::new(factors.len(), factors.len(), Some(order)).unwrap();
        SlowLimit::new(axis, &specification, 10.0).limit(&chain(&factors))
    }

    #[test]
    fn limits_are_those_of_the_literature() {
        let exp = [1.0, 1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0];
        // Four stages of order four: 2√2, and the real root of −24 + 12x − 4x² + x³. Order three has √3.
        assert!((measured(Axis::Imaginary, 4, &exp) - 8f64.sqrt()).abs() < 1e-9);
        assert!((measured(Axis::Real, 4, &exp) - 2.785_293_563_405_282).abs() < 1e-9);
        assert!((measured(Axis::Imaginary, 3, &exp[..4]) - 3f64.sqrt()).abs() < 1e-9);
        // Five stages of order two: 4 (Kinnmark & Gray 1984a), touched once before; a slightly smaller β₃ is unstable
        // near the origin.
        let optimum = [1.0, 1.0, 0.5, 0.1875, 0.03125, 0.0078125];
        assert!(measured(Axis::Imaginary, 2, &optimum[..3]) < 1e-9);
        assert!((measured(Axis::Imaginary, 2, &[1.0, 1.0, 0.5, 0.25]) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn gradients_agree_with_differences() {
        for axis in [Axis::Imaginary, Axis::Real] {
            let specification = Specification::new(5, 6, Some(3)).unwrap();
            let term = SlowLimit::new(axis, &specification, 9.0);
            let mut at = PairCoefficients::zero(6);
            for (k, (row, column)) in (0..=6).flat_map(|row| (0..row.min(6)).map(move |j| (row, j))).enumerate() {
                let entry = at.row_offset(SLOW, row) + column;
                at.entries[entry] = 0.3 + 0.2 * (k as f64).sin();
            }
            let mut gradient = PairCoefficients::zero(6);
            term.add_gradient(&at, &mut gradient);
            let size = gradient.entries.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
            assert!(size > 0.0);
            let entry = |row: usize, column: usize| at.row_offset(SLOW, row) + column;
            for k in [entry(1, 0), entry(3, 2), entry(5, 1), entry(6, 0), entry(6, 5)] {
                let moved = |step: f64| {
                    let mut there = at.clone();
                    there.entries[k] += step;
                    term.value(&there)
                };
                let difference = (moved(1e-6) - moved(-1e-6)) / 2e-6;
                assert!((difference - gradient.entries[k]).abs() < 1e-6 * size, "{axis} {k}");
            }
        }
    }

    #[test]
    fn stable_polynomials_have_no_penalty() {
        let classical = chain(&[1.0 / 4.0, 1.0 / 3.0, 1.0 / 2.0, 1.0]);
        let specification = Specification::new(4, 4, None).unwrap();
        let value = |end| SlowLimit::new(Axis::Imaginary, &specification, end).value(&classical);
        assert!(value(2.8) == 0.0 && value(2.9) > 0.0);
    }
}
