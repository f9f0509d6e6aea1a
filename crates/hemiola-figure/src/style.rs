//! Colours, dash patterns and markers that stay apart on paper, in black and white, and for colour-blind readers.

/// A colour by its red, green and blue parts.
///
/// The constants are the palette of Okabe and Ito, which people with any common colour blindness can tell apart; its
/// yellow is left out because a thin yellow line is lost on white paper.
///
/// ```
/// use hemiola_figure::Color;
///
/// assert_eq!(Color::BLUE.to_string(), "#0072b2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Color(pub u8, pub u8, pub u8);

impl Color {
    /// Black.
    pub const BLACK: Self = Self(0, 0, 0);
    /// A middle grey, for what should stay in the background.
    pub const GRAY: Self = Self(128, 128, 128);
    /// Blue, the first of the cycle.
    pub const BLUE: Self = Self(0, 114, 178);
    /// Vermilion.
    pub const VERMILION: Self = Self(213, 94, 0);
    /// Bluish green.
    pub const GREEN: Self = Self(0, 158, 115);
    /// Reddish purple.
    pub const PURPLE: Self = Self(204, 121, 167);
    /// Orange.
    pub const ORANGE: Self = Self(230, 159, 0);
    /// Sky blue.
    pub const SKY: Self = Self(86, 180, 233);

    const CYCLE: [Self; 7] =
        [Self::BLUE, Self::VERMILION, Self::GREEN, Self::PURPLE, Self::ORANGE, Self::SKY, Self::BLACK];

    /// The colour of the item at `place` in its panel.
    pub(crate) fn cycled(place: usize) -> Self {
        Self::CYCLE[place % Self::CYCLE.len()]
    }
}

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// A size that was asked for if it can be drawn, the usual one otherwise.
pub(crate) fn positive(asked: Option<f64>, usual: f64) -> f64 {
    asked.filter(|size| size.is_finite() && *size > 0.0).unwrap_or(usual)
}

/// The pattern of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dash {
    /// An unbroken line.
    Solid,
    /// Dashes.
    Dashed,
    /// Dashes and dots in turn.
    DashDot,
    /// Dots.
    Dotted,
    /// Long dashes.
    LongDash,
    /// A dash and two dots in turn.
    DashDotDot,
}

impl Dash {
    const CYCLE: [Self; 6] = [Self::Solid, Self::Dashed, Self::DashDot, Self::Dotted, Self::LongDash, Self::DashDotDot];

    /// The pattern of the curve at `place` in its panel.
    pub(crate) fn cycled(place: usize) -> Self {
        Self::CYCLE[place % Self::CYCLE.len()]
    }

    /// Lengths of strokes and gaps in line widths; empty for an unbroken line.
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

/// The shape drawn at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

    /// The marker of the points at `place` in their panel.
    pub(crate) fn cycled(place: usize) -> Self {
        Self::CYCLE[place % Self::CYCLE.len()]
    }

    /// Whether the shape is filled; the crosses are stroked.
    pub(crate) fn is_filled(self) -> bool {
        !matches!(self, Self::Cross | Self::Plus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_six_curves_differ_in_colour_and_in_pattern() {
        for i in 0..6 {
            for j in 0..i {
                assert_ne!(Color::cycled(i), Color::cycled(j));
                assert_ne!(Dash::cycled(i).pattern(), Dash::cycled(j).pattern());
            }
        }
    }

    #[test]
    fn forty_two_curves_differ_in_one_or_the_other() {
        let styles: std::collections::HashSet<_> = (0..42).map(|i| (Color::cycled(i), Dash::cycled(i))).collect();
        assert_eq!(styles.len(), 42);
    }
}
