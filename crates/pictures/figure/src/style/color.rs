//! RGB colors.

use serde::{Deserialize, Serialize};

/// A color by its red, green and blue components.
///
/// The constants are the palette of Okabe and Ito, which readers with any common color blindness can distinguish. Its
/// yellow is omitted because a thin yellow line is barely visible on white paper.
///
/// ```
/// use hemiola_figure::Color;
///
/// assert_eq!(Color::BLUE.to_string(), "#0072b2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Color(pub u8, pub u8, pub u8);

impl Color {
    /// Black.
    pub const BLACK: Self = Self(0, 0, 0);
    /// White, the color of the paper.
    pub const WHITE: Self = Self(255, 255, 255);
    /// Medium gray, for background elements.
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

    /// Color cycle of the marks of a panel.
    pub(super) const CYCLE: [Self; 7] =
        [Self::BLUE, Self::VERMILION, Self::GREEN, Self::PURPLE, Self::ORANGE, Self::SKY, Self::BLACK];

    /// Returns the default color of the curve at index `place` in its panel; the palette repeats.
    ///
    /// ```
    /// use hemiola_figure::Color;
    ///
    /// assert_eq!([0, 1, 7].map(Color::of_curve), [Color::BLUE, Color::VERMILION, Color::BLUE]);
    /// ```
    #[must_use]
    pub fn of_curve(place: usize) -> Self {
        Self::CYCLE[place % Self::CYCLE.len()]
    }

    /// Returns the lightness L* of CIELAB: 0 for black, 100 for white.
    pub(crate) fn lightness(self) -> f64 {
        let [red, green, blue] = [self.0, self.1, self.2].map(linear);
        let luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        if luminance > 216.0 / 24389.0 { 116.0 * luminance.cbrt() - 16.0 } else { luminance * 24389.0 / 27.0 }
    }

    pub(crate) fn is_neutral(self) -> bool {
        self.0 == self.1 && self.1 == self.2
    }
}

/// Converts a component of an sRGB color to linear light from 0 to 1 (IEC 61966-2-1).
pub(super) fn linear(part: u8) -> f64 {
    let value = f64::from(part) / 255.0;
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

impl From<Color> for String {
    fn from(color: Color) -> Self {
        color.to_string()
    }
}

impl TryFrom<String> for Color {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii());
        let part = |k: usize| u8::from_str_radix(digits?.get(2 * k..2 * k + 2)?, 16).ok();
        match (part(0), part(1), part(2)) {
            (Some(red), Some(green), Some(blue)) => Ok(Self(red, green, blue)),
            _ => Err(format!("`{text}` is not a color; expected #RRGGBB, such as #0072b2")),
        }
    }
}

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}
