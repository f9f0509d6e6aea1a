//! Points: markers at data points.

use serde::{Deserialize, Serialize};

use super::{Frame, Mark};
use crate::geometry::{Path, Point, Rect, apart};
use crate::scene::{Layer, Outline, Paint, Shape, ShapeFill};
use crate::style::{Color, Look, Marker, positive};
use crate::text::{Anchor, Font, Label, Text, size};

/// Default diameter of a marker in points.
pub(super) const SIZE: f64 = 4.0;

/// Extent of filled markers other than circles, relative to the diameter.
const LARGEST: f64 = 1.25;

/// Stroke width of crosses.
const STROKE: f64 = 0.9;

/// Gap between a marker and its name.
const NAME_GAP: f64 = 1.0;
/// Margin around a marker that the names of other points avoid.
const MARKER_ROOM: f64 = 2.0;
/// Step by which a name is moved away from its marker until it fits, number of steps, and width of the line to the
/// marker.
const LIFT: f64 = 8.0;
const MOST_LIFTED: usize = 4;
const LEADER: f64 = 0.4;
/// Margin of the ground of a name, and its opacity.
const GROUND: f64 = 0.8;
const GROUND_OPACITY: f64 = 0.85;
/// Margin of the frame of a name in the color of its point, and width of the frame.
const FRAME_ROOM: f64 = 1.5;
const FRAME_WIDTH: f64 = 0.6;
/// Gap between a point without a marker and its name.
const SIDE_GAP: f64 = 2.0;
/// Height of digits and capitals relative to the font size.
const CAPITAL: f64 = 0.72;

/// Markers at points, with a common style and a common entry in the legend.
///
/// ```
/// use hemiola_figure::{Marker, Points};
///
/// let limits = Points::new([[0.0, 4.0], [0.0, -4.0]]).label("imaginary limit").marker(Marker::Cross);
/// # let _ = limits;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Points {
    points: Vec<[f64; 2]>,
    names: Vec<String>,
    colors: Vec<Color>,
    label: Option<String>,
    color: Option<Color>,
    marker: Option<Marker>,
    size: Option<f64>,
    side: Option<Side>,
    set_off: bool,
}

/// Side of a point on which its name stands if there are no markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Side {
    Left,
    Right,
}

impl Points {
    /// Creates markers at the given points.
    #[must_use]
    pub fn new(points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        Self { points: points.into_iter().collect(), ..Self::default() }
    }

    /// Sets the label in the legend, which may use markup.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Sets a name for each point, which may use markup. It is placed above and to the right of the point, or on
    /// another side near the edge of the panel. Names that would overlap earlier ones are omitted.
    ///
    /// ```
    /// use hemiola_figure::{Axis, Figure, Panel, Points};
    ///
    /// let points = Points::new([[0.0, 0.0], [1.0, 1.0], [1.0, 1.001]]).names(["zero", "one", "one and more"]);
    /// let panel = Panel::new(Axis::new("*x*"), Axis::new("*y*")).points(points);
    /// let svg = Figure::one_column().panel(panel).to_svg()?;
    /// assert!(svg.contains(">zero<") && svg.contains(">one<") && !svg.contains("one and more"));
    /// # Ok::<(), hemiola_figure::FigureError>(())
    /// ```
    #[must_use]
    pub fn names(mut self, names: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        self.names = names.into_iter().map(|name| name.as_ref().to_owned()).collect();
        self
    }

    /// Omits the markers and places each name to the right of its point.
    ///
    /// ```
    /// use hemiola_figure::Points;
    ///
    /// let order = Points::new([[2.0, 0.1]]).names(["4"]).names_on_the_right();
    /// # let _ = order;
    /// ```
    #[must_use]
    pub fn names_on_the_right(mut self) -> Self {
        self.side = Some(Side::Right);
        self
    }

