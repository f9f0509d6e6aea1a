//! The color bar of a panel, which relates colors to levels.

use crate::geometry::{Path, Point, Rect};
use crate::layout::{CAP_HEIGHT, LABEL_GAP, LINE_HEIGHT, TICK, TICK_GAP, widest};
use crate::marks::{Bands, Levels, Mark};
use crate::scene::{Layer, Outline, Shape};
use crate::style::{Color, Look, Style};
use crate::text::{Anchor, Font, Label, Text, size};
use crate::ticks::{Tick, level_ticks};

/// Gap between the plot and the bar, and width of the bar.
const GAP: f64 = 7.0;
const WIDTH: f64 = 8.0;
/// Line width of the frame and the ticks.
const LINE: f64 = 0.6;
/// Widths of the line at a marked level and of its white edge.
const MARK: f64 = 1.2;
const MARK_EDGE: f64 = 2.2;
/// Maximum length of the pointed end of an unbounded band.
const POINT: f64 = 6.0;
/// Length of minor ticks relative to major ticks.
const MINOR: f64 = 0.6;

/// Color bar of a panel: bands of equal height, separated by the levels.
pub(crate) struct ColorBar<'p> {
    levels: &'p Levels,
    label: Label,
    font: &'p Font,
    height: f64,
}

impl<'p> ColorBar<'p> {
    /// Creates the bar beside a plot of the given height; returns `None` if there are no levels.
    pub(crate) fn of(levels: &'p Levels, height: f64, font: &'p Font) -> Option<Self> {
        let label = Label::new(levels.label().unwrap_or_default(), font);
        (!levels.values().is_empty()).then_some(Self { levels, label, font, height })
    }

    /// Returns a tick per level; levels without room for a number have no label. The unit is the height of a band.
    fn ticks(&self, bands: &Bands) -> Vec<Tick> {
        let unit = self.height / bands.colors.len() as f64;
        level_ticks(&bands.values, bands.below, unit, LINE_HEIGHT * size::TICK)
    }

    /// Returns the width of the numbers, maximized over the styles so that the layout does not depend on the style.
    fn numbers_width(&self) -> f64 {
        let width = |style| widest(&self.ticks(&Self::bands(self.levels, style)), self.font);
        f64::max(width(Style::Color), width(Style::Monochrome))
    }

    fn bands(levels: &Levels, style: Style) -> Bands {
        levels.bands(Look::new(0, style))
    }

    /// Returns the width that the bar, its numbers and its label occupy to the right of the plot.
    pub(crate) fn width(&self) -> f64 {
        let label = if self.label.is_blank() { 0.0 } else { LABEL_GAP + LINE_HEIGHT * size::LABEL };
        GAP + WIDTH + TICK + TICK_GAP + self.numbers_width() + label
    }

    pub(crate) fn draw(&self, plot: &Rect, style: Style, layer: &mut Layer) {
        let bar = Rect { left: plot.right() + GAP, width: WIDTH, ..*plot };
        let bands = Self::bands(self.levels, style);
        let ticks = self.ticks(&bands);
        layer.group("color-bar", |layer| {
            paint(&bar, &bands, layer);
            let frame = std::iter::once(Outline::Line(outline(&bar, &bands))).chain(tick_marks(&ticks, &bar, &bands));
            layer.shape(Shape::new(frame).stroked(Color::BLACK, LINE));
            self.mark(&bar, &bands, layer);
            self.numbers(&ticks, &bar, &bands, layer);
            self.name(&bar, layer);
        });
    }

    /// Draws the line across the bar at the marked level.
    fn mark(&self, bar: &Rect, bands: &Bands, layer: &mut Layer) {
        if let Some(place) = self.levels.marked_place(bands) {
            let y = height_of(bar, bands, (place + bands.below) as f64);
            let line = || Shape::new([Outline::open(vec![[bar.left, y], [bar.right(), y]])]);
            layer.shape(line().stroked(Color::WHITE, MARK_EDGE));
            layer.shape(line().stroked(Color::BLACK, MARK));
        }
    }

    fn numbers(&self, ticks: &[Tick], bar: &Rect, bands: &Bands, layer: &mut Layer) {
        for tick in ticks.iter().filter(|tick| !tick.label.is_empty()) {
            let middle = height_of(bar, bands, tick.at);
            let at = [bar.right() + TICK + TICK_GAP, middle + 0.5 * CAP_HEIGHT * size::TICK];
            layer.text(Text::new(Label::new(&tick.label, self.font), Anchor::Start, at, size::TICK));
        }
    }

    fn name(&self, bar: &Rect, layer: &mut Layer) {
        if self.label.is_blank() {
            return;
        }
        let numbers = bar.right() + TICK + TICK_GAP + self.numbers_width();
        let at = [numbers + LABEL_GAP + size::LABEL, bar.center()[1]];
        let size = self.label.fitted_size(size::LABEL, bar.height + 2.0 * bar.top);
        layer.text(Text::new(self.label.clone(), Anchor::Middle, at, size).upright());
    }
}

fn tick_marks(ticks: &[Tick], bar: &Rect, bands: &Bands) -> impl Iterator<Item = Outline> {
    ticks.iter().map(move |tick| {
        let length = if tick.label.is_empty() { MINOR * TICK } else { TICK };
        let y = height_of(bar, bands, tick.at);
        Outline::open(vec![[bar.right(), y], [bar.right() + length, y]])
    })
}

/// Returns the y coordinate on the page of the lower end of a band.
fn height_of(bar: &Rect, bands: &Bands, band: f64) -> f64 {
    bar.bottom() - bar.height * band / bands.colors.len() as f64
}

/// Returns the outline of the bar, with pointed ends at unbounded bands.
fn outline(bar: &Rect, bands: &Bands) -> Path {
    let [left, right] = [bar.left, bar.right()];
    let bottom = end([left, right], bar.bottom(), -point(bar, bands), bands.bounded[0]);
    let top = end([right, left], bar.top, point(bar, bands), bands.bounded[1]);
    Path { points: bottom.into_iter().chain(top).collect(), closed: true }
}

/// Returns one end of a bar from side to side: a straight edge, or a point whose tip is at the end of the bar.
fn end([from, to]: [f64; 2], at: f64, point: f64, bounded: bool) -> Vec<Point> {
    if bounded {
        vec![[from, at], [to, at]]
    } else {
        vec![[from, at + point], [0.5 * (from + to), at], [to, at + point]]
    }
}

fn point(bar: &Rect, bands: &Bands) -> f64 {
    POINT.min(0.5 * bar.height / bands.colors.len() as f64)
}

/// Paints overlapping bands, as in the panel: each band extends below the following ones down to the end of the bar.
fn paint(bar: &Rect, bands: &Bands, layer: &mut Layer) {
    let [left, right] = [bar.left, bar.right()];
    let bottom = end([left, right], bar.bottom(), -point(bar, bands), bands.bounded[0]);
    let count = bands.colors.len();
    for (band, color) in bands.colors.iter().enumerate().rev() {
        let top = height_of(bar, bands, (band + 1) as f64);
        let bounded = bands.bounded[1] || band + 1 < count;
        let points = bottom.iter().copied().chain(end([right, left], top, point(bar, bands), bounded)).collect();
        layer.shape(Shape::of([Path { points, closed: true }]).filled(*color));
    }
}
