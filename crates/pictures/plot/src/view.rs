//! The window of a map.

use hemiola_stability::{Field, Window, region_window};

use crate::MapError;
use crate::layer::LEVEL;

/// Valid numbers of cells: fewer have no contours, more exhaust the memory at eight bytes per sample.
const CELLS: std::ops::RangeInclusive<usize> = 2..=4000;

/// Checks that the range of an axis, if given, has a positive length.
pub(crate) fn check_range(name: &'static str, range: Option<(f64, f64)>) -> Result<(), MapError> {
    match range {
        Some((from, to)) if !(from < to && (to - from).is_finite()) => {
            let (found, expected) = (format!("{from} to {to}"), "two finite numbers, the smaller one first");
            Err(MapError::OutOfRange { name, found, expected })
        }
        _ => Ok(()),
    }
}

/// Window and resolution of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Number of grid cells in each direction, from 2 to 4000.
    pub cells: usize,
    /// Horizontal range; `None` for an automatic range around the regions.
    pub x: Option<(f64, f64)>,
    /// Vertical range; `None` for an automatic range around the regions.
    pub y: Option<(f64, f64)>,
}

impl Default for View {
    fn default() -> Self {
        Self { cells: 400, x: None, y: None }
    }
}

/// Prior knowledge about the location of the regions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RegionHint {
    /// Regions that are symmetric about the real axis of a complex plane.
    Symmetric {
        /// Largest number of stages of all schemes.
        stages: usize,
    },
    /// Regions around the origin of a complex plane.
    Anywhere {
        /// Largest number of stages of all schemes.
        stages: usize,
    },
    /// Axes of real parameters with these ranges; open axes, which have no natural end, grow or shrink to fit the regions.
    Given { x: (f64, f64), y: (f64, f64), open: [bool; 2] },
}

/// Half width of the view of regions that are unbounded on both sides of their boundary, such as half-planes.
const HALF_PLANE: f64 = 6.0;
/// Largest ratio of height to width of a window; narrower ones would leave most of a column empty.
const TALLEST: f64 = 1.5;
/// Largest number of doublings or halvings of an open axis.
const DOUBLINGS: usize = 12;
/// Cells along each axis of the grids used to search for regions.
const PROBES: usize = 60;
/// Margin beyond the regions relative to the axis.
const MARGIN: f64 = 0.12;

impl View {
    /// Checks the grid and the ranges.
    ///
    /// # Errors
    /// Returns [`MapError::OutOfRange`] if there are no cells or too many, or a range is empty or not finite.
    ///
    /// ```
    /// use hemiola_plot::View;
    /// assert!(View::default().check().is_ok());
    /// let error = View { x: Some((1.0, -1.0)), ..View::default() }.check().unwrap_err();
    /// assert_eq!(error.to_string(), "found x 1 to -1; expected two finite numbers, the smaller one first");
    /// ```
    pub fn check(&self) -> Result<(), MapError> {
        if !CELLS.contains(&self.cells) {
            let (found, expected) = (self.cells.to_string(), "2 to 4000");
            return Err(MapError::OutOfRange { name: "cells", found, expected });
        }
        [("x", self.x), ("y", self.y)].into_iter().try_for_each(|(name, range)| check_range(name, range))
    }

    pub(crate) fn window(self, fields: &[&dyn Field], extent: RegionHint) -> Window {
        let cells = (self.cells, self.cells);
        let automatic = match (self.x, self.y, extent) {
            (Some(x), Some(y), _) => Window { x, y, cells },
            (_, _, RegionHint::Symmetric { stages }) => automatic(fields, stages, self.cells),
            (_, _, RegionHint::Anywhere { stages }) => anywhere(fields, stages, self.cells),
            (_, _, RegionHint::Given { x, y, open }) => fitted(fields, Window { x, y, cells }, open),
        };
        Window { x: self.x.unwrap_or(automatic.x), y: self.y.unwrap_or(automatic.y), cells }
    }
}

/// Returns a window around all bounded regions, or else around the bounded regions of instability.
fn automatic(fields: &[&dyn Field], stages: usize, cells: usize) -> Window {
    // A polynomial of degree s is stable to at most −2s². The factor two leaves a margin; implicit methods have no such
    // bound.
    let farthest = (4 * stages * stages).max(40) as f64;
    let stable = fields.iter().filter_map(|field| bounded(*field, farthest, cells)).reduce(join);
    let unstable = || {
        let inverse = |field: &&dyn Field| bounded(&|x: f64, y: f64| field.at(x, y).recip(), farthest, cells);
        fields.iter().filter_map(inverse).reduce(join)
    };
    stable.map(widened).or_else(|| unstable().map(mirrored)).unwrap_or(Window {
        x: (-HALF_PLANE, HALF_PLANE),
        y: (-HALF_PLANE, HALF_PLANE),
        cells: (cells, cells),
    })
}

