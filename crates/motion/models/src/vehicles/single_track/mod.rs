//! The single-track car of test drives: its equations, and a model steered to and fro.

mod car;
mod maneuver;
#[cfg(test)]
mod tests;

pub use car::SingleTrack;
pub(crate) use maneuver::KIND;
