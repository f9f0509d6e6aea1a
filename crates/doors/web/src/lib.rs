#![doc = include_str!("../README.md")]

pub mod answers;
mod requests;
pub mod bindings;
mod canvas;
mod progress;
mod subject;
mod wording;

pub use answers::{answer, answer_with_progress};
pub use progress::{Progress, ProgressCallback};
