//! Known values of a field on the grid of a window.

use super::search::CellSearch;
use crate::map::field::{Field, Sampled};
use crate::map::window::Window;

/// Values at all grid points, or at those near the curves.
pub(super) struct Samples<'a> {
    pub(super) window: &'a Window,
    /// Values row by row from below; NaN where the field was not evaluated.
    pub(super) values: Vec<f64>,
    /// Number of grid points that were decided with more digits.
    in_more_digits: usize,
    /// Cells that curves cross, row by row; `None` if all cells are known.
    pub(super) cells: Option<Vec<usize>>,
}

impl<'a> Samples<'a> {
    /// Evaluates the field wherever its curves of these levels require it.
    pub(super) fn new(window: &'a Window, field: &dyn Field, levels: &[f64]) -> Self {
        if window.is_empty() {
            return Self { window, values: Vec::new(), in_more_digits: 0, cells: Some(Vec::new()) };
        }
        if field.is_vectorized() {
            let Sampled { values, in_more_digits } = field.sampled(window);
            return Self { window, values, in_more_digits, cells: None };
        }
        let (values, cells) = CellSearch::new(window, field, levels).run();
        Self { window, values, in_more_digits: 0, cells: Some(cells) }
    }

    /// Returns the values at all grid points, if they are known.
    pub(super) fn all(self) -> Option<Sampled> {
        let Self { values, in_more_digits, .. } = self;
        self.cells.is_none().then_some(Sampled { values, in_more_digits })
    }

    /// Returns the number of grid points in a row.
    pub(super) fn columns(&self) -> usize {
        self.window.cells.0 + 1
    }

    /// Returns a grid point by its index among the values.
    pub(super) fn point(&self, vertex: usize) -> [f64; 2] {
        self.window.point(vertex % self.columns(), vertex / self.columns())
    }
}