    /// Omits the markers and places each name to the left of its point.
    #[must_use]
    pub fn names_on_the_left(mut self) -> Self {
        self.side = Some(Side::Left);
        self
    }

    /// Draws names on a white background. Each name is placed on the side of its marker that is away from the middle of
    /// the panel, or at another free position nearby.
    ///
    /// ```
    /// use hemiola_figure::{Axis, Figure, Panel, Points};
    ///
    /// let points = Points::new([[0.5, 0.5], [0.5, 0.501]]).names(["one", "other"]).names_set_off();
    /// let panel = Panel::new(Axis::new("*x*").range(0.0, 1.0), Axis::new("*y*").range(0.0, 1.0)).points(points);
    /// let svg = Figure::one_column().panel(panel).to_svg()?;
    /// assert!(svg.contains(">one<") && svg.contains(">other<"));
    /// # Ok::<(), hemiola_figure::FigureError>(())
    /// ```
    #[must_use]
    pub fn names_set_off(mut self) -> Self {
        self.set_off = true;
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

    /// Sets a color for each point, for example to match a curve. The color applies to the marker, to the frame around
    /// the name, and to the line between them. Points without a color take the common one.
    ///
    /// ```
    /// use hemiola_figure::{Axis, Color, Figure, Panel, Points};
    ///
    /// let points = Points::new([[0.2, 0.5], [0.8, 0.5]]).names(["left", "right"]).names_set_off();
    /// let points = points.colors([Color::BLUE, Color::GREEN]);
    /// let panel = Panel::new(Axis::new("*x*").range(0.0, 1.0), Axis::new("*y*").range(0.0, 1.0)).points(points);
    /// let svg = Figure::one_column().panel(panel).to_svg()?;
    /// assert!([Color::BLUE, Color::GREEN].iter().all(|color| svg.matches(&color.to_string()).count() >= 2));
    /// # Ok::<(), hemiola_figure::FigureError>(())
    /// ```
    #[must_use]
    pub fn colors(mut self, colors: impl IntoIterator<Item = Color>) -> Self {
        self.colors = colors.into_iter().collect();
        self
    }

    /// Sets the shape.
    #[must_use]
    pub fn marker(mut self, marker: Marker) -> Self {
        self.marker = Some(marker);
        self
    }

    /// Sets the diameter in points; the default is 4 pt.
    #[must_use]
    pub fn size(mut self, points: f64) -> Self {
        self.size = Some(points);
        self
    }

    /// Returns the color of a point, counted from zero.
    fn color_of(&self, look: Look, k: usize) -> Color {
        look.color(self.colors.get(k).copied().or(self.color))
    }

    fn draw_at(&self, look: Look, centers: &[Point], color: Color, layer: &mut Layer) {
        if self.side.is_some() {
            return;
        }
        draw_markers(look.marker(self.marker), centers, positive(self.size, SIZE), color, layer);
    }

    fn write_names(&self, look: Look, frame: &Frame, font: &Font, layer: &mut Layer) {
        let mut taken: Vec<Rect> = Vec::new();
        for (k, (&point, name)) in self.points.iter().zip(&self.names).enumerate() {
            let label = Label::new(name, font);
            for center in frame.shown(std::iter::once(point)) {
                let is_inside = |place: &Rect| {
                    frame.plot.contains([place.left, place.top]) && frame.plot.contains([place.right(), place.bottom()])
                };
                let is_free = |place: &Rect| !taken.iter().any(|other| overlap(other, place));
                let width = label.width(size::TICK);
                let place = if self.set_off {
                    let markers = frame.shown(self.data()).into_iter().filter(|other| *other != center);
                    let markers: Vec<Rect> = markers.map(|other| self.around(other)).collect();
                    let is_own = |place: &Rect| !markers.iter().any(|other| overlap(other, place));
                    let places = self.outward_places(center, width, frame.plot.center()).into_iter();
                    places.filter(is_inside).filter(is_free).find(is_own)
                } else {
                    // On another side of its marker the name could be taken for that of a neighbor.
                    self.name_places(center, width).into_iter().find(is_inside).filter(is_free)
                };
                let Some(place) = place else { continue };
                if self.set_off {
                    let color = self.colors.get(k).map(|color| look.color(Some(*color)));
                    set_off(center, &place, color, layer);
                }
                layer.text(Text::new(label.clone(), Anchor::Start, [place.left, place.bottom()], size::TICK));
                // Frames must not touch.
                taken.push(if self.colors.is_empty() { place } else { place.expanded(2.0 * FRAME_ROOM) });
            }
        }
    }

    /// Returns the rectangle around a marker that the names of other points avoid.
    fn around(&self, [x, y]: Point) -> Rect {
        let radius = 0.5 * positive(self.size, SIZE) + MARKER_ROOM;
        Rect { left: x - radius, top: y - radius, width: 2.0 * radius, height: 2.0 * radius }
    }

    /// Returns possible positions of a name on a white ground, the best first: on the side away from the middle of the
    /// panel, centered above and below the marker, and on the other side, then the same at increasing vertical
    /// distances.
    fn outward_places(&self, at: Point, width: f64, [middle, _]: Point) -> Vec<Rect> {
        let [right_above, right_below, left_above, left_below] = self.name_places(at, width);
        let centered = |place: Rect| Rect { left: at[0] - 0.5 * width, ..place };
        let [above, below] = [right_above, right_below].map(centered);
        let (right, left) = ([right_above, right_below], [left_above, left_below]);
        let (outward, inward) = if at[0] < middle { (left, right) } else { (right, left) };
        let near = [outward[0], outward[1], above, below, inward[0], inward[1]];
        let lifted = |lines: usize| {
            near.map(|place| {
                let lift = lines as f64 * LIFT;
                Rect { top: if place.top < at[1] { place.top - lift } else { place.top + lift }, ..place }
            })
        };
        (0..=MOST_LIFTED).flat_map(lifted).collect()
    }

    /// Returns possible positions of a name, the best first: above and below to the right, above and below to the left.
    /// Without a marker, all are on the given side.
    fn name_places(&self, [x, y]: Point, width: f64) -> [Rect; 4] {
        let height = CAPITAL * size::TICK;
        if let Some(side) = self.side {
            let left = if side == Side::Left { x - SIDE_GAP - width } else { x + SIDE_GAP };
            return [Rect { left, top: y - 0.5 * height, width, height }; 4];
        }
        let aside = 0.5 * positive(self.size, SIZE) + NAME_GAP;
        let [right, left] = [x + aside, x - aside - width];
        let [above, below] = [y - aside - height, y + aside];
        [[right, above], [right, below], [left, above], [left, below]].map(|[left, top]| Rect {
            left,
            top,
            width,
            height,
        })
    }
}

/// Draws the ground of a name and the line to its marker. The name of a point with its own color has a frame.
fn set_off(center: Point, place: &Rect, color: Option<Color>, layer: &mut Layer) {
    let leader = leader(center, place);
    let ground = ShapeFill { paint: Paint::Color(Color::WHITE), opacity: GROUND_OPACITY };
    let Some(color) = color else {
        layer.shape(Shape::new(leader).stroked(Color::GRAY, LEADER));
        layer.shape(Shape::of([place.expanded(GROUND).outline()]).painted(ground));
        return;
    };
    let framed = place.expanded(FRAME_ROOM);
    layer.shape(Shape::new(leader).stroked(color, FRAME_WIDTH));
    layer.shape(Shape::of([framed.outline()]).painted(ground));
    layer.shape(Shape::of([framed.outline()]).stroked(color, FRAME_WIDTH));
}

/// Returns the line from a marker to its name, if their vertical distance exceeds a line of text.
fn leader([x, y]: Point, name: &Rect) -> Option<Outline> {
    let end = if name.top > y { name.top } else { name.bottom() };
    let is_far = (end - y).abs() > LIFT;
    is_far.then(|| Outline::open(vec![[x, y], [x.clamp(name.left, name.right()), end]]))
}

fn overlap(one: &Rect, other: &Rect) -> bool {
    let across = one.left < other.right() && other.left < one.right();
    across && one.top < other.bottom() && other.top < one.bottom()
}

impl Mark for Points {
    fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }

