//! Marks of a panel. Each kind has a file and implements [`Mark`].

mod curve;
mod frame;
mod hachures;
mod levels;
mod points;
mod region;
mod sparse;

pub use curve::Curve;
pub use levels::Levels;
pub use points::Points;
pub use region::Region;

pub(crate) use frame::Frame;
pub(crate) use levels::Bands;
pub(crate) use points::outline;

use crate::geometry::{Path, Point};
use crate::scene::Layer;
use crate::style::Look;
use crate::text::Font;

/// Size of the sample of a mark in a legend, long enough for every dash pattern.
pub(crate) const SAMPLE_WIDTH: f64 = 22.0;
pub(crate) const SAMPLE_HEIGHT: f64 = 6.0;

/// Joins the labels of merged marks: "A = B = C", or "A and B" if the labels are equations or bounds themselves.
fn joined(labels: Option<String>, other: Option<String>) -> Option<String> {
    let (labels, other) = (labels?, other?);
    if labels == other {
        return Some(labels);
    }
    let is_statement = [" = ", " ≤ ", " < "].iter().any(|sign| other.contains(sign));
    let sign = if is_statement { " and " } else { " = " };
    Some([labels, other].join(sign))
}

/// A layer of a panel. Its `look` supplies the style that is not set explicitly.
pub(crate) trait Mark {
    /// Returns the label in the legend or of the color bar, if any.
    fn label(&self) -> Option<&str>;

    /// Returns the kind of mark, which names it in errors if it has no label.
    fn kind(&self) -> &'static str;

    /// Returns all its data, for ranges and checks.
    fn data(&self) -> Box<dyn Iterator<Item = [f64; 2]> + '_>;

    /// Returns its lines, polygons and points: the kind of each, whether it is closed, and its data.
    fn outlines(&self) -> Vec<(String, bool, &[[f64; 2]])>;

    /// Returns the lines on the page that a legend should not hide.
    fn ink(&self, frame: &Frame) -> Vec<Path>;

    /// Returns whether the mark paints an area around a point of the page.
    fn shades(&self, _frame: &Frame, _at: Point) -> bool {
        false
    }

    /// Draws the part that is clipped at the edge of the panel.
    fn draw(&self, look: Look, frame: &Frame, layer: &mut Layer);

    /// Draws the part that may extend beyond the edge: a marker on the edge is shown whole.
    fn draw_markers(&self, _look: Look, _frame: &Frame, _font: &Font, _layer: &mut Layer) {}

    /// Draws a sample of the mark, centered at a point of the page.
    fn sample(&self, look: Look, center: Point, layer: &mut Layer);
}
