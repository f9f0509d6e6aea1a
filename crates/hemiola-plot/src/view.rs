//! Which part of the plane a map shows.

use hemiola_stability::{Field, Window, region_window};

use crate::MapError;
use crate::layer::LEVEL;

/// Fewer cells have no contours, more do not fit in memory: samples take eight bytes each.
const CELLS: std::ops::RangeInclusive<usize> = 2..=4000;

/// Checks that a range of an axis, where one is given, has a length.
pub(crate) fn check_range(name: &'static str, range: Option<(f64, f64)>) -> Result<(), MapError> {
    match range {
        Some((from, to)) if !(from < to && (to - from).is_finite()) => {
            let (found, expected) = (format!("{from} to {to}"), "two finite numbers, the smaller one first");
            Err(MapError::OutOfRange { name, found, expected })
        }
        _ => Ok(()),
    }
}

/// The part of the plane that a map shows, and how finely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The number of grid cells across and upwards, from 2 to 4000.
    pub cells: usize,
    /// The horizontal range; `None` takes what the regions need.
    pub x: Option<(f64, f64)>,
    /// The vertical range; `None` takes what the regions need.
    pub y: Option<(f64, f64)>,
}

impl Default for View {
    fn default() -> Self {
        Self { cells: 400, x: None, y: None }
    }
}

/// What is known of the regions before they are looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Extent {
    /// They are symmetric about the real axis of a complex plane.
    Symmetric {
        /// The most stages of all schemes.
        stages: usize,
    },
    /// They lie somewhere about the origin of a complex plane.
    Anywhere {
        /// The most stages of all schemes.
        stages: usize,
    },
    /// The axes are real parameters with these ranges; one that is open grows and shrinks to hold the regions.
    Given { x: (f64, f64), y: (f64, f64), open: Option<Open> },
}

/// An axis without an end of its own: a step or a frequency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    /// The horizontal axis.
    X,
    /// The vertical axis.
    Y,
}

/// Half the width of a view of regions that are unbounded on both sides of their boundary, such as half-planes.
const HALF_PLANE: f64 = 6.0;
/// Windows are at most this many times as high as wide: narrower ones would leave most of a column empty.
const TALLEST: f64 = 1.5;
/// An open axis is doubled or halved so often at the most.
const DOUBLINGS: usize = 12;
/// Cells along each axis of grids on which regions are looked for.
const PROBES: usize = 60;
/// The part of an axis that is left free beyond the regions.
const MARGIN: f64 = 0.12;

impl View {
    /// Checks the grid and the ranges.
    ///
    /// # Errors
    /// [`MapError::OutOfRange`] if there are no cells or too many, or a range is empty or not finite.
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

    pub(crate) fn window(self, fields: &[&dyn Field], extent: Extent) -> Window {
        let cells = (self.cells, self.cells);
        let automatic = match (self.x, self.y, extent) {
            (Some(x), Some(y), _) => Window { x, y, cells },
            (_, _, Extent::Symmetric { stages }) => automatic(fields, stages, self.cells),
            (_, _, Extent::Anywhere { stages }) => anywhere(fields, stages, self.cells),
            (_, _, Extent::Given { x, y, open }) => fitted(fields, Window { x, y, cells }, open),
        };
        Window { x: self.x.unwrap_or(automatic.x), y: self.y.unwrap_or(automatic.y), cells }
    }
}

/// A window around all bounded regions; where there are none, around the bounded regions of instability.
fn automatic(fields: &[&dyn Field], stages: usize, cells: usize) -> Window {
    // A polynomial of degree s is stable up to −2s² at the most; a window has margins, and implicit methods no such bound.
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

/// The window around a region that does not reach as far as anything is looked for.
fn bounded(field: &(impl Field + ?Sized), farthest: f64, cells: usize) -> Option<Window> {
    let is_stable = |window: Window| field.sample(&window).iter().any(|value| *value <= LEVEL);
    let edge = |x: (f64, f64), y: (f64, f64), cells: (usize, usize)| Window { x, y, cells };
    let sides = [
        edge((-farthest, farthest), (0.0, farthest), (1, PROBES)),
        edge((-farthest, farthest), (farthest, 2.0 * farthest), (PROBES, 1)),
    ];
    // Few points tell what the search would find out by many, which is expensive where each takes an optimization.
    if sides.into_iter().any(is_stable) {
        return None;
    }
    region_window(field, farthest, cells)
}

/// The same of regions without symmetry: both half-planes are looked at.
fn anywhere(fields: &[&dyn Field], stages: usize, cells: usize) -> Window {
    let above = automatic(fields, stages, cells);
    let flipped: Vec<_> = fields.iter().map(|field| move |x: f64, y: f64| field.at(x, -y)).collect();
    let flipped: Vec<&dyn Field> = flipped.iter().map(|field| field as &dyn Field).collect();
    let below = automatic(&flipped, stages, cells);
    let margin = MARGIN * (above.y.1 + below.y.1);
    Window { y: (-below.y.1.max(margin), above.y.1.max(margin)), ..join(above, below) }
}

/// The window with its open axis as long as the regions reach along it.
fn fitted(fields: &[&dyn Field], window: Window, open: Option<Open>) -> Window {
    let with_end = |end: f64| match open {
        Some(Open::X) => Window { x: (window.x.0, end), cells: (PROBES, PROBES), ..window },
        _ => Window { y: (window.y.0, end), cells: (PROBES, PROBES), ..window },
    };
    let Some(open) = open else { return window };
    // How far the regions reach, as a part of the axis.
    let reach = |window: &Window| {
        let farthest = |field: &&dyn Field| {
            let values = field.sample(window);
            let place = |index: usize| if open == Open::X { index % (PROBES + 1) } else { index / (PROBES + 1) };
            let stable = values.iter().enumerate().filter(|(_, value)| **value <= LEVEL);
            stable.map(|(index, _)| place(index)).max().unwrap_or(0)
        };
        fields.iter().map(farthest).max().unwrap_or(0) as f64 / PROBES as f64
    };
    let first = if open == Open::X { window.x.1 } else { window.y.1 };
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
    // Stable without end, or nowhere.
    Window { cells: window.cells, ..with_end(first) }
}

fn join(a: Window, b: Window) -> Window {
    let wider = |a: (f64, f64), b: (f64, f64)| (a.0.min(b.0), a.1.max(b.1));
    Window { x: wider(a.x, b.x), y: wider(a.y, b.y), cells: a.cells }
}

/// The window extended on both sides to a shape that fits a column.
fn widened(window: Window) -> Window {
    let missing = (window.y.1 - window.y.0) / TALLEST - (window.x.1 - window.x.0);
    let side = 0.5 * missing.max(0.0);
    Window { x: (window.x.0 - side, window.x.1 + side), ..window }
}

/// The window extended to the left, where stability is of interest, as far as it reaches to the right.
fn mirrored(window: Window) -> Window {
    Window { x: (-window.x.1, window.x.1), ..window }
}