    fn kind(&self) -> &'static str {
        "point set"
    }

    fn data(&self) -> Box<dyn Iterator<Item = [f64; 2]> + '_> {
        Box::new(self.points.iter().copied())
    }

    fn outlines(&self) -> Vec<(String, bool, &[[f64; 2]])> {
        vec![("points".to_owned(), false, &self.points[..])]
    }

    fn ink(&self, frame: &Frame) -> Vec<Path> {
        let radius = 0.5 * positive(self.size, SIZE);
        let across = |[x, y]: Point| Path { points: vec![[x - radius, y], [x + radius, y]], closed: false };
        frame.shown(self.data()).into_iter().map(across).collect()
    }

    fn draw(&self, _look: Look, _frame: &Frame, _layer: &mut Layer) {}

    fn draw_markers(&self, look: Look, frame: &Frame, font: &Font, layer: &mut Layer) {
        if self.colors.is_empty() {
            self.draw_at(look, &frame.shown(self.data()), look.color(self.color), layer);
        } else {
            for (k, &point) in self.points.iter().enumerate() {
                self.draw_at(look, &frame.shown(std::iter::once(point)), self.color_of(look, k), layer);
            }
        }
        self.write_names(look, frame, font, layer);
    }

    fn sample(&self, look: Look, center: Point, layer: &mut Layer) {
        self.draw_at(look, &[center], self.color_of(look, 0), layer);
    }
}

