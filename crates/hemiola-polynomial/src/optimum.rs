//! An optimum in doubles, and its way to any number of digits.

use std::sync::OnceLock;

use dashu::base::{BitTest, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use num_complex::Complex64;

use crate::alternation::Alternation;
use crate::bound::UpperBound;
use crate::chebyshev;
use crate::closed_form::ClosedForm;
use crate::complex::Complex;
use crate::constraint::Constraints;
use crate::error::PolynomialError;
use crate::optimality::{Contact, State, Touch};
use crate::polynomial::StabilityPolynomial;
use crate::problem::Problem;
use crate::real::{Big, DoubleDouble, Real};
use crate::search::contacts;

/// A place where |R| reaches its bound, with the weight of that constraint.
///
/// The multipliers are those of the conditions of optimality: no polynomial of the same degree and order is stable at a
/// larger scale, because Σ μ |R(z)|² cannot be made smaller at all of these places together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// The place, scaled by the limit; the origin stands for the lowest coefficient of |R(iy)|² − 1.
    pub z: Complex64,
    /// The multiplier μ ≥ 0 of |R(z)|² ≤ b², per unit of the limit.
    pub multiplier: f64,
}

/// The polynomial with the largest limit.
#[derive(Clone, Debug)]
pub struct Optimum {
    problem: Problem,
    solution: Solution,
    /// Decimal digits that coefficients lose against values, once they have been counted.
    digits_lost: OnceLock<usize>,
}

/// Where an optimum comes from.
#[derive(Clone, Debug)]
pub(crate) enum Solution {
    /// A formula.
    Closed(ClosedForm),
    /// The exchange of Remez on the real axis.
    Alternating { doubles: Alternation<f64>, polished: Alternation<DoubleDouble> },
    /// Newton's method on contact points.
    Touching { constraints: Constraints, doubles: State<f64>, polished: State<DoubleDouble> },
    /// A conic program whose optimum touches its bound everywhere, or nearly so.
    Conic { constraints: Constraints, gamma: Vec<f64>, h: f64 },
}

impl Solution {
    pub(crate) fn alternating(doubles: Alternation<f64>) -> Self {
        let polished = doubles.refine(&DoubleDouble::from_f64(0.0));
        Self::Alternating { doubles, polished }
    }

    pub(crate) fn touching(constraints: Constraints, doubles: State<f64>) -> Self {
        let one = DoubleDouble::from_f64(1.0);
        match constraints.prepared(&one).refine(&doubles, &one, &DoubleDouble::from_f64(0.0)) {
            Some(polished) => Self::Touching { constraints, doubles, polished },
            // The matrix is near singular: what is known is known to doubles.
            None => Self::Conic { constraints, gamma: doubles.gamma, h: doubles.h },
        }
    }
}

/// Multipliers that are zero but for rounding, relative to the largest.
const NEGLIGIBLE: f64 = 1e-12;
/// Digits beyond those asked for that the margin of a proof takes.
const MARGIN_DIGITS: usize = 12;
/// Digits beyond the margin to which coefficients are rounded.
const GUARD_DIGITS: usize = 10;
/// An optimum of a conic program is good to so many digits.
const CONIC_DIGITS: usize = 8;

impl Optimum {
    pub(crate) fn new(problem: Problem, solution: Solution) -> Self {
        Self { problem, solution, digits_lost: OnceLock::new() }
    }

    /// What was asked for.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The largest scale: the limit of an axis, the radius of a disk, the factor of any other spectrum.
    #[must_use]
    pub fn limit(&self) -> f64 {
        match &self.solution {
            Solution::Closed(form) => form.limit_squared.to_f64().value().sqrt(),
            Solution::Alternating { polished, .. } => polished.limit.to_f64(),
            Solution::Touching { polished, .. } => polished.h.to_f64(),
            Solution::Conic { h, .. } => *h,
        }
    }

