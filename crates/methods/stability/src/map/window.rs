//! Rectangle of the plane with a grid of points.

use hemiola_number::parallel;

/// Rectangle of the plane with a grid of cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Horizontal range.
    pub x: (f64, f64),
    /// Vertical range.
    pub y: (f64, f64),
    /// Number of cells in the horizontal and the vertical direction.
    pub cells: (usize, usize),
}

impl Window {
    /// Returns the grid point in column i and row j.
    #[must_use]
    pub fn point(&self, i: usize, j: usize) -> [f64; 2] {
        // A single row of points has no cells upwards.
        let along = |(low, high): (f64, f64), k: usize, n: usize| low + (high - low) * (k as f64 / n.max(1) as f64);
        [along(self.x, i, self.cells.0), along(self.y, j, self.cells.1)]
    }

    /// Evaluates a function at all grid points, row by row from below.
    pub fn sample(&self, f: impl Fn(f64, f64) -> f64 + Sync) -> Vec<f64> {
        let columns = self.cells.0 + 1;
        let mut values = vec![0.0; columns * (self.cells.1 + 1)];
        parallel::fill(&mut values, columns, |j, row| {
            for (i, value) in row.iter_mut().enumerate() {
                let [x, y] = self.point(i, j);
                *value = f(x, y);
            }
        });
        values
    }

    /// Returns the grid point with an index, row by row from below.
    pub(crate) fn place(&self, index: usize) -> [f64; 2] {
        self.point(index % (self.cells.0 + 1), index / (self.cells.0 + 1))
    }

    /// Counts the grid points at which a condition holds.
    pub(crate) fn count(&self, holds: impl Fn(f64, f64) -> bool + Sync) -> usize {
        let row = |j: usize| (0..=self.cells.0).map(|i| self.point(i, j)).filter(|&[x, y]| holds(x, y)).count();
        parallel::map(self.cells.1 + 1, row).into_iter().sum()
    }

    /// Returns the largest modulus |x + iy| in the window.
    pub(crate) fn reach(&self) -> f64 {
        let farthest = |(low, high): (f64, f64)| low.abs().max(high.abs());
        farthest(self.x).hypot(farthest(self.y))
    }

    /// Returns width and height.
    pub(crate) fn sides(&self) -> [f64; 2] {
        [self.x.1 - self.x.0, self.y.1 - self.y.0]
    }

    /// Returns whether the window cannot contain a curve: without cells, or with a side that is zero or not finite.
    pub(crate) fn is_empty(&self) -> bool {
        let (nx, ny) = self.cells;
        nx == 0 || ny == 0 || self.sides().iter().any(|side| *side == 0.0 || !side.is_finite())
    }
}