/// Returns the window around a region, or `None` if the region extends beyond the search range.
fn bounded(field: &(impl Field + ?Sized), farthest: f64, cells: usize) -> Option<Window> {
    let is_stable = |window: Window| field.sample(&window).iter().any(|value| *value <= LEVEL);
    let edge = |x: (f64, f64), y: (f64, f64), cells: (usize, usize)| Window { x, y, cells };
    let sides = [
        edge((-farthest, farthest), (0.0, farthest), (1, PROBES)),
        edge((-farthest, farthest), (farthest, 2.0 * farthest), (PROBES, 1)),
    ];
    // A coarse test avoids the fine search, which is expensive if each point requires an optimization.
    if sides.into_iter().any(is_stable) {
        return None;
    }
    region_window(field, farthest, cells)
}

/// Returns the automatic window of regions without symmetry, from both half-planes.
fn anywhere(fields: &[&dyn Field], stages: usize, cells: usize) -> Window {
    let above = automatic(fields, stages, cells);
    let flipped: Vec<_> = fields.iter().map(|field| move |x: f64, y: f64| field.at(x, -y)).collect();
    let flipped: Vec<&dyn Field> = flipped.iter().map(|field| field as &dyn Field).collect();
    let below = automatic(&flipped, stages, cells);
    let margin = MARGIN * (above.y.1 + below.y.1);
    Window { y: (-below.y.1.max(margin), above.y.1.max(margin)), ..join(above, below) }
}

/// Fits the open axes of a window to the extent of the regions.
fn fitted(fields: &[&dyn Field], window: Window, open: [bool; 2]) -> Window {
    if open == [false; 2] {
        return window;
    }
    let mut ends = [window.x.1, window.y.1];
    for _ in 0..DOUBLINGS {
        let probe = Window { x: (window.x.0, ends[0]), y: (window.y.0, ends[1]), cells: (PROBES, PROBES) };
        let parts = reach(fields, &probe);
        let is_settled = |axis: usize| !open[axis] || (0.25..1.0).contains(&parts[axis]);
        if [0, 1].into_iter().all(is_settled) {
            let end = |axis: usize| ends[axis] * (parts[axis] + 1.0 / PROBES as f64) * (1.0 + MARGIN);
            let [x, y] = [0, 1].map(|axis| if open[axis] { end(axis) } else { ends[axis] });
            return Window { x: (window.x.0, x), y: (window.y.0, y), cells: window.cells };
        }
        for axis in [0, 1].into_iter().filter(|axis| !is_settled(*axis)) {
            ends[axis] *= if parts[axis] == 1.0 { 2.0 } else { 0.5 };
        }
    }
    // Stable without bound, or nowhere.
    window
}

/// Returns the extent of the regions as fractions of both axes.
fn reach(fields: &[&dyn Field], window: &Window) -> [f64; 2] {
    let mut farthest = [0; 2];
    for field in fields {
        let values = field.sample(window);
        for index in (0..values.len()).filter(|index| values[*index] <= LEVEL) {
            let place = [index % (PROBES + 1), index / (PROBES + 1)];
            farthest = [0, 1].map(|axis| farthest[axis].max(place[axis]));
        }
    }
    farthest.map(|place| place as f64 / PROBES as f64)
}

fn join(a: Window, b: Window) -> Window {
    let wider = |a: (f64, f64), b: (f64, f64)| (a.0.min(b.0), a.1.max(b.1));
    Window { x: wider(a.x, b.x), y: wider(a.y, b.y), cells: a.cells }
}

/// Extends the window on both sides to a shape that fits a column.
fn widened(window: Window) -> Window {
    let missing = (window.y.1 - window.y.0) / TALLEST - (window.x.1 - window.x.0);
    let side = 0.5 * missing.max(0.0);
    Window { x: (window.x.0 - side, window.x.1 + side), ..window }
}

/// Extends the window to the left, where stability is of interest, as far as it extends to the right.
fn mirrored(window: Window) -> Window {
    Window { x: (-window.x.1, window.x.1), ..window }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_axes_end_behind_the_regions() {
        let field = |x: f64, y: f64| if x < 5.3 && y < 0.07 { 0.5 } else { 2.0 };
        let hint = |open| RegionHint::Given { x: (0.0, 1.0), y: (0.0, 1.0), open };
        let window = |open| View::default().window(&[&field], hint(open));
        let both = window([true; 2]);
        assert!((5.3..6.3).contains(&both.x.1) && (0.07..0.09).contains(&both.y.1), "{both:?}");
        assert_eq!(window([true, false]).y, (0.0, 1.0));
        assert_eq!(window([false; 2]).x, (0.0, 1.0));
        // Stable everywhere: there is no end.
        let everywhere = |_: f64, _: f64| 0.5;
        assert_eq!(View::default().window(&[&everywhere], hint([true; 2])).x, (0.0, 1.0));
    }
}
