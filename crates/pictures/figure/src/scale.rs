//! Scales of axes and ranges.

use serde::{Deserialize, Serialize};

/// Scale of an axis: the function of the data that is linear on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Scale {
    #[default]
    Linear,
    /// Linear, with ticks at whole numbers only.
    Whole,
    /// Logarithmic: decades have equal lengths.
    Log,
}

impl Scale {
    /// Maps data to the scaled coordinate: the identity, or log₁₀.
    pub(crate) fn forward(self, value: f64) -> f64 {
        match self {
            Self::Linear | Self::Whole => value,
            Self::Log => value.log10(),
        }
    }
}

/// Range of an axis in scaled coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    pub(crate) scale: Scale,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Range {
    pub(crate) fn length(&self) -> f64 {
        self.high - self.low
    }

    /// Returns the relative position of a data value: 0 at the lower end, 1 at the upper.
    pub(crate) fn fraction(&self, value: f64) -> f64 {
        self.fraction_of_scaled(self.scale.forward(value))
    }

    /// Returns the relative position of a scaled coordinate.
    pub(crate) fn fraction_of_scaled(&self, scaled: f64) -> f64 {
        (scaled - self.low) / self.length()
    }

    /// Returns the range of the given length with the same center.
    pub(crate) fn stretched(self, length: f64) -> Self {
        let middle = 0.5 * (self.low + self.high);
        Self { low: middle - 0.5 * length, high: middle + 0.5 * length, ..self }
    }
}
