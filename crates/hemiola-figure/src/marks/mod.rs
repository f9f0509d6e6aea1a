//! What is drawn in a panel: each kind of mark is one file that implements [`Mark`].

mod curve;
mod frame;
mod hachures;
mod levels;
mod points;
mod region;

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

/// The size of the sample that a legend shows of a mark: long enough for every dash pattern to show.
pub(crate) const SAMPLE_WIDTH: f64 = 22.0;
pub(crate) const SAMPLE_HEIGHT: f64 = 6.0;

/// The label of marks that are one: "A = B = C", or "A and B" where labels are equations or bounds themselves.
fn joined(labels: Option<String>, other: Option<String>) -> Option<String> {
    let (labels, other) = (labels?, other?);
    if labels == other {
        return Some(labels);
    }
    let is_statement = [" = ", " ≤ ", " < "].iter().any(|sign| other.contains(sign));
    let sign = if is_statement { " and " } else { " = " };
    Some([labels, other].join(sign))
}

/// A layer of a panel. From its `look` it takes the style that it was not given.
pub(crate) trait Mark {
    /// The label in the legend or of the color bar, if any.
    fn label(&self) -> Option<&str>;

    /// What to call the mark in an error when it has no label.
    fn kind(&self) -> &'static str;

    /// All its data, for ranges and checks.
    fn data(&self) -> Box<dyn Iterator<Item = [f64; 2]> + '_>;

    /// Its lines, polygons and points: what each is, whether it returns to its first point, and its data.
    fn outlines(&self) -> Vec<(String, bool, &[[f64; 2]])>;

    /// The lines on the page that a legend should not hide.
    fn ink(&self, frame: &Frame) -> Vec<Path>;

    /// Whether the mark paints an area around a point of the page.
    fn shades(&self, _frame: &Frame, _at: Point) -> bool {
        false
    }

    /// Draws what is cut off at the edge of the panel.
    fn draw(&self, look: Look, frame: &Frame, layer: &mut Layer);

    /// Draws what may stand out over the edge: a marker on the edge is shown whole.
    fn draw_markers(&self, _look: Look, _frame: &Frame, _font: &Font, _layer: &mut Layer) {}

    /// Draws a sample of the mark about a point of the page.
    fn sample(&self, look: Look, center: Point, layer: &mut Layer);
}
