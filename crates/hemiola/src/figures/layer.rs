//! One function of the plane and the boundary where it is one, drawn.

use hemiola_figure::{Color, Curve, Dash, Panel, Region};
use hemiola_stability::{Window, contour};
use num_complex::Complex64;

use super::Radius;

/// One function of the plane and the boundary where it is one.
pub(super) struct Layer {
    pub(super) name: String,
    /// The boundary's entry in the legend.
    pub(super) label: String,
    pub(super) radius: Radius,
    pub(super) style: Style,
}

/// How a layer is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// The region, filled, and its boundary.
    Region,
    /// The boundary alone: many regions above each other are a grey heap.
    Boundary,
    /// A thin grey boundary with this pattern, for comparison; it has no numbers of its own.
    Comparison(Dash),
}

impl Layer {
    pub(super) fn draw(&self, panel: Panel, window: &Window) -> Panel {
        let boundary = contour(window, |x, y| self.excess(x, y)).into_iter();
        let curve = boundary.fold(Curve::new().label(&self.label), |curve, line| {
            if line.closed { curve.closed(line.points) } else { curve.open(line.points) }
        });
        match self.style {
            Style::Region => panel.region(self.region(window)).curve(curve),
            Style::Boundary => panel.curve(curve),
            Style::Comparison(dash) => panel.curve(curve.color(Color::GRAY).dash(dash).width(0.8)),
        }
    }

    fn region(&self, window: &Window) -> Region {
        let areas = contour(&surrounded(window), |x, y| if is_inside(window, x, y) { self.excess(x, y) } else { 1.0 });
        areas.into_iter().fold(Region::new(), |region, area| region.polygon(area.points))
    }

    pub(super) fn is_comparison(&self) -> bool {
        matches!(self.style, Style::Comparison(_))
    }

    /// The values of the function at all grid points, row after row from below.
    pub(super) fn samples(&self, window: &Window) -> Vec<f64> {
        window.sample(|x, y| (self.radius)(Complex64::new(x, y)))
    }

    pub(super) fn excess(&self, x: f64, y: f64) -> f64 {
        (self.radius)(Complex64::new(x, y)) - 1.0
    }
}

/// The window with one more cell on each side: what is unstable there by decree closes every area at the window's edge.
fn surrounded(window: &Window) -> Window {
    let wider = |(low, high): (f64, f64), cells: usize| {
        let cell = (high - low) / cells as f64;
        (low - cell, high + cell)
    };
    let (columns, rows) = window.cells;
    Window { x: wider(window.x, columns), y: wider(window.y, rows), cells: (columns + 2, rows + 2) }
}

/// Whether a point lies in the window, with a margin for the rounding of grid points on its edge.
fn is_inside(window: &Window, x: f64, y: f64) -> bool {
    let within = |value: f64, (low, high): (f64, f64)| {
        let margin = 1e-9 * (high - low);
        (low - margin..=high + margin).contains(&value)
    };
    within(x, window.x) && within(y, window.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_plane_is_filled_up_to_the_window_s_edge() {
        let window = Window { x: (-3.0, 3.0), y: (-2.0, 2.0), cells: (40, 40) };
        let areas = contour(&surrounded(&window), |x, y| if is_inside(&window, x, y) { x } else { 1.0 });
        assert_eq!(areas.len(), 1);
        assert!(areas[0].closed);
        let left = areas[0].points.iter().map(|[x, _]| *x).fold(f64::INFINITY, f64::min);
        assert!((left + 3.0).abs() < 1e-6);
    }
}
