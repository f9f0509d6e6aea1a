//! Drawing a laid-out panel: marks, frame, ticks and text.

use crate::layout::{CAP_HEIGHT, Cell, LABEL_GAP, LINE_HEIGHT, TICK, TICK_GAP, label_height, widest};
use crate::marks::Mark;
use crate::scene::{Layer, Outline, Shape};
use crate::style::{Color, Look, Style};
use crate::text::{Anchor, Label, Text, plain, size};
use crate::ticks::Tick;

/// Line widths in points.
const FRAME_WIDTH: f64 = 0.6;
const ZERO_WIDTH: f64 = 0.4;
/// Length of minor ticks relative to major ticks.
const MINOR: f64 = 0.6;
/// Distance between a title's base line and the frame, with space for subscripts.
const TITLE_GAP: f64 = 4.0;

/// Draws a panel relative to the origin of the enclosing group; `tag`, such as "(a)", precedes its title.
pub(crate) fn panel(cell: &Cell<'_>, tag: Option<&str>, style: Style, layer: &mut Layer) {
    let edged = cell.panel.levels.is_some();
    layer.clipped(cell.frame.plot, |layer| {
        for (place, mark) in cell.panel.areas() {
            named(mark, layer, |layer| mark.draw(Look::new(place, style), &cell.frame, layer));
        }
        layer.shape(Shape::of(cell.panel.axis_lines(&cell.frame)).stroked(Color::GRAY, ZERO_WIDTH));
        for (place, mark) in cell.panel.lines() {
            named(mark, layer, |layer| mark.draw(Look { place, style, edged }, &cell.frame, layer));
        }
    });
    axes(cell, layer);
    // Markers are drawn above the frame, so that a marker on the edge is complete.
    for (place, mark) in cell.panel.lines() {
        named(mark, layer, |layer| mark.draw_markers(Look { place, style, edged }, &cell.frame, cell.font, layer));
    }
    if let Some(bar) = &cell.bar {
        bar.draw(&cell.frame.plot, style, layer);
    }
    axis_labels(cell, layer);
    title(cell, tag, layer);
    if let Some((key, placed)) = &cell.key {
        key.draw(placed, style, layer);
    }
}

/// Draws a mark in a group with its label as title, so that it can be found in an editor.
fn named(mark: &dyn Mark, layer: &mut Layer, draw: impl FnOnce(&mut Layer)) {
    match mark.label().filter(|label| !label.is_empty()) {
        Some(label) => layer.titled(mark.kind(), plain(label), draw),
        None => draw(layer),
    }
}

/// Draws the frame, the ticks and their numbers.
fn axes(cell: &Cell<'_>, layer: &mut Layer) {
    let frame = std::iter::once(Outline::Line(cell.frame.plot.outline()));
    layer.shape(Shape::new(frame.chain(tick_marks(cell))).stroked(Color::BLACK, FRAME_WIDTH));
    layer.group("ticks", |layer| {
        x_numbers(cell, layer);
        y_numbers(cell, layer);
    });
}

fn tick_marks(cell: &Cell<'_>) -> impl Iterator<Item = Outline> {
    let plot = &cell.frame.plot;
    let length = |tick: &Tick| if tick.label.is_empty() { MINOR * TICK } else { TICK };
    let x = cell.x_ticks.iter().map(move |tick| {
        let x = x_of(cell, tick);
        Outline::open(vec![[x, plot.bottom()], [x, plot.bottom() + length(tick)]])
    });
    let y = cell.y_ticks.iter().map(move |tick| {
        let y = y_of(cell, tick);
        Outline::open(vec![[plot.left, y], [plot.left - length(tick), y]])
    });
    x.chain(y)
}

fn x_numbers(cell: &Cell<'_>, layer: &mut Layer) {
    let base = cell.frame.plot.bottom() + TICK + TICK_GAP + label_height(&cell.x_ticks);
    for tick in labeled(&cell.x_ticks) {
        let label = Label::new(&tick.label, cell.font);
        layer.text(Text::new(label, Anchor::Middle, [x_of(cell, tick), base], size::TICK));
    }
}

fn y_numbers(cell: &Cell<'_>, layer: &mut Layer) {
    let right = cell.frame.plot.left - TICK - TICK_GAP;
    for tick in labeled(&cell.y_ticks) {
        let at = [right, y_of(cell, tick) + 0.5 * CAP_HEIGHT * size::TICK];
        layer.text(Text::new(Label::new(&tick.label, cell.font), Anchor::End, at, size::TICK));
    }
}

fn labeled(ticks: &[Tick]) -> impl Iterator<Item = &Tick> {
    ticks.iter().filter(|tick| !tick.label.is_empty())
}

fn x_of(cell: &Cell<'_>, tick: &Tick) -> f64 {
    cell.frame.plot.left + cell.frame.plot.width * cell.frame.x.fraction_of_scaled(tick.at)
}

fn y_of(cell: &Cell<'_>, tick: &Tick) -> f64 {
    cell.frame.plot.bottom() - cell.frame.plot.height * cell.frame.y.fraction_of_scaled(tick.at)
}

fn axis_labels(cell: &Cell<'_>, layer: &mut Layer) {
    let plot = &cell.frame.plot;
    let [middle_x, middle_y] = plot.center();
    let x = Label::new(&cell.panel.x.label, cell.font);
    if !x.is_blank() {
        let below_numbers = plot.bottom() + TICK + TICK_GAP + label_height(&cell.x_ticks);
        centered(&x, [middle_x, below_numbers + LABEL_GAP + size::LABEL], cell.width, layer);
    }
    let y = Label::new(&cell.panel.y.label, cell.font);
    if !y.is_blank() {
        let numbers = widest(&cell.y_ticks, cell.font);
        let at = [plot.left - TICK - TICK_GAP - numbers - LABEL_GAP - (LINE_HEIGHT - 1.0) * size::LABEL, middle_y];
        let size = y.fitted_size(size::LABEL, plot.height + 2.0 * plot.top);
        layer.text(Text::new(y, Anchor::Middle, at, size).upright());
    }
}

fn title(cell: &Cell<'_>, tag: Option<&str>, layer: &mut Layer) {
    let plot = &cell.frame.plot;
    let lines = cell.title_lines(tag.unwrap_or_default());
    for (above, line) in lines.iter().rev().enumerate() {
        let label = Label::new(line, cell.font);
        if !label.is_blank() {
            let base = plot.top - TITLE_GAP - above as f64 * LINE_HEIGHT * size::LABEL;
            centered(&label, [plot.center()[0], base], cell.width, layer);
        }
    }
}

/// Draws a label centered at a point, or as near to it as the cell allows, shrunk if it is wider than the cell.
fn centered(label: &Label, [middle, base]: [f64; 2], cell_width: f64, layer: &mut Layer) {
    let size = label.fitted_size(size::LABEL, cell_width);
    let half = 0.5 * label.width(size);
    let at = [middle.min(cell_width - half).max(half), base];
    layer.text(Text::new(label.clone(), Anchor::Middle, at, size));
}
