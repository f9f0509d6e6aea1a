//! Stability limits along rays, from the exact polynomial |N(tu)|² − |D(tu)|².
//!
//! Published coefficients are rounded, and the optimal polynomials touch |R| = 1: taken literally, a table of eight
//! decimals is unstable by 1e-9 at every such point, often at the origin already. A limit is therefore the first t at
//! which |R| exceeds one by more than the uncertainty of the coefficients explains, and moments that agree with 1/k! to
//! that precision are taken to be 1/k!. What is reported is where |R| passes one on its way there.

use dashu::base::BitTest;
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use hemiola_polynomial::signs::{first_positive, last_rise};
use hemiola_tableau::{Butcher, Exact, Method, Scalar};
use num_complex::Complex64;
use num_traits::Zero;

use crate::error::StabilityError;
use crate::function::{StabilityFunction, adjugate, denominator, moments};
use crate::integral::{exact_denominator, exact_moments};

/// Exact coefficients without uncertainty are kept up to this many bits.
const KEPT_BITS: usize = 2048;
/// Uncertain ones are rounded to this many bits below their uncertainty: longer numbers would only be slower.
const GUARD_BITS: i32 = 80;

/// How far stability reaches along a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// |R(tu)| ≤ 1 for 0 ≤ t ≤ this number, and not just beyond.
    Finite(f64),
    /// |R(tu)| ≤ 1 for all t ≥ 0.
    Unbounded,
}

impl Limit {
    /// The limit as a number; infinity where it is unbounded.
    #[must_use]
    pub fn value(self) -> f64 {
        match self {
            Self::Finite(value) => value,
            Self::Unbounded => f64::INFINITY,
        }
    }
}

/// The first exit of |R_r(tu)| ≤ 1 for the stability function of partition `partition` along t·`direction`, t ≥ 0.
///
/// ```
/// use hemiola_stability::{Limit, stability_limit};
/// use num_complex::Complex64;
/// let rk4 = hemiola_tableau::library::method("rk4").unwrap();
/// let imaginary = stability_limit(&rk4, 0, Complex64::I).unwrap();
/// assert_eq!(imaginary, Limit::Finite(8f64.sqrt()));
/// ```
///
/// # Errors
/// [`StabilityError::OutOfRange`] where the direction is zero or not finite, or there is no such partition.
pub fn stability_limit(method: &Method, partition: usize, direction: Complex64) -> Result<Limit, StabilityError> {
    let (Some(x), Some(y)) = (Exact::from_f64(direction.re), Exact::from_f64(direction.im)) else {
        return Err(StabilityError::OutOfRange {
            name: "the direction",
            value: direction.norm(),
            expected: "a finite number",
        });
    };
    if direction == Complex64::ZERO {
        return Err(StabilityError::OutOfRange {
            name: "the direction",
            value: 0.0,
            expected: "a number other than 0",
        });
    }
    let exact = method.exact();
    let (Some(butcher), Some(uncertainty)) =
        (exact.partitions.get(partition), method.uncertainties().partitions.get(partition).cloned())
    else {
        return Err(StabilityError::WrongSize { found: partition + 1, expected: exact.partitions.len() });
    };
    let nearest = &method.to_f64().partitions[partition];
    let uncertain = Uncertain { nearest, uncertainty: &uncertainty };
    let moments = exact_moments(butcher);
    let known = uncertain.known_moments(&moments);
    let function = StabilityFunction::from_moments(exact_denominator(butcher), &with_known(moments, known));
    let excess = function.excess(&(x, y));
    let explained = uncertain.excess(known, direction, excess.len());
    Ok(first_exit(&excess, &explained))
}

/// The first t > 0 with Σ Eₖtᵏ > Σ εₖtᵏ, where leading terms that their uncertainty explains count as zero.
fn first_exit(excess: &[Exact], explained: &[f64]) -> Limit {
    let differs = |(e, &epsilon): (&Exact, &f64)| !e.is_zero() && e.to_f64().abs() > epsilon;
    let Some(lowest) = excess.iter().zip(explained).position(differs) else {
        return Limit::Unbounded;
    };
    let excess = &excess[lowest..];
    let margin: Vec<RBig> = excess
        .iter()
        .zip(&explained[lowest..])
        .enumerate()
        .map(|(k, (e, &epsilon))| {
            let explained = Exact::from_f64(epsilon).unwrap_or_else(Exact::zero);
            // The lowest term decides near zero, and it is larger than its uncertainty.
            rational(&if k == 0 { e.clone() } else { e.clone() - explained }, epsilon)
        })
        .collect();
    let Some(exceeded) = first_positive(&margin) else {
        return Limit::Unbounded;
    };
    let literal: Vec<RBig> =
        excess.iter().zip(&explained[lowest..]).map(|(e, &epsilon)| rational(e, epsilon)).collect();
    let passed = last_rise(&literal, &exceeded).unwrap_or(exceeded);
    Limit::Finite(passed.to_f64().value())
}

