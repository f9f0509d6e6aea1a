//! Text: its markup, its width, and how it is written.

mod face;
mod markup;
mod width;
mod write;

#[cfg(any(feature = "pdf", feature = "png"))]
pub(crate) use face::FILES;
pub(crate) use markup::Label;
pub(crate) use write::{Anchor, Text};

/// Sizes of type in points, for a figure printed one column wide.
pub(crate) mod size {
    pub(crate) const TITLE: f64 = 9.0;
    pub(crate) const LABEL: f64 = 8.0;
    pub(crate) const TICK: f64 = 7.0;
    pub(crate) const LEGEND: f64 = 7.0;
}

/// The fonts to try, the journals' first.
pub(crate) const FONTS: &str = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";
