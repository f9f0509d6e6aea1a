//! Double lane change of Gerdts (2003): a car passes an obstacle on a track in minimum time.

mod problem;
mod track;

pub use problem::{LaneChange, SteeredCar};
pub use track::LaneTrack;
