//! Polynomials with rational coefficients, and the rationals that doubles are.
//!
//! Long computations run on integers over one denominator: fractions would be reduced at every addition, which takes most of the
//! time.

use std::ops::{AddAssign, Mul};

use dashu::base::{Gcd, SquareRoot, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use num_traits::Zero;

/// Polynomials in one real variable.
pub(crate) type Polynomial<N = RBig> = Vec<N>;
/// Complex polynomials in one real variable: the real and the imaginary part.
pub(crate) type Pair<N = RBig> = (Polynomial<N>, Polynomial<N>);

/// The least common denominator.
pub(crate) fn common_denominator<'a>(values: impl IntoIterator<Item = &'a RBig>) -> UBig {
    values.into_iter().fold(UBig::ONE, |common, value| {
        let divisor = (&common).gcd(value.denominator());
        common / divisor * value.denominator()
    })
}

/// The integers that these are over a common denominator.
pub(crate) fn over(values: &[RBig], denominator: &UBig) -> Vec<IBig> {
    values.iter().map(|value| value.numerator() * IBig::from(denominator / value.denominator())).collect()
}

/// The fractions that integers over a denominator are.
pub(crate) fn fractions(p: Polynomial<IBig>, denominator: &UBig) -> Polynomial {
    p.into_iter().map(|value| RBig::from_parts(value, denominator.clone())).collect()
}

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
    let (own, unit) = (common_denominator(p), common_denominator([a, b]));
    let argument = over(&[a.clone(), b.clone()], &unit);
    // Σ p_k (a + bt)ᵏ uⁿ⁻ᵏ with integers a and b.
    let mut power = IBig::ONE;
    let mut result: Polynomial<IBig> = Vec::new();
    for value in over(p, &own).iter().rev() {
        result = product(&result, &argument);
        add(&mut result, &vec![value * &power], &IBig::ONE);
        power *= IBig::from(unit.clone());
    }
    fractions(result, &(own * unit.pow(p.len().saturating_sub(1))))
}

pub(crate) fn product<N>(p: &Polynomial<N>, q: &Polynomial<N>) -> Polynomial<N>
where
    N: Clone + Zero + AddAssign,
    for<'a> &'a N: Mul<&'a N, Output = N>,
{
    if p.is_empty() || q.is_empty() {
        return Vec::new();
    }
    let mut product = vec![N::zero(); p.len() + q.len() - 1];
    for (j, a) in p.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
        for (k, b) in q.iter().enumerate() {
            product[j + k] += a * b;
        }
    }
    product
}

pub(crate) fn add<N>(p: &mut Polynomial<N>, q: &Polynomial<N>, factor: &N)
where
    N: Clone + Zero + AddAssign,
    for<'a> &'a N: Mul<&'a N, Output = N>,
{
    if p.len() < q.len() {
        p.resize(q.len(), N::zero());
    }
    p.iter_mut().zip(q).for_each(|(p, q)| *p += q * factor);
}

pub(crate) fn times((a, b): &Pair<IBig>, (c, d): &Pair<IBig>) -> Pair<IBig> {
    let (mut re, mut im) = (product(a, c), product(a, d));
    add(&mut re, &product(b, d), &IBig::NEG_ONE);
    add(&mut im, &product(b, c), &IBig::ONE);
    (re, im)
}

pub(crate) fn add_multiple(sum: &mut Pair<IBig>, pair: &Pair<IBig>, factor: &IBig) {
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
