//! The formats that a scene is written in, a folder each. None decides where anything stands.

#[cfg(feature = "png")]
mod letters;
#[cfg(feature = "pdf")]
mod pdf;
#[cfg(feature = "png")]
mod png;
mod svg;
mod tikz;
