//! The real roots of a polynomial with simple roots, in order.

use std::cmp::Ordering;

use dashu::base::Abs;
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

use crate::signs::ProofCell;
use crate::signs::integer::sign_at;
use crate::signs::subdivision::{ExpandedCell, Subdivision};

/// Relative width of root enclosures in bits, such that rounding to double loses nothing more.
pub(crate) const RELATIVE_BITS: usize = 70;

/// The roots in an interval whose left end is not a root, from left to right.
pub(crate) struct Roots<'a> {
    polynomial: &'a [IBig],
    subdivision: Subdivision<'a>,
    /// The sign just beyond the left end of the remaining interval.
    sign: Ordering,
}

/// A simple root isolated in a piece, at its right end or between its ends.
pub(crate) struct IsolatedRoot {
    piece: ExpandedCell,
    /// The sign to the left of the root.
    pub(crate) before: Ordering,
}

impl<'a> Roots<'a> {
    pub(crate) fn new(polynomial: &'a [IBig], cell: ProofCell) -> Self {
        let sign = sign_at(polynomial, &cell.low);
        Self { polynomial, subdivision: Subdivision::new(polynomial, cell), sign }
    }
}

impl Iterator for Roots<'_> {
    type Item = IsolatedRoot;

    fn next(&mut self) -> Option<IsolatedRoot> {
        while let Some(piece) = self.subdivision.next() {
            let expansion = &piece.expansion;
            if expansion.sign_by_parabola().or_else(|| expansion.sign_by_bernstein()).is_some() {
                continue;
            }
            if !expansion.is_monotone() {
                self.subdivision.refine(piece);
                continue;
            }
            let before = self.sign;
            if sign_at(self.polynomial, &piece.cell.high) != before {
                self.sign = before.reverse();
                return Some(IsolatedRoot { piece, before });
            }
        }
        None
    }
}

impl IsolatedRoot {
    /// Returns the root to [`RELATIVE_BITS`], by bisection.
    pub(crate) fn refine_root(self, polynomial: &[IBig]) -> RBig {
        let width = RBig::from_parts(IBig::ONE, UBig::ONE << RELATIVE_BITS);
        let half = RBig::from_parts(IBig::ONE, 2u8.into());
        let mut piece = self.piece;
        loop {
            let ProofCell { low, high } = &piece.cell;
            let middle = (low + high) * &half;
            if high - low <= &width * low.clone().abs().max(high.clone().abs()) {
                return middle;
            }
            let sign = piece.expansion.sign_at_center().unwrap_or_else(|| sign_at(polynomial, &middle));
            piece = match sign {
                Ordering::Equal => return middle,
                sign if sign == self.before => piece.between(&IBig::ZERO, &IBig::ONE, 0),
                _ => piece.between(&IBig::NEG_ONE, &IBig::ZERO, 0),
            };
        }
    }
}
