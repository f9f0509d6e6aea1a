//! A scene: what a figure puts where on its page, laid out once and written by any backend.
//!
//! Lengths are points (1 pt = 1/72 inch), x grows to the right and y downwards.

mod hatched;
mod layer;
mod shape;

pub(crate) use hatched::hatched;
pub(crate) use layer::{Group, Item, Layer};
pub(crate) use shape::{Fill, Outline, Paint, Shape, Stroke};

use crate::geometry::Point;
use crate::text::Font;

/// A drawing laid out on a page: shapes, texts and groups of them. Nothing is left to decide but how a format says it.
///
/// ```
/// use hemiola_figure::{Axis, Curve, Figure, Panel};
///
/// let panel = Panel::new(Axis::new("*t*"), Axis::new("*y*")).curve(Curve::new().open([[0.0, 1.0], [1.0, 0.0]]));
/// let scene = Figure::one_column().panel(panel).scene()?;
/// let [width, height] = scene.size();
/// assert!((width - 85.0 / 25.4 * 72.0).abs() < 1e-9 && height < width);
/// assert!(scene.to_svg().starts_with("<svg") && scene.to_tikz().contains(r"\begin{tikzpicture}"));
/// # Ok::<(), hemiola_figure::FigureError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The width and the height of the page.
    pub(crate) size: [f64; 2],
    /// What the drawing is called, and what it shows in words, for readers who do not see it.
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) font: Font,
    pub(crate) content: Layer,
}

impl Scene {
    /// The width and the height of the page in points.
    #[must_use]
    pub fn size(&self) -> [f64; 2] {
        self.size
    }

    /// What the drawing shows in words, for readers who do not see it.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The rectangles in which data are seen, panel after panel: left, top, width and height in points.
    ///
    /// ```
    /// use hemiola_figure::{Axis, Figure, Panel};
    ///
    /// let scene = Figure::one_column().panel(Panel::new(Axis::new("*x*"), Axis::new("*y*"))).scene()?;
    /// let [left, top, width, height] = scene.plots()[0];
    /// assert!(left > 0.0 && left + width < scene.size()[0] && top + height < scene.size()[1]);
    /// # Ok::<(), hemiola_figure::FigureError>(())
    /// ```
    #[must_use]
    pub fn plots(&self) -> Vec<[f64; 4]> {
        let mut found = Vec::new();
        plots(&self.content, [0.0, 0.0], &mut found);
        found
    }
}

/// The clips of the groups in a layer that begins at a point of the page.
fn plots(layer: &Layer, [left, top]: Point, found: &mut Vec<[f64; 4]>) {
    for item in &layer.items {
        let Item::Group(group) = item else { continue };
        let origin = [left + group.offset[0], top + group.offset[1]];
        match &group.clip {
            Some(clip) => found.push([origin[0] + clip.left, origin[1] + clip.top, clip.width, clip.height]),
            None => plots(&group.content, origin, found),
        }
    }
}
