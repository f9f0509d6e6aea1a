//! Colours, dash patterns, markers and hatchings that stay apart on paper, in black and white, and for colour-blind readers.

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

pub(crate) use hatch::define_hatchings;
pub(crate) use look::Look;

/// What a figure is to be printed with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// Colours.
    #[default]
    Color,
    /// Black ink on white paper: lines differ in grey and pattern, regions in hatching, levels in grey.
    Monochrome,
}

/// A size that was asked for if it can be drawn, the usual one otherwise.
pub(crate) fn positive(asked: Option<f64>, usual: f64) -> f64 {
    asked.filter(|size| size.is_finite() && *size > 0.0).unwrap_or(usual)
}
