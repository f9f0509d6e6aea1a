//! The cells of the tables, and which of them may be in error.

use std::fmt;

use hemiola_tableau::{Butcher, Coefficient, Method, Partition, Scalar, Tableau};

/// A place in the table of one partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The partition, counted from 0.
    pub partition: usize,
    /// The place in its table.
    pub place: Place,
}

/// A place in a Butcher tableau; rows and columns are counted from 0, printed from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
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

impl fmt::Display for Place {
    /// As in print: `a32`, `b4`; with a comma where digits could run together.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Matrix { row, column } if row < 9 && column < 9 => write!(f, "a{}{}", row + 1, column + 1),
            Self::Matrix { row, column } => write!(f, "a{},{}", row + 1, column + 1),
            Self::Weight { column } => write!(f, "b{}", column + 1),
        }
    }
}

impl Place {
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
    pub(super) fn of<T>(self, tableau: &Tableau<T>) -> &T {
        let Butcher { a, b, .. } = &tableau.partitions[self.partition];
        self.place.of(a, b)
    }

    pub(super) fn of_mut<T>(self, tableau: &mut Tableau<T>) -> &mut T {
        let Butcher { a, b, .. } = &mut tableau.partitions[self.partition];
        self.place.of_mut(a, b)
    }

    pub(super) fn coefficient(self, partitions: &[Partition]) -> &Coefficient {
        let Partition { a, b, .. } = &partitions[self.partition];
        self.place.of(a, b)
    }

    pub(super) fn coefficient_mut(self, partitions: &mut [Partition]) -> &mut Coefficient {
        let Partition { a, b, .. } = &mut partitions[self.partition];
        self.place.of_mut(a, b)
    }

    /// The column of the table: the stage whose derivative the coefficient weighs.
    pub(super) fn column(self) -> usize {
        match self.place {
            Place::Matrix { column, .. } | Place::Weight { column } => column,
        }
    }

    /// The row of the table; the weights stand below the matrix.
    pub(super) fn row(self) -> Option<usize> {
        match self.place {
            Place::Matrix { row, .. } => Some(row),
            Place::Weight { .. } => None,
        }
    }
}

/// A table with every number converted.
pub(super) fn mapped<T>(tableau: &Tableau<f64>, convert: impl Fn(f64) -> T) -> Tableau<T> {
    let vector = |row: &Vec<f64>| row.iter().map(|x| convert(*x)).collect::<Vec<T>>();
    let butcher =
        |Butcher { a, b, c }: &Butcher<f64>| Butcher { a: a.iter().map(vector).collect(), b: vector(b), c: vector(c) };
    Tableau { partitions: tableau.partitions.iter().map(butcher).collect() }
}

/// Which cells of a table may be in error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// Those that the structure of the table as it stands leaves open.
    Structure,
    /// All, or all below the diagonal of an explicit table: a lost entry may be what the structure hides.
    Whole,
}

/// The cells that may be in error, but those of the given partitions.
pub(super) fn suspects(method: &Method, given: &[usize], extent: Extent) -> Vec<Cell> {
    let exact = method.exact();
    let open = exact.partitions.iter().enumerate().filter(|(partition, _)| !given.contains(partition));
    // In a plain method an empty column is rather a lost entry than a stage that is not evaluated.
    let all_columns = exact.partitions.len() == 1 || extent == Extent::Whole;
    open.flat_map(|(partition, butcher)| {
        let columns = if all_columns { (0..butcher.stages()).collect() } else { butcher.evaluated_stages() };
        places(butcher, &columns, extent).into_iter().map(move |place| Cell { partition, place })
    })
    .collect()
}

/// The places of a table within some columns, row after row.
fn places<T: Scalar>(butcher: &Butcher<T>, columns: &[usize], extent: Extent) -> Vec<Place> {
    let is_diagonally_implicit = butcher.is_diagonally_implicit() && extent == Extent::Structure;
    let reaches = |row: usize, column: usize| match (butcher.is_explicit(), is_diagonally_implicit) {
        (true, _) => column < row,
        (false, true) => column <= row,
        (false, false) => true,
    };
    let entries = (0..butcher.stages()).flat_map(|row| {
        let inside = columns.iter().filter(move |&&column| reaches(row, column));
        inside.map(move |&column| Place::Matrix { row, column })
    });
    entries.chain(columns.iter().map(|&column| Place::Weight { column })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    #[test]
    fn structure_is_not_suspected() {
        let cells = |id: &str, given: &[usize], extent| suspects(&library::method(id).unwrap(), given, extent).len();
        let count = |id, given| cells(id, given, Extent::Structure);
        assert_eq!(count("rk4", &[]), 6 + 4);
        assert_eq!(count("gauss-2", &[]), 4 + 2);
        assert_eq!(count("sdirk-2", &[]), 3 + 2);
        // Two of five columns of the slow table are in use.
        assert_eq!(count("shome-haug-jay-2-5", &[0]), 10 + 5);
        assert_eq!(count("shome-haug-jay-2-5", &[]), 15 + 4 + 2);
        assert_eq!(cells("shome-haug-jay-2-5", &[], Extent::Whole), 15 + 15);
        assert_eq!(cells("sdirk-2", &[], Extent::Whole), 4 + 2);
    }

    #[test]
    fn places_as_in_print() {
        assert_eq!(Place::Matrix { row: 2, column: 1 }.to_string(), "a32");
        assert_eq!(Place::Matrix { row: 11, column: 0 }.to_string(), "a12,1");
        assert_eq!(Place::Weight { column: 10 }.to_string(), "b11");
    }
}
