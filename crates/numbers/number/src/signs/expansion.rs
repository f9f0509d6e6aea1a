//! Taylor expansions on a cell in fixed-point numbers, with a bound on all errors, and the signs that they prove.
//!
//! On the cell m + rt, −1 ≤ t ≤ 1, a polynomial is Σ gₖtᵏ with gₖ = p⁽ᵏ⁾(m) rᵏ/k!. The gₖ decrease quickly as
//! cells shrink; those below the error are dropped, so that expansions on small cells are short.

use std::cmp::Ordering;

use dashu::base::{Abs, BitTest, Gcd, PowerOfTwo, Signed};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

use crate::signs::ProofCell;

/// The expansion Σ gₖtᵏ for |t| ≤ 1, up to a polynomial whose coefficients have moduli with a sum of at most
/// `error`.
///
/// All numbers are in units of one unknown power of two: only signs and ratios matter.
#[derive(Clone, Debug)]
pub(crate) struct Expansion {
    terms: Vec<IBig>,
    error: IBig,
    /// The number of terms before any were dropped.
    length: usize,
}

impl Expansion {
    /// Expands p on a cell with about `bits` bits.
    pub(crate) fn new(p: &[IBig], cell: &ProofCell, bits: usize) -> Self {
        // p(2ᵉy), |y| ≤ 1, with the largest coefficient scaled to `bits` bits.
        let e = [&cell.low, &cell.high].into_iter().filter_map(exponent).max().unwrap_or(0);
        let sizes = p.iter().zip(0..).filter(|(c, _)| !c.is_zero()).map(|(c, k)| c.bit_len() as isize + k * e);
        let shift = bits as isize - sizes.max().unwrap_or(0);
        let terms: Vec<IBig> = p.iter().zip(0..).map(|(c, k)| shifted(c.clone(), shift + k * e)).collect();
        let (center, radius, denominator) = cell.center_and_radius();
        // y = x/2ᵉ.
        let scale = |x| shifted(x, (-e).max(0));
        let denominator = denominator << e.max(0) as usize;
        let rounded = Self { error: terms.len().into(), length: terms.len(), terms };
        rounded.within(&scale(center), &scale(radius), &denominator)
    }

    /// Expands p on a cell without any rounding.
    pub(crate) fn exact(p: &[IBig], cell: &ProofCell) -> Self {
        let (center, radius, denominator) = cell.center_and_radius();
        let mut power = UBig::ONE;
        let mut terms = p.to_vec();
        for term in terms.iter_mut().rev() {
            *term *= &power;
            power *= &denominator;
        }
        Self { error: IBig::ZERO, length: terms.len(), terms }.within(&center, &radius, &UBig::ONE)
    }

    /// Returns the expansion on part of the cell, (center + radius t)/2^shift.
    pub(crate) fn part(&self, center: &IBig, radius: &IBig, shift: usize) -> Self {
        self.clone().within(center, radius, &(UBig::ONE << shift))
    }

    /// Substitutes (center + radius t)/denominator for the variable, by a Taylor shift with repeated synthetic
    /// division and a multiplication by powers of the radius.
    ///
    /// A rounding that changes one of the numbers by one changes the polynomial by some (x − center)ⁱxʲ, whose
    /// coefficients in t have moduli with a sum of at most one if the part lies in [−1, 1].
    ///
    /// After i steps the terms from i on belong to a factor of (x − center)ⁱ, which is small on a small part:
    /// terms below the error are dropped, and higher terms of expansions on small cells are never computed.
    fn within(mut self, center: &IBig, radius: &IBig, denominator: &UBig) -> Self {
        let divide = Division::by(denominator);
        let rounds = !denominator.is_one();
        let small = IBig::from(self.terms.len());
        self.error += if rounds { (&small + IBig::ONE).sqr().into() } else { IBig::ZERO };
        let (mut power, mut divisor) = (IBig::ONE, UBig::ONE);
        for i in 0..self.terms.len() {
            let largest = self.terms[i..].iter().map(BitTest::bit_len).max().unwrap_or(0);
            let rest = Division::by(&divisor).of((power.clone().abs() * &small) << largest);
            if rounds && rest < small {
                self.error += rest + IBig::ONE;
                self.terms.truncate(i);
                break;
            }
            for j in (i + 1..self.terms.len()).rev() {
                let step = divide.of(&self.terms[j] * center);
                self.terms[j - 1] += step;
            }
            self.terms[i] = Division::by(&divisor).of(&self.terms[i] * &power);
            power *= radius;
            divisor *= denominator;
        }
        self
    }

