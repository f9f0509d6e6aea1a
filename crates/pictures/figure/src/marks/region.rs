//! Regions: filled polygons.

use serde::{Deserialize, Serialize};

use super::{Frame, Mark, SAMPLE_HEIGHT, SAMPLE_WIDTH, joined};
use crate::geometry::{Path, Point, coincide, surrounds};
use crate::scene::{Layer, Shape};
use crate::style::{Color, Look};

/// An area bounded by polygons. It is their even-odd interior, so a polygon inside another one is a hole.
///
/// ```
/// use hemiola_figure::Region;
///
/// let ring = Region::new()
///     .polygon([[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [0.0, 3.0]])
///     .polygon([[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0]])
///     .label("stable");
/// # let _ = ring;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Region {
    polygons: Vec<Vec<[f64; 2]>>,
    label: Option<String>,
    color: Option<Color>,
    opacity: Option<f64>,
}

impl Region {
    /// Creates a region without polygons.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a polygon.
    #[must_use]
    pub fn polygon(mut self, corners: impl IntoIterator<Item = [f64; 2]>) -> Self {
        self.polygons.push(corners.into_iter().collect());
        self
    }

    /// Sets the label in the legend, which may use markup.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    pub(crate) fn relabeled(mut self, name: &dyn Fn(&str) -> String) -> Self {
        self.label = self.label.map(|label| name(&label));
        self
    }

    /// Sets the color.
    #[must_use]
    pub fn color(mut self, color: Color) -> Self {
        self.color = Some(color);
        self
    }

    /// Sets the opacity, from above 0 (transparent) to 1 (opaque); the default is 0.18. It does not apply to the
    /// hatchings of [`Style::Monochrome`](crate::Style::Monochrome).
    #[must_use]
    pub fn opacity(mut self, opacity: f64) -> Self {
        self.opacity = Some(opacity);
        self
    }

    /// Appends the label of another region.
    pub(crate) fn joined(&mut self, other: Self) {
        self.label = joined(self.label.take(), other.label);
    }

    /// Returns whether two regions that take their colors from the cycle coincide within `tolerance` points of the
    /// page.
    pub(crate) fn coincides(&self, other: &Self, frame: &Frame, tolerance: f64) -> bool {
        let is_free = self.color.is_none() && self.label.is_some() == other.label.is_some();
        let is_alike = self.color == other.color && self.opacity == other.opacity;
        is_free && is_alike && coincide(&self.ink(frame), &other.ink(frame), tolerance)
    }

    fn fill(&self, look: Look, paths: impl Iterator<Item = Path>, layer: &mut Layer) {
        let areas = paths.filter(|path| path.points.len() > 2);
        layer.shape(Shape::of(areas).painted(look.fill(self.color, self.opacity)));
    }
}

impl Mark for Region {
    fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }

    fn kind(&self) -> &'static str {
        "region"
    }

    fn data(&self) -> Box<dyn Iterator<Item = [f64; 2]> + '_> {
        Box::new(self.polygons.iter().flatten().copied())
    }

    fn outlines(&self) -> Vec<(String, bool, &[[f64; 2]])> {
        self.polygons.iter().map(|polygon| (self.kind().to_owned(), true, &polygon[..])).collect()
    }

    fn ink(&self, frame: &Frame) -> Vec<Path> {
        self.polygons.iter().flat_map(|polygon| frame.line(polygon, true)).collect()
    }

    fn shades(&self, frame: &Frame, at: Point) -> bool {
        self.polygons.iter().filter(|polygon| surrounds(&frame.polygon(polygon).points, at)).count() % 2 == 1
    }

    fn draw(&self, look: Look, frame: &Frame, layer: &mut Layer) {
        self.fill(look, self.polygons.iter().map(|polygon| frame.polygon(polygon)), layer);
    }

    fn sample(&self, look: Look, [x, y]: Point, layer: &mut Layer) {
        let [w, h] = [0.5 * SAMPLE_WIDTH, 0.5 * SAMPLE_HEIGHT];
        let points = vec![[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]];
        self.fill(look, std::iter::once(Path { points, closed: true }), layer);
    }
}
