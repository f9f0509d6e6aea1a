//! The periodic unit square: columns of cells of several widths, in rows of equal height.

use super::cells::{Cells, Layout};
use crate::equations::Number;
use crate::parameter::{AdmissibleValues, Parameter, Values};

pub(super) const ROWS: Parameter = Parameter::new("rows", "rows of cells", 4.0, "1").within(AdmissibleValues::Count);
/// Maximum number of variables.
const MOST_VARIABLES: usize = 20_000;
/// Number of rows of a part alone. Waves along y are then as short as on the full mesh, and some are longer.
const ROWS_ALONE: usize = 4;

/// The cells, row by row, and the positions of their coefficients in the state.
pub(super) struct Plane {
    pub(super) cells: Cells,
    pub(super) rows: usize,
    pub(super) height: f64,
    pub(super) layout: Layout,
    /// The number of coefficients in a cell.
    size: usize,
}

/// A cell and its neighbors.
pub(super) struct CellNeighborhood<'y, N> {
    pub(super) width: f64,
    pub(super) here: &'y [N],
    pub(super) left: &'y [N],
    pub(super) right: &'y [N],
    pub(super) below: &'y [N],
    pub(super) above: &'y [N],
}

impl Plane {
    /// Creates all columns, or those of one width alone; `None` if there are too many variables.
    pub(super) fn of(values: Values<'_>, size: usize, alone: Option<usize>) -> Option<Self> {
        let rows = if alone.is_some() { ROWS_ALONE } else { values.of("rows") as usize };
        let cells = Cells::of(values, size * rows, alone)?;
        if cells.len() * rows * size > MOST_VARIABLES {
            return None;
        }
        let kinds: Vec<usize> = (0..rows).flat_map(|_| cells.kinds.iter().copied()).collect();
        let layout = Layout::new(&kinds, cells.count, size);
        Some(Self { cells, rows, height: 1.0 / values.of("rows"), layout, size })
    }

    /// Returns the state with the coefficients of each cell given by a function of its center and width, and of its
    /// row's center.
    pub(super) fn state(&self, start: impl Fn([f64; 2], f64) -> Vec<f64>) -> Vec<f64> {
        let columns = || self.cells.centers().zip(&self.cells.widths);
        let row =
            |row: usize| columns().map(move |(center, &width)| ([center, width], (row as f64 + 0.5) * self.height));
        let cells: Vec<Vec<f64>> = (0..self.rows).flat_map(row).map(|(column, row)| start(column, row)).collect();
        self.layout.arranged(&cells)
    }

    /// Calls `rate` with each cell of a partition and its rates, set to zero before. Does nothing if the state does not
    /// belong to this mesh.
    pub(super) fn each<'y, N: Number>(
        &self,
        partition: usize,
        y: &'y [N],
        rates: &mut [N],
        mut rate: impl FnMut(CellNeighborhood<'y, N>, &mut [N]),
    ) {
        let (columns, rows, size) = (self.cells.len(), self.rows, self.size);
        let is_ours = y.len() == size * columns * rows;
        let Some(members) = self.layout.members.get(partition).filter(|_| is_ours) else { return };
        let of = |column: usize, row: usize| {
            let first = self.layout.first[row * columns + column];
            &y[first..first + size]
        };
        for (&cell, rates) in members.iter().zip(rates.chunks_exact_mut(size)) {
            let (column, row) = (cell % columns, cell / columns);
            rates.fill(N::from(0.0));
            let place = CellNeighborhood {
                width: self.cells.widths[column],
                here: of(column, row),
                left: of(self.cells.left(column), row),
                right: of(self.cells.right(column), row),
                below: of(column, (row + rows - 1) % rows),
                above: of(column, (row + 1) % rows),
            };
            rate(place, rates);
        }
    }
}
