//! Labels at places of the page.

use super::label::Label;
#[cfg(any(feature = "pdf", feature = "plotters", feature = "png"))]
use super::runs::Run;
use crate::geometry::Point;

/// Which part of a text is at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A label at a place of the page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text {
    pub(crate) label: Label,
    /// The place on the base line.
    pub(crate) at: Point,
    pub(crate) size: f64,
    pub(crate) anchor: Anchor,
    /// Whether the text runs upwards.
    pub(crate) upright: bool,
}

impl Text {
    /// A label of a size with a part of it at a place.
    pub(crate) fn new(label: Label, anchor: Anchor, at: Point, size: f64) -> Self {
        Self { label, at, size, anchor, upright: false }
    }

    /// The same, running upwards.
    pub(crate) fn upright(self) -> Self {
        Self { upright: true, ..self }
    }

    /// The runs of the text, and where its base line starts.
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

    /// The point of the page for one beside the base line: so far along it and so far below.
    #[cfg(any(feature = "pdf", feature = "plotters", feature = "png"))]
    pub(crate) fn place(&self, [x, y]: Point, [along, below]: Point) -> Point {
        if self.upright { [x + below, y - along] } else { [x + along, y + below] }
    }
}
