//! The single-track car of test drives: its equations, and a model with sinusoidal steering.

mod car;
mod maneuver;
#[cfg(test)]
mod tests;

pub use car::SingleTrack;
pub(crate) use maneuver::KIND;
