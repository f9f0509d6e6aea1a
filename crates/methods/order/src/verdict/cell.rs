//! Cells of tableaus, which identify coefficients.

use std::fmt;

use hemiola_tableau::{Butcher, Coefficient, Partition, Tableau};

/// A position in the tableau of one partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The partition, counted from 0.
    pub partition: usize,
    /// The place in its tableau.
    pub place: TableauPosition,
}

/// A place in a Butcher tableau. Rows and columns are counted from 0, but printed from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TableauPosition {
    /// An entry of A.
    Matrix {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
    },
    /// An entry of b.
    Weight {
        /// The column.
        column: usize,
    },
}

impl fmt::Display for TableauPosition {
    /// Writes the place as in print: `a32`, `b4`; with a comma if digits could run together.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Matrix { row, column } if row < 9 && column < 9 => write!(f, "a{}{}", row + 1, column + 1),
            Self::Matrix { row, column } => write!(f, "a{},{}", row + 1, column + 1),
            Self::Weight { column } => write!(f, "b{}", column + 1),
        }
    }
}

impl TableauPosition {
    fn of<'a, T>(self, a: &'a [Vec<T>], b: &'a [T]) -> &'a T {
        match self {
            Self::Matrix { row, column } => &a[row][column],
            Self::Weight { column } => &b[column],
        }
    }

    fn of_mut<'a, T>(self, a: &'a mut [Vec<T>], b: &'a mut [T]) -> &'a mut T {
        match self {
            Self::Matrix { row, column } => &mut a[row][column],
            Self::Weight { column } => &mut b[column],
        }
    }
}

impl Cell {
    pub(crate) fn of<T>(self, tableau: &Tableau<T>) -> &T {
        let Butcher { a, b, .. } = &tableau.partitions[self.partition];
        self.place.of(a, b)
    }

    pub(crate) fn of_mut<T>(self, tableau: &mut Tableau<T>) -> &mut T {
        let Butcher { a, b, .. } = &mut tableau.partitions[self.partition];
        self.place.of_mut(a, b)
    }

    pub(crate) fn coefficient(self, partitions: &[Partition]) -> &Coefficient {
        let Partition { a, b, .. } = &partitions[self.partition];
        self.place.of(a, b)
    }

    pub(crate) fn coefficient_mut(self, partitions: &mut [Partition]) -> &mut Coefficient {
        let Partition { a, b, .. } = &mut partitions[self.partition];
        self.place.of_mut(a, b)
    }

    /// Returns the column of the tableau: the stage whose derivative the coefficient multiplies.
    pub(crate) fn column(self) -> usize {
        match self.place {
            TableauPosition::Matrix { column, .. } | TableauPosition::Weight { column } => column,
        }
    }

    /// Returns the row of A, or `None` for a weight.
    pub(crate) fn row(self) -> Option<usize> {
        match self.place {
            TableauPosition::Matrix { row, .. } => Some(row),
            TableauPosition::Weight { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_as_in_print() {
        assert_eq!(TableauPosition::Matrix { row: 2, column: 1 }.to_string(), "a32");
        assert_eq!(TableauPosition::Matrix { row: 11, column: 0 }.to_string(), "a12,1");
        assert_eq!(TableauPosition::Weight { column: 10 }.to_string(), "b11");
    }
}
