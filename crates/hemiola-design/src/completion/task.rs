//! What is asked about one partition, and what became of it.

use dashu::rational::RBig;
use hemiola_tableau::Exact;
use num_traits::Zero;

use crate::completion::proof::{Proof, Tables};

/// One partition's polynomials: for each stage the coefficients of θ, θ², ….
pub(crate) type Polynomials = Vec<Vec<Exact>>;

/// One partition's task.
pub(crate) struct Task<'a> {
    pub(crate) tables: &'a Tables,
    pub(crate) partition: usize,
    /// The stages at which the weights may differ from zero.
    pub(crate) stages: Vec<usize>,
    /// Whether the method satisfies its conditions exactly.
    pub(crate) is_exact: bool,
    /// The order of the method.
    pub(crate) order: usize,
    /// The size of its principal error in this partition.
    pub(crate) size: f64,
}

/// What became of a wish for one partition.
pub(crate) enum Outcome<T> {
    Found {
        value: T,
        /// How many parameters the conditions leave.
        free: usize,
    },
    /// All weights of the order have the next one as well.
    Higher,
    Impossible(Proof),
    /// The precision of the coefficients does not tell.
    Undecided,
}

/// Steps near these with which numbers become simple fractions, or where these are irrational, that are simple themselves. They
/// differ from zero together.
pub(crate) fn simple_steps(from: &[Exact], steps: &[f64], size: f64) -> Vec<Exact> {
    // Criteria are stationary at the best weights: a part of a fiftieth changes them by a thousandth.
    let mut tolerance = size / 50.0;
    loop {
        let simple = |(from, step): (&Exact, &f64)| {
            let base = from.as_rational().cloned().unwrap_or_default();
            let target = base.clone() + RBig::try_from(*step).unwrap_or_default();
            let reach = RBig::try_from(tolerance).unwrap_or_default();
            Exact::from(RBig::simplest_in(target.clone() - &reach, target + &reach) - base)
        };
        let found: Vec<Exact> = from.iter().zip(steps).map(simple).collect();
        if found.iter().any(|x| !x.is_zero()) || steps.iter().all(|step| *step == 0.0) || tolerance == 0.0 {
            return found;
        }
        tolerance /= 4.0;
    }
}