/// A short rational number at or just below the exact one: nearer than its uncertainty by [`GUARD_BITS`].
fn rational(value: &Exact, uncertainty: f64) -> RBig {
    if value.is_zero() {
        return RBig::ZERO;
    }
    let fraction_bits = if uncertainty > 0.0 {
        // −log₂ of the uncertainty, from above.
        (GUARD_BITS - uncertainty.log2().floor() as i32).clamp(0, KEPT_BITS as i32) as usize
    } else {
        KEPT_BITS
    };
    let low = match value.as_rational() {
        Some(value) if value.denominator().bit_len() <= fraction_bits => return value.clone(),
        Some(value) => value.clone(),
        None => value.enclose(fraction_bits + 64).low().clone(),
    };
    let scale = UBig::ONE << fraction_bits;
    let floor = (low * RBig::from(IBig::from(scale.clone()))).floor();
    RBig::from_parts(floor, scale)
}

/// The first `known` moments replaced by 1/k!.
fn with_known<T: Scalar>(mut moments: Vec<T>, known: usize) -> Vec<T> {
    let mut factorial = 1;
    for (k, moment) in moments.iter_mut().enumerate().take(known) {
        factorial *= (k as u64).max(1);
        *moment = T::ratio(1, factorial);
    }
    moments
}

/// Coefficients with their uncertainties, which propagate by derivatives to first order.
struct Uncertain<'a> {
    nearest: &'a Butcher<f64>,
    uncertainty: &'a Butcher<f64>,
}

impl Uncertain<'_> {
    /// How many moments bᵀAᵏ⁻¹𝟙, k = 0, 1, …, agree with 1/k! exactly or to the precision of the coefficients.
    fn known_moments(&self, moments: &[Exact]) -> usize {
        let explained = self.propagate(moments.len(), |slopes, _| slopes.to_vec());
        // 20! is the last factorial in 64 bits, and no method has a higher order.
        let mut factorial = 1u64;
        let agrees = |(k, (moment, explained)): (usize, (&Exact, &f64))| {
            factorial *= (k as u64).max(1);
            let residual = moment.clone() - Exact::from_ratio(1, factorial);
            residual.is_zero() || residual.to_f64().abs() <= *explained
        };
        moments.iter().zip(&explained).enumerate().take(21).map(agrees).take_while(|holds| *holds).count()
    }

    /// The uncertainty of each coefficient of |N(tu)|² − |D(tu)|², where known moments have none.
    ///
    /// With w_jk = 2 Re(uʲ ū^{k−j}) the derivatives are ∂E_k = Σ_j w_jk (∂N_j N_{k−j} − ∂D_j D_{k−j}), and ∂N = ∂D·M + D·∂M.
    fn excess(&self, known: usize, direction: Complex64, length: usize) -> Vec<f64> {
        let moments = with_known(moments(self.nearest), known);
        let d = denominator(self.nearest);
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
            let unknown: Vec<f64> =
                slopes.iter().enumerate().map(|(k, slope)| if k < known { 0.0 } else { *slope }).collect();
            let mut slopes_n = product(&d, &unknown);
            slopes_n.iter_mut().zip(product(slopes_d, &moments)).for_each(|(sum, slope)| *sum += slope);
            weights_n.iter().zip(&weights_d).map(|(n, d)| sum(n, &slopes_n) - sum(d, slopes_d)).collect()
        })
    }

    /// The uncertainties of values whose derivatives with respect to each uncertain coefficient `slopes` finds from those of
    /// all moments and, for implicit methods and entries of A, those of det(I − zA).
    ///
    /// ∂m_k/∂b_j = (Aᵏ⁻¹𝟙)_j, ∂m_k/∂a_ij = Σ_n ((Aᵀ)ⁿb)_i (A^{k−2−n}𝟙)_j, and ∂d_k/∂a_ij = −(M_k)_ji with
    /// adj(I − zA) = Σ M_k zᵏ⁻¹.
    fn propagate(&self, length: usize, slopes: impl Fn(&[f64], &[f64]) -> Vec<f64>) -> Vec<f64> {
        let s = self.nearest.stages();
        let a = &self.nearest.a;
        let forward = successive(s, vec![1.0; s], |v| self.nearest.times(v));
        let transposed = |w: &Vec<f64>| (0..s).map(|j| (0..s).map(|i| a[i][j] * w[i]).sum()).collect();
        let backward = successive(s, self.nearest.b.clone(), transposed);
        // Explicit methods have no denominator; the coefficient of degree zero is one.
        let adjugate = if self.nearest.is_explicit() { Vec::new() } else { adjugate(self.nearest) };
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
                    let moments: Vec<f64> = (0..=s).map(moment).collect();
                    let coefficients = adjugate.iter().map(|columns| -columns[i][j]);
                    add(&moments, &std::iter::once(0.0).chain(coefficients).collect::<Vec<f64>>(), delta);
                }
            }
        }
        sum
    }
}