/// Draws a marker at each center, in as few shapes as the even-odd rule allows: where two markers of one shape overlap,
/// there would be a hole.
pub(super) fn draw_markers(marker: Marker, centers: &[Point], size: f64, color: Color, layer: &mut Layer) {
    let shape = |centers: &[Point]| Shape::new(centers.iter().flat_map(|&center| outline(marker, center, 0.5 * size)));
    if !marker.is_filled() {
        return layer.shape(shape(centers).stroked(color, STROKE));
    }
    let reach = if marker == Marker::Circle { size } else { LARGEST * size };
    for group in apart(centers, reach) {
        layer.shape(shape(&group).filled(color));
    }
}

/// Returns the outlines of a marker.
pub(crate) fn outline(marker: Marker, center: Point, radius: f64) -> Vec<Outline> {
    match marker {
        Marker::Circle => vec![Outline::Circle { center, radius }],
        // Squares are shrunk and the other shapes enlarged, so that all have the same visual weight.
        Marker::Square => polygon(center, 0.88 * radius, &[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]),
        Marker::Triangle => polygon(center, 1.2 * radius, &[[0.0, -1.0], [0.94, 0.7], [-0.94, 0.7]]),
        Marker::Diamond => polygon(center, 1.25 * radius, &[[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]),
        Marker::Cross => strokes(center, 0.9 * radius, [[1.0, 1.0], [1.0, -1.0]]),
        Marker::Plus => strokes(center, 1.2 * radius, [[1.0, 0.0], [0.0, 1.0]]),
    }
}

fn polygon([x, y]: Point, radius: f64, corners: &[Point]) -> Vec<Outline> {
    vec![Outline::closed(corners.iter().map(|[dx, dy]| [x + radius * dx, y + radius * dy]).collect())]
}

fn strokes([x, y]: Point, radius: f64, directions: [Point; 2]) -> Vec<Outline> {
    let stroke =
        |[dx, dy]: Point| Outline::open(vec![[x - radius * dx, y - radius * dy], [x + radius * dx, y + radius * dy]]);
    directions.map(stroke).to_vec()
}
