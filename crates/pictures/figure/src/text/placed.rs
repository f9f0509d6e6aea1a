//! Labels placed on the page.

use super::label::Label;
#[cfg(any(feature = "pdf", feature = "plotters", feature = "png"))]
use super::runs::Run;
use crate::geometry::Point;

/// Part of a text that lies at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A label placed on the page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text {
    pub(crate) label: Label,
    /// Anchor point on the base line.
    pub(crate) at: Point,
    pub(crate) size: f64,
    pub(crate) anchor: Anchor,
    /// Whether the text runs upwards.
    pub(crate) upright: bool,
}

impl Text {
    /// Creates a label of the given size, anchored at a point.
    pub(crate) fn new(label: Label, anchor: Anchor, at: Point, size: f64) -> Self {
        Self { label, at, size, anchor, upright: false }
    }

    /// Rotates the text to run upwards.
    pub(crate) fn upright(self) -> Self {
        Self { upright: true, ..self }
    }

    /// Returns the runs of the text and the start of its base line.
    #[cfg(any(feature = "pdf", feature = "plotters", feature = "png"))]
    pub(crate) fn runs(&self) -> (Point, Vec<Run>) {
        let runs = self.label.runs(self.size);
        let width: f64 = runs.iter().map(Run::width).sum();
        let before = match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5 * width,
            Anchor::End => width,
        };
        let [x, y] = self.at;
        (if self.upright { [x, y + before] } else { [x - before, y] }, runs)
    }

    /// Maps coordinates along and below the base line to the page.
    #[cfg(any(feature = "pdf", feature = "plotters", feature = "png"))]
    pub(crate) fn place(&self, [x, y]: Point, [along, below]: Point) -> Point {
        if self.upright { [x + below, y - along] } else { [x + along, y + below] }
    }
}
