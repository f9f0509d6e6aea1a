//! The points at which a polynomial becomes positive.

use std::cmp::Ordering;

use dashu::base::Signed;
use dashu::integer::IBig;
use dashu::rational::RBig;

use crate::signs::ProofCell;
use crate::signs::divisor::odd_part;
use crate::signs::integer::{integers, power_of_two, reflected, root_bound, without_root_at_zero};
use crate::signs::intervals::just_beyond;
use crate::signs::root::Roots;

/// Returns the smallest t > 0 at which p changes from not positive to positive, or `None` if it never does.
///
/// The result is accurate to 70 bits, and zero if the polynomial is positive just beyond zero.
///
/// ```
/// use dashu::rational::RBig;
/// use hemiola_number::signs::first_positive;
/// let p = [-2, 0, 1].map(RBig::from);
/// assert_eq!(first_positive(&p).map(|t| t.to_f64().value()), Some(2f64.sqrt()));
/// assert_eq!(first_positive(&[RBig::ZERO, RBig::ONE]), Some(RBig::ZERO));
/// assert_eq!(first_positive(&[-1, 2, -1].map(RBig::from)), None);
/// ```
#[must_use]
pub fn first_positive(p: &[RBig]) -> Option<RBig> {
    integer_first_positive(&integers(p))
}

/// [`first_positive`] for integer coefficients without a common factor.
pub(crate) fn integer_first_positive(p: &[IBig]) -> Option<RBig> {
    let p = without_root_at_zero(p);
    if p.first()?.is_positive() {
        return Some(RBig::ZERO);
    }
    let p = odd_part(p);
    let interval = ProofCell { low: RBig::ZERO, high: power_of_two(root_bound(&p)) };
    Roots::new(&p, interval).next().map(|root| root.refine_root(&p))
}

/// Returns the last point in (0, `end`] at which p changes from not positive to positive, or `None` if there is
/// none.
///
/// `end` is a result of [`first_positive`], accurate to 70 bits: a root within that distance beyond it counts.
///
/// ```
/// use dashu::rational::RBig;
/// use hemiola_number::signs::last_rise;
/// // (x − 1)(x − 2)(x − 3) rises through zero at 1 and 3.
/// let p = [-6, 11, -6, 1].map(RBig::from);
/// let place = |end| last_rise(&p, &RBig::from(end)).map(|t| t.to_f64().value());
/// assert_eq!((place(1), place(2), place(3)), (Some(1.0), Some(1.0), Some(3.0)));
/// ```
#[must_use]
pub fn last_rise(p: &[RBig], end: &RBig) -> Option<RBig> {
    let p = integers(p);
    let p = odd_part(without_root_at_zero(&p));
    if p.is_empty() || *end <= RBig::ZERO {
        return None;
    }
    let end = just_beyond(&p, end);
    // After the reflection the first root from the left is the last one; a rise has positive values to the left
    // of the root.
    let p = reflected(&p);
    let mut roots = Roots::new(&p, ProofCell { low: -end, high: RBig::ZERO });
    roots.find(|root| root.before == Ordering::Greater).map(|root| -root.refine_root(&p))
}
