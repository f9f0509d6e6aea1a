//! Real functions on a plane: maps sample them, and contours trace them.

use crate::map::window::Window;

/// Real function on a plane; infinite, never NaN, where it is undefined.
///
/// Closures of two coordinates are fields:
///
/// ```
/// use hemiola_stability::{Field, Window};
/// let radius = |x: f64, y: f64| x.hypot(y);
/// let window = Window { x: (-4.0, 4.0), y: (-3.0, 3.0), cells: (2, 2) };
/// assert_eq!(radius.sample(&window), [5.0, 3.0, 5.0, 4.0, 0.0, 4.0, 5.0, 3.0, 5.0]);
/// ```
pub trait Field: Sync {
    /// Evaluates the field at a point.
    fn at(&self, x: f64, y: f64) -> f64;

    /// Evaluates the field at all grid points of a window, row by row from below, with the rows in parallel.
    fn sample(&self, window: &Window) -> Vec<f64> {
        window.sample(|x, y| self.at(x, y))
    }

    /// Returns whether [`sample`](Self::sample) computes many points at the cost of a few, as vector kernels do.
    ///
    /// Contours then use the whole grid, and otherwise only cells near the curve.
    fn is_vectorized(&self) -> bool {
        false
    }

    /// Returns the number of grid points that need more digits because double precision leaves their stability open.
    ///
    /// It is zero for most fields.
    fn count_refined(&self, _window: &Window) -> usize {
        0
    }

    /// Returns the samples and the count together, and shares their evaluations.
    fn sampled(&self, window: &Window) -> Sampled {
        Sampled { values: self.sample(window), in_more_digits: self.count_refined(window) }
    }
}

/// Samples of a field on the grid of a window.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    /// Values at all grid points, row by row from below.
    pub values: Vec<f64>,
    /// Number of grid points that were decided with more digits than doubles have.
    pub in_more_digits: usize,
}

impl<F: Fn(f64, f64) -> f64 + Sync> Field for F {
    fn at(&self, x: f64, y: f64) -> f64 {
        self(x, y)
    }
}
