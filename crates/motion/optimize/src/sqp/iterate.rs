//! State of the iterations, shared by optimization and restoration.

use super::merit::History;
use super::program::LocalModel;
use super::quasi_newton::QuasiNewton;
use super::status::Status;

/// State of the iterations.
pub(crate) struct SqpState<'a> {
    pub(crate) x: Vec<f64>,
    pub(crate) multipliers: Vec<f64>,
    pub(crate) bound_multipliers: Vec<f64>,
    pub(crate) here: Box<dyn LocalModel + 'a>,
    pub(crate) price: f64,
    pub(crate) history: History,
    /// Multiple of the identity added to the curvature, which keeps steps within the validity of the model.
    pub(crate) shift: f64,
    /// Violation when it last fell, and the number of elastic steps since then.
    pub(crate) idle: (f64, usize),
    /// Approximation of the Hessian if exact second derivatives are not used.
    pub(crate) approximation: Option<QuasiNewton>,
    /// Current restoration, if the iterations got stuck at an infeasible point, and the number of restorations so far.
    pub(crate) restoration: Option<Restoration>,
    pub(crate) restorations: usize,
}

/// Outcome of an iteration.
pub(crate) enum StepOutcome {
    Stepped(f64),
    Ended(Status),
}

/// Target of the violation and damping σ of a restoration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Restoration {
    pub(crate) wanted: f64,
    pub(crate) damping: f64,
}

const FIRST_DAMPING: f64 = 1e-2;
/// Fraction of the initial violation at which a restoration ends.
const REST: f64 = 1e-3;

impl Restoration {
    pub(crate) fn new(violation: f64, tolerance: f64) -> Self {
        Self { wanted: (REST * violation).max(tolerance), damping: FIRST_DAMPING }
    }
}

/// Returns x + fraction · step.
pub(crate) fn moved(x: &[f64], step: &[f64], fraction: f64) -> Vec<f64> {
    x.iter().zip(step).map(|(x, d)| x + fraction * d).collect()
}