/// Σ xᵢ yᵢ over the shorter one.
fn sum(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// The product of two polynomials up to the degree of the second one.
fn product(p: &[f64], q: &[f64]) -> Vec<f64> {
    (0..q.len()).map(|k| p.iter().take(k + 1).enumerate().map(|(j, p)| p * q[k - j]).sum()).collect()
}

/// first, f(first), f(f(first)), …: n values.
fn successive<T: Clone>(n: usize, first: T, f: impl Fn(&T) -> T) -> Vec<T> {
    std::iter::successors(Some(first), |value| Some(f(value))).take(n).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;
    use num_dual::Dual64;

    impl Uncertain<'_> {
        /// The second opinion on [`Uncertain::excess`]: dual numbers, one coefficient at a time.
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

        /// The coefficients as duals with derivative one in row `i` (b is row s) and column `j`.
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

    fn limits(id: &str, partition: usize) -> (f64, f64) {
        let method = library::method(id).unwrap();
        let limit = |direction| stability_limit(&method, partition, direction).unwrap().value();
        (limit(Complex64::I), limit(Complex64::new(-1.0, 0.0)))
    }

    #[test]
    fn limits_from_the_literature() {
        let close =
            |found: f64, expected: f64| assert!((found - expected).abs() <= 1e-13 * expected, "{found} {expected}");
        let (imaginary, real) = limits("rk4", 0);
        close(imaginary, 8f64.sqrt());
        close(real, 2.785_293_563_405_282);
        assert_eq!(limits("explicit-euler", 0), (0.0, 2.0));
        assert_eq!(limits("heun-2", 0), (0.0, 2.0));
        let (imaginary, real) = limits("kutta-3", 0);
        close(imaginary, 3f64.sqrt());
        close(real, 2.512_745_326_618_328_6);
    }

    #[test]
    fn implicit_methods_are_stable_without_limit() {
        for id in ["implicit-euler", "implicit-midpoint", "gauss-2", "gauss-3", "radau-iia-3", "lobatto-iiic-3"] {
            assert_eq!(limits(id, 0), (f64::INFINITY, f64::INFINITY), "{id}");
        }
        // Lobatto IIIC* has an explicit stability polynomial's limit.
        assert!(limits("lobatto-iiic-star-2", 0).1.is_finite());
    }

    #[test]
    fn rounded_tables_have_the_limit_that_was_meant() {
        let (imaginary, _) = limits("shome-haug-jay-2-5", 1);
        // Eight decimals move the simple crossing at 4 by some 1e-8 over its slope.
        assert!((imaginary - 4.0).abs() < 1e-6, "{imaginary}");
        assert_eq!(limits("shome-haug-jay-2-5", 0).0, 0.0);
    }

    #[test]
    fn adjoints_and_duals_propagate_alike() {
        for (id, partition) in [("shome-haug-jay-2-5", 1), ("gauss-3", 0), ("kennedy-carpenter-ark-4-3-6", 1)] {
            let method = library::method(id).unwrap();
            let (nearest, uncertainty) = (method.to_f64(), method.uncertainties());
            let (mut nearest, mut uncertainty) =
                (nearest.partitions[partition].clone(), uncertainty.partitions[partition].clone());
            // A leading coefficient of N that vanishes would be cut off together with its derivative.
            nearest.b[2] += 0.01;
            // Doubt all entries other than zero, also those that are exact in the table.
            let entries = nearest
                .a
                .iter()
                .flatten()
                .chain(&nearest.b)
                .zip(uncertainty.a.iter_mut().flatten().chain(&mut uncertainty.b));
            entries.filter(|(entry, _)| **entry != 0.0).for_each(|(_, delta)| *delta += 1e-8);
            let uncertain = Uncertain { nearest: &nearest, uncertainty: &uncertainty };
            let u = Complex64::new(-0.3, 0.8);
            let length = 2 * nearest.stages() + 1;
            let (adjoint, dual) = (uncertain.excess(3, u, length), uncertain.excess_by_duals(3, u, length));
            let largest = dual.iter().fold(0.0, |largest: f64, value| largest.max(*value));
            for (adjoint, dual) in adjoint.iter().zip(dual) {
                assert!((adjoint - dual).abs() <= 1e-12 * largest, "{id}: {adjoint} {dual}");
            }
        }
    }

    #[test]
    fn a_ray_between_the_axes() {
        let method = library::method("shome-haug-jay-2-5").unwrap();
        let u = Complex64::new(-0.05, (1.0f64 - 0.0025).sqrt());
        let limits: Vec<f64> = (0..2).map(|r| stability_limit(&method, r, u).unwrap().value()).collect();
        // |1 + tu + (tu)²/2| = 1 at t = 4ζ/(1 − … ): 0.8 for ζ = 0.05, where 0.41165 + 0.58835 = 1.
        assert!((limits[0] - 0.8).abs() < 1e-12 && (limits[1] - 4.040).abs() < 5e-4, "{limits:?}");
    }
}
