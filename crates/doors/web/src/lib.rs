#![doc = include_str!("../README.md")]

pub mod answers;
mod asked;
pub mod bindings;
mod canvas;
mod progress;
mod subject;
mod words;

pub use answers::{answer, answer_with_progress};
pub use progress::{Progress, ProgressCallback};
