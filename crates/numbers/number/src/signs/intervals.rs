//! The intervals on which a polynomial is positive.

use std::cmp::Ordering;

use dashu::base::Signed;
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

use crate::signs::ProofCell;
use crate::signs::divisor::odd_part;
use crate::signs::integer::{integers, power_of_two, root_bound, sign_at, without_root_at_zero};
use crate::signs::root::{RELATIVE_BITS, Roots};

/// An open interval on which a polynomial is positive, except for single points where it may touch zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositiveInterval {
    /// The point at which it becomes positive, to 70 bits; zero if it is positive just beyond zero.
    pub low: RBig,
    /// The point at which it ceases to be positive; `None` if it does not within the range searched.
    pub high: Option<RBig>,
}

/// Returns the maximal intervals of (0, `end`], or of (0, ∞), on which p is positive, from left to right.
///
/// `end` is assumed to be known to 70 bits: roots within that distance beyond it count.
///
/// ```
/// use dashu::rational::RBig;
/// use hemiola_number::signs::positive_intervals;
/// // (x − 1)(x − 2)(x − 3)² (x − 4) is positive on (1, 2) and beyond 4.
/// let p = [-72, 174, -155, 65, -13, 1].map(RBig::from);
/// let ends = |x: &RBig| x.to_f64().value();
/// let found: Vec<_> = positive_intervals(&p, None).iter().map(|i| (ends(&i.low), i.high.as_ref().map(ends))).collect();
/// assert_eq!(found, [(1.0, Some(2.0)), (4.0, None)]);
/// ```
#[must_use]
pub fn positive_intervals(p: &[RBig], end: Option<&RBig>) -> Vec<PositiveInterval> {
    let p = integers(p);
    let p = without_root_at_zero(&p);
    let Some(first) = p.first() else { return Vec::new() };
    let mut intervals = Vec::new();
    if first.is_positive() {
        intervals.push(PositiveInterval { low: RBig::ZERO, high: None });
    }
    let p = odd_part(p);
    let high = end.map_or_else(|| power_of_two(root_bound(&p)), |end| just_beyond(&p, end));
    for root in Roots::new(&p, ProofCell { low: RBig::ZERO, high }) {
        let falls = root.before == Ordering::Greater;
        let place = root.refine_root(&p);
        match intervals.last_mut() {
            Some(interval) if falls => interval.high = Some(place),
            _ => intervals.push(PositiveInterval { low: place, high: None }),
        }
    }
    intervals
}

/// Returns a point at which p is not zero, beyond `end` by more than the error of `end`.
pub(crate) fn just_beyond(p: &[IBig], end: &RBig) -> RBig {
    let stretch = RBig::ONE + RBig::from_parts(IBig::from(4), UBig::ONE << RELATIVE_BITS);
    let mut end = end * &stretch;
    while sign_at(p, &end) == Ordering::Equal {
        end *= &stretch;
    }
    end
}
