//! Output formats of a scene, one folder each. No format makes layout decisions.

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
pub use self::plotters::{DrawOnError, Letters, TerminalBackend, TerminalColors, fine_svg};
#[cfg(all(feature = "gif", not(target_arch = "wasm32")))]
pub use self::plotters::{GifError, GifOptions, write_gif};
