//! Stability functions that rounded tableaux approximate.
//!
//! Published coefficients are rounded: moments that agree with 1/k! to their precision are replaced by 1/k!, and the
//! remaining uncertainty is known for every derived quantity.

use dashu::rational::RBig;
use hemiola_tableau::{Butcher, Exact, Method, Scalar};
use num_complex::Complex64;
use num_traits::Zero;

use crate::error::StabilityError;
use crate::function::determinant::{adjugate, denominator};
use crate::function::moments::{ExactMoments, moments};
use crate::function::rational::StabilityFunction;

/// Relative distance from 1/k! below which only the last digits of a moment differ, as in tableaux computed in doubles.
const NUMERICALLY: f64 = 1e-12;

/// Largest number of moments that are compared with 1/k!, k = 0, …, 20.
const MOST_KNOWN: usize = 21;

/// Nominal stability function of a partition, with known moments, and the uncertainty of its coefficients.
pub(crate) struct NominalFunction {
    pub(crate) function: StabilityFunction<Exact>,
    /// Common denominator of A and b, or one.
    pub(crate) scale: RBig,
    known: usize,
    uncertain: UncertainTableau,
}

impl NominalFunction {
    /// Computes the nominal stability function of a partition from its elements.
    ///
    /// # Errors
    /// Returns [`StabilityError::WrongSize`] if there is no such partition.
    pub(crate) fn new(method: &Method, partition: usize, elements: &ExactMoments) -> Result<Self, StabilityError> {
        let (nearest, uncertainties) = (method.to_f64(), method.uncertainties());
        let (Some(nearest), Some(uncertainty)) =
            (nearest.partitions.get(partition), uncertainties.partitions.get(partition))
        else {
            return Err(StabilityError::WrongSize { found: partition + 1, expected: uncertainties.partitions.len() });
        };
        let uncertain = UncertainTableau { nearest: nearest.clone(), uncertainty: uncertainty.clone() };
        let moments = elements.unscaled(&elements.moments);
        let known = uncertain.known_moments(&moments);
        let denominator = elements.unscaled(&elements.denominator);
        let function = StabilityFunction::from_moments(denominator, &with_known(moments, known));
        Ok(Self { function, scale: elements.scale.clone(), known, uncertain })
    }

    /// Computes the uncertainty of each coefficient of |N(tu)|² − |D(tu)|².
    pub(crate) fn excess_uncertainty(&self, direction: Complex64, length: usize) -> Vec<f64> {
        self.uncertain.excess(self.known, direction, length)
    }

    /// Computes the uncertainties of the first coefficients of log R.
    pub(crate) fn logarithm_uncertainty(&self, length: usize) -> Vec<f64> {
        self.uncertain.logarithm(self.known, length)
    }
}

/// Replaces the first `known` moments by 1/k!.
fn with_known<T: Scalar>(mut moments: Vec<T>, known: usize) -> Vec<T> {
    let mut factorial = 1;
    for (k, moment) in moments.iter_mut().enumerate().take(known) {
        factorial *= (k as u64).max(1);
        *moment = T::ratio(1, factorial);
    }
    moments
}

/// Coefficients with their uncertainties, which propagate to first order by derivatives.
struct UncertainTableau {
    nearest: Butcher<f64>,
    uncertainty: Butcher<f64>,
}

impl UncertainTableau {
    /// Counts the leading moments bᵀAᵏ⁻¹𝟙, k = 0, 1, …, that agree with 1/k! exactly or to the precision of the
    /// coefficients.
    fn known_moments(&self, moments: &[Exact]) -> usize {
        // 20! is the last factorial in 64 bits.
        let explained = self.propagate(moments.len().min(MOST_KNOWN), |slopes, _| slopes.to_vec());
        let mut factorial = 1u64;
        let agrees = |(k, (moment, explained)): (usize, (&Exact, &f64))| {
            factorial *= (k as u64).max(1);
            let residual = moment.clone() - Exact::from_ratio(1, factorial);
            let distance = residual.to_f64().abs();
            let numerically = *explained > 0.0 && distance * factorial as f64 <= NUMERICALLY;
            residual.is_zero() || distance <= *explained || numerically
        };
        moments.iter().zip(&explained).enumerate().map(agrees).take_while(|holds| *holds).count()
    }