    fn term(&self, k: usize) -> IBig {
        self.terms.get(k).cloned().unwrap_or_default()
    }

    /// Returns Σ_{k≥3} |gₖ|.
    fn tail(&self) -> IBig {
        self.terms.iter().skip(3).map(Abs::abs).fold(IBig::ZERO, |sum, term| sum + term)
    }

    /// Returns the sign of p on the whole cell, if a parabola above or below p, g₀ + g₁t + (g₂ ± Σ_{k≥3}|gₖ|)t²,
    /// proves it.
    pub(crate) fn sign_by_parabola(&self) -> Option<Ordering> {
        let (g0, g1, g2) = (self.term(0), self.term(1).abs(), self.term(2));
        if g0.is_negative() {
            is_parabola_negative(&(g0 + &self.error), &g1, &-(g2 + self.tail())).then_some(Ordering::Less)
        } else {
            is_parabola_negative(&(&self.error - g0), &g1, &(g2 - self.tail())).then_some(Ordering::Greater)
        }
    }

    /// Returns the sign of p on the whole cell, if all Bernstein coefficients have it.
    pub(crate) fn sign_by_bernstein(&self) -> Option<Ordering> {
        common_sign(&self.terms, &self.error)
    }

    /// Returns whether the Bernstein coefficients prove that p′ has one sign on the whole cell.
    pub(crate) fn is_monotone(&self) -> bool {
        let slope: Vec<IBig> = self.terms.iter().enumerate().skip(1).map(|(k, c)| c * IBig::from(k)).collect();
        common_sign(&slope, &(&self.error * IBig::from(self.length))).is_some()
    }

    /// Returns the sign of p at the center, if the error leaves it certain.
    pub(crate) fn sign_at_center(&self) -> Option<Ordering> {
        certain_sign(&self.term(0), &self.error)
    }

    /// Returns whether value and slope at the center are below the error, so that a smaller cell would give no
    /// information.
    pub(crate) fn is_exhausted(&self) -> bool {
        let noise = (&self.error * IBig::from(self.length)).bit_len() + 2;
        self.term(0).bit_len() <= noise && self.term(1).bit_len() <= noise
    }

    /// Returns the points at which to cut the cell, as t·2^shift from −1 to 1, and the shift.
    ///
    /// If p is nearly a parabola, its vertex becomes the center of a part: a polynomial that almost touches zero
    /// there has a definite sign on that part, however small its distance from zero. Other cells are cut near the
    /// middle, but not exactly there: polynomials are often symmetric, and a touching point at the boundary of
    /// two cells obstructs both.
    pub(crate) fn cuts(&self) -> (Vec<IBig>, usize) {
        self.cuts_around_vertex().unwrap_or_else(|| ([-8, -1, 8].map(IBig::from).to_vec(), 3))
    }

    fn cuts_around_vertex(&self) -> Option<(Vec<IBig>, usize)> {
        let (vertex, shift, half) = self.vertex()?;
        let one = IBig::ONE << shift;
        let room = &one - vertex.clone().abs();
        if &room * 8 < one {
            return None;
        }
        let half = half.min(room);
        let mut cuts = vec![-&one, &vertex - &half, vertex + half, one];
        cuts.dedup();
        Some((cuts, shift))
    }

    /// Returns the vertex of a polynomial that is nearly a parabola, as t·2^shift, and half the width of the part
    /// around it.
    fn vertex(&self) -> Option<(IBig, usize, IBig)> {
        let (g1, g2) = (self.term(1).abs(), self.term(2).abs());
        if self.tail() >= g2 || g1 >= &g2 * 2 {
            return None;
        }
        // Near the vertex p changes by g₂t²: nothing can be resolved below √(error/g₂).
        let finest = g2.bit_len().saturating_sub(self.error.bit_len()) / 2 + 4;
        let slope: Vec<IBig> = self.terms.iter().enumerate().skip(1).map(|(k, c)| c * IBig::from(k)).collect();
        let curvature: Vec<IBig> = slope.iter().enumerate().skip(1).map(|(k, c)| c * IBig::from(k)).collect();
        let mut vertex = IBig::ZERO;
        for _ in 0..finest.bit_len() + 2 {
            let step = (horner(&slope, &vertex, finest) << finest) / nonzero(horner(&curvature, &vertex, finest));
            vertex -= &step;
            if step.is_zero() || vertex.bit_len() > finest {
                break;
            }
        }
        let value = horner(&self.terms, &vertex, finest);
        let shift = (g2.bit_len().saturating_sub(value.bit_len()) / 2 + 4).min(finest);
        // Two roots at ±√(value/g₂) from the vertex lie in a part a few times that size.
        let crosses = value.is_negative() != self.term(2).is_negative();
        let half = if crosses { IBig::from(64).min(IBig::ONE << (shift - 1)) } else { IBig::ONE << (shift - 1) };
        Some((vertex >> (finest - shift), shift, half))
    }
}

