//! A covering of an interval by cells from left to right, as small and as precise as needed.

use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

use crate::signs::ProofCell;
use crate::signs::expansion::Expansion;

/// Initial precision in bits.
const FIRST_BITS: usize = 128;

/// A cell and the expansion on it.
pub(crate) struct ExpandedCell {
    pub(crate) cell: ProofCell,
    pub(crate) expansion: Expansion,
    bits: usize,
}

impl ExpandedCell {
    /// Returns the part between two cuts, given as t·2^shift.
    pub(crate) fn between(&self, from: &IBig, to: &IBig, shift: usize) -> Self {
        let ProofCell { low, high } = &self.cell;
        let place = |cut: &IBig| {
            let weight = RBig::from_parts(cut + (IBig::ONE << shift), UBig::ONE << (shift + 1));
            low + (high - low) * weight
        };
        Self {
            cell: ProofCell { low: place(from), high: place(to) },
            expansion: self.expansion.part(&(from + to), &(to - from), shift + 1),
            bits: self.bits,
        }
    }
}

/// The pieces of an interval still to be examined, with the leftmost on top.
pub(crate) struct Subdivision<'a> {
    polynomial: &'a [IBig],
    pieces: Vec<ExpandedCell>,
    bits: usize,
}

impl<'a> Subdivision<'a> {
    pub(crate) fn new(polynomial: &'a [IBig], cell: ProofCell) -> Self {
        let mut subdivision = Self { polynomial, pieces: Vec::new(), bits: FIRST_BITS };
        subdivision.push(cell);
        subdivision
    }

    fn push(&mut self, cell: ProofCell) {
        let expansion = Expansion::new(self.polynomial, &cell, self.bits);
        self.pieces.push(ExpandedCell { cell, expansion, bits: self.bits });
    }

    /// Returns the current precision.
    pub(crate) fn bits(&self) -> usize {
        self.bits
    }

    /// Removes and returns the leftmost piece, at the current precision.
    pub(crate) fn next(&mut self) -> Option<ExpandedCell> {
        if self.pieces.last()?.bits < self.bits {
            let cell = self.pieces.pop()?.cell;
            self.push(cell);
        }
        self.pieces.pop()
    }

    /// Puts the piece back: cut into parts, or at a higher precision if a cut would give no information.
    pub(crate) fn refine(&mut self, piece: ExpandedCell) {
        if piece.expansion.is_exhausted() {
            self.bits += self.bits / 2;
            self.push(piece.cell);
            return;
        }
        let (cuts, shift) = piece.expansion.cuts();
        let parts = cuts.windows(2).rev().map(|pair| piece.between(&pair[0], &pair[1], shift));
        self.pieces.extend(parts);
    }
}
