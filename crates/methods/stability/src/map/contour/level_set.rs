//! Set of points where a field is at most a level, on the samples of a window.

use crate::map::contour::samples::Samples;
use crate::map::field::{Field, Sampled};
use crate::map::window::Window;

/// Reference to any field: a sized type, so that contours are compiled once for all fields.
pub(super) struct Borrowed<'a, F: ?Sized>(pub(super) &'a F);

impl<F: Field + ?Sized> Field for Borrowed<'_, F> {
    fn at(&self, x: f64, y: f64) -> f64 {
        self.0.at(x, y)
    }

    fn sample(&self, window: &Window) -> Vec<f64> {
        self.0.sample(window)
    }

    fn is_vectorized(&self) -> bool {
        self.0.is_vectorized()
    }

    fn count_refined(&self, window: &Window) -> usize {
        self.0.count_refined(window)
    }

    fn sampled(&self, window: &Window) -> Sampled {
        self.0.sampled(window)
    }
}

/// Set of points where a field is at most a level, sampled on a grid.
pub(super) struct LevelSet<'a> {
    pub(super) samples: &'a Samples<'a>,
    pub(super) field: &'a dyn Field,
    pub(super) level: f64,
}

impl LevelSet<'_> {
    /// Computes the excess of the field over the level.
    pub(super) fn excess(&self, [x, y]: [f64; 2]) -> f64 {
        above(self.field.at(x, y), self.level)
    }
}

/// Computes the excess of a value over a level; infinite for NaN.
pub(super) fn above(value: f64, level: f64) -> f64 {
    let excess = value - level;
    if excess.is_nan() { f64::INFINITY } else { excess }
}
