//! Figures measured from the SVG that comes out.

#![allow(clippy::unwrap_used, reason = "helpers of tests, too, fail by panicking")]

mod aspect;
mod errors;
mod legend;
mod output;
mod read;
mod text;
