//! Scenes on plotters areas, compared with the pixels of PNG files.

#![allow(clippy::unwrap_used, reason = "helpers of tests, too, fail by panicking")]

mod bitmap;
mod pictures;
mod scenes;
mod shapes;
mod text;