    /// Who found the formula, where the optimum is known in closed form.
    #[must_use]
    pub fn closed_form(&self) -> Option<&'static str> {
        match &self.solution {
            Solution::Closed(form) => Some(form.source),
            _ => None,
        }
    }

    /// Whether the conditions of optimality hold to rounding; if not, the limit has the eight digits of a conic program.
    #[must_use]
    pub fn is_polished(&self) -> bool {
        !matches!(self.solution, Solution::Conic { .. })
    }

    /// The places in the closed upper half-plane where |R| reaches its bound, with their multipliers: from the origin
    /// outwards. None where they are not isolated, and none for formulas of more than a hundred stages.
    #[must_use]
    pub fn contact_points(&self) -> Vec<ContactPoint> {
        let mut points = match &self.solution {
            Solution::Closed(form) => self.contacts_of_formula(form),
            Solution::Conic { .. } => Vec::new(),
            Solution::Alternating { doubles, .. } => {
                let multipliers = doubles.multipliers();
                let point = |(t, multiplier): (&f64, f64)| ContactPoint {
                    z: Complex64::new(-doubles.limit * t, 0.0),
                    // |R|² has twice the derivative of R, times |R|.
                    multiplier: multiplier.abs() / (2.0 * doubles.level),
                };
                doubles.points.iter().zip(multipliers).map(point).collect()
            }
            Solution::Touching { constraints, doubles, .. } => contact_points(constraints, doubles),
        };
        points.sort_by(|a, b| a.z.norm().total_cmp(&b.z.norm()));
        points
    }

    fn contacts_of_formula(&self, form: &ClosedForm) -> Vec<ContactPoint> {
        const MOST: usize = 100;
        let (stages, order) = (self.problem.stages(), self.problem.order());
        let polynomial = self.polynomial(17).ok().filter(|_| stages <= MOST);
        let (Some(polynomial), Ok(pieces)) = (polynomial, self.problem.pieces()) else { return Vec::new() };
        let stable = polynomial.stable_form();
        let value = |z: &Complex<f64>| {
            let value = stable.at(Complex64::new(z.re, z.im));
            Complex::new(value.re, value.im)
        };
        let limit = form.limit_squared.to_f64().value().sqrt();
        let (constraints, state) = contacts(stages, order, pieces, limit, value);
        // |R| = 1 on all of a disk leaves no points.
        if state.touches.len() > stages + 1 { Vec::new() } else { contact_points(&constraints, &state) }
    }

    /// The polynomial with rational coefficients, right to so many significant digits, and a limit that it attains.
    ///
    /// Where there is no closed form, the coefficients are those of a polynomial that stays below its bound by a margin
    /// far beyond the digits, and the limit is rounded down: both are exact, and [`StabilityPolynomial::certificate`]
    /// proves that the one is stable up to the other.
    ///
    /// # Errors
    /// [`PolynomialError::NoDigits`] where the optimum is known to fewer digits.
    pub fn polynomial(&self, digits: usize) -> Result<StabilityPolynomial, PolynomialError> {
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

    /// The polynomial that the doubles stand for, exactly.
    fn in_doubles(&self, constraints: &Constraints, gamma: &[f64], h: f64) -> (Vec<RBig>, RBig) {
        let like = self.working_precision(CONIC_DIGITS);
        let gamma: Vec<Big> = gamma.iter().map(|gamma| like.like(*gamma)).collect();
        let free = constraints.prepared(&like).free_coefficients(&gamma, &like);
        (self.with_order(free.iter().map(Real::to_rational).collect()), h.to_rational().sqr())
    }

    fn no_digits(&self, digits: usize) -> PolynomialError {
        let (stages, order) = (self.problem.stages(), self.problem.order());
        PolynomialError::NoDigits { digits, stages, order, spectrum: self.problem.spectrum().to_string() }
    }

    /// Decimal digits that coefficients lose against values: what the largest |β_k zᵏ| has before the point.
    fn digits_lost(&self) -> usize {
        *self.digits_lost.get_or_init(|| self.counted_digits_lost())
    }

    fn counted_digits_lost(&self) -> usize {
        let s = self.problem.stages();
        // Chebyshev polynomials on [−1, 0] have coefficients of the size (3 + √8)ˢ, and log₁₀(3 + √8) < 0.77.
        let usual = s * 77 / 100 + 1;
        let Solution::Touching { constraints, doubles, .. } = &self.solution else { return usual };
        // In gaps of a spectrum R may be large, and coefficients with it.
        let like = Big::new(1.0, 20 + 2 * s);
        let gamma: Vec<Big> = doubles.gamma.iter().map(|gamma| like.like(*gamma)).collect();
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

    fn by_contact(&self, constraints: &Constraints, doubles: &State<f64>, digits: usize) -> Option<(Vec<RBig>, RBig)> {
        let like = self.working_precision(digits);
        let constraints = constraints.prepared(&like);
        let state = constraints.refine(doubles, &like, &margin(&like, margin_at(doubles), digits))?;
        let free: Vec<RBig> =
            constraints.free_coefficients(&state.gamma, &state.h).iter().map(Real::to_rational).collect();
        Some((self.with_order(self.rounded(&free, digits)), self.limit_below(&state.h, digits).sqr()))
    }

    /// The conditions of optimality a margin beyond the limit, on an axis: a proof that nothing is stable there.
    ///
    /// The polynomial that exceeds its bound by ε at all contact points is optimal for the bound 1 + ε. Its multipliers
    /// make a functional that does not see the free coefficients and is larger at any polynomial of the order than its
    /// bound allows.
    pub(crate) fn beyond(&self, digits: usize) -> Option<UpperBound> {
        let like = self.working_precision(digits);
        let short = |value: &Big| rounded(&value.to_rational(), self.kept_digits(digits));
        match &self.solution {
            Solution::Alternating { polished, .. } => {
                let alternation = polished.refine(&-margin(&like, margin_of(polished), digits));
                let weights = alternation.multipliers();
                Some(UpperBound {
                    limit: short(&alternation.limit),
                    places: alternation.points.iter().map(short).collect(),
                    weights: weights.iter().map(|weight| (short(weight), RBig::ZERO)).collect(),
                    origin: RBig::ZERO,
                })
            }
            Solution::Touching { constraints, doubles, .. } => {
                let mut doubles = doubles.clone();
                // A multiplier that is zero may become negative a margin beyond.
                let largest = doubles.touches.iter().map(|touch| touch.multiplier).fold(0.0, f64::max);
                doubles.touches.retain(|touch| touch.multiplier > NEGLIGIBLE * largest);
                let state = constraints.refine(&doubles, &like, &-margin(&like, margin_at(&doubles), digits))?;
                let (origin, outside): (Vec<_>, Vec<_>) =
                    state.touches.iter().partition(|touch| touch.contact == Contact::Origin);
                let weight = |touch: &&Touch<Big>| {
                    let z = Complex::new(like.like(0.0), state.h.clone() * touch.t.clone());
                    // The derivative of |R|² by R is twice its conjugate.
                    let r = constraints.value(&state.gamma, &z).scale(&(touch.multiplier.clone() * like.like(2.0)));
                    (short(&r.re), short(&r.im))
                };
                // In units of H instead of the constraints' own.
                let unit = (like.like(constraints.reach()) / state.h.clone()).power(constraints.lowest_power());
                Some(UpperBound {
                    limit: short(&state.h),
                    places: outside.iter().map(|touch| short(&touch.t)).collect(),
                    weights: outside.iter().map(weight).collect(),
                    origin: origin.first().map_or(RBig::ZERO, |touch| short(&(touch.multiplier.clone() * unit))),
                })
            }
            _ => None,
        }
    }

    /// A one with digits for the answer, the margin, and what coefficients lose against values.
    fn working_precision(&self, digits: usize) -> Big {
        Big::new(1.0, self.kept_digits(digits) + GUARD_DIGITS)
    }

    fn kept_digits(&self, digits: usize) -> usize {
        digits + MARGIN_DIGITS + GUARD_DIGITS + self.digits_lost()
    }

    /// Rounded so that the error is far below the margin, even summed over all powers.
    fn rounded(&self, coefficients: &[RBig], digits: usize) -> Vec<RBig> {
        coefficients.iter().map(|value| rounded(value, self.kept_digits(digits))).collect()
    }

    /// The limit rounded down, by far less than the margin: parts of a spectrum may want a larger one.
    fn limit_below(&self, limit: &Big, digits: usize) -> RBig {
        scaled(&limit.to_rational(), self.kept_digits(digits), RBig::floor)
    }

    /// The free coefficients behind 1/k!.
    fn with_order(&self, free: Vec<RBig>) -> Vec<RBig> {
        let mut factorial = UBig::ONE;
        let taylor = (0..=self.problem.order()).map(|k| {
            factorial *= k.max(1);
            RBig::from_parts(IBig::ONE, factorial.clone())
        });
        // A spectrum of few eigenvalues may leave the highest powers without use.
        taylor.chain(free).chain(std::iter::repeat(RBig::ZERO)).take(self.problem.stages() + 1).collect()
    }
}

fn contact_points(constraints: &Constraints, state: &State<f64>) -> Vec<ContactPoint> {
    let point = |touch: &Touch<f64>| {
        let place = constraints.pieces[touch.piece].z(state.h, touch.t);
        let at_origin = touch.contact == Contact::Origin;
        let z = if at_origin { Complex64::ZERO } else { Complex64::new(place.re, place.im) };
        ContactPoint { z, multiplier: touch.multiplier.max(0.0) }
    };
    state.touches.iter().map(point).collect()
}

/// The change of |R|, or |R|², that changes the limit by all of itself.
fn margin_of<T: Real>(alternation: &Alternation<T>) -> f64 {
    let sum: f64 = alternation.multipliers().iter().map(|multiplier| multiplier.to_f64().abs()).sum();
    alternation.limit.to_f64() / sum
}

fn margin_at(state: &State<f64>) -> f64 {
    state.h / state.touches.iter().map(|touch| touch.multiplier.abs()).sum::<f64>()
}

/// A margin that changes the limit only beyond the digits.
fn margin(like: &Big, size: f64, digits: usize) -> Big {
    let tiny = RBig::from_parts(IBig::ONE, UBig::from(10u8).pow(digits + MARGIN_DIGITS));
    like.like(size) * like.like_rational(&tiny)
}

/// Σ c_j T_j(1 + 2w) as coefficients of wᵏ, exactly.
fn chebyshev_to_monomial(c: &[Big]) -> Vec<RBig> {
    let zero = RBig::ZERO;
    let mut sums = vec![zero; c.len()];
    for (c, column) in c.iter().zip(chebyshev::shifted(c.len() - 1)) {
        let c = c.to_rational();
        sums.iter_mut().zip(column).for_each(|(sum, value)| *sum += &c * RBig::from(value));
    }
    sums
}

/// The nearest decimal with so many significant digits.
fn rounded(value: &RBig, digits: usize) -> RBig {
    scaled(value, digits, RBig::round)
}

fn scaled(value: &RBig, digits: usize, round: impl Fn(&RBig) -> IBig) -> RBig {
    if value.is_zero() {
        return RBig::ZERO;
    }
    // Digits of the numerator less those of the denominator, up to one.
    let length = |n: &UBig| (n.bit_len() as f64 * std::f64::consts::LOG10_2) as i64;
    let size = length(&value.numerator().clone().unsigned_abs()) - length(value.denominator());
    let places = digits as i64 - size;
    let ten = RBig::from(UBig::from(10u8).pow(places.unsigned_abs() as usize));
    let factor = if places >= 0 { ten } else { RBig::ONE / ten };
    RBig::from(round(&(value * &factor))) / factor
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact(spectrum: &str, stages: usize, order: usize) -> Vec<ContactPoint> {
        Problem::new(spectrum.parse().unwrap(), stages, order).solve().unwrap().contact_points()
    }

    #[test]
    fn contact_points_of_formulas_are_where_they_are_known_to_be() {
        // |R(iy)|² = 1 − sin²Kθ cos²θ with y = K cos θ, K = s − 1.
        let touches = contact("imaginary", 9, 2);
        for (k, touch) in [(3.0, 0), (2.0, 1), (1.0, 2), (0.0, 3)].map(|(k, index): (f64, usize)| (k, touches[index])) {
            let y = 8.0 * (k * std::f64::consts::PI / 8.0).cos();
            assert!((touch.z.im - y).abs() < 1e-6 && touch.z.re == 0.0 && touch.multiplier > 0.0, "{touch:?} {y}");
        }
        // T_s(1 + z/s²) alternates at −s²(1 − cos(kπ/s)).
        let touches = contact("real", 6, 1);
        for (k, touch) in touches.iter().enumerate() {
            let x = -36.0 * (1.0 - ((k + 1) as f64 * std::f64::consts::PI / 6.0).cos());
            assert!((touch.z.re - x).abs() < 1e-5, "{touch:?} {x}");
        }
        assert_eq!((touches.len(), contact("disk", 6, 1).len()), (6, 0));
    }
}
