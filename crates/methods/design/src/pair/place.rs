//! Positions of coefficients in the tableaus.

use hemiola_tableau::{Butcher, Tableau};

/// The position of a coefficient: an entry of A, or of the weights b.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CoefficientIndex {
    pub(crate) partition: usize,
    /// The row of A, or s for the weights b.
    pub(crate) row: usize,
    pub(crate) column: usize,
}

impl CoefficientIndex {
    pub(crate) fn entry<T>(self, tableau: &Tableau<T>) -> &T {
        let Butcher { a, b, .. } = &tableau.partitions[self.partition];
        a.get(self.row).map_or(&b[self.column], |row| &row[self.column])
    }

    pub(crate) fn entry_mut<T>(self, tableau: &mut Tableau<T>) -> &mut T {
        let Butcher { a, b, .. } = &mut tableau.partitions[self.partition];
        if self.row < a.len() { &mut a[self.row][self.column] } else { &mut b[self.column] }
    }
}
