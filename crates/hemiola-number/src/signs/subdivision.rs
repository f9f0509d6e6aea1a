//! Cells that cover an interval from left to right, cut as finely as needed and computed as precisely as needed.

use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

use crate::signs::Cell;
use crate::signs::expansion::Expansion;

/// The precision to begin with, in bits.
const FIRST_BITS: usize = 128;

/// A cell and the expansion on it.
pub(crate) struct Piece {
    pub(crate) cell: Cell,
    pub(crate) expansion: Expansion,
    bits: usize,
}

impl Piece {
    /// The part between two cuts, given as t·2^shift.
    pub(crate) fn between(&self, from: &IBig, to: &IBig, shift: usize) -> Self {
        let Cell { low, high } = &self.cell;
        let place = |cut: &IBig| {
            let weight = RBig::from_parts(cut + (IBig::ONE << shift), UBig::ONE << (shift + 1));
            low + (high - low) * weight
        };
        Self {
            cell: Cell { low: place(from), high: place(to) },
            expansion: self.expansion.part(&(from + to), &(to - from), shift + 1),
            bits: self.bits,
        }
    }
}

/// The pieces of an interval that are still to be looked at, the leftmost one on top.
pub(crate) struct Subdivision<'a> {
    polynomial: &'a [IBig],
    pieces: Vec<Piece>,
    bits: usize,
}

impl<'a> Subdivision<'a> {
    pub(crate) fn new(polynomial: &'a [IBig], cell: Cell) -> Self {
        let mut subdivision = Self { polynomial, pieces: Vec::new(), bits: FIRST_BITS };
        subdivision.push(cell);
        subdivision
    }

    fn push(&mut self, cell: Cell) {
        let expansion = Expansion::new(self.polynomial, &cell, self.bits);
        self.pieces.push(Piece { cell, expansion, bits: self.bits });
    }

    /// The present precision.
    pub(crate) fn bits(&self) -> usize {
        self.bits
    }

    /// The leftmost piece, at the present precision.
    pub(crate) fn next(&mut self) -> Option<Piece> {
        if self.pieces.last()?.bits < self.bits {
            let cell = self.pieces.pop()?.cell;
            self.push(cell);
        }
        self.pieces.pop()
    }

    /// Puts the piece back: cut, or at a higher precision where a cut would tell nothing more.
    pub(crate) fn refine(&mut self, piece: Piece) {
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
