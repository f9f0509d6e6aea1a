//! Polynomials with integer coefficients, constant term first and the last one not zero.

use std::cmp::Ordering;

use dashu::base::{BitTest, DivRem, Gcd, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

/// Returns a positive multiple of a rational polynomial, with coprime integer coefficients.
pub(crate) fn integers(p: &[RBig]) -> Vec<IBig> {
    let common = p.iter().fold(UBig::ONE, |common, c| {
        let divisor = (&common).gcd(c.denominator());
        common / divisor * c.denominator()
    });
    primitive(p.iter().map(|c| c.numerator() * IBig::from(&common / c.denominator())).collect())
}

/// Returns the polynomial divided by the positive greatest common divisor of its coefficients.
pub(crate) fn primitive(mut p: Vec<IBig>) -> Vec<IBig> {
    while p.last().is_some_and(IBig::is_zero) {
        p.pop();
    }
    let nonzero = p.iter().filter(|c| !c.is_zero()).map(UnsignedAbs::unsigned_abs);
    if let Some(content) = nonzero.reduce(Gcd::gcd).filter(|content| !content.is_one()) {
        p.iter_mut().for_each(|c| *c /= &content);
    }
    p
}

pub(crate) fn derivative(p: &[IBig]) -> Vec<IBig> {
    p.iter().enumerate().skip(1).map(|(k, c)| c * IBig::from(k)).collect()
}

/// Returns p(−x).
pub(crate) fn reflected(p: &[IBig]) -> Vec<IBig> {
    p.iter().enumerate().map(|(k, c)| if k % 2 == 1 { -c } else { c.clone() }).collect()
}

/// Returns p without its factors x.
pub(crate) fn without_root_at_zero(p: &[IBig]) -> &[IBig] {
    let lowest = p.iter().position(|c| !c.is_zero()).unwrap_or(p.len());
    &p[lowest..]
}

/// Computes a/b, if b divides a with an integer quotient.
pub(crate) fn quotient(a: &[IBig], b: &[IBig]) -> Option<Vec<IBig>> {
    let (lead, lower) = b.split_last()?;
    let mut rest = a.to_vec();
    let mut quotient = vec![IBig::ZERO; (a.len() + 1).saturating_sub(b.len())];
    for k in (0..quotient.len()).rev() {
        let (factor, remainder) = rest.pop()?.div_rem(lead);
        if !remainder.is_zero() {
            return None;
        }
        for (rest, c) in rest[k..].iter_mut().zip(lower) {
            *rest -= &factor * c;
        }
        quotient[k] = factor;
    }
    rest.iter().all(IBig::is_zero).then_some(quotient)
}

/// Returns the sign of p(n/d), by Horner's scheme for the integer dᵈᵉᵍ p(n/d).
pub(crate) fn sign_at(p: &[IBig], x: &RBig) -> Ordering {
    let (n, d) = (x.numerator(), x.denominator());
    let mut value = IBig::ZERO;
    let mut power = IBig::ONE;
    for c in p.iter().rev() {
        value = value * n + c * &power;
        power *= d;
    }
    value.cmp(&IBig::ZERO)
}

/// Returns an exponent e such that every complex root is less than 2ᵉ in modulus, from the bound 2 max |c_{n−k}/c_n|^{1/k}
/// (Fujiwara 1916).
pub(crate) fn root_bound(p: &[IBig]) -> isize {
    let bits = |c: &IBig| c.bit_len() as isize;
    let Some((lead, lower)) = p.split_last() else { return 0 };
    let nonzero = lower.iter().rev().zip(1..).filter(|(c, _)| !c.is_zero());
    // c/lead| < 2^(bits + 1), and the k-th root is rounded up.
    let exponents = nonzero.map(|(c, k): (&IBig, isize)| (bits(c) - bits(lead) + k).div_euclid(k));
    exponents.max().unwrap_or(0) + 1
}

/// Returns 2ᵉ.
pub(crate) fn power_of_two(e: isize) -> RBig {
    let power = UBig::ONE << e.unsigned_abs();
    if e < 0 { RBig::from_parts(IBig::ONE, power) } else { RBig::from(power) }
}
