//! Conversion of an optimum in doubles to a polynomial with any number of digits.

use std::ops::RangeInclusive;

use dashu::base::{BitTest, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

use hemiola_number::DoubleDouble;

use crate::arithmetic::real::{BigReal, Real};
use crate::basis::chebyshev;
use crate::error::PolynomialError;
use crate::problem::constraint::Constraints;
use crate::result::optimum::{Optimum, Solution};
use crate::result::polynomial::StabilityPolynomial;
use crate::solve::alternation::Alternation;
use crate::solve::optimality::OptimalityState;

/// Digits beyond the requested ones that the margin of a proof consumes.
const MARGIN_DIGITS: usize = 12;
/// Digits beyond the margin to which coefficients are rounded.
const GUARD_DIGITS: usize = 10;
/// Number of digits to which the optimum of a conic program is accurate.
const CONIC_DIGITS: usize = 8;
/// Supported numbers of digits: the work grows with their square.
const DIGITS: RangeInclusive<usize> = 1..=1000;

impl Optimum {
    /// Computes the polynomial with rational coefficients, correct to a number of significant digits, and a limit that
    /// it attains.
    ///
    /// If there is no closed form, the coefficients are those of a polynomial that stays below its bound by a margin
    /// far smaller than the last digit, and the limit is rounded down. Both are exact, and
    /// [`StabilityPolynomial::certificate`] proves that the polynomial is stable up to the limit.
    ///
    /// # Errors
    /// [`PolynomialError::NoDigits`] if the optimum is known to fewer digits, [`PolynomialError::OutOfRange`] for zero
    /// or more than 1000 digits.
    pub fn polynomial(&self, digits: usize) -> Result<StabilityPolynomial, PolynomialError> {
        if !DIGITS.contains(&digits) {
            let (name, expected) = ("the number of digits", "1 to 1000");
            return Err(PolynomialError::OutOfRange { name, value: digits as f64, expected });
        }
        let (coefficients, limit_squared) = match &self.solution {
            Solution::Closed(form) => (form.coefficients.clone(), form.limit_squared.clone()),
            Solution::Alternating { polished, .. } => self.by_alternation(polished, digits),
            Solution::Touching { constraints, doubles, .. } => {
                let known = self.by_contact(constraints, doubles, digits);
                let in_doubles =
                    || (digits <= CONIC_DIGITS).then(|| self.in_doubles(constraints, &doubles.gamma, doubles.h));
                known.or_else(in_doubles).ok_or_else(|| self.no_digits(digits))?
            }
            Solution::Conic { .. } if digits > CONIC_DIGITS => return Err(self.no_digits(digits)),
            Solution::Conic { constraints, gamma, h } => self.in_doubles(constraints, gamma, *h),
        };
        Ok(StabilityPolynomial::new(self.clone(), digits, coefficients, limit_squared))
    }

    /// Converts the coefficients and the limit exactly from doubles.
    fn in_doubles(&self, constraints: &Constraints, gamma: &[f64], h: f64) -> (Vec<RBig>, RBig) {
        let like = self.working_precision(CONIC_DIGITS);
        let gamma: Vec<BigReal> = gamma.iter().map(|gamma| like.like(*gamma)).collect();
        let free = constraints.prepared(&like).free_coefficients(&gamma, &like);
        (self.with_order(free.iter().map(Real::to_rational).collect()), h.to_rational().sqr())
    }

    fn no_digits(&self, digits: usize) -> PolynomialError {
        let (stages, order) = (self.problem.stages(), self.problem.order());
        PolynomialError::NoDigits { digits, stages, order, spectrum: self.problem.spectrum().to_string() }
    }

    /// Returns the decimal digits that coefficients lose compared with values: the integer digits of the largest |β_k
    /// zᵏ|.
    fn digits_lost(&self) -> usize {
        *self.digits_lost.get_or_init(|| self.counted_digits_lost())
    }

    fn counted_digits_lost(&self) -> usize {
        let s = self.problem.stages();
        // Chebyshev polynomials on [−1, 0] have coefficients of size (3 + √8)ˢ, and log₁₀(3 + √8) < 0.77.
        let usual = s * 77 / 100 + 1;
        let Solution::Touching { constraints, doubles, .. } = &self.solution else { return usual };
        // R may be large in the gaps of a spectrum, and its coefficients with it.
        let like = BigReal::new(1.0, 20 + 2 * s);
        let gamma: Vec<BigReal> = doubles.gamma.iter().map(|gamma| like.like(*gamma)).collect();
        let free = constraints.prepared(&like).free_coefficients(&gamma, &like);
        let reach = like.like(constraints.basis.unit());
        let mut power = reach.power(self.problem.order() + 1);
        let sizes = free.iter().map(|beta| {
            let size = (beta.clone() * power.clone()).abs().to_f64();
            power = power.clone() * reach.clone();
            size
        });
        let digits = sizes.fold(1.0, f64::max).log10().ceil();
        usual.max(if digits.is_finite() { digits as usize + 2 } else { usual })
    }

    fn by_alternation(&self, polished: &Alternation<DoubleDouble>, digits: usize) -> (Vec<RBig>, RBig) {
        let like = self.working_precision(digits);
        let alternation = polished.refine(&margin(&like, margin_of(polished), digits));
        let in_units = chebyshev_to_monomial(&alternation.chebyshev());
        let mut power = like.clone();
        let mut coefficients = Vec::with_capacity(in_units.len());
        for value in in_units {
            coefficients.push((like.like_rational(&value) / power.clone()).to_rational());
            power = power * alternation.limit.clone();
        }
        let free = coefficients.split_off(self.problem.order() + 1);
        (self.with_order(self.rounded(&free, digits)), self.limit_below(&alternation.limit, digits).sqr())
    }

    fn by_contact(
        &self,
        constraints: &Constraints,
        doubles: &OptimalityState<f64>,
        digits: usize,
    ) -> Option<(Vec<RBig>, RBig)> {
        let like = self.working_precision(digits);
        let constraints = constraints.prepared(&like);
        let state = constraints.refine(doubles, &like, &margin(&like, margin_at(doubles), digits))?;
        let free: Vec<RBig> =
            constraints.free_coefficients(&state.gamma, &state.h).iter().map(Real::to_rational).collect();
        Some((self.with_order(self.rounded(&free, digits)), self.limit_below(&state.h, digits).sqr()))
    }

    /// Returns a one whose precision covers the result, the margin, and the digits that coefficients lose compared with
    /// values.
    pub(crate) fn working_precision(&self, digits: usize) -> BigReal {
        BigReal::new(1.0, self.kept_digits(digits) + GUARD_DIGITS)
    }

    pub(crate) fn kept_digits(&self, digits: usize) -> usize {
        digits + MARGIN_DIGITS + GUARD_DIGITS + self.digits_lost()
    }

    /// Rounds so that the error, even summed over all powers, is far below the margin.
    fn rounded(&self, coefficients: &[RBig], digits: usize) -> Vec<RBig> {
        coefficients.iter().map(|value| rounded(value, self.kept_digits(digits))).collect()
    }

    /// Rounds the limit down, by far less than the margin: parts of a spectrum may require a larger limit.
    fn limit_below(&self, limit: &BigReal, digits: usize) -> RBig {
        scaled(&limit.to_rational(), self.kept_digits(digits), RBig::floor)
    }

    /// Prepends 1/k!, k ≤ p, to the free coefficients.
    fn with_order(&self, free: Vec<RBig>) -> Vec<RBig> {
        let mut factorial = UBig::ONE;
        let taylor = (0..=self.problem.order()).map(|k| {
            factorial *= k.max(1);
            RBig::from_parts(IBig::ONE, factorial.clone())
        });
        // With few eigenvalues in the spectrum, the highest powers may be unused.
        taylor.chain(free).chain(std::iter::repeat(RBig::ZERO)).take(self.problem.stages() + 1).collect()
    }
}

/// Returns the change of |R| that would change the limit by 100 percent, to first order.
pub(crate) fn margin_of<T: Real>(alternation: &Alternation<T>) -> f64 {
    let sum: f64 = alternation.multipliers().iter().map(|multiplier| multiplier.to_f64().abs()).sum();
    alternation.limit.to_f64() / sum
}

pub(crate) fn margin_at(state: &OptimalityState<f64>) -> f64 {
    state.h / state.touches.iter().map(|touch| touch.multiplier.abs()).sum::<f64>()
}

/// Returns a margin that changes the limit only beyond the requested digits.
pub(crate) fn margin(like: &BigReal, size: f64, digits: usize) -> BigReal {
    let tiny = RBig::from_parts(IBig::ONE, UBig::from(10u8).pow(digits + MARGIN_DIGITS));
    like.like(size) * like.like_rational(&tiny)
}

/// Expands Σ c_j T_j(1 + 2w) exactly in powers of w.
fn chebyshev_to_monomial(c: &[BigReal]) -> Vec<RBig> {
    let zero = RBig::ZERO;
    let mut sums = vec![zero; c.len()];
    for (c, column) in c.iter().zip(chebyshev::shifted(c.len() - 1)) {
        let c = c.to_rational();
        sums.iter_mut().zip(column).for_each(|(sum, value)| *sum += &c * RBig::from(value));
    }
    sums
}

/// Rounds to the nearest decimal with a number of significant digits.
pub(crate) fn rounded(value: &RBig, digits: usize) -> RBig {
    scaled(value, digits, RBig::round)
}

fn scaled(value: &RBig, digits: usize, round: impl Fn(&RBig) -> IBig) -> RBig {
    if value.is_zero() {
        return RBig::ZERO;
    }
    // Estimate the number of integer digits, correct to one.
    let length = |n: &UBig| (n.bit_len() as f64 * std::f64::consts::LOG10_2) as i64;
    let size = length(&value.numerator().clone().unsigned_abs()) - length(value.denominator());
    let places = digits as i64 - size;
    let ten = RBig::from(UBig::from(10u8).pow(places.unsigned_abs() as usize));
    let factor = if places >= 0 { ten } else { RBig::ONE / ten };
    RBig::from(round(&(value * &factor))) / factor
}
