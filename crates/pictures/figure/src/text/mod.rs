//! Text: markup, fonts, and positions of letters.

mod face;
mod font;
mod label;
mod markup;
mod placed;
mod runs;

#[cfg(feature = "pdf")]
pub(crate) use face::Face;
pub use font::{Font, FontFamily};
pub(crate) use label::Label;
pub use label::plain;
pub use markup::escaped;
pub(crate) use markup::{Script, Span};
pub(crate) use placed::{Anchor, Text};
#[cfg(any(feature = "pdf", feature = "plotters"))]
pub(crate) use runs::Run;
pub(crate) use runs::{SCRIPT_SIZE, shift};

/// Font sizes in points, for a figure printed one column wide.
pub(crate) mod size {
    pub(crate) const TITLE: f64 = 9.0;
    pub(crate) const LABEL: f64 = 8.0;
    pub(crate) const TICK: f64 = 7.0;
    pub(crate) const LEGEND: f64 = 7.0;
}
