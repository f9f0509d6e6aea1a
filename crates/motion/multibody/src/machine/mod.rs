//! Machines, as described and as a tree prepared for dynamics.

pub(crate) mod description;
pub(crate) mod tree;
pub(crate) mod values;

pub use description::{Body, GROUND, Initial, Joint, JointKind, Loop, LoopKind, Machine};
