#![doc = include_str!("../README.md")]

pub mod answers;
mod asked;
pub mod bindings;
mod canvas;
mod subject;
mod words;

pub use answers::answer;
