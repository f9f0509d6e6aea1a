//! Curves: lines through data.

use serde::{Deserialize, Serialize};

use super::hachures::{self, hachures};
use super::sparse::{SparseMarkers, sparse_places};
use super::{Frame, Mark, SAMPLE_WIDTH, joined, points};
use crate::geometry::{Path, Point, coincide};
use crate::scene::{Layer, Shape, Stroke};
use crate::style::{Color, Dash, Look, Marker, Style, positive};
use crate::text::Font;

/// Default width of a curve in points.
const WIDTH: f64 = 1.1;

/// Width of the white edge on each side of a curve that lies on colors.
const EDGE: f64 = 0.5;

/// Smallest difference of lightness L* by which thin lines differ without a pattern.
const DISTINCT_GRAYS: f64 = 50.0;

/// One or more polylines with a common style and a common entry in the legend.
///
/// A curve without a color or a dash pattern takes the next one of the panel's cycle, so that curves also differ in
/// print.
///
/// ```
/// use hemiola_figure::{Color, Curve, Dash};
///
/// let boundary = Curve::new()
///     .closed([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
///     .closed([[2.0, 0.0], [3.0, 0.0], [2.0, 1.0]])
///     .label("|*R*(*z*)| = 1")
///     .color(Color::BLACK)
///     .dash(Dash::Solid);
/// # let _ = boundary;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Curve {
    lines: Vec<Line>,
    label: Option<String>,
    color: Option<Color>,
    dash: Option<Dash>,
    width: Option<f64>,
    marker: Option<Marker>,
    hachured: bool,
    below: bool,
    /// Marker at a few places along the lines, which tells curves apart in black and white.
    #[serde(skip)]
    sparse: Option<SparseMarkers>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(default)]
    points: Vec<[f64; 2]>,
    closed: bool,
}

impl Curve {
    /// Creates a curve without polylines.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an open polyline.
    #[must_use]
    pub fn open(mut self, points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        self.lines.push(Line { points: points.into_iter().collect(), closed: false });
        self
    }

