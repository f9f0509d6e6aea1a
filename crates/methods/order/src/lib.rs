//! Order and coupling conditions of partitioned Runge–Kutta methods, with any number of partitions.
//!
//! A method of order p satisfies Φ(t) = 1/γ(t) for every rooted tree t with at most p nodes, colored by
//! partition. Each condition holds exactly, to the precision of the coefficients, numerically (with errors in
//! last digits), or not at all ([`Verdict`]).
//!
//! ```
//! use hemiola_order::{CheckOptions, OrderCheck};
//! let method = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
//! let check = OrderCheck::new(&method, CheckOptions { highest_order: 3, ..Default::default() }).unwrap();
//! assert_eq!(check.order(), 2); // to the eight decimals that the paper prints
//! assert_eq!(check.exact_order(), 0);
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`trees`] | rooted trees: one ([`Tree`]), those of a class of problems ([`Grammar`]), all up to an order ([`Trees`]); pictures, LaTeX |
//! | [`engine`] | elementary weights Φ(t) ([`Weights`]) and their derivatives ([`value_and_gradient`]) |
//! | [`verdict`] | the conditions that hold, and how strictly ([`OrderCheck`]) |
//! | [`properties`] | stage order, symmetry, symplecticity, simplifying assumptions, error constants; all of them in [`OrderReport`] |
//! | [`condition_sets`] | smaller sets of conditions that imply all others |
//! | [`nystrom`] | methods for y″ = f(y) and y″ = f(y, y′) |
//! | [`bseries`] | the modified equation ([`BSeries`]) |
//! | [`diagnose`](mod@diagnose) | misprints that make a tableau fail its claimed order |
//!
//! All public names are also exported from the crate root.

pub mod bseries;
pub mod condition_sets;
pub mod diagnose;
pub mod engine;
mod error;
pub mod nystrom;
pub mod properties;
pub mod trees;
pub mod verdict;

pub use bseries::BSeries;
pub use condition_sets::{
    SharedCoefficients, essential_trees, free_coefficients, independent_conditions, reduced_trees,
};
pub use diagnose::{CoefficientChange, DiagnoseOptions, Diagnosis, PolynomialCoefficient, Slip, Suggestion, diagnose};
pub use engine::{Jet, StageSolution, Weights, value_and_gradient};
pub use error::OrderError;
pub use nystrom::{Nystrom, NystromProblem, POSITION, VELOCITY, essential_nystrom_trees, nystrom_order, nystrom_trees};
pub use properties::{
    ClaimedOrders, DenseOutput, EmbeddedError, EstimateGap, MethodAssumptions, Norms, OrderReport, PrincipalError,
    SimplifyingAssumptions, Symmetry, Symplecticity, WeakStageOrder, dense_output, embedded_error, estimate_gaps,
    has_exchanged_weights, has_row_sum_abscissae, linear_order, off_row_sums_text, principal_error,
    principal_error_coefficients, principal_error_norm, simplifying_assumptions, stage_order, stages_off_row_sums,
    symmetry, symplecticity, weak_stage_order,
};
pub use trees::{Grammar, NodeKind, PlacedNode, Tree, TreeId, TreeLayout, Trees, condition_latex, forest_style};
pub use verdict::{
    Allowance, Cell, CheckOptions, Condition, DigitsOff, OrderCheck, OrderSummary, ProblemClass, TableauPosition,
    Verdict, VerifiedOrders, conditions, order_to_check,
};

/// The example of the README, run with the other doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
