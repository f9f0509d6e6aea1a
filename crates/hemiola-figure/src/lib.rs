#![doc = include_str!("../README.md")]

mod axis;
mod color_bar;
mod diagram;
mod draw;
mod drawing;
mod error;
mod figure;
mod formats;
mod gallery;
mod geometry;
mod key;
mod layout;
mod legend;
mod marks;
mod node;
mod panel;
mod presentation;
mod scale;
mod scene;
mod style;
mod text;
mod ticks;

pub use axis::Axis;
pub use diagram::Diagram;
pub use drawing::Drawing;
pub use error::{AxisName, FigureError};
pub use figure::Figure;
pub use gallery::Gallery;
pub use legend::Legend;
pub use marks::{Curve, Levels, Points, Region};
pub use node::{Fill, NodeStyle};
pub use panel::Panel;
pub use scene::Scene;
pub use style::{Color, ColorMap, Dash, Marker, Style};
pub use text::{Font, FontFamily};
