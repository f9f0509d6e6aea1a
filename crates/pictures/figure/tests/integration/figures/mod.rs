//! Figures measured in their SVG output.

#![allow(clippy::unwrap_used, reason = "helpers of tests, too, fail by panicking")]

mod aspect;
mod convert;
mod errors;
mod legend;
mod levels;
mod output;
pub(crate) mod read;
mod text;
