//! Level curves of fields, and the regions that they bound.
//!
//! [`samples`] looks at a grid, [`march`] finds the cells that a curve crosses and joins them to chains, and [`curve`]
//! puts points of each chain onto the level until its chords follow it. [`filled`] makes regions of the curves.
//! The points are therefore as accurate as the field; the grid decides only which details are too small to be seen.

mod curve;
mod filled;
mod march;
mod root;
mod samples;
mod search;

use rayon::prelude::*;

use crate::field::Field;
use curve::Curve;
pub use filled::Region;
use samples::Samples;

/// A polyline on which a field has a given level, in the coordinates of the window; values below the level lie on its
/// left.
#[derive(Clone, Debug, PartialEq)]
pub struct Contour {
    /// The points in order. Chords stay within a millionth of the window's sides to the curve.
    pub points: Vec<[f64; 2]>,
    /// Whether the last point joins the first; an open contour ends at the window.
    pub closed: bool,
}

/// A rectangle of the plane with a grid of cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// The horizontal range.
    pub x: (f64, f64),
    /// The vertical range.
    pub y: (f64, f64),
    /// The number of cells across and upwards.
    pub cells: (usize, usize),
}

impl Window {
    /// The grid point in column i and row j.
    #[must_use]
    pub fn point(&self, i: usize, j: usize) -> [f64; 2] {
        // One row of points has no cells upwards.
        let along = |(low, high): (f64, f64), k: usize, n: usize| low + (high - low) * (k as f64 / n.max(1) as f64);
        [along(self.x, i, self.cells.0), along(self.y, j, self.cells.1)]
    }

    /// The values of a function at all grid points, row after row from below.
    pub fn sample(&self, f: impl Fn(f64, f64) -> f64 + Sync) -> Vec<f64> {
        let row = |j: usize| {
            let values: Vec<f64> = (0..=self.cells.0).map(|i| self.point(i, j)).map(|[x, y]| f(x, y)).collect();
            values
        };
        (0..=self.cells.1).into_par_iter().flat_map_iter(row).collect()
    }

    /// The grid point with an index, row after row from below.
    pub(crate) fn place(&self, index: usize) -> [f64; 2] {
        self.point(index % (self.cells.0 + 1), index / (self.cells.0 + 1))
    }

    /// At how many grid points something holds.
    pub(crate) fn count(&self, holds: impl Fn(f64, f64) -> bool + Sync) -> usize {
        let row = |j: usize| (0..=self.cells.0).map(|i| self.point(i, j)).filter(|&[x, y]| holds(x, y)).count();
        (0..=self.cells.1).into_par_iter().map(row).sum()
    }

    /// The largest modulus |x + iy| within.
    pub(crate) fn reach(&self) -> f64 {
        let farthest = |(low, high): (f64, f64)| low.abs().max(high.abs());
        farthest(self.x).hypot(farthest(self.y))
    }

    /// Width and height.
    fn sides(&self) -> [f64; 2] {
        [self.x.1 - self.x.0, self.y.1 - self.y.0]
    }

    /// Whether there is no room for a curve: without cells, or with a side that is zero or not finite.
    fn is_empty(&self) -> bool {
        let (nx, ny) = self.cells;
        nx == 0 || ny == 0 || self.sides().iter().any(|side| *side == 0.0 || !side.is_finite())
    }
}

/// The curves on which a field has this level: the boundary of where it is at most the level.
///
/// All points lie on the level to rounding where the field is continuous, and where it jumps across the level, on the
/// jump. Chords deviate from the curve by at most a millionth of the window's sides, which is measured in the middle of
/// each, and at inflections told from the neighbours. Tips of less than 50 degrees are blunted within a cell. What is
/// not a number or infinite lies above every level.
///
/// Fields with vector kernels are sampled on the whole grid, which finds every detail that a grid point distinguishes.
/// Others are looked at on a grid of about fifty blocks each way; blocks are halved, down to the cells, where the
/// values in their corners lie on both sides of the level, beside such blocks, and where second differences tell that
/// the field may bend across the level inside a block. Curves that are found are followed to their ends whatever
/// the blocks told. What can be missed is a whole island, or a hole, smaller than a block, in a place where the field
/// around it looks straight.
///
/// ```
/// use hemiola_stability::{Window, contour};
/// let window = Window { x: (-2.0, 2.0), y: (-2.0, 2.0), cells: (20, 20) };
/// let circle = contour(&window, &|x: f64, y: f64| x * x + y * y, 1.0);
/// assert_eq!(circle.len(), 1);
/// assert!(circle[0].closed);
/// assert!(circle[0].points.iter().all(|[x, y]| (x.hypot(*y) - 1.0).abs() < 1e-15));
/// ```
pub fn contour(window: &Window, field: &(impl Field + ?Sized), level: f64) -> Vec<Contour> {
    let field = &Borrowed(field);
    let samples = Samples::new(window, field, &[level]);
    LevelSet { samples: &samples, field, level }.curves().into_iter().filter_map(Curve::into_contour).collect()
}

/// Any field by reference: a sized type, so that contours are compiled once for all fields.
struct Borrowed<'a, F: ?Sized>(&'a F);

impl<F: Field + ?Sized> Field for Borrowed<'_, F> {
    fn at(&self, x: f64, y: f64) -> f64 {
        self.0.at(x, y)
    }

    fn sample(&self, window: &Window) -> Vec<f64> {
        self.0.sample(window)
    }

    fn is_vectorised(&self) -> bool {
        self.0.is_vectorised()
    }

    fn in_more_digits(&self, window: &Window) -> usize {
        self.0.in_more_digits(window)
    }
}

/// The set where a field is at most a level, known on a grid.
struct LevelSet<'a> {
    samples: &'a Samples<'a>,
    field: &'a dyn Field,
    level: f64,
}

impl LevelSet<'_> {
    /// How far the field lies above the level.
    fn excess(&self, [x, y]: [f64; 2]) -> f64 {
        above(self.field.at(x, y), self.level)
    }

    /// The boundary.
    fn curves(&self) -> Vec<Curve> {
        self.chains().into_par_iter().map(|chain| self.curve(&chain)).collect()
    }
}

/// How far a value lies above a level: infinitely far where it is not a number.
fn above(value: f64, level: f64) -> f64 {
    let excess = value - level;
    if excess.is_nan() { f64::INFINITY } else { excess }
}

#[cfg(test)]
mod tests;
