//! Shapes: outlines with a fill and a stroke.

use crate::geometry::{Path, Point};
use crate::style::{Color, Hatch};

/// One outline of a shape.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outline {
    Line(Path),
    Circle { center: Point, radius: f64 },
}

/// Outlines drawn together. The interior follows from the even-odd rule.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Shape {
    pub(crate) outlines: Vec<Outline>,
    pub(crate) fill: Option<ShapeFill>,
    pub(crate) stroke: Option<Stroke>,
}

/// Filling of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ShapeFill {
    pub(crate) paint: Paint,
    /// Opacity from 0 (transparent) to 1.
    pub(crate) opacity: f64,
}

/// Paint of an area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Paint {
    Color(Color),
    Hatch(Hatch),
}

/// Stroke of outlines, with butt line ends.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stroke {
    pub(crate) color: Color,
    pub(crate) width: f64,
    /// Alternating lengths of dashes and gaps; empty for an unbroken line.
    pub(crate) dashes: Vec<f64>,
    /// Whether corners are rounded instead of mitered.
    pub(crate) round: bool,
}

impl Shape {
    pub(crate) fn new(outlines: impl IntoIterator<Item = Outline>) -> Self {
        Self { outlines: outlines.into_iter().collect(), fill: None, stroke: None }
    }

    pub(crate) fn of(paths: impl IntoIterator<Item = Path>) -> Self {
        Self::new(paths.into_iter().map(Outline::Line))
    }

    /// Fills the interior with an opaque color.
    pub(crate) fn filled(self, color: Color) -> Self {
        self.painted(ShapeFill { paint: Paint::Color(color), opacity: 1.0 })
    }

    pub(crate) fn painted(self, fill: ShapeFill) -> Self {
        Self { fill: Some(fill), ..self }
    }

    /// Strokes the outlines with an unbroken line and mitered corners.
    pub(crate) fn stroked(self, color: Color, width: f64) -> Self {
        self.drawn(Stroke { color, width, dashes: Vec::new(), round: false })
    }

    pub(crate) fn drawn(self, stroke: Stroke) -> Self {
        Self { stroke: Some(stroke), ..self }
    }
}

impl Outline {
    pub(crate) fn closed(points: Vec<Point>) -> Self {
        Self::Line(Path { points, closed: true })
    }

    pub(crate) fn open(points: Vec<Point>) -> Self {
        Self::Line(Path { points, closed: false })
    }
}
