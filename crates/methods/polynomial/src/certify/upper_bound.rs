//! Upper bounds on the limit by duality.
//!
//! Let R be any polynomial of degree s and order p with |R| ≤ 1 on the interval of length H. For points w_i in the
//! interval of length one and weights ν_i,
//!
//! Σ Re(ν̄_i R(H w_i)) ≤ Σ |ν_i|.
//!
//! In powers of H the left side is Σ_j β_j Hʲ m_j with moments m_j = Σ Re(ν̄_i w_iʲ). If the moments with j > p
//! vanished, it would equal Σ_{j≤p} Hʲ m_j/j! for any free coefficients. Tiny moments change it only slightly, because
//! the coefficients of R in Chebyshev polynomials are at most two. If the left side still exceeds the right side, no
//! such R exists, and none exists for longer intervals, which contain this one.

use dashu::base::{DivEuclid, Gcd, UnsignedAbs};
use dashu::float::round::mode::Up;
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

use crate::basis::chebyshev;
use crate::problem::axis::Axis;

/// Proof that no polynomial of the degree and order is stable on an interval of this length.
#[derive(Clone, Debug, PartialEq)]
pub struct UpperBound {
    /// Length H.
    pub limit: RBig,
    /// Points x_i, as fractions of the length: w_i = ix_i on the imaginary axis, −x_i on the real axis.
    pub places: Vec<RBig>,
    /// Weights ν_i: real and imaginary part.
    pub weights: Vec<(RBig, RBig)>,
    /// Weight κ ≥ 0 of the coefficient of (y/H)²ᵐ in |R(iy)|² − 1, 2m = p + 1 or p + 2.
    ///
    /// This coefficient must be nonpositive too, and it is linear in the free coefficients.
    pub origin: RBig,
}

impl UpperBound {
    /// Formats the bound with a number of significant digits, rounded up, so that no limit reaches it.
    ///
    /// ```
    /// use hemiola_polynomial::{Axis, Optimality, optimal};
    /// let polynomial = optimal(Axis::Imaginary, 5, 3)?;
    /// let Optimality::Bounded(bound) = polynomial.certificate().expect("a proof").optimality else { panic!() };
    /// assert_eq!(bound.limit_text(20), "3.9132824863781531303"); // …130202…, rounded up
    /// # Ok::<(), hemiola_polynomial::PolynomialError>(())
    /// ```
    #[must_use]
    pub fn limit_text(&self, digits: usize) -> String {
        self.limit.to_float::<Up, 10>(digits).value().to_string()
    }

    /// Returns whether the functional proves that no polynomial of degree s and order p is stable on an axis up to the
    /// bound.
    ///
    /// This is the check of a certificate, in exact arithmetic.
    #[must_use]
    pub fn holds(&self, axis: Axis, stages: usize, order: usize) -> bool {
        let negative = |value: &RBig| *value < RBig::ZERO;
        let outside = |x: &RBig| negative(x) || *x > RBig::ONE;
        if negative(&self.origin) || self.places.iter().any(outside) || order > stages {
            return false;
        }
        let mut moments = self.moments(axis, stages);
        let mut known = RBig::ZERO;
        if axis == Axis::Imaginary && !self.origin.is_zero() {
            known += self.origin_moments(&mut moments, order);
        }
        let mut term = RBig::ONE;
        for (j, moment) in moments.iter().enumerate().take(order + 1) {
            if j > 0 {
                term = term * &self.limit / RBig::from(j);
            }
            known += moment * &term;
        }
        known - residual(axis, &moments, order) > self.total_weight()
    }

    /// Computes m_j = Σ Re(ν̄_i w_iʲ), j = 0 … s.
    fn moments(&self, axis: Axis, stages: usize) -> Vec<RBig> {
        // Over a common denominator q, m_j qʲ⁺¹ is a sum of integers. Fractions would be reduced at every step.
        let all = self.places.iter().chain(self.weights.iter().flat_map(|(re, im)| [re, im]));
        let denominator =
            all.fold(UBig::ONE, |common, value| &common / (&common).gcd(value.denominator()) * value.denominator());
        let whole = |value: &RBig| (value * RBig::from(denominator.clone())).trunc();
        let mut sums = vec![IBig::ZERO; stages + 1];
        for (x, (re, im)) in self.places.iter().zip(&self.weights) {
            let (x, re, im) = (whole(x), whole(re), whole(im));
            let mut power = IBig::ONE;
            for (j, sum) in sums.iter_mut().enumerate() {
                // The factor iʲ selects the real part of ν, the imaginary part, and their negatives in turn.
                match (axis, j % 4) {
                    (Axis::Imaginary, 0) | (Axis::Real, 0 | 2) => *sum += &re * &power,
                    (Axis::Imaginary, 1) => *sum += &im * &power,
                    (Axis::Imaginary, 2) | (Axis::Real, _) => *sum -= &re * &power,
                    (Axis::Imaginary, _) => *sum -= &im * &power,
                }
                power *= &x;
            }
        }
        let mut scale = UBig::ONE;
        let moment = |sum: IBig| {
            scale *= &denominator;
            RBig::from_parts(sum, scale.clone())
        };
        sums.into_iter().map(moment).collect()
    }

