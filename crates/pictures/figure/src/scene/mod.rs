//! A scene: the contents of a page with their positions, laid out once for all formats.
//!
//! Lengths are points (1 pt = 1/72 inch), x grows to the right and y downwards.

mod hatched;
mod layer;
mod shape;

pub(crate) use hatched::hatched;
pub(crate) use layer::{Group, Item, Layer};
pub(crate) use shape::{Outline, Paint, Shape, ShapeFill, Stroke};

use crate::geometry::Point;
use crate::text::Font;

/// A drawing laid out on a page: shapes, texts and groups of them. The formats only encode it.
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
    /// Width and height of the page.
    pub(crate) size: [f64; 2],
    /// Title of the drawing, and description for readers who cannot see it.
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) font: Font,
    pub(crate) content: Layer,
}

impl Scene {
    /// Returns the width and the height of the page in points.
    #[must_use]
    pub fn size(&self) -> [f64; 2] {
        self.size
    }

    /// Returns the description for readers who cannot see the drawing.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Returns the rectangles of the plots, panel by panel: left, top, width and height in points.
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

/// Collects the clips of the groups in a layer whose origin is at a point of the page.
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