    /// Computes the uncertainty of each coefficient of |N(tu)|² − |D(tu)|², where known moments have none.
    ///
    /// With w_jk = 2 Re(uʲ ū^{k−j}) the derivatives are ∂E_k = Σ_j w_jk (∂N_j N_{k−j} − ∂D_j D_{k−j}), and ∂N = ∂D·M +
    /// D·∂M.
    fn excess(&self, known: usize, direction: Complex64, length: usize) -> Vec<f64> {
        let moments = with_known(moments(&self.nearest), known);
        let d = denominator(&self.nearest);
        let n = product(&d, &moments);
        let powers: Vec<Complex64> = successive(moments.len(), Complex64::ONE, |power| power * direction);
        let weights = |p: &[f64]| -> Vec<Vec<f64>> {
            let weight = |k: usize, j: usize| match k.checked_sub(j).and_then(|rest| p.get(rest)) {
                Some(other) => 2.0 * other * (powers[j] * powers[k - j].conj()).re,
                None => 0.0,
            };
            (0..length).map(|k| (0..moments.len()).map(|j| weight(k, j)).collect()).collect()
        };
        let (weights_n, weights_d) = (weights(&n), weights(&d));
        self.propagate(length, |slopes, slopes_d| {
            let slopes_n = numerator_slopes(known, [&d, &moments], [slopes_d, slopes]);
            weights_n.iter().zip(&weights_d).map(|(n, d)| sum(n, &slopes_n) - sum(d, slopes_d)).collect()
        })
    }

    /// Computes the uncertainty of each coefficient of log R = log N − log D, where known moments have none: ∂log N =
    /// ∂N/N.
    fn logarithm(&self, known: usize, length: usize) -> Vec<f64> {
        let (d, moments) = (denominator(&self.nearest), with_known(moments(&self.nearest), known));
        let n = product(&d, &moments);
        self.propagate(length, |slopes, slopes_d| {
            let slopes_n = numerator_slopes(known, [&d, &moments], [slopes_d, slopes]);
            let (above, below) = (quotient(&slopes_n, &n, length), quotient(slopes_d, &d, length));
            above.iter().zip(below).map(|(above, below)| above - below).collect()
        })
    }

    /// Propagates the uncertain coefficients to derived values.
    ///
    /// For each uncertain coefficient, `slopes` computes the derivatives of the values from those of all moments and,
    /// for implicit methods and entries of A, those of det(I − zA): ∂m_k/∂b_j = (Aᵏ⁻¹𝟙)_j, ∂m_k/∂a_ij = Σ_n ((Aᵀ)ⁿb)_i
    /// (A^{k−2−n}𝟙)_j, and ∂d_k/∂a_ij = −(M_k)_ji with adj(I − zA) = Σ M_k zᵏ⁻¹. The first `length` values depend on as many
    /// moments and matrices only.
    fn propagate(&self, length: usize, slopes: impl Fn(&[f64], &[f64]) -> Vec<f64>) -> Vec<f64> {
        let s = self.nearest.stages();
        let a = &self.nearest.a;
        let count = s.min(length);
        let forward = successive(count, vec![1.0; s], |v| self.nearest.times(v));
        let transposed = |w: &Vec<f64>| (0..s).map(|j| (0..s).map(|i| a[i][j] * w[i]).sum()).collect();
        let backward = successive(count, self.nearest.b.clone(), transposed);
        // Explicit methods have no denominator; the coefficient of degree zero is one.
        let adjugate = if self.nearest.is_explicit() { Vec::new() } else { adjugate(&self.nearest, count) };
        let mut sum = vec![0.0; length];
        let mut add = |moments: &[f64], denominator: &[f64], delta: f64| {
            let slopes = slopes(moments, denominator);
            sum.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope.abs() * delta);
        };
        for j in 0..s {
            let delta = self.uncertainty.b[j];
            if delta > 0.0 {
                let moments: Vec<f64> = std::iter::once(0.0).chain(forward.iter().map(|v| v[j])).collect();
                add(&moments, &[], delta);
            }
            for i in 0..s {
                let delta = self.uncertainty.a[i][j];
                if delta > 0.0 {
                    let moment =
                        |k: usize| (0..k.saturating_sub(1)).map(|n| backward[n][i] * forward[k - 2 - n][j]).sum();
                    let moments: Vec<f64> = (0..=count).map(moment).collect();
                    let coefficients = adjugate.iter().map(|columns| -columns[i][j]);
                    add(&moments, &std::iter::once(0.0).chain(coefficients).collect::<Vec<f64>>(), delta);
                }
            }
        }
        sum
    }
}

/// Computes ∂N = ∂D·M + D·∂M, where known moments do not change.
fn numerator_slopes(known: usize, [d, m]: [&[f64]; 2], [slopes_d, slopes_m]: [&[f64]; 2]) -> Vec<f64> {
    let unknown: Vec<f64> =
        slopes_m.iter().enumerate().map(|(k, slope)| if k < known { 0.0 } else { *slope }).collect();
    let mut slopes = product(d, &unknown);
    slopes.iter_mut().zip(product(slopes_d, m)).for_each(|(sum, slope)| *sum += slope);
    slopes
}

