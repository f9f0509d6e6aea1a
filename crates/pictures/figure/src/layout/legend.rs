//! Legends: entries, size and position.

use crate::geometry::{Path, Point, Rect};
use crate::legend::Legend;
use crate::marks::{Frame, Mark, SAMPLE_WIDTH};
use crate::panel::Panel;
use crate::scene::{Layer, Paint, Shape, ShapeFill};
use crate::style::{Color, Look, Style};
use crate::text::{Anchor, Font, Label, Text, size};

/// Line spacing of a legend.
const LINE: f64 = 9.8;
/// White edge of a legend.
const EDGE: f64 = 3.0;
/// Gap between a sample and its label.
const GAP: f64 = 4.0;
/// Gap between entries side by side.
const BETWEEN: f64 = 10.0;
/// Distance of an inside legend from the frame.
const INSET: f64 = 3.0;
/// Opacity of the ground of a legend.
const GROUND_OPACITY: f64 = 0.85;
/// Largest fraction of the panel's width and height for an inside legend.
const LARGEST: f64 = 0.75;

/// Labeled marks of a panel.
pub(crate) struct LegendEntries<'p> {
    entries: Vec<LegendEntry<'p>>,
    size: f64,
}

struct LegendEntry<'p> {
    mark: &'p dyn Mark,
    place: usize,
    label: Label,
}

impl<'p> LegendEntry<'p> {
    /// Creates the entry of a mark; returns `None` if it has no label.
    fn of((place, mark): (usize, &'p dyn Mark), font: &Font) -> Option<Self> {
        let label = Label::new(mark.label()?, font);
        (!label.is_blank()).then_some(Self { mark, place, label })
    }

    /// Returns the visible parts of the entry: its label and its sample.
    fn seen(&self, style: Style) -> (Option<&'p str>, Layer) {
        let mut sample = Layer::default();
        self.mark.sample(Look::new(self.place, style), [0.0, 0.0], &mut sample);
        (self.mark.label(), sample)
    }
}

/// A key with the positions of its entries.
pub(crate) struct PlacedLegend {
    pub(crate) rect: Rect,
    /// Left ends of the entries at mid-height.
    places: Vec<Point>,
}

impl<'p> LegendEntries<'p> {
    /// Creates the key of a panel, in a font small enough to fit the longest entry into `room`; returns `None` without
    /// labels.
    pub(crate) fn of(panel: &'p Panel, room: f64, font: &Font) -> Option<Self> {
        Self::with(panel.entries().filter_map(|mark| LegendEntry::of(mark, font)).collect(), room)
    }

    /// Creates the key of several panels. Marks with equal labels and equal appearance share an entry.
    pub(crate) fn of_all(panels: &'p [Panel], room: f64, style: Style, font: &Font) -> Option<Self> {
        let mut seen: Vec<(Option<&str>, Layer)> = Vec::new();
        let mut entries = Vec::new();
        for entry in panels.iter().flat_map(Panel::entries).filter_map(|mark| LegendEntry::of(mark, font)) {
            let appearance = entry.seen(style);
            if !seen.contains(&appearance) {
                seen.push(appearance);
                entries.push(entry);
            }
        }
        Self::with(entries, room)
    }

    fn with(entries: Vec<LegendEntry<'p>>, room: f64) -> Option<Self> {
        let text_room = room - 2.0 * (INSET + EDGE) - SAMPLE_WIDTH - GAP;
        let size = entries.iter().map(|entry| entry.label.fitted_size(size::LEGEND, text_room)).reduce(f64::min)?;
        Some(Self { entries, size })
    }

    /// Returns the width and height of the entries in one column.
    pub(crate) fn column_size(&self) -> [f64; 2] {
        let width = self.entries.iter().map(|entry| self.entry_width(entry)).fold(0.0, f64::max);
        [width + 2.0 * EDGE, LINE * self.entries.len() as f64 + 2.0 * EDGE]
    }

    /// Places the entries in one column, with the upper left corner of the key at a point.
    pub(crate) fn column_at(&self, [left, top]: Point) -> PlacedLegend {
        let [width, height] = self.column_size();
        let place = |k: usize| [left + EDGE, top + EDGE + LINE * (k as f64 + 0.5)];
        PlacedLegend { rect: Rect { left, top, width, height }, places: (0..self.entries.len()).map(place).collect() }
    }

