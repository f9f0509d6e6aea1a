//! Force elements: springs, dampers, bushings, engines, brakes, drag, and wheels on a road.

pub(crate) mod connections;
pub(crate) mod curve;
pub(crate) mod description;
pub(crate) mod elements;
pub(crate) mod tire;

pub use curve::Characteristic;
pub use description::{Brake, Bushing, Drag, Drivetrain, Forces, Load, Road, Spring, Term, Tire, Torsion};
