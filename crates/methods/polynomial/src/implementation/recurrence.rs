//! Three-term recurrences on an interval of stability.
//!
//! On [−L, 0], w = z/L: P_j = T_j(1 + 2w), hence P_{j+1} = 2(1 + 2w) P_j − P_{j−1} and Q_j = U_{s−j} for R = T_s.
//!
//! On [−iL, iL], P_{j+1} = P_{j−1} + 2w P_j with P₁ = 1 + w: leapfrog steps of length h/L after an Euler step. They
//! span the same space as V_j(w) = iʲ T_j(w/i), which satisfy the same recurrence but vanish at z = 0 for odd j. Such a
//! V_j(z) y approximates no solution, and f cannot be evaluated there. The optima of order two are ½(P_s + P_{s−2}),
//! and a perturbation of Y_j reaches them multiplied by V_{s−j}, which is bounded by one.

use dashu::base::BitTest;
use dashu::integer::IBig;
use dashu::rational::RBig;

use crate::implementation::interval::StabilityInterval;
use crate::implementation::monomial::{fraction_bits, scaled};
use crate::implementation::stages::Term;
use crate::problem::axis::Axis;

/// Builds s stages of the recurrence and their combination R; returns `None` if the limit is not positive and finite.
pub(crate) fn stages(beta: &[RBig], interval: StabilityInterval) -> Option<Vec<Vec<Term>>> {
    let limit = RBig::try_from(interval.limit).ok().filter(|limit| *limit > RBig::ZERO)?;
    let degree = beta.len() - 1;
    let mut stages: Vec<Vec<Term>> = (0..degree).map(|j| stage(j, interval)).collect();
    stages.push(combination(&in_basis(&scaled(beta, &limit), interval.axis), fraction_bits(degree)));
    Some(stages)
}

/// Builds the terms of P_{j+1}.
fn stage(j: usize, StabilityInterval { axis, limit }: StabilityInterval) -> Vec<Term> {
    match (axis, j) {
        (Axis::Real, 0) => vec![Term::new(0, 1.0, 2.0 / limit)],
        (Axis::Real, _) => vec![Term::new(j, 2.0, 4.0 / limit), Term::new(j - 1, -1.0, 0.0)],
        (Axis::Imaginary, 0) => vec![Term::new(0, 1.0, 1.0 / limit)],
        (Axis::Imaginary, _) => vec![Term::new(j - 1, 1.0, 0.0), Term::new(j, 0.0, 2.0 / limit)],
    }
}

/// Expands Σ a_k wᵏ in the basis P₀ … P_s, by Horner's scheme with polynomials in that basis.
fn in_basis(a: &[IBig], axis: Axis) -> Vec<IBig> {
    let mut result = vec![IBig::ZERO; a.len()];
    for (k, coefficient) in a.iter().enumerate().rev() {
        result = times_w(&result, a.len() - 1 - k, axis);
        result[0] += coefficient;
    }
    result
}

/// Computes w Σ c_j P_j, where only the first `length` coefficients are nonzero.
fn times_w(c: &[IBig], length: usize, axis: Axis) -> Vec<IBig> {
    let mut result = vec![IBig::ZERO; c.len()];
    for j in 0..length {
        match (axis, j) {
            // w P₀ = (P₁ − P₀)/2 and w P_j = (P_{j+1} − 2P_j + P_{j−1})/4.
            (Axis::Real, 0) => {
                result[1] += &c[0] >> 1;
                result[0] -= &c[0] >> 1;
            }
            (Axis::Real, _) => {
                result[j + 1] += &c[j] >> 2;
                result[j] -= &c[j] >> 1;
                result[j - 1] += &c[j] >> 2;
            }
            // w P₀ = P₁ − P₀ and w P_j = (P_{j+1} − P_{j−1})/2.
            (Axis::Imaginary, 0) => {
                result[1] += &c[0];
                result[0] -= &c[0];
            }
            (Axis::Imaginary, _) => {
                result[j + 1] += &c[j] >> 1;
                result[j - 1] -= &c[j] >> 1;
            }
        }
    }
    result
}

/// Builds Σ c_j Y_j without the terms below the rounding of the largest.
///
/// An optimum that is one of the P_j, or a combination of a few of them, stays so although its limit is rounded.
fn combination(c: &[IBig], bits: usize) -> Vec<Term> {
    let largest = c.iter().map(BitTest::bit_len).max().unwrap_or(0);
    let kept = c.iter().enumerate().filter(|(_, coefficient)| coefficient.bit_len() + 53 > largest);
    kept.map(|(j, coefficient)| Term::new(j, to_f64(coefficient, bits), 0.0)).collect()
}

/// Computes c · 2^−bits.
fn to_f64(c: &IBig, bits: usize) -> f64 {
    RBig::from_parts(c.clone(), dashu::integer::UBig::ONE << bits).to_f64().value()
}