    /// Places the entries side by side in lines of at most `width`, centered at `middle`, from `top` downwards.
    pub(crate) fn lines_at(&self, middle: f64, top: f64, width: f64) -> PlacedLegend {
        let column = self.entries.iter().map(|entry| self.entry_width(entry)).fold(0.0, f64::max);
        let across = (((width - 2.0 * EDGE + BETWEEN) / (column + BETWEEN)) as usize).clamp(1, self.entries.len());
        // The smallest number of columns for this number of lines: five entries are arranged as 3 + 2, not 4 + 1.
        let lines = self.entries.len().div_ceil(across);
        let across = self.entries.len().div_ceil(lines);
        let total = across as f64 * (column + BETWEEN) - BETWEEN + 2.0 * EDGE;
        let rect = Rect { left: middle - 0.5 * total, top, width: total, height: LINE * lines as f64 + 2.0 * EDGE };
        let place = |k: usize| {
            let [line, position] = [k / across, k % across].map(|n| n as f64);
            [rect.left + EDGE + position * (column + BETWEEN), top + EDGE + LINE * (line + 0.5)]
        };
        PlacedLegend { rect, places: (0..self.entries.len()).map(place).collect() }
    }

    /// Places the key in a corner of the plot; returns `None` for other values of `corner`.
    pub(crate) fn in_corner(&self, corner: Legend, plot: &Rect) -> Option<PlacedLegend> {
        let [width, height] = self.column_size();
        let [left, right] = [plot.left + INSET, plot.right() - INSET - width];
        let [top, bottom] = [plot.top + INSET, plot.bottom() - INSET - height];
        let at = match corner {
            Legend::TopLeft => [left, top],
            Legend::TopRight => [right, top],
            Legend::BottomLeft => [left, bottom],
            Legend::BottomRight => [right, bottom],
            Legend::Auto | Legend::Below | Legend::Right | Legend::Hidden => return None,
        };
        Some(self.column_at(at))
    }

    /// Places the key in the corner that hides no line or point and as little as possible of areas and axis lines. Also
    /// returns whether it hides nothing at all. Returns `None` if every corner hides a line or a point.
    pub(crate) fn in_free_corner(&self, panel: &Panel, frame: &Frame) -> Option<(PlacedLegend, bool)> {
        let [width, height] = self.column_size();
        if width > LARGEST * frame.plot.width || height > LARGEST * frame.plot.height {
            return None;
        }
        let ink: Vec<Path> = panel.marks().flat_map(|(_, mark)| mark.ink(frame)).collect();
        let axes = panel.axis_lines(frame);
        let free = |key: &PlacedLegend| hidden_length(&ink, &key.rect.expanded(1.0)) == 0.0;
        let hidden = |key: &PlacedLegend| {
            shaded_corners(panel, frame, &key.rect) + usize::from(hidden_length(&axes, &key.rect) > 0.0)
        };
        [Legend::TopRight, Legend::TopLeft, Legend::BottomLeft, Legend::BottomRight]
            .into_iter()
            .filter_map(|corner| self.in_corner(corner, &frame.plot))
            .filter(free)
            .map(|key| (hidden(&key), key))
            .min_by_key(|(hidden, _)| *hidden)
            .map(|(hidden, key)| (key, hidden == 0))
    }

    /// Draws the key on a white ground.
    pub(crate) fn draw(&self, placed: &PlacedLegend, style: Style, layer: &mut Layer) {
        let ground = ShapeFill { paint: Paint::Color(Color::WHITE), opacity: GROUND_OPACITY };
        layer.group("legend", |layer| {
            layer.shape(Shape::of([placed.rect.outline()]).painted(ground));
            for (entry, &[left, middle]) in self.entries.iter().zip(&placed.places) {
                let look = Look::new(entry.place, style);
                entry.mark.sample(look, [left + 0.5 * SAMPLE_WIDTH, middle], layer);
                // The middle of lower-case letters with ascenders is about a third of the font size above the base
                // line.
                let at = [left + SAMPLE_WIDTH + GAP, middle + 0.34 * self.size];
                layer.text(Text::new(entry.label.clone(), Anchor::Start, at, self.size));
            }
        });
    }

    fn entry_width(&self, entry: &LegendEntry<'_>) -> f64 {
        SAMPLE_WIDTH + GAP + entry.label.width(self.size)
    }
}

/// Returns the length of all lines under a rectangle.
fn hidden_length(ink: &[Path], rect: &Rect) -> f64 {
    let length = |path: &Path| -> f64 {
        let points = &path.points;
        let closing = points.last().zip(points.first()).filter(|_| path.closed);
        let closing = closing.map_or(0.0, |(&last, &first)| rect.covered_length(last, first));
        closing + points.windows(2).map(|pair| rect.covered_length(pair[0], pair[1])).sum::<f64>()
    };
    ink.iter().map(length).sum()
}

/// Counts the points among a rectangle's corners and center that lie on a painted area.
fn shaded_corners(panel: &Panel, frame: &Frame, rect: &Rect) -> usize {
    let [left, right, top, bottom] = [rect.left, rect.right(), rect.top, rect.bottom()];
    [[left, top], [right, top], [left, bottom], [right, bottom], rect.center()]
        .into_iter()
        .filter(|&at| panel.areas().any(|(_, mark)| mark.shades(frame, at)))
        .count()
}
