//! The cells of a tableau that may be in error.

use hemiola_tableau::{Butcher, Method, Scalar, Tableau};

use crate::verdict::cell::{Cell, TableauPosition};

/// Returns a tableau with every number converted.
pub(crate) fn map_tableau<T>(tableau: &Tableau<f64>, convert: impl Fn(f64) -> T) -> Tableau<T> {
    let vector = |row: &Vec<f64>| row.iter().map(|x| convert(*x)).collect::<Vec<T>>();
    let butcher =
        |Butcher { a, b, c }: &Butcher<f64>| Butcher { a: a.iter().map(vector).collect(), b: vector(b), c: vector(c) };
    Tableau { partitions: tableau.partitions.iter().map(butcher).collect() }
}

/// The set of suspected cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SuspectExtent {
    /// The cells that the structure of the printed tableau leaves free.
    Structure,
    /// All cells, or all below the diagonal of an explicit tableau, because the structure may hide a lost entry.
    Whole,
}

/// Returns the cells that may be in error.
pub(crate) fn suspects(method: &Method, extent: SuspectExtent) -> Vec<Cell> {
    let exact = method.exact();
    // In a method with one partition, an empty column is more likely a lost entry than an unused stage.
    let all_columns = exact.partitions.len() == 1 || extent == SuspectExtent::Whole;
    let all = exact.partitions.iter().enumerate();
    all.flat_map(|(partition, butcher)| {
        let columns = if all_columns { (0..butcher.stages()).collect() } else { butcher.evaluated_stages() };
        places(butcher, &columns, extent).into_iter().map(move |place| Cell { partition, place })
    })
    .collect()
}

/// Returns the places of a tableau within some columns, row by row.
fn places<T: Scalar>(butcher: &Butcher<T>, columns: &[usize], extent: SuspectExtent) -> Vec<TableauPosition> {
    let is_diagonally_implicit = butcher.is_diagonally_implicit() && extent == SuspectExtent::Structure;
    let reaches = |row: usize, column: usize| match (butcher.is_explicit(), is_diagonally_implicit) {
        (true, _) => column < row,
        (false, true) => column <= row,
        (false, false) => true,
    };
    let entries = (0..butcher.stages()).flat_map(|row| {
        let inside = columns.iter().filter(move |&&column| reaches(row, column));
        inside.map(move |&column| TableauPosition::Matrix { row, column })
    });
    entries.chain(columns.iter().map(|&column| TableauPosition::Weight { column })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    #[test]
    fn structure_is_not_suspected() {
        let cells = |id: &str, extent| suspects(&library::method(id).unwrap(), extent).len();
        let count = |id| cells(id, SuspectExtent::Structure);
        assert_eq!(count("rk4"), 6 + 4);
        assert_eq!(count("gauss-2"), 4 + 2);
        assert_eq!(count("sdirk-2"), 3 + 2);
        // Two of five columns of the slow tableau are in use.
        assert_eq!(count("shome-haug-jay-2-5"), 15 + 4 + 2);
        assert_eq!(cells("shome-haug-jay-2-5", SuspectExtent::Whole), 15 + 15);
        assert_eq!(cells("sdirk-2", SuspectExtent::Whole), 4 + 2);
    }
}
