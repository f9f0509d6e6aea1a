//! Diagrams: nodes and edges without axes, and the pages that hold them.

mod diagram;
mod gallery;
mod key;
mod node;

pub use diagram::Diagram;
pub use gallery::Gallery;
pub use node::{Fill, NodeStyle};
