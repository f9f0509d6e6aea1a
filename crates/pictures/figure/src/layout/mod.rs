//! Division of the page into a grid of cells, each with a plot, its margins and its legend.

mod cell;
mod legend;
mod margins;
mod page;
mod shape;
mod title;

pub(crate) use cell::Cell;
pub(crate) use legend::LegendEntries;
pub(crate) use margins::{label_height, widest};
pub(crate) use page::{Page, PageOptions, millimeters, points};
pub(crate) use shape::{Aspect, equal_ranges};

/// Length of ticks.
pub(crate) const TICK: f64 = 2.5;
/// Gap between ticks and their labels.
pub(crate) const TICK_GAP: f64 = 2.0;
/// Gap between tick labels and the label of the axis.
pub(crate) const LABEL_GAP: f64 = 2.5;
/// Line height of text relative to its size.
pub(crate) const LINE_HEIGHT: f64 = 1.25;
/// Height of digits and capitals relative to the font size.
pub(crate) const CAP_HEIGHT: f64 = 0.72;
/// White edge of a page.
pub(crate) const EDGE: f64 = 2.0;
