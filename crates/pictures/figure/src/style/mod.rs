//! Colors, dash patterns, markers and hatchings that differ on paper, in black and white, and for color-blind readers.

use serde::{Deserialize, Serialize};

mod color;
mod color_map;
#[cfg(test)]
mod contrast;
mod hatch;
mod line;
mod look;

pub use color::Color;
pub use color_map::ColorMap;
pub use line::{Dash, Marker};

pub(crate) use hatch::Hatch;
pub(crate) use look::Look;

/// Printing style of a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Style {
    /// Colors.
    #[default]
    Color,
    /// Black ink on white paper: lines differ in gray and pattern, regions in hatching, levels in gray.
    Monochrome,
}

/// Returns the requested size if it is finite and positive, and the usual one otherwise.
pub(crate) fn positive(asked: Option<f64>, usual: f64) -> f64 {
    asked.filter(|size| size.is_finite() && *size > 0.0).unwrap_or(usual)
}
