#![doc = include_str!("../README.md")]

mod axis;
mod color_bar;
#[cfg(any(feature = "pdf", feature = "png"))]
mod convert;
mod diagram;
mod document;
mod draw;
mod error;
mod figure;
mod gallery;
mod geometry;
mod key;
mod layout;
mod legend;
mod marks;
mod node;
mod panel;
mod scale;
mod style;
mod svg;
mod text;
mod ticks;

pub use axis::Axis;
#[cfg(feature = "pdf")]
pub use convert::to_pdf;
#[cfg(feature = "png")]
pub use convert::to_png;
pub use diagram::Diagram;
pub use error::{AxisName, FigureError};
pub use figure::Figure;
pub use gallery::Gallery;
pub use legend::Legend;
pub use marks::{Curve, Levels, Points, Region};
pub use node::{Fill, NodeStyle};
pub use panel::Panel;
pub use style::{Color, ColorMap, Dash, Marker, Style};
