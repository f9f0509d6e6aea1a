//! Hatchings for regions in black and white, which remain visible where they overlap.

use super::Color;

/// A pattern of lines or dots on a transparent ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hatch {
    Rising,
    Falling,
    Dots,
    Level,
    Upright,
}

impl Hatch {
    /// Distance between lines or dots.
    pub(crate) const SPACING: f64 = 4.0;
    /// Width of the lines and radius of the dots, in a gray that does not obscure the curves.
    pub(crate) const WIDTH: f64 = 0.45;
    pub(crate) const DOT: f64 = 0.6;
    pub(crate) const INK: Color = Color(94, 94, 94);

    pub(crate) const ALL: [Self; 5] = [Self::Rising, Self::Falling, Self::Dots, Self::Level, Self::Upright];

    /// Returns the hatching of the region at index `place`; `None` stands for a plain gray, every sixth region.
    pub(super) fn cycled(place: usize) -> Option<Self> {
        let turn = place % (Self::ALL.len() + 1);
        turn.checked_sub(1).map(|k| Self::ALL[k])
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Rising => "hatch-rising",
            Self::Falling => "hatch-falling",
            Self::Dots => "hatch-dots",
            Self::Level => "hatch-level",
            Self::Upright => "hatch-upright",
        }
    }

    /// Returns the clockwise rotation of the lines, in degrees.
    pub(crate) fn angle(self) -> f64 {
        match self {
            Self::Rising => -45.0,
            Self::Falling | Self::Dots => 45.0,
            Self::Level => 0.0,
            Self::Upright => 90.0,
        }
    }
}
