//! Points at which a polynomial becomes positive, by Sturm's theorem: a slow and simple reference for the tests.

use std::cmp::Ordering;

use dashu::base::{Abs, Gcd, Signed, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

/// Integer coefficients, constant term first; the last one is not zero.
type Polynomial = Vec<IBig>;

/// Relative width of root enclosures in bits, such that rounding to double loses nothing more.
const RELATIVE_BITS: usize = 70;

/// Returns the smallest t > 0 at which p changes from not positive to positive, or `None` if it never does.
///
/// The result is zero if the polynomial is positive just beyond zero.
pub(crate) fn first_positive(p: &[RBig]) -> Option<RBig> {
    let p = primitive(&integers(p));
    let lowest = p.iter().position(|coefficient| !coefficient.is_zero())?;
    if p[lowest].is_positive() {
        return Some(RBig::ZERO);
    }
    let p = p[lowest..].to_vec();
    let chain = sturm_chain(&p);
    let bound = root_bound(&p);
    let mut low = RBig::ZERO;
    while let Some((_, right)) = next_root(&chain, low.clone(), bound.clone()) {
        if sign_at(&p, &right) == Ordering::Greater {
            // One root lies between low and right, and p changes from negative to positive there.
            return Some(bisect(&p, low, right));
        }
        low = right;
    }
    None
}

/// Returns the last point in (0, `end`] at which p changes from not positive to positive, or `None` if there is
/// none.
///
/// `end` is a result of [`first_positive`], accurate to [`RELATIVE_BITS`]: a root within that distance beyond it
/// counts.
pub(crate) fn last_rise(p: &[RBig], end: &RBig) -> Option<RBig> {
    let p = primitive(&integers(p));
    let chain = sturm_chain(&p);
    let width = RBig::from_parts(IBig::from(4), UBig::ONE << RELATIVE_BITS);
    let mut end = end * (RBig::ONE + &width);
    while sign_at(&p, &end) == Ordering::Equal {
        end *= RBig::ONE + &width;
    }
    let mut low = RBig::ZERO;
    let mut last = None;
    while let Some((left, right)) = next_root(&chain, low, end.clone()) {
        if sign_at(&p, &left) != Ordering::Greater && sign_at(&p, &right) == Ordering::Greater {
            last = Some((left, right.clone()));
        }
        low = right;
    }
    last.map(|(left, right)| bisect(&p, left, right))
}

/// Encloses the sign change between a point with p ≤ 0 and a point with p > 0 to [`RELATIVE_BITS`].
fn bisect(p: &Polynomial, mut low: RBig, mut high: RBig) -> RBig {
    let half = RBig::from_parts(IBig::ONE, 2u8.into());
    let width = RBig::from_parts(IBig::ONE, UBig::ONE << RELATIVE_BITS);
    while &high - &low > &high * &width {
        let middle = (&low + &high) * &half;
        match sign_at(p, &middle) {
            Ordering::Greater => high = middle,
            Ordering::Less => low = middle,
            Ordering::Equal => return middle,
        }
    }
    (low + high) * half
}

/// Returns an interval (a, b] ⊂ (low, high] that contains the smallest root and no other, with p(b) ≠ 0. `high`
/// must not be a root.
fn next_root(chain: &[Polynomial], low: RBig, high: RBig) -> Option<(RBig, RBig)> {
    let (mut low, mut high) = (low, high);
    let mut changes_low = changes(chain, &low);
    if changes_low == changes(chain, &high) {
        return None;
    }
    loop {
        let changes_high = changes(chain, &high);
        if changes_low - changes_high == 1 && sign_at(&chain[0], &high) != Ordering::Equal {
            return Some((low, high));
        }
        let middle = split_point(&chain[0], &low, &high);
        let changes_middle = changes(chain, &middle);
        if changes_low > changes_middle {
            high = middle;
        } else {
            (low, changes_low) = (middle, changes_middle);
        }
    }
}

/// Returns a point near the middle of an interval that is not a root.
fn split_point(p: &Polynomial, low: &RBig, high: &RBig) -> RBig {
    let mut weight = RBig::from_parts(IBig::ONE, 2u8.into());
    loop {
        let point = low + (high - low) * &weight;
        if sign_at(p, &point) != Ordering::Equal {
            return point;
        }
        // There are finitely many roots, so some point of the sequence 1/2, 5/8, 23/32, … is none of them.
        weight += (RBig::ONE - &weight) * RBig::from_parts(IBig::ONE, 4u8.into());
    }
}

/// Computes the Sturm chain p, p′, −rem, …, each divided by its content.
fn sturm_chain(p: &Polynomial) -> Vec<Polynomial> {
    let mut chain = vec![p.clone(), primitive(&derivative(p))];
    while let [.., before, last] = chain.as_slice()
        && last.len() > 1
    {
        let rest = negated_remainder(before, last);
        if rest.is_empty() {
            break;
        }
        chain.push(rest);
    }
    chain.retain(|p| !p.is_empty());
    chain
}

/// Computes −(a mod b) times a positive number, primitive; empty if b divides a.
fn negated_remainder(a: &Polynomial, b: &Polynomial) -> Polynomial {
    let lead = &b[b.len() - 1];
    let (scale, flip) = (IBig::from(lead.clone().unsigned_abs()), lead.is_negative());
    let mut rest = a.clone();
    while rest.len() >= b.len() {
        let Some(top) = rest.pop() else { break };
        let top = if flip { -top } else { top };
        let shift = rest.len() + 1 - b.len();
        for coefficient in &mut rest {
            *coefficient *= &scale;
        }
        for (k, coefficient) in b[..b.len() - 1].iter().enumerate() {
            rest[shift + k] -= &top * coefficient;
        }
        rest = primitive(&rest);
    }
    rest.into_iter().map(|coefficient| -coefficient).collect()
}

fn derivative(p: &Polynomial) -> Polynomial {
    p.iter().enumerate().skip(1).map(|(k, coefficient)| coefficient * IBig::from(k)).collect()
}

/// Divides the polynomial by the positive greatest common divisor of its coefficients and drops leading zeros.
fn primitive(p: &Polynomial) -> Polynomial {
    let mut p = p.clone();
    while p.last().is_some_and(IBig::is_zero) {
        p.pop();
    }
    let content = p.iter().fold(UBig::ZERO, |content, c| {
        if content.is_zero() || c.is_zero() {
            content + c.clone().unsigned_abs()
        } else {
            content.gcd(&c.clone().unsigned_abs())
        }
    });
    if content > UBig::ONE {
        let content = IBig::from(content);
        p.iter_mut().for_each(|coefficient| *coefficient /= &content);
    }
    p
}

/// Multiplies the coefficients by their common denominator.
fn integers(p: &[RBig]) -> Polynomial {
    let common = p.iter().fold(UBig::ONE, |common, c| {
        let divisor = (&common).gcd(c.denominator());
        common / divisor * c.denominator()
    });
    p.iter().map(|c| c.numerator() * IBig::from(&common / c.denominator())).collect()
}

/// Returns a power of two beyond all roots (Cauchy: 1 + max |cₖ/cₙ|).
fn root_bound(p: &Polynomial) -> RBig {
    let Some(lead) = p.last() else { return RBig::ONE };
    let lead = lead.clone().abs();
    let largest = p.iter().map(|c| c.clone().abs() / &lead).max().unwrap_or_default();
    let mut bound = IBig::from(2);
    while bound <= &largest + IBig::from(2) {
        bound *= IBig::from(2);
    }
    bound.into()
}

/// Counts the changes of sign in the chain at a point.
fn changes(chain: &[Polynomial], t: &RBig) -> usize {
    let signs: Vec<Ordering> = chain.iter().map(|p| sign_at(p, t)).filter(|sign| *sign != Ordering::Equal).collect();
    signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

/// Returns the sign of p(n/d), by Horner's scheme for the integer dᵈᵉᵍ p(n/d).
fn sign_at(p: &Polynomial, t: &RBig) -> Ordering {
    let (n, d) = (t.numerator(), IBig::from(t.denominator().clone()));
    let mut value = IBig::ZERO;
    let mut power = IBig::ONE;
    for coefficient in p.iter().rev() {
        value = value * n + coefficient * &power;
        power *= &d;
    }
    value.cmp(&IBig::ZERO)
}

/// Returns whether p < 0 on the closed interval.
pub(crate) fn is_negative(p: &[RBig], low: &RBig, high: &RBig) -> bool {
    let p = primitive(&integers(p));
    let is_negative_at = |x| sign_at(&p, x) == Ordering::Less;
    if p.is_empty() || !is_negative_at(low) || !is_negative_at(high) {
        return false;
    }
    let chain = sturm_chain(&p);
    changes(&chain, low) == changes(&chain, high)
}
