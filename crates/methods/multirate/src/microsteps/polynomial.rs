//! Polynomials in λ and M, with negative powers of M.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use hemiola_number::{Exact, Scalar};
use num_traits::Zero;

/// A sum of c λᵃ Mᵇ with a ≥ 0 and any integer b: λ counts micro-steps from 1, and M is their number.
///
/// ```
/// use hemiola_multirate::RatioPolynomial;
/// let entry = RatioPolynomial::parse("(λ - 1/2)/M").expect("an expression in λ and M");
/// assert_eq!(entry.at(2, 3).to_string(), "1/2");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RatioPolynomial {
    /// Nonzero coefficients by the exponents of λ and M.
    terms: BTreeMap<(u32, i32), Exact>,
}

/// Bounds of the exponents of M in a quantity, where λ counts as M.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Exponents {
    pub(super) lowest: i32,
    pub(super) highest: i32,
}

impl Exponents {
    /// Exponents of a number.
    pub(super) const NUMBER: Self = Self { lowest: 0, highest: 0 };

    pub(super) fn times(self, other: Self) -> Self {
        Self { lowest: self.lowest + other.lowest, highest: self.highest + other.highest }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { lowest: self.lowest.min(other.lowest), highest: self.highest.max(other.highest) }
    }

    /// Returns the exponents after a division by M.
    pub(super) fn over_ratio(self) -> Self {
        Self { lowest: self.lowest - 1, highest: self.highest - 1 }
    }

    /// Returns the exponents of a sum over micro-steps: Σ_λ λᵃ is a polynomial of degree a + 1.
    pub(super) fn summed(self) -> Self {
        Self { highest: self.highest + 1, ..self }
    }
}

impl RatioPolynomial {
    pub(super) fn term(coefficient: Exact, lambda: u32, ratio: i32) -> Self {
        let mut terms = BTreeMap::new();
        if !coefficient.is_zero() {
            terms.insert((lambda, ratio), coefficient);
        }
        Self { terms }
    }

    /// Computes the value at the micro-step λ of M.
    #[must_use]
    pub fn at(&self, lambda: u64, ratio: u64) -> Exact {
        let power = |base: &Exact, exponent: u32| (0..exponent).fold(Exact::ratio(1, 1), |x, _| x * base.clone());
        let (step, count) = (Exact::ratio(lambda as i64, 1), Exact::ratio(ratio as i64, 1));
        let inverse = Exact::ratio(1, ratio.max(1));
        let value = |(&(a, b), c): (&(u32, i32), &Exact)| {
            let base = if b < 0 { &inverse } else { &count };
            c.clone() * power(&step, a) * power(base, b.unsigned_abs())
        };
        self.terms.iter().map(value).fold(Exact::zero(), |sum, x| sum + x)
    }

    /// Returns whether the polynomial is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Returns bounds of the exponents of M for λ between 1 and M; `None` for zero.
    pub(super) fn exponents(&self) -> Option<Exponents> {
        let lowest = self.terms.keys().map(|(_, b)| *b).min()?;
        let highest = self.terms.keys().map(|(a, b)| *a as i32 + b).max()?;
        Some(Exponents { lowest, highest })
    }

    /// Returns the coefficient and the exponent of M if the polynomial is a single power of M.
    pub(super) fn as_power_of_ratio(&self) -> Option<(&Exact, i32)> {
        let mut terms = self.terms.iter();
        let (&(a, b), c) = terms.next()?;
        (terms.next().is_none() && a == 0).then_some((c, b))
    }

    pub(super) fn plus(mut self, other: &Self) -> Self {
        for (exponents, coefficient) in &other.terms {
            let sum = self.terms.remove(exponents).unwrap_or_else(Exact::zero) + coefficient.clone();
            if !sum.is_zero() {
                self.terms.insert(*exponents, sum);
            }
        }
        self
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for (&(a, b), c) in &self.terms {
            for (&(p, q), d) in &other.terms {
                product = product.plus(&Self::term(c.clone() * d.clone(), a + p, b + q));
            }
        }
        product
    }

    /// Returns whether the exponents lie within a range, and there are few terms.
    pub(super) fn fits(&self, range: &RangeInclusive<i32>) -> bool {
        let fits = |(&(a, b), c): (&(u32, i32), &Exact)| {
            range.contains(&b) && i32::try_from(a).is_ok_and(|a| range.contains(&a)) && c.size() <= LARGEST_COEFFICIENT
        };
        self.terms.len() <= MOST_TERMS && self.terms.iter().all(fits)
    }
}

/// Most terms of an entry, and the largest size of its coefficients in words.
const MOST_TERMS: usize = 64;
const LARGEST_COEFFICIENT: usize = 1024;
