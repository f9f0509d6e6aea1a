#![doc = include_str!("../README.md")]

mod axis;
mod color_bar;
mod data;
mod diagrams;
mod draw;
mod drawing;
mod error;
mod figure;
mod file;
mod formats;
mod geometry;
mod layout;
mod legend;
mod marks;
mod monochrome;
mod panel;
mod presentation;
mod scale;
mod scene;
mod style;
mod text;
mod ticks;

pub use axis::Axis;
pub use data::MarkData;
pub use diagrams::{Diagram, Fill, Gallery, NodeStyle};
pub use drawing::Drawing;
pub use error::{AxisName, FigureError};
pub use figure::Figure;
#[cfg(feature = "plotters")]
pub use formats::{DrawOnError, Letters, TerminalBackend, TerminalColors, fine_svg};
#[cfg(all(feature = "gif", not(target_arch = "wasm32")))]
pub use formats::{GifError, GifOptions, write_gif};
pub use legend::Legend;
pub use marks::{Curve, Levels, Points, Region};
pub use panel::Panel;
pub use scene::Scene;
pub use style::{Color, ColorMap, Dash, Marker, Style};
pub use text::{Font, FontFamily, escaped, plain};