    /// Adds a closed polyline. The first point need not be repeated.
    #[must_use]
    pub fn closed(mut self, points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        let mut points: Vec<[f64; 2]> = points.into_iter().collect();
        // A repeated first point would add a join with its own corner.
        if points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        self.lines.push(Line { points, closed: true });
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

    /// Sets the dash pattern.
    #[must_use]
    pub fn dash(mut self, dash: Dash) -> Self {
        self.dash = Some(dash);
        self
    }

    /// Sets the width in points; the default is 1.1 pt.
    #[must_use]
    pub fn width(mut self, points: f64) -> Self {
        self.width = Some(points);
        self
    }

    /// Draws a marker at every data point.
    #[must_use]
    pub fn marker(mut self, marker: Marker) -> Self {
        self.marker = Some(marker);
        self
    }

    /// Draws fine ticks on the right-hand side of the lines in the direction of their points. They identify the sides
    /// of a boundary where several regions overlap.
    ///
    /// ```
    /// use hemiola_figure::Curve;
    ///
    /// // The inside of the triangle is on the left; the ticks stand outside.
    /// let triangle = Curve::new().closed([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).hachured();
    /// # let _ = triangle;
    /// ```
    #[must_use]
    pub fn hachured(mut self) -> Self {
        self.hachured = true;
        self
    }

    /// Draws the curve below all others. The colors of the cycle do not change.
    #[must_use]
    pub fn below(mut self) -> Self {
        self.below = true;
        self
    }

    pub(crate) fn is_below(&self) -> bool {
        self.below
    }

    /// Returns whether two curves in black and white differ too little for a reader: they have the same dash pattern and
    /// marker, and similar grays. `places` are their places in the panel.
    pub(crate) fn is_alike_in_gray(&self, other: &Self, places: [usize; 2]) -> bool {
        let look = |curve: &Self, place: usize| {
            let look = Look::new(place, Style::Monochrome);
            (look.color(curve.color).lightness(), look.dash(curve.dash), curve.marker)
        };
        let [one, two] = [look(self, places[0]), look(other, places[1])];
        (one.1, one.2) == (two.1, two.2) && (one.0 - two.0).abs() < DISTINCT_GRAYS
    }

    /// Returns whether the curve has a color, which black and white loses: one of the cycle or a chosen one.
    pub(crate) fn is_colored(&self) -> bool {
        self.color.is_none_or(|color| !color.is_neutral())
    }

    pub(crate) fn has_sparse_markers(&self) -> bool {
        self.sparse.is_some()
    }

    /// Gives the curve the `turn`th pair of a dash pattern and a marker, in the gray that it has already. A curve with
    /// a marker at every point keeps it.
    pub(crate) fn told_apart(mut self, turn: usize) -> Self {
        self.dash = Some(Dash::cycled(turn));
        self.sparse = self.marker.is_none().then(|| SparseMarkers::cycled(turn));
        self
    }

    /// Appends the label of another curve.
    pub(crate) fn joined(&mut self, other: Self) {
        self.label = joined(self.label.take(), other.label);
    }

    /// Returns whether one of two curves would hide the other: both take their colors from the cycle, and their lines
    /// and markers are nowhere more than half a line width apart.
    pub(crate) fn coincides(&self, other: &Self, frame: &Frame) -> bool {
        let is_alike = |curve: &Self| (curve.color, curve.dash, curve.width, curve.marker.is_some(), curve.hachured);
        let is_free = self.color.is_none() && self.label.is_some() && other.label.is_some();
        let tolerance = 0.5 * positive(self.width, WIDTH);
        is_free
            && is_alike(self) == is_alike(other)
            && coincide(&self.ink(frame), &other.ink(frame), tolerance)
            && (self.marker.is_none() || {
                let [one, two] = [self, other].map(|curve| frame.shown(curve.data()));
                let near = |(p, q): (&Point, &Point)| (p[0] - q[0]).hypot(p[1] - q[1]) <= tolerance;
                one.len() == two.len() && one.iter().zip(&two).all(near)
            })
    }

    fn stroke(&self, look: Look, paths: &[Path], layer: &mut Layer) {
        let width = positive(self.width, WIDTH);
        let line = || Shape::of(paths.iter().cloned());
        if look.edged {
            layer.shape(line().stroked(Color::WHITE, width + 2.0 * EDGE));
        }
        let dashes = look.dash(self.dash).pattern().iter().map(|length| length * width).collect();
        let color = look.color(self.color);
        layer.shape(line().drawn(Stroke { color, width, dashes, round: true }));
        if self.hachured {
            layer.shape(Shape::new(hachures(paths, 0.5 * width)).stroked(color, hachures::WIDTH));
        }
    }
}

impl Mark for Curve {
    fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }

    fn kind(&self) -> &'static str {
        "curve"
    }

    fn data(&self) -> Box<dyn Iterator<Item = [f64; 2]> + '_> {
        Box::new(self.lines.iter().flat_map(|line| line.points.iter().copied()))
    }

    fn outlines(&self) -> Vec<(String, bool, &[[f64; 2]])> {
        self.lines.iter().map(|line| (self.kind().to_owned(), line.closed, &line.points[..])).collect()
    }

    fn ink(&self, frame: &Frame) -> Vec<Path> {
        self.lines.iter().flat_map(|line| frame.line(&line.points, line.closed)).collect()
    }

    fn draw(&self, look: Look, frame: &Frame, layer: &mut Layer) {
        self.stroke(look, &self.ink(frame), layer);
    }

    fn draw_markers(&self, look: Look, frame: &Frame, _font: &Font, layer: &mut Layer) {
        if let Some(marker) = self.marker {
            points::draw_markers(marker, &frame.shown(self.data()), points::SIZE, look.color(self.color), layer);
        }
        if let Some(SparseMarkers { marker, shift }) = self.sparse {
            let places = sparse_places(&self.ink(frame), frame.plot.width, shift);
            points::draw_markers(marker, &places, points::SIZE, look.color(self.color), layer);
        }
    }

    fn sample(&self, look: Look, center: Point, layer: &mut Layer) {
        let [x, y] = center;
        let ends = vec![[x - 0.5 * SAMPLE_WIDTH, y], [x + 0.5 * SAMPLE_WIDTH, y]];
        self.stroke(look, &[Path { points: ends, closed: false }], layer);
        if let Some(marker) = self.marker.or(self.sparse.map(|sparse| sparse.marker)) {
            points::draw_markers(marker, &[center], points::SIZE, look.color(self.color), layer);
        }
    }
}
