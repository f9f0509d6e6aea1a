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
    /// Axes of real parameters with these ranges; an open axis grows or shrinks to fit the regions.
    Given { x: (f64, f64), y: (f64, f64), open: Option<OpenAxis> },
}

/// Axis without a natural end: a step size or a frequency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenAxis {
    /// The horizontal axis.
    X,
    /// The vertical axis.
    Y,
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

/// Fits the open axis of a window to the extent of the regions.
fn fitted(fields: &[&dyn Field], window: Window, open: Option<OpenAxis>) -> Window {
    let with_end = |end: f64| match open {
        Some(OpenAxis::X) => Window { x: (window.x.0, end), cells: (PROBES, PROBES), ..window },
        _ => Window { y: (window.y.0, end), cells: (PROBES, PROBES), ..window },
    };
    let Some(open) = open else { return window };
    // Extent of the regions as a fraction of the axis.
    let reach = |window: &Window| {
        let farthest = |field: &&dyn Field| {
            let values = field.sample(window);
            let place = |index: usize| if open == OpenAxis::X { index % (PROBES + 1) } else { index / (PROBES + 1) };
            let stable = values.iter().enumerate().filter(|(_, value)| **value <= LEVEL);
            stable.map(|(index, _)| place(index)).max().unwrap_or(0)
        };
        fields.iter().map(farthest).max().unwrap_or(0) as f64 / PROBES as f64
    };
    let first = if open == OpenAxis::X { window.x.1 } else { window.y.1 };
    let mut end = first;
    for _ in 0..DOUBLINGS {
        let part = reach(&with_end(end));
        if part == 1.0 {
            end *= 2.0;
        } else if part < 0.25 {
            end *= 0.5;
        } else {
            let cells = window.cells;
            return Window { cells, ..with_end(end * (part + 1.0 / PROBES as f64) * (1.0 + MARGIN)) };
        }
    }
    // Stable without bound, or nowhere.
    Window { cells: window.cells, ..with_end(first) }
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
