//! Dash patterns and markers that can be distinguished in print.

use serde::{Deserialize, Serialize};

/// Dash pattern of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dash {
    /// An unbroken line.
    Solid,
    /// Dashes.
    Dashed,
    /// Alternating dashes and dots.
    DashDot,
    /// Dots.
    Dotted,
    /// Long dashes.
    LongDash,
    /// A dash and two dots, repeated.
    DashDotDot,
}

impl Dash {
    const CYCLE: [Self; 6] = [Self::Solid, Self::Dashed, Self::DashDot, Self::Dotted, Self::LongDash, Self::DashDotDot];

    /// Returns the pattern of the curve at index `place` in its panel.
    pub(crate) fn cycled(place: usize) -> Self {
        Self::CYCLE[place % Self::CYCLE.len()]
    }

    /// Returns lengths of strokes and gaps in line widths; empty for an unbroken line.
    pub(crate) fn pattern(self) -> &'static [f64] {
        match self {
            Self::Solid => &[],
            Self::Dashed => &[4.0, 2.0],
            Self::DashDot => &[5.0, 1.6, 1.2, 1.6],
            Self::Dotted => &[1.2, 1.6],
            Self::LongDash => &[7.5, 2.0],
            Self::DashDotDot => &[5.0, 1.6, 1.2, 1.6, 1.2, 1.6],
        }
    }
}

/// Shape of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Marker {
    /// A filled circle.
    Circle,
    /// A filled square.
    Square,
    /// A filled triangle.
    Triangle,
    /// A filled diamond.
    Diamond,
    /// A diagonal cross.
    Cross,
    /// An upright cross.
    Plus,
}

impl Marker {
    const CYCLE: [Self; 6] = [Self::Circle, Self::Square, Self::Triangle, Self::Diamond, Self::Cross, Self::Plus];

    /// Returns the marker of the points at index `place` in their panel.
    pub(crate) fn cycled(place: usize) -> Self {
        Self::CYCLE[place % Self::CYCLE.len()]
    }

    /// Returns whether the shape is filled. Crosses are stroked.
    pub(crate) fn is_filled(self) -> bool {
        !matches!(self, Self::Cross | Self::Plus)
    }
}
