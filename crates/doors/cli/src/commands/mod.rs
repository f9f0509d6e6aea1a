//! One file or folder per command: its options, the library calls, and the output of results.
//!
//! A command reads its options, calls the libraries, and writes text or JSON. It contains no mathematics.

pub(crate) mod atlas;
pub(crate) mod check;
pub(crate) mod complete;
pub(crate) mod completions;
#[cfg(feature = "motion")]
pub(crate) mod converge;
pub(crate) mod design;
pub(crate) mod diagnose;
pub(crate) mod draw;
pub(crate) mod example;
pub(crate) mod exchange;
#[cfg(feature = "motion")]
pub(crate) mod identify;
pub(crate) mod lint;
pub(crate) mod list;
pub(crate) mod map;
pub(crate) mod matrix;
pub(crate) mod merge;
#[cfg(feature = "motion")]
pub(crate) mod models;
#[cfg(feature = "motion")]
pub(crate) mod optimize;
pub(crate) mod polish;
pub(crate) mod polynomial;
#[cfg(feature = "motion")]
pub(crate) mod reproduce;
pub(crate) mod show;
#[cfg(feature = "motion")]
pub(crate) mod simulate;
pub(crate) mod stability;
pub(crate) mod sweep;
#[cfg(feature = "motion")]
pub(crate) mod system;
