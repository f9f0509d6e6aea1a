//! The task of one partition, and its outcome.

use dashu::rational::RBig;
use hemiola_tableau::Exact;
use num_traits::Zero;

use crate::completion::finding::PolynomialClass;
use crate::completion::proof::{AbsenceProof, EnclosedTableaus};

/// The polynomials of one partition: for each stage the coefficients of θ, θ², ….
pub(crate) type Polynomials = Vec<Vec<Exact>>;

/// The task of one partition.
pub(crate) struct PartitionTask<'a> {
    pub(crate) tables: &'a EnclosedTableaus,
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

/// The outcome of a request for one partition.
pub(crate) enum TaskOutcome<T> {
    Found {
        value: T,
        /// The number of free parameters.
        free: usize,
        /// The class of the polynomials, if they are not unique at any degree.
        class: Option<PolynomialClass>,
    },
    /// All weights of order q also have order q + 1.
    Higher,
    Impossible(AbsenceProof),
    /// The coefficients are not precise enough to decide.
    Undecided,
}

/// Returns steps near the given ones that turn numbers into simple fractions; for irrational numbers the steps
/// themselves are simple.
///
/// At least one of them is nonzero if one of the given steps is.
pub(crate) fn simple_steps(from: &[Exact], steps: &[f64], size: f64) -> Vec<Exact> {
    // The criteria are stationary at the best weights: a change by a fiftieth changes them by about a thousandth.
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
