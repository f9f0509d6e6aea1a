//! What runs show: solutions over time, machines from the side and from above.

mod outline;
mod series;

pub use outline::{outline_figure, outline_size};
pub use series::{Series, series_figure, solution_figure};
