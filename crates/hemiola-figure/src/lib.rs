#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod axis;
mod draw;
mod error;
mod figure;
mod geometry;
mod layout;
mod legend;
mod marks;
mod panel;
mod scale;
mod style;
mod svg;
mod text;
mod ticks;

pub use axis::Axis;
pub use error::{AxisName, FigureError};
pub use figure::Figure;
pub use legend::Legend;
pub use marks::{Curve, Points, Region};
pub use panel::Panel;
pub use style::{Color, Dash, Marker};
