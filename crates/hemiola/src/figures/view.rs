//! Which part of the plane a map shows.

use hemiola_stability::{Window, region_window};

use super::Radius;

/// The part of the plane that a map shows, and how finely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The number of grid cells across and upwards.
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

/// Half the width of a view of regions that are unbounded on both sides of their boundary, such as half-planes.
const HALF_PLANE: f64 = 6.0;
/// Windows are at most this many times as high as wide: narrower ones would leave most of a column empty.
const TALLEST: f64 = 1.5;

impl View {
    pub(super) fn window(self, radii: &[&Radius], stages: usize) -> Window {
        let cells = (self.cells, self.cells);
        let automatic = match (self.x, self.y) {
            (Some(x), Some(y)) => Window { x, y, cells },
            _ => automatic(radii, stages, self.cells),
        };
        Window { x: self.x.unwrap_or(automatic.x), y: self.y.unwrap_or(automatic.y), cells }
    }
}

/// A window around all bounded regions; where there are none, around the bounded regions of instability.
fn automatic(radii: &[&Radius], stages: usize, cells: usize) -> Window {
    // A polynomial of degree s is stable up to −2s² at the most; a window has margins, and implicit methods no such bound.
    let farthest = (4 * stages * stages).max(40) as f64;
    let stable = radii.iter().filter_map(|radius| region_window(radius, farthest, cells)).reduce(join);
    let unstable =
        || radii.iter().filter_map(|radius| region_window(|z| radius(z).recip(), farthest, cells)).reduce(join);
    stable.map(widened).or_else(|| unstable().map(mirrored)).unwrap_or(Window {
        x: (-HALF_PLANE, HALF_PLANE),
        y: (-HALF_PLANE, HALF_PLANE),
        cells: (cells, cells),
    })
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
