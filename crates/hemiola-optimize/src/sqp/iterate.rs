//! The state of the iterations, which steps of the program and of its restoration change.

use super::merit::History;
use super::program::Expansion;
use super::quasi_newton::QuasiNewton;
use super::status::Status;

/// The state of the iterations.
pub(crate) struct Iterate<'a> {
    pub(crate) x: Vec<f64>,
    pub(crate) multipliers: Vec<f64>,
    pub(crate) bound_multipliers: Vec<f64>,
    pub(crate) here: Box<dyn Expansion + 'a>,
    pub(crate) price: f64,
    pub(crate) history: History,
    /// What is added to the curvature in any case, so that steps stay where the model holds.
    pub(crate) shift: f64,
    /// The violation when it last fell, and how many elastic steps there were since.
    pub(crate) idle: (f64, usize),
    /// Of the Hessian, where that is not exact.
    pub(crate) approximation: Option<QuasiNewton>,
    /// How the violation is being made smaller, where the iterations got stuck at a point that is not feasible; how often they did.
    pub(crate) restoration: Option<Restoration>,
    pub(crate) restorations: usize,
}

/// What became of an iteration.
pub(crate) enum Advance {
    Stepped(f64),
    Ended(Status),
}

/// How far the violation is to fall, and σ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Restoration {
    pub(crate) wanted: f64,
    pub(crate) damping: f64,
}

const FIRST_DAMPING: f64 = 1e-2;
/// The part of the violation at the beginning that is left at the end.
const REST: f64 = 1e-3;

impl Restoration {
    pub(crate) fn new(violation: f64, tolerance: f64) -> Self {
        Self { wanted: (REST * violation).max(tolerance), damping: FIRST_DAMPING }
    }
}

/// x + fraction · step.
pub(crate) fn moved(x: &[f64], step: &[f64], fraction: f64) -> Vec<f64> {
    x.iter().zip(step).map(|(x, d)| x + fraction * d).collect()
}
