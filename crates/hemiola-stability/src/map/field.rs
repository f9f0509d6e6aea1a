//! A real function of the points of a plane: what maps sample and contours trace.

use crate::map::window::Window;

/// A real function of the points of a plane: infinite, never NaN, where it is not defined.
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
    /// The value at a point.
    fn at(&self, x: f64, y: f64) -> f64;

    /// The values at all grid points of a window, row by row from below; rows in parallel.
    fn sample(&self, window: &Window) -> Vec<f64> {
        window.sample(|x, y| self.at(x, y))
    }

    /// Whether [`sample`](Self::sample) computes many points for the price of a few, as vector kernels do; contours
    /// then use the whole grid, and otherwise only cells near the curve.
    fn is_vectorized(&self) -> bool {
        false
    }

    /// The number of grid points of a window at which double precision leaves open whether a method is stable, so that
    /// more digits decided: zero for most fields.
    fn in_more_digits(&self, _window: &Window) -> usize {
        0
    }

    /// Both at once: what takes the same evaluations is computed once.
    fn sampled(&self, window: &Window) -> Sampled {
        Sampled { values: self.sample(window), in_more_digits: self.in_more_digits(window) }
    }
}

/// A field on the grid of a window.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    /// The values at all grid points, row by row from below.
    pub values: Vec<f64>,
    /// At how many of them more digits than those of doubles decided.
    pub in_more_digits: usize,
}

impl<F: Fn(f64, f64) -> f64 + Sync> Field for F {
    fn at(&self, x: f64, y: f64) -> f64 {
        self(x, y)
    }
}
