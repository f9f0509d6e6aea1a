//! Condition of the monomial basis, and fixed-point coefficients in it that are safe to compute with.

use dashu::base::{BitTest, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use num_complex::Complex64;

/// Returns the digits that R loses on `points` when its coefficients are rounded: log₁₀ of the largest Σ |β_k zᵏ|.
///
/// Coefficients β_k (1 + ε_k) with |ε_k| ≤ u = 2⁻⁵³, as in a Butcher tableau in double precision, change R(z) by up to
/// u Σ |β_k zᵏ|. A loss of more than about eight digits is noticeable in ordinary computations; a loss of sixteen
/// digits leaves nothing of |R| ≤ 1. The loss is a property of the polynomial and the points: no order of the
/// operations avoids it, only other coefficients do, such as those of [`StageForm::Factors`](crate::StageForm::Factors) and
/// [`StageForm::Recurrence`](crate::StageForm::Recurrence).
///
/// ```
/// use hemiola_polynomial::{Axis, monomial_digits_lost, optimal};
/// // Σ |β_k| Lᵏ = T_s(3) for R = T_s(1 + z/s²), L = 2s².
/// let digits = |s| {
///     let polynomial = optimal(Axis::Real, s, 1).unwrap();
///     monomial_digits_lost(polynomial.coefficients(), &[(-polynomial.limit()).into()])
/// };
/// assert!((digits(2) - 17f64.log10()).abs() < 1e-12);
/// assert!((digits(200) - 152.8).abs() < 0.1); // although T_s(3) itself is far beyond what doubles resolve
/// ```
#[must_use]
pub fn monomial_digits_lost(beta: &[RBig], points: &[Complex64]) -> f64 {
    let radius = points.iter().map(|z| z.norm()).fold(0.0, f64::max).log2();
    // Exclude the constant term, which does not depend on z: 0 · log₂ 0 is NaN.
    let logs: Vec<f64> =
        (0..beta.len()).map(|k| log2(&beta[k]) + if k == 0 { 0.0 } else { k as f64 * radius }).collect();
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return 0.0;
    }
    let sum: f64 = logs.iter().map(|log| (log - largest).exp2()).sum();
    ((largest + sum.log2()) * std::f64::consts::LOG10_2).max(0.0)
}

/// Computes log₂ |x|, also for x outside the range of doubles; −∞ for zero.
pub(crate) fn log2(x: &RBig) -> f64 {
    log2_integer(&x.numerator().unsigned_abs()) - log2_integer(x.denominator())
}

fn log2_integer(n: &UBig) -> f64 {
    let shift = n.bit_len().saturating_sub(64);
    (n >> shift).to_f64().value().log2() + shift as f64
}

/// Returns log₂ of a bound on the truncation errors in a Horner scheme of degree s at |x| ≤ 2: Σ 2 · 2ᵏ < 2^(s+2).
pub(crate) fn truncation_bits(degree: usize) -> usize {
    degree + 2
}

/// Returns the number of fraction bits of [`scaled`]; 126 of them are correct in spite of truncation.
pub(crate) fn fraction_bits(degree: usize) -> usize {
    truncation_bits(degree) + 126
}

/// Computes β_k ρᵏ for k = 0 … s, the coefficients of R(ρx), as integers of any size in units of 2^−[`fraction_bits`].
pub(crate) fn scaled(beta: &[RBig], rho: &RBig) -> Vec<IBig> {
    let bits = fraction_bits(beta.len() - 1);
    let (mut numerator, mut denominator) = (IBig::ONE, UBig::ONE);
    let mut result = Vec::with_capacity(beta.len());
    for coefficient in beta {
        let (above, below) = (coefficient.numerator() * &numerator, coefficient.denominator() * &denominator);
        result.push((above << bits) / IBig::from(below));
        numerator *= rho.numerator();
        denominator *= rho.denominator();
    }
    result
}
