//! Polynomials with rational coefficients, and doubles as exact rationals.
//!
//! Long computations use integers over one denominator: fractions would be reduced at every addition, which takes most
//! of the time.

use std::ops::{AddAssign, Mul};

use dashu::base::{Gcd, SquareRoot, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use hemiola_number::parallel;
use num_traits::Zero;

/// Polynomial in one real variable.
pub(crate) type Polynomial<N = RBig> = Vec<N>;
/// Complex polynomial in one real variable: real and imaginary part.
pub(crate) type ComplexPolynomial<N = RBig> = (Polynomial<N>, Polynomial<N>);

/// Computes the least common denominator.
pub(crate) fn common_denominator<'a>(values: impl IntoIterator<Item = &'a RBig>) -> UBig {
    values.into_iter().fold(UBig::ONE, |common, value| {
        let divisor = (&common).gcd(value.denominator());
        common / divisor * value.denominator()
    })
}

/// Returns the numerators of the values over a common denominator.
pub(crate) fn over(values: &[RBig], denominator: &UBig) -> Vec<IBig> {
    values.iter().map(|value| value.numerator() * IBig::from(denominator / value.denominator())).collect()
}

/// Polynomial with integer numerators over one denominator, which need not be the least.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CommonDenominatorPolynomial {
    pub(crate) numerators: Polynomial<IBig>,
    pub(crate) denominator: UBig,
}

impl CommonDenominatorPolynomial {
    pub(crate) fn new(p: &[RBig]) -> Self {
        let denominator = common_denominator(p);
        Self { numerators: over(p, &denominator), denominator }
    }

    /// Returns the coefficients as fractions.
    pub(crate) fn fractions(&self) -> Polynomial {
        let fraction = |k: usize| RBig::from_parts(self.numerators[k].clone(), self.denominator.clone());
        parallel::map(self.numerators.len(), fraction)
    }

    /// Divides by the powers of t and 1 − t that the polynomial contains: p(t)/(tᵐ(1 − t)ⁿ).
    pub(crate) fn without_ends(mut self) -> Self {
        let p = &mut self.numerators;
        while p.last().is_some_and(IBig::is_zero) {
            p.pop();
        }
        let lowest = p.iter().position(|value| !value.is_zero()).unwrap_or(p.len());
        p.drain(..lowest);
        while !p.is_empty() && p.iter().fold(IBig::ZERO, |sum, value| sum + value).is_zero() {
            // Division by 1 − t takes partial sums.
            let mut sum = IBig::ZERO;
            p.iter_mut().for_each(|value| {
                sum += &*value;
                *value = sum.clone();
            });
            p.pop();
        }
        self
    }

    /// Computes p(a + bt) by Horner's scheme.
    pub(crate) fn shifted(&self, a: &RBig, b: &RBig) -> Self {
        let unit = common_denominator([a, b]);
        let argument = over(&[a.clone(), b.clone()], &unit);
        // Σ p_k (a + bt)ᵏ uⁿ⁻ᵏ with integers a and b.
        let mut power = IBig::ONE;
        let mut numerators: Polynomial<IBig> = Vec::new();
        for value in self.numerators.iter().rev() {
            numerators = product(&numerators, &argument);
            add(&mut numerators, &vec![value * &power], &IBig::ONE);
            power *= IBig::from(unit.clone());
        }
        Self { numerators, denominator: &self.denominator * unit.pow(self.numerators.len().saturating_sub(1)) }
    }

    /// Adds a number to the coefficient of degree k.
    pub(crate) fn plus(mut self, k: usize, value: &RBig) -> Self {
        let factor = value.denominator();
        self.numerators.iter_mut().for_each(|coefficient| *coefficient *= factor);
        self.numerators[k] += value.numerator() * IBig::from(self.denominator.clone());
        self.denominator *= factor;
        self
    }
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

pub(crate) fn times((a, b): &ComplexPolynomial<IBig>, (c, d): &ComplexPolynomial<IBig>) -> ComplexPolynomial<IBig> {
    let (mut re, mut im) = (product(a, c), product(a, d));
    add(&mut re, &product(b, d), &IBig::NEG_ONE);
    add(&mut im, &product(b, c), &IBig::ONE);
    (re, im)
}

pub(crate) fn add_multiple(sum: &mut ComplexPolynomial<IBig>, pair: &ComplexPolynomial<IBig>, factor: &IBig) {
    add(&mut sum.0, &pair.0, factor);
    add(&mut sum.1, &pair.1, factor);
}

/// Converts a double to the rational number it represents.
pub(crate) fn exact(value: f64) -> RBig {
    RBig::try_from(value).unwrap_or_default()
}

/// Computes √x if it is rational.
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
        let p = CommonDenominatorPolynomial::new(&[6, -5, 1].map(RBig::from));
        assert_eq!(p.shifted(&RBig::from(2), &RBig::from(1)).fractions(), [0, -1, 1].map(RBig::from));
        // In thirds: 6 − 5(1 + t/3) + (1 + t/3)² plus t/2 plus 1.
        let third = |n: i32| RBig::from_parts(n.into(), 3u8.into());
        let half = RBig::from_parts(IBig::ONE, 2u8.into());
        let shifted = p.shifted(&RBig::ONE, &third(1)).plus(1, &half).plus(0, &RBig::ONE);
        assert_eq!(shifted.fractions(), [RBig::from(3), third(-3) + half, RBig::from_parts(IBig::ONE, 9u8.into())]);
        // Only the last factor of t²(1 − t)(3 + t) remains.
        let p = CommonDenominatorPolynomial::new(&[0, 0, 3, -2, -1].map(RBig::from));
        assert_eq!(p.without_ends().fractions(), [3, 1].map(RBig::from));
        assert_eq!(exact_root(&RBig::from_parts(49.into(), 9u8.into())), Some(RBig::from_parts(7.into(), 3u8.into())));
        assert_eq!(exact_root(&RBig::from(8)), None);
    }
}
