//! The formats that a scene is written in, a folder each. None decides where anything stands.

#[cfg(any(feature = "png", feature = "plotters"))]
mod canvas;
#[cfg(any(feature = "png", feature = "plotters"))]
mod letters;
mod number;
#[cfg(feature = "pdf")]
mod pdf;
#[cfg(feature = "plotters")]
mod plotters;
#[cfg(feature = "png")]
mod png;
mod svg;
mod tikz;

#[cfg(feature = "plotters")]
pub use self::plotters::{DrawOnError, Letters, fine_svg};
