//! Margins of a plot for ticks and labels.

use super::{CAP_HEIGHT, EDGE, LABEL_GAP, LINE_HEIGHT, TICK, TICK_GAP};
use crate::panel::Panel;
use crate::scale::Range;
use crate::text::{Font, Label, plain, size};
use crate::ticks::{Tick, TickSpace, equal_ticks, ticks};

/// Smallest distances of ticks along the axes, and gap between the labels of the x axis.
const X_SPACING: f64 = 26.0;
const Y_SPACING: f64 = 20.0;
const X_LABEL_GAP: f64 = 6.0;

/// Margins of a plot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Margins {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Margins {
    pub(super) fn of(panel: &Panel, x: (&Range, &[Tick]), y: (&Range, &[Tick]), width: f64, font: &Font) -> Self {
        let y_ticks = widest(y.1, font) + TICK_GAP + TICK;
        let [left_of_plot, right_of_plot] = overhang(x.0, x.1, width, font);
        Self {
            left: (axis_label(&panel.y.label) + y_ticks).max(left_of_plot),
            right: right_of_plot.max(EDGE),
            bottom: TICK + TICK_GAP + label_height(x.1) + axis_label(&panel.x.label),
        }
    }
}

/// Returns the ticks of both axes of a plot of the given size. With `equal` units the steps are equal too, if they fit.
pub(super) fn axis_ticks([x, y]: [&Range; 2], [width, height]: [f64; 2], equal: bool, font: &Font) -> [Vec<Tick>; 2] {
    let x_label = |text: &str| Label::new(text, font).width(size::TICK) + X_LABEL_GAP;
    let y_label = |_: &str| LINE_HEIGHT * size::TICK;
    let across = TickSpace { length: width, spacing: X_SPACING, label: &x_label };
    let up = TickSpace { length: height, spacing: Y_SPACING, label: &y_label };
    if equal { equal_ticks([x, y], [&across, &up]) } else { [ticks(x, &across), ticks(y, &up)] }
}

/// Returns the height of the labels of the x axis above their base line. Superscripts increase it.
pub(crate) fn label_height(ticks: &[Tick]) -> f64 {
    let raised = ticks.iter().any(|tick| tick.label.contains("^{"));
    size::TICK * if raised { LINE_HEIGHT * CAP_HEIGHT } else { CAP_HEIGHT }
}

/// Returns the height of an axis label including its gap; zero for a blank label.
fn axis_label(label: &str) -> f64 {
    if plain(label).trim().is_empty() { 0.0 } else { LABEL_GAP + LINE_HEIGHT * size::LABEL }
}

/// Returns the width of the widest label.
pub(crate) fn widest(ticks: &[Tick], font: &Font) -> f64 {
    ticks.iter().map(|tick| Label::new(&tick.label, font).width(size::TICK)).fold(0.0, f64::max)
}

/// Returns how far the labels of the x axis extend beyond the plot at its left and right.
fn overhang(range: &Range, ticks: &[Tick], width: f64, font: &Font) -> [f64; 2] {
    ticks.iter().fold([0.0, 0.0], |[left, right], tick| {
        let middle = width * range.fraction_of_scaled(tick.at);
        let half = 0.5 * Label::new(&tick.label, font).width(size::TICK);
        [f64::max(left, half - middle), f64::max(right, middle + half - width)]
    })
}