    /// Adds κ times the coefficient of (y/H)²ᵐ in |R|² − 1 to the moments and returns its constant part.
    fn origin_moments(&self, moments: &mut [RBig], order: usize) -> RBig {
        let power = order + 2 - order % 2;
        let m = power / 2;
        let sign = |k: usize| if k.is_multiple_of(2) { RBig::ONE } else { RBig::NEG_ONE };
        let twice = &self.origin * RBig::from(2) * sign(m);
        // |R(iy)|² = Σ (−1)^{(j−k)/2} β_j β_k y^{j+k} with β_0 = β_1 = 1: 2(−1)ᵐ(β_{2m} − β_{2m−1}) + known terms.
        if let Some(moment) = moments.get_mut(power) {
            *moment += &twice;
        }
        let scale = (0..power).fold(RBig::ONE, |scale, _| scale * &self.limit);
        if order.is_multiple_of(2)
            && let Some(moment) = moments.get_mut(power - 1)
        {
            *moment -= &twice * &self.limit;
        }
        let factorial = |k: usize| RBig::from((1..=k).map(UBig::from).fold(UBig::ONE, |product, k| product * k));
        let known = (power - order..=order)
            .fold(RBig::ZERO, |sum, k| sum + sign(m + k) / (factorial(k) * factorial(power - k)));
        &self.origin * known * scale
    }

    /// Bounds Σ |ν_i| from above by |ν| ≤ (|ν|² + a²)/2a for any a > 0.
    fn total_weight(&self) -> RBig {
        let scale = UBig::ONE << BITS;
        let modulus = |(re, im): &(RBig, RBig)| {
            let square = re.sqr() + im.sqr();
            if square.is_zero() {
                return UBig::ZERO;
            }
            // A square outside the range of doubles starts at one: the bound is poor then, but valid.
            let near = square.to_f64().value().sqrt();
            let near = if near.is_normal() { RBig::try_from(near).unwrap_or(RBig::ONE) } else { RBig::ONE };
            let near = (near * RBig::from(scale.clone())).ceil().unsigned_abs();
            // Heron's method doubles the digits and stays above: (x/a + a)/2, rounded up, with a in units of 2⁻ⁿ.
            let (above, below) = (square.numerator().unsigned_abs() << (2 * BITS), square.denominator());
            (0..STEPS).fold(near, |a, _| {
                let divisor = below * &a * 2u8;
                (&above + a.sqr() * below + &divisor - UBig::ONE) / divisor
            })
        };
        let sum = self.weights.iter().map(modulus).fold(UBig::ZERO, |sum, modulus| sum + modulus);
        RBig::from_parts(IBig::from(sum), scale)
    }
}

/// Fraction bits, enough for any number of digits. `residual` adds four per stage: the coefficients of the Chebyshev
/// polynomials have fewer bits.
const BITS: usize = 4000;

/// Steps of Heron's method from a double to [`BITS`] bits.
const STEPS: usize = 7;

/// Bounds the contribution of the free coefficients: |Σ_{j>p} β_j Hʲ m_j| ≤ Σ_k |c_k| |Σ_{j>p} p_kj m_j| with |c_k| ≤
/// 2.
fn residual(axis: Axis, moments: &[RBig], order: usize) -> RBig {
    let s = moments.len() - 1;
    let basis = match axis {
        Axis::Imaginary => chebyshev::imaginary(s),
        Axis::Real => chebyshev::shifted(s),
    };
    // Round the moments down to multiples of 2⁻ⁿ: each error is less than one unit.
    let scale = UBig::ONE << (BITS + 4 * s);
    let floor =
        |moment: &RBig| (moment.numerator() << (BITS + 4 * s)).div_euclid(IBig::from(moment.denominator().clone()));
    let free: Vec<IBig> = moments[order + 1..].iter().map(floor).collect();
    let mut sum = UBig::ZERO;
    for polynomial in &basis {
        let terms = polynomial.iter().skip(order + 1).zip(&free);
        sum += terms.clone().fold(IBig::ZERO, |sum, (value, moment)| sum + value * moment).unsigned_abs();
        sum += terms.fold(UBig::ZERO, |sum, (value, _)| sum + value.clone().unsigned_abs());
    }
    RBig::from_parts(IBig::from(sum) * IBig::from(2), scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_too_small_for_doubles_prove_nothing() {
        // |R(i/2)| ≤ 1 is no contradiction for R = 1 + z + βz², at any scale of the weight.
        let tiny = RBig::ONE / RBig::from(UBig::from(10u8).pow(300));
        for weight in [RBig::ONE, tiny] {
            let half = RBig::from_parts(IBig::ONE, 2u8.into());
            let bound = UpperBound {
                limit: half.clone(),
                places: vec![RBig::ZERO],
                weights: vec![(weight, RBig::ZERO)],
                origin: RBig::ZERO,
            };
            assert!(!bound.holds(Axis::Imaginary, 2, 1));
        }
    }
}