/// Returns whether g₀ + g₁t − qt² < 0 for |t| ≤ 1, given g₁ ≥ 0.
fn is_parabola_negative(g0: &IBig, g1: &IBig, q: &IBig) -> bool {
    if *g1 < q * 2 { g0.is_negative() && g1 * g1 + g0 * q * 4 < IBig::ZERO } else { (g0 + g1 - q).is_negative() }
}

/// Returns the common sign of all Bernstein coefficients of Σ gₖtᵏ on [−1, 1], if the error leaves it certain.
/// The error changes none of the coefficients by more than itself.
fn common_sign(terms: &[IBig], error: &IBig) -> Option<Ordering> {
    let degree = terms.len().checked_sub(1)?;
    let sign = certain_sign(&terms[0], error)?;
    // With t = −1 + 2/(1 + u), (1 + u)ⁿ p is the sum of C(n, j) bⱼ uⁿ⁻ʲ.
    let mut terms = terms.to_vec();
    shift_by_one(&mut terms, |c, next| *c -= next);
    if certain_sign(&terms[0], error) != Some(sign) {
        return None;
    }
    terms.iter_mut().enumerate().for_each(|(k, c)| *c <<= k);
    terms.reverse();
    shift_by_one(&mut terms, |c, next| *c += next);
    let mut bound = error.clone();
    terms
        .iter()
        .enumerate()
        .all(|(k, c)| {
            let has_sign = certain_sign(c, &bound) == Some(sign);
            bound = &bound * IBig::from(degree - k) / IBig::from(k + 1);
            has_sign
        })
        .then_some(sign)
}

/// Performs a synthetic division, adding or subtracting one number at a time.
fn shift_by_one(terms: &mut [IBig], add: impl Fn(&mut IBig, &IBig)) {
    for i in 0..terms.len() {
        for j in (i + 1..terms.len()).rev() {
            let (left, right) = terms.split_at_mut(j);
            add(&mut left[j - 1], &right[0]);
        }
    }
}

fn certain_sign(value: &IBig, error: &IBig) -> Option<Ordering> {
    if value > error {
        Some(Ordering::Greater)
    } else if -value > *error {
        Some(Ordering::Less)
    } else {
        None
    }
}

/// Evaluates Σ cₖ(t/2^shift)ᵏ, with rounding.
fn horner(p: &[IBig], t: &IBig, shift: usize) -> IBig {
    p.iter().rev().fold(IBig::ZERO, |value, c| ((value * t) >> shift) + c)
}

fn nonzero(x: IBig) -> IBig {
    if x.is_zero() { IBig::ONE } else { x }
}

/// Division by a positive number, rounded to an adjacent integer. Powers of two become shifts.
enum Division<'a> {
    Shift(usize),
    By(&'a UBig),
}

impl<'a> Division<'a> {
    fn by(denominator: &'a UBig) -> Self {
        if denominator.is_power_of_two() {
            Self::Shift(denominator.trailing_zeros().unwrap_or(0))
        } else {
            Self::By(denominator)
        }
    }

    fn of(&self, x: IBig) -> IBig {
        match self {
            Self::Shift(bits) => x >> *bits,
            Self::By(denominator) => x / *denominator,
        }
    }
}

/// Returns x·2ᵉ, rounded down.
fn shifted(x: IBig, e: isize) -> IBig {
    if e < 0 { x >> e.unsigned_abs() } else { x << e.unsigned_abs() }
}

/// Returns an exponent e with |x| < 2ᵉ, for nonzero x.
fn exponent(x: &RBig) -> Option<isize> {
    (!x.is_zero()).then(|| x.numerator().bit_len() as isize - x.denominator().bit_len() as isize + 1)
}

impl ProofCell {
    /// Returns the numerators and the common denominator of the center and of the half width.
    fn center_and_radius(&self) -> (IBig, IBig, UBig) {
        let (a, b) = (self.low.denominator(), self.high.denominator());
        let divisor = a.gcd(b);
        let low = self.low.numerator() * (b / &divisor);
        let high = self.high.numerator() * (a / &divisor);
        (&high + &low, high - low, (a / &divisor * b) << 1)
    }
}
