//! Machines prepared for simulation, and quantities derived from their states.

pub(crate) mod axles;
pub(crate) mod definition;
mod inspection;
mod outline;
mod start;

pub use axles::{Axles, Hub, HubLoad};
pub use definition::{Mechanism, Workspace};
pub use inspection::{Coordinate, Energy, Pose, TireForce};
pub use outline::circle;
