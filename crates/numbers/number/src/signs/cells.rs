//! Proofs that a polynomial is negative on an interval.

use std::cmp::Ordering;

use dashu::base::BitTest;
use dashu::integer::IBig;
use dashu::rational::RBig;

use crate::signs::ProofCell;
use crate::signs::divisor::radical;
use crate::signs::expansion::Expansion;
use crate::signs::integer::{integers, sign_at};
use crate::signs::root::Roots;
use crate::signs::subdivision::Subdivision;

/// Proves that p < 0 on [`low`, `high`]: returns adjacent cells from left to right, each of which passes
/// [`is_cell_negative`].
///
/// Returns `None` if p is zero or positive anywhere in the interval, however slightly and even if it only touches
/// zero. Short dyadic ends lead to short ends of all cells.
///
/// ```
/// use dashu::rational::RBig;
/// use hemiola_number::signs::{is_cell_negative, negative_cells};
/// let p = [-2, 0, 1].map(RBig::from);
/// let cells = negative_cells(&p, &RBig::from(-1), &RBig::from(1)).unwrap();
/// assert!(cells.iter().all(|cell| is_cell_negative(&p, cell)));
/// // −x² touches zero.
/// let p = [0, 0, -1].map(RBig::from);
/// assert_eq!(negative_cells(&p, &RBig::from(-1), &RBig::from(1)), None);
/// ```
#[must_use]
pub fn negative_cells(p: &[RBig], low: &RBig, high: &RBig) -> Option<Vec<ProofCell>> {
    integer_negative_cells(&integers(p), low, high)
}

/// [`negative_cells`] for integer coefficients without a common factor.
pub(crate) fn integer_negative_cells(p: &[IBig], low: &RBig, high: &RBig) -> Option<Vec<ProofCell>> {
    let interval = ProofCell { low: low.clone(), high: high.clone() };
    if low > high {
        return Some(Vec::new());
    }
    // If p touches zero, no precision suffices. Well beyond the precision of its coefficients, roots are
    // therefore searched for once.
    let mut precision_in_doubt = 2 * bits(p) + 128;
    let mut cells = Vec::new();
    let mut subdivision = Subdivision::new(p, interval.clone());
    while let Some(piece) = subdivision.next() {
        if piece.expansion.sign_by_parabola() == Some(Ordering::Less) {
            cells.push(piece.cell);
            continue;
        }
        if piece.expansion.sign_at_center() == Some(Ordering::Greater) {
            return None;
        }
        subdivision.refine(piece);
        if subdivision.bits() > precision_in_doubt {
            precision_in_doubt = usize::MAX;
            if !is_negative(p, &interval) {
                return None;
            }
        }
    }
    Some(cells)
}

/// Returns whether p < 0 on the closed interval.
fn is_negative(p: &[IBig], interval: &ProofCell) -> bool {
    let is_negative_at = |x| sign_at(p, x) == Ordering::Less;
    is_negative_at(&interval.low)
        && is_negative_at(&interval.high)
        && Roots::new(&radical(p), interval.clone()).next().is_none()
}

/// Returns whether a parabola that bounds p from above proves p < 0 on the cell.
///
/// With center m, half width r and gₖ = p⁽ᵏ⁾(m) rᵏ/k!, p(m + rt) ≤ g₀ + g₁t − qt² for |t| ≤ 1 and q = −(g₂ +
/// Σ_{k≥3}|gₖ|). If the vertex of the parabola lies inside, |g₁| < 2q, the parabola is negative there if g₀ < 0
/// and g₁² < 4|g₀|q; otherwise if g₀ + |g₁| − q < 0. All numbers are exact, or rounded with the errors added to
/// g₀.
///
/// ```
/// use dashu::rational::RBig;
/// use hemiola_number::signs::{ProofCell, is_cell_negative};
/// let p = [-2, 0, 1].map(RBig::from);
/// let cell = |low, high| ProofCell { low: RBig::from(low), high: RBig::from(high) };
/// assert!(is_cell_negative(&p, &cell(-1, 1)));
/// assert!(!is_cell_negative(&p, &cell(1, 2)));
/// ```
#[must_use]
pub fn is_cell_negative(p: &[RBig], cell: &ProofCell) -> bool {
    let p = integers(p);
    let last = 4 * bits(&p);
    let precisions = std::iter::successors(Some(256), |bits| Some(2 * bits)).take_while(|bits| *bits < last);
    cell.low <= cell.high
        && (precisions.map(|bits| Expansion::new(&p, cell, bits)).any(|expansion| proves(&expansion))
            || proves(&Expansion::exact(&p, cell)))
}

/// Returns the bit length of the longest coefficient.
fn bits(p: &[IBig]) -> usize {
    p.iter().map(BitTest::bit_len).max().unwrap_or(0)
}

fn proves(expansion: &Expansion) -> bool {
    expansion.sign_by_parabola() == Some(Ordering::Less)
}
