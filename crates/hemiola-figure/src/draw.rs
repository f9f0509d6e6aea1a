//! Drawing a laid-out panel: marks, frame, ticks and text.

use crate::layout::{CAP_HEIGHT, Cell, LABEL_GAP, LINE_HEIGHT, TICK, TICK_GAP, label_height, widest};
use crate::style::{Color, Look, Style};
use crate::svg::{Element, Svg, number, path_data};
use crate::text::{Anchor, Label, Text, size};
use crate::ticks::Tick;

/// Widths of lines in points.
const FRAME_WIDTH: f64 = 0.6;
const ZERO_WIDTH: f64 = 0.4;
/// The length of minor ticks relative to the others.
const MINOR: f64 = 0.6;
/// The distance of a title's base line from the frame: its subscripts need some.
const TITLE_GAP: f64 = 4.0;

/// Draws a panel whose place on the page is given by an enclosing group; `id` tells its clip path from others, `tag`
/// ("(a)") stands before its title.
pub(crate) fn panel(cell: &Cell<'_>, id: &str, tag: Option<&str>, style: Style, svg: &mut Svg) {
    clip_path(cell, id, svg);
    svg.open(&Element::new("g").with("clip-path", format_args!("url(#{id})")));
    for (place, mark) in cell.panel.areas() {
        mark.draw(Look::new(place, style), &cell.frame, svg);
    }
    zero_lines(cell, svg);
    let edged = cell.panel.levels.is_some();
    for (place, mark) in cell.panel.lines() {
        mark.draw(Look { place, style, edged }, &cell.frame, svg);
    }
    svg.close("g");
    axes(cell, svg);
    // Above the frame, so that a marker on the edge is whole.
    for (place, mark) in cell.panel.lines() {
        mark.draw_markers(Look { place, style, edged }, &cell.frame, svg);
    }
    if let Some(bar) = &cell.bar {
        bar.draw(&cell.frame.plot, style, svg);
    }
    axis_labels(cell, svg);
    title(cell, tag, svg);
    if let Some((key, placed)) = &cell.key {
        key.draw(placed, style, svg);
    }
}

fn plot_rect(cell: &Cell<'_>) -> Element {
    let plot = &cell.frame.plot;
    Element::new("rect").at("x", plot.left).at("y", plot.top).at("width", plot.width).at("height", plot.height)
}

fn clip_path(cell: &Cell<'_>, id: &str, svg: &mut Svg) {
    svg.open(&Element::new("clipPath").with("id", id));
    svg.empty(&plot_rect(cell));
    svg.close("clipPath");
}

/// The lines x = 0 and y = 0 where they are inside.
fn zero_lines(cell: &Cell<'_>, svg: &mut Svg) {
    let lines = cell.panel.axis_lines(&cell.frame);
    if !lines.is_empty() {
        let element = Element::new("path").with("d", path_data(&lines));
        svg.empty(&element.with("stroke", Color::GRAY).at("stroke-width", ZERO_WIDTH));
    }
}

/// The frame, the ticks and their numbers.
fn axes(cell: &Cell<'_>, svg: &mut Svg) {
    svg.open(&Element::new("g").with("stroke", "black").at("stroke-width", FRAME_WIDTH).with("fill", "none"));
    svg.empty(&plot_rect(cell));
    svg.empty(&Element::new("path").with("d", tick_marks(cell)));
    svg.close("g");
    svg.open(&Element::new("g").with("class", "ticks"));
    x_numbers(cell, svg);
    y_numbers(cell, svg);
    svg.close("g");
}

fn tick_marks(cell: &Cell<'_>) -> String {
    let plot = &cell.frame.plot;
    let length = |tick: &Tick| if tick.label.is_empty() { MINOR * TICK } else { TICK };
    let x = cell
        .x_ticks
        .iter()
        .map(|tick| format!("M{} {}v{}", number(x_of(cell, tick)), number(plot.bottom()), number(length(tick))));
    let y = cell
        .y_ticks
        .iter()
        .map(|tick| format!("M{} {}h{}", number(plot.left), number(y_of(cell, tick)), number(-length(tick))));
    x.chain(y).collect()
}

fn x_numbers(cell: &Cell<'_>, svg: &mut Svg) {
    let base = cell.frame.plot.bottom() + TICK + TICK_GAP + label_height(&cell.x_ticks);
    for tick in labelled(&cell.x_ticks) {
        let at = [x_of(cell, tick), base];
        let label = Label::parse(&tick.label);
        Text { label: &label, at, size: size::TICK, anchor: Anchor::Middle, upright: false }.write(svg);
    }
}

fn y_numbers(cell: &Cell<'_>, svg: &mut Svg) {
    let right = cell.frame.plot.left - TICK - TICK_GAP;
    for tick in labelled(&cell.y_ticks) {
        let at = [right, y_of(cell, tick) + 0.5 * CAP_HEIGHT * size::TICK];
        let label = Label::parse(&tick.label);
        Text { label: &label, at, size: size::TICK, anchor: Anchor::End, upright: false }.write(svg);
    }
}

fn labelled(ticks: &[Tick]) -> impl Iterator<Item = &Tick> {
    ticks.iter().filter(|tick| !tick.label.is_empty())
}

fn x_of(cell: &Cell<'_>, tick: &Tick) -> f64 {
    cell.frame.plot.left + cell.frame.plot.width * cell.frame.x.fraction_of_scaled(tick.at)
}

fn y_of(cell: &Cell<'_>, tick: &Tick) -> f64 {
    cell.frame.plot.bottom() - cell.frame.plot.height * cell.frame.y.fraction_of_scaled(tick.at)
}

fn axis_labels(cell: &Cell<'_>, svg: &mut Svg) {
    let plot = &cell.frame.plot;
    let [middle_x, middle_y] = plot.center();
    let x = Label::parse(&cell.panel.x.label);
    if !x.is_blank() {
        let below_numbers = plot.bottom() + TICK + TICK_GAP + label_height(&cell.x_ticks);
        centred(&x, [middle_x, below_numbers + LABEL_GAP + size::LABEL], cell.width, svg);
    }
    let y = Label::parse(&cell.panel.y.label);
    if !y.is_blank() {
        let numbers = widest(&cell.y_ticks);
        let at = [plot.left - TICK - TICK_GAP - numbers - LABEL_GAP - (LINE_HEIGHT - 1.0) * size::LABEL, middle_y];
        let size = y.fitted_size(size::LABEL, plot.height + 2.0 * plot.top);
        Text { label: &y, at, size, anchor: Anchor::Middle, upright: true }.write(svg);
    }
}

fn title(cell: &Cell<'_>, tag: Option<&str>, svg: &mut Svg) {
    let text = [tag.unwrap_or_default(), &cell.panel.title].join(" ");
    let label = Label::parse(text.trim());
    if label.is_blank() {
        return;
    }
    let plot = &cell.frame.plot;
    centred(&label, [plot.center()[0], plot.top - TITLE_GAP], cell.width, svg);
}

/// Writes a label centred on a point, or as near to it as the cell allows, and smaller if it is wider than the cell.
fn centred(label: &Label, [middle, base]: [f64; 2], cell_width: f64, svg: &mut Svg) {
    let size = label.fitted_size(size::LABEL, cell_width);
    let half = 0.5 * label.width(size);
    let at = [middle.min(cell_width - half).max(half), base];
    Text { label, at, size, anchor: Anchor::Middle, upright: false }.write(svg);
}
