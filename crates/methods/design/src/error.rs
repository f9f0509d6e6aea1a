//! Errors of designs.

use hemiola_multirate::MultirateError;
use hemiola_order::OrderError;
use hemiola_polynomial::{Axis, PolynomialError};
use hemiola_stability::StabilityError;
use hemiola_tableau::MethodError;
use thiserror::Error;

/// A reason why there is no method for a specification.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DesignError {
    /// The slow partition cannot have this order.
    #[error(
        "found order {order} with {slow} slow evaluations; expected at least {needed}: no slow partition of this kind has this \
         order with fewer stages (for explicit ones: Butcher 2016, §32)"
    )]
    OrderTooHigh {
        /// The order p.
        order: usize,
        /// The number of slow evaluations.
        slow: usize,
        /// The number of slow evaluations that this order requires.
        needed: usize,
    },
    /// A number in the specification is out of range.
    #[error("{name} is {found}; expected {expected}")]
    OutOfRange {
        /// The name of the number.
        name: &'static str,
        /// The value.
        found: String,
        /// The admissible range.
        expected: &'static str,
    },
    /// Two requirements contradict each other.
    #[error("{wish}: impossible, because {theorem}")]
    Impossible {
        /// The requirement.
        wish: String,
        /// The reason why it is impossible.
        theorem: &'static str,
    },
    /// No such weights exist at the stages of a finished method.
    #[error("the {part} partition of this method has no {what} of order {wanted}")]
    NoWeights {
        /// The partition.
        part: &'static str,
        /// The requested weights.
        what: &'static str,
        /// The requested order.
        wanted: usize,
    },
    /// A low-storage form has too few coefficients.
    #[error(
        "the form {form} has {coefficients} coefficients for {equations} equations, order conditions and coefficients of \
         the stability polynomial; expected more stages, a lower order or fewer requirements"
    )]
    TooFewCoefficients {
        /// The form.
        form: String,
        /// The number of its coefficients that influence the step.
        coefficients: usize,
        /// The number of equations.
        equations: usize,
    },
    /// A design file contains an invalid specification.
    #[error("{file}: {problem}")]
    File {
        /// The file.
        file: String,
        /// The reason.
        problem: Box<DesignError>,
    },
    /// No polynomial has the requested damping.
    #[error(
        "no polynomial of degree {evaluations} and order {order} has damping {damping} {}on the {axis}; expected {}",
        from(*.axis, *.band), feasible(*.largest, *.smallest_band)
    )]
    TooMuchDamping {
        /// The number of evaluations of the partition.
        evaluations: usize,
        /// The order.
        order: usize,
        /// The axis.
        axis: Axis,
        /// The damping η.
        damping: f64,
        /// The fraction of the limit from which on the damping is full.
        band: f64,
        /// The largest damping with this band, rounded down.
        largest: f64,
        /// The smallest band with this damping, rounded up; `None` if there is none, or no band on this axis.
        smallest_band: Option<f64>,
    },
    /// There is no optimal polynomial for the fast partition.
    #[error(transparent)]
    Polynomial(#[from] PolynomialError),
    /// The order conditions cannot be set up.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// The stability of a design could not be determined.
    #[error(transparent)]
    Stability(#[from] StabilityError),
    /// A multirate method could not be checked.
    #[error(transparent)]
    Multirate(#[from] MultirateError),
    /// The method could not be assembled.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// Runs of the system that a pair is made for break off at every step size.
    #[error(
        "no step size reaches the target error on the given system; expected a larger error, or a system that \
         explicit methods can solve"
    )]
    Unmeasured,
    /// No start led to a solution.
    #[error(
        "{} of {starts} starts from seed {seed} satisfied all conditions{}; \
         try another seed, more starts, more evaluations or fewer requirements",
        if *solved == 0 { "none".to_owned() } else { solved.to_string() },
        if *solved == 0 { "" } else { ", but none met all other requirements" }
    )]
    NotFound {
        /// The number of starts.
        starts: usize,
        /// The seed.
        seed: u64,
        /// The number of starts that satisfied the conditions.
        solved: usize,
    },
}

/// Describes where damping is full.
fn from(axis: Axis, band: f64) -> String {
    if axis == Axis::Imaginary { format!("from {band} times the limit ") } else { String::new() }
}

/// Describes the feasible damping.
fn feasible(largest: f64, smallest_band: Option<f64>) -> String {
    let damping = if largest > 0.0 { format!("a damping up to {largest}") } else { "no damping".to_owned() };
    match smallest_band {
        Some(band) => format!("{damping}, or a band (--band, \"band\" in design files) from {band} on"),
        None => damping,
    }
}

/// Returns an error unless a number is in its range.
pub(crate) fn require(
    holds: bool,
    name: &'static str,
    found: &dyn ToString,
    expected: &'static str,
) -> Result<(), DesignError> {
    if holds { Ok(()) } else { Err(DesignError::OutOfRange { name, found: found.to_string(), expected }) }
}
