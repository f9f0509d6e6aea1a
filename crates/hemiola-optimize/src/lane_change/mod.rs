//! The double lane change of Gerdts (2003): a car on a track with an obstacle, as fast as possible.

mod problem;
mod track;

pub use problem::{LaneChange, SteeredCar};
pub use track::Track;
