#![doc = include_str!("../README.md")]

pub mod answers;
pub mod bindings;
mod canvas;
mod requests;
mod subject;
mod wording;

pub use answers::answer;
