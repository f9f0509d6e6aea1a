//! stub
pub mod calculus;
pub mod lane_change;
pub mod problem;
pub mod shooting;
pub mod sqp;
pub mod steps;
pub use calculus::{Differentiable, Number, Smooth};
pub use lane_change::{LaneChange, SteeredCar, Track};
pub use problem::*;
pub use shooting::*;
pub use steps::*;
