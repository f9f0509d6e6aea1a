//! How numbers on an axis become lengths.

use serde::{Deserialize, Serialize};

/// The function that is linear on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Scale {
    #[default]
    Linear,
    /// Linear, with ticks at whole numbers only.
    Whole,
    /// Decades have equal lengths.
    Log,
}

impl Scale {
    /// Data to scaled coordinate: the identity, or log₁₀.
    pub(crate) fn forward(self, value: f64) -> f64 {
        match self {
            Self::Linear | Self::Whole => value,
            Self::Log => value.log10(),
        }
    }
}

/// The part of an axis that a panel shows, in scaled coordinates.
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

    /// Where a datum lies: 0 at the lower end, 1 at the upper.
    pub(crate) fn fraction(&self, value: f64) -> f64 {
        self.fraction_of_scaled(self.scale.forward(value))
    }

    /// The same for a coordinate that is scaled already.
    pub(crate) fn fraction_of_scaled(&self, scaled: f64) -> f64 {
        (scaled - self.low) / self.length()
    }

    /// The range made `length` long about its middle.
    pub(crate) fn stretched(self, length: f64) -> Self {
        let middle = 0.5 * (self.low + self.high);
        Self { low: middle - 0.5 * length, high: middle + 0.5 * length, ..self }
    }
}
