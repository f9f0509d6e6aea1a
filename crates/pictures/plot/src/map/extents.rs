//! Extents of regions along the negative real and the imaginary axis.

use hemiola_figure::{Color, Marker, Panel, Points};
use hemiola_stability::{Field, Window, stability_limit};
use num_complex::Complex64;

use crate::layer::{LEVEL, Layer, LayerStyle};
use crate::{MapError, minus};

/// Number of points along an axis for the search of a boundary without a known limit.
const SAMPLES: usize = 4000;
/// Number of bisections between two of them, which exhausts the bits of a double.
const HALVINGS: usize = 60;
/// Excess over one that a field must reach, at this multiple of the distance, for a significant crossing.
const CLEAR: f64 = 1e-7;
const BEYOND: f64 = 1.01;
/// Significant digits of the numbers, and size of the markers.
const DIGITS: usize = 4;
const SIZE: f64 = 2.4;
/// Width of a line relative to a panel.
const LINE: f64 = 5e-3;

/// First crossing of an axis by the boundary of a region.
#[derive(Clone, Debug, PartialEq)]
pub struct Extent {
    /// Name of the region in data.
    pub name: String,
    /// Real and imaginary part of the point.
    pub at: [f64; 2],
    /// Number of the boundary among the curves of its panel, from zero, which determines its color.
    pub(crate) curve: usize,
}

/// Computes the crossings of the axes by regions inside a window.
pub(crate) fn extents<'l>(layers: impl Iterator<Item = &'l Layer>, window: &Window) -> Result<Vec<Extent>, MapError> {
    let mut found = Vec::new();
    let has_boundary = |layer: &Layer| matches!(layer.style, LayerStyle::Region | LayerStyle::Boundary);
    for (curve, layer) in layers.enumerate().filter(|(_, layer)| has_boundary(layer)) {
        for direction in [Complex64::new(-1.0, 0.0), Complex64::I] {
            let end = if direction.im == 0.0 { -window.x.0 } else { window.y.1 };
            if let Some(limit) = limit(layer, direction, end)?.filter(|limit| *limit > 0.0 && *limit <= end) {
                let at = [direction.re * limit, direction.im * limit];
                found.push(Extent { name: layer.name.clone(), at, curve });
            }
        }
    }
    Ok(found)
}

/// Returns the stability limit along a ray: that of the partition if there is one, otherwise a crossing up to `end`.
fn limit(layer: &Layer, direction: Complex64, end: f64) -> Result<Option<f64>, MapError> {
    if let Some((method, partition)) = &layer.partition {
        return Ok(Some(stability_limit(method, *partition, direction)?.value()));
    }
    Ok(crossing(&*layer.field, direction, end))
}

/// Finds the first point along a ray at which a field exceeds one. Returns `None` if it does so immediately, not up to
/// `end`, or so slowly that rounding decides: fields that are one up to high powers of the distance have no such point.
fn crossing(field: &dyn Field, direction: Complex64, end: f64) -> Option<f64> {
    let is_stable = |t: f64| field.at(direction.re * t, direction.im * t) <= LEVEL;
    let at = |k: usize| end * k as f64 / SAMPLES as f64;
    let first = (1..=SAMPLES).find(|&k| !is_stable(at(k))).filter(|&k| k > 1)?;
    let (mut low, mut high) = (at(first - 1), at(first));
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if is_stable(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    let beyond = BEYOND * low;
    Some(low).filter(|_| field.at(direction.re * beyond, direction.im * beyond) > 1.0 + CLEAR)
}

/// Adds the crossings inside a window with their numbers in the colors of their curves. Of several crossings within
/// the width of a line, the first is shown.
pub(crate) fn with_extents(panel: Panel, extents: &[Extent], window: &Window) -> Panel {
    let is_inside = |extent: &&Extent| {
        let within = |(low, high): (f64, f64), value: f64| low <= value && value <= high;
        within(window.x, extent.at[0]) && within(window.y, extent.at[1])
    };
    let near = |one: &Extent, other: &Extent| {
        let apart = |(low, high): (f64, f64), k: usize| (one.at[k] - other.at[k]).abs() > LINE * (high - low);
        !apart(window.x, 0) && !apart(window.y, 1)
    };
    let mut shown: Vec<&Extent> = Vec::new();
    for extent in extents.iter().filter(is_inside) {
        if !shown.iter().any(|other| near(extent, other)) {
            shown.push(extent);
        }
    }
    if shown.is_empty() {
        return panel;
    }
    let number = |extent: &&Extent| {
        let value = if extent.at[1] == 0.0 { extent.at[0] } else { extent.at[1] };
        // The significant digits without trailing zeros.
        minus(format!("{value:.precision$e}", precision = DIGITS - 1).parse().unwrap_or(value))
    };
    let points = Points::new(shown.iter().map(|extent| extent.at)).names(shown.iter().map(number));
    let points = points.colors(shown.iter().map(|extent| Color::of_curve(extent.curve)));
    panel.points(points.marker(Marker::Circle).size(SIZE).names_set_off())
}