/// Computes Σ xᵢ yᵢ over the length of the shorter one.
fn sum(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// Multiplies two polynomials up to the degree of the second one.
fn product(p: &[f64], q: &[f64]) -> Vec<f64> {
    (0..q.len()).map(|k| p.iter().take(k + 1).enumerate().map(|(j, p)| p * q[k - j]).sum()).collect()
}

/// Expands the series p/q, q(0) = 1, to the first coefficients.
fn quotient(p: &[f64], q: &[f64], length: usize) -> Vec<f64> {
    let mut series = Vec::with_capacity(length);
    for k in 0..length {
        let terms: f64 = (1..=k.min(q.len().saturating_sub(1))).map(|j| q[j] * series[k - j]).sum();
        series.push(p.get(k).copied().unwrap_or(0.0) - terms);
    }
    series
}

/// Returns n values first, f(first), f(f(first)), ….
fn successive<T: Clone>(n: usize, first: T, f: impl Fn(&T) -> T) -> Vec<T> {
    std::iter::successors(Some(first), |value| Some(f(value))).take(n).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;
    use num_dual::Dual64;

    impl UncertainTableau {
        /// Recomputes [`UncertainTableau::excess`] by dual numbers, one coefficient at a time.
        fn excess_by_duals(&self, known: usize, direction: Complex64, length: usize) -> Vec<f64> {
            let direction = (Dual64::from_re(direction.re), Dual64::from_re(direction.im));
            let mut sum = vec![0.0; length];
            let s = self.nearest.stages();
            for (i, j) in (0..=s).flat_map(|i| (0..s).map(move |j| (i, j))) {
                let delta = if i < s { self.uncertainty.a[i][j] } else { self.uncertainty.b[j] };
                if delta > 0.0 {
                    let butcher = self.seeded(i, j);
                    let moments = with_known(moments(&butcher), known);
                    let excess = StabilityFunction::from_moments(denominator(&butcher), &moments).excess(&direction);
                    sum.iter_mut().zip(excess).for_each(|(sum, value)| *sum += value.eps.abs() * delta);
                }
            }
            sum
        }

        /// Converts the coefficients to dual numbers with derivative one in row `i` (b is row s) and column `j`.
        fn seeded(&self, i: usize, j: usize) -> Butcher<Dual64> {
            let dual = |row: usize, values: &[f64]| -> Vec<Dual64> {
                values
                    .iter()
                    .enumerate()
                    .map(|(k, &v)| Dual64::new(v, f64::from(u8::from((row, k) == (i, j)))))
                    .collect()
            };
            let a = self.nearest.a.iter().enumerate().map(|(row, values)| dual(row, values)).collect();
            let c = self.nearest.c.iter().map(|&c| Dual64::from_re(c)).collect();
            Butcher { a, b: dual(self.nearest.stages(), &self.nearest.b), c }
        }
    }

    #[test]
    fn adjoints_and_duals_propagate_alike() {
        for (id, partition) in [("shome-haug-jay-2-5", 1), ("gauss-3", 0), ("kennedy-carpenter-ark-4-3-6", 1)] {
            let method = library::method(id).unwrap();
            let (nearest, uncertainty) = (method.to_f64(), method.uncertainties());
            let (mut nearest, mut uncertainty) =
                (nearest.partitions[partition].clone(), uncertainty.partitions[partition].clone());
            // A vanishing leading coefficient of N would be cut off together with its derivative.
            nearest.b[2] += 0.01;
            // Make all nonzero entries uncertain, including those that are exact in the tableau.
            let entries = nearest
                .a
                .iter()
                .flatten()
                .chain(&nearest.b)
                .zip(uncertainty.a.iter_mut().flatten().chain(&mut uncertainty.b));
            entries.filter(|(entry, _)| **entry != 0.0).for_each(|(_, delta)| *delta += 1e-8);
            let uncertain = UncertainTableau { nearest, uncertainty };
            let u = Complex64::new(-0.3, 0.8);
            let length = 2 * uncertain.nearest.stages() + 1;
            let (adjoint, dual) = (uncertain.excess(3, u, length), uncertain.excess_by_duals(3, u, length));
            let largest = dual.iter().fold(0.0, |largest: f64, value| largest.max(*value));
            for (adjoint, dual) in adjoint.iter().zip(dual) {
                assert!((adjoint - dual).abs() <= 1e-12 * largest, "{id}: {adjoint} {dual}");
            }
        }
    }
}
