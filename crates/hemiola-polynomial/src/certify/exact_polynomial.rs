//! Polynomials with rational coefficients, and the rationals that doubles are.

use dashu::base::{SquareRoot, UnsignedAbs};
use dashu::integer::UBig;
use dashu::rational::RBig;

/// Polynomials in one real variable.
pub(crate) type Polynomial = Vec<RBig>;
/// Complex polynomials in one real variable: the real and the imaginary part.
pub(crate) type Pair = (Polynomial, Polynomial);

/// p(t)/(tᵐ(1 − t)ⁿ).
pub(crate) fn without_ends(mut p: Polynomial) -> Polynomial {
    while p.last().is_some_and(RBig::is_zero) {
        p.pop();
    }
    let lowest = p.iter().position(|value| !value.is_zero()).unwrap_or(p.len());
    p.drain(..lowest);
    while !p.is_empty() && p.iter().fold(RBig::ZERO, |sum, value| sum + value).is_zero() {
        // p/(1 − t): partial sums.
        let mut sum = RBig::ZERO;
        p.iter_mut().for_each(|value| {
            sum += &*value;
            *value = sum.clone();
        });
        p.pop();
    }
    p
}

/// p(a + bt), by Horner's scheme.
pub(crate) fn shifted(p: &Polynomial, a: &RBig, b: &RBig) -> Polynomial {
    p.iter().rev().fold(Vec::new(), |result, value| {
        let mut next = product(&result, &vec![a.clone(), b.clone()]);
        add(&mut next, &vec![value.clone()], &RBig::ONE);
        next
    })
}

pub(crate) fn product(p: &Polynomial, q: &Polynomial) -> Polynomial {
    if p.is_empty() || q.is_empty() {
        return Vec::new();
    }
    let mut product = vec![RBig::ZERO; p.len() + q.len() - 1];
    for (j, a) in p.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
        for (k, b) in q.iter().enumerate() {
            product[j + k] += a * b;
        }
    }
    product
}

pub(crate) fn add(p: &mut Polynomial, q: &Polynomial, factor: &RBig) {
    if p.len() < q.len() {
        p.resize(q.len(), RBig::ZERO);
    }
    p.iter_mut().zip(q).for_each(|(p, q)| *p += q * factor);
}

pub(crate) fn times((a, b): &Pair, (c, d): &Pair) -> Pair {
    let (mut re, mut im) = (product(a, c), product(a, d));
    add(&mut re, &product(b, d), &RBig::NEG_ONE);
    add(&mut im, &product(b, c), &RBig::ONE);
    (re, im)
}

pub(crate) fn add_multiple(sum: &mut Pair, pair: &Pair, factor: &RBig) {
    add(&mut sum.0, &pair.0, factor);
    add(&mut sum.1, &pair.1, factor);
}

/// A double as the rational number that it is.
pub(crate) fn exact(value: f64) -> RBig {
    RBig::try_from(value).unwrap_or_default()
}

/// √x, where it is rational.
pub(crate) fn exact_root(x: &RBig) -> Option<RBig> {
    let numerator = x.numerator().clone().unsigned_abs();
    let (top, bottom): (UBig, UBig) = (numerator.sqrt(), x.denominator().sqrt());
    let root = RBig::from_parts(top.into(), bottom);
    (root.sqr() == *x).then_some(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_shifted_and_rid_of_their_ends() {
        let p = [6, -5, 1].map(RBig::from).to_vec();
        assert_eq!(shifted(&p, &RBig::from(2), &RBig::from(1)), [0, -1, 1].map(RBig::from));
        // t²(1 − t)(3 + t) has lost all but its last factor.
        assert_eq!(without_ends([0, 0, 3, -2, -1].map(RBig::from).to_vec()), [3, 1].map(RBig::from));
        assert_eq!(exact_root(&RBig::from_parts(49.into(), 9u8.into())), Some(RBig::from_parts(7.into(), 3u8.into())));
        assert_eq!(exact_root(&RBig::from(8)), None);
    }
}
