//! Diagrams: nodes and edges without axes, and pages of them.

mod diagram;
mod gallery;
mod key;
mod node;

pub use diagram::Diagram;
pub use gallery::Gallery;
pub use node::{Fill, NodeStyle};
