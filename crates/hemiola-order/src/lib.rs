//! Order and coupling conditions of partitioned Runge–Kutta methods, with any number of partitions.
//!
//! For every rooted tree t with nodes coloured by partition, a method of order p satisfies Φ(t) = 1/γ(t) as long as t
//! has at most p nodes. [`Trees`] enumerates the trees of a [`Grammar`], [`Weights`] computes Φ in any kind of number,
//! [`value_and_gradient`] its derivatives, and [`OrderCheck`] decides which conditions hold: exactly, to the precision that the
//! coefficients are known to, numerically where last digits are off, or not at all ([`Verdict`]).
//!
//! ```
//! use hemiola_order::{CheckOptions, OrderCheck};
//! let method = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
//! let check = OrderCheck::new(&method, CheckOptions { highest_order: 3, ..Default::default() }).unwrap();
//! assert_eq!(check.order(), 2); // to the eight decimals that the paper prints
//! assert_eq!(check.exact_order(), 0);
//! ```
//!
//! [`OrderReport`] adds what else a designer reads off: [simplifying assumptions](simplifying_assumptions), the orders of
//! coupling and for [linear](linear_order) and [Nyström](nystrom_order) problems, [error constants](principal_error),
//! [symplecticity](symplecticity()) and [symmetry](symmetry()). On request come the modified equation ([`BSeries`]) and
//! smallest sets of conditions ([`essential_trees`], [`reduced_trees`], [`independent_conditions`]).

mod arithmetic;
mod ball;
mod bseries;
mod check;
mod conditions;
mod coupling;
mod dense_output;
mod diagnose;
mod embedded_error;
mod equations;
mod error;
mod error_constants;
mod essential;
mod gradient;
mod grammar;
mod independent;
mod jet;
mod joint;
mod kernel;
mod least_change;
mod linear;
mod linearized;
mod modular;
mod nystrom;
mod reduced;
mod report;
mod simplifying;
mod solved;
mod stage_order;
mod symmetry;
mod symplecticity;
mod tables;
mod tree;
mod tree_latex;
mod tree_layout;
mod trees;
mod uncertain;
mod uncertainty;
mod verdict;
mod walk;
mod weights;

pub use bseries::BSeries;
pub use check::{CheckOptions, OrderCheck, Problem, has_row_sum_abscissae, stages_off_row_sums};
pub use conditions::conditions;
pub use dense_output::{DenseOutput, dense_output};
pub use diagnose::{
    Cell, Change, DiagnoseOptions, Diagnosis, Place, PolynomialCoefficient, Slip, Suggestion, diagnose,
};
pub use embedded_error::{EmbeddedError, embedded_error};
pub use equations::Reach;
pub use error::OrderError;
pub use error_constants::{Norms, PrincipalError, principal_error, principal_error_coefficients, principal_error_norm};
pub use essential::{Shared, essential_trees};
pub use gradient::value_and_gradient;
pub use grammar::{Grammar, Kind};
pub use independent::{free_coefficients, independent_conditions};
pub use joint::DigitsOff;
pub use linear::linear_order;
pub use nystrom::{Nystrom, NystromProblem, POSITION, VELOCITY, essential_nystrom_trees, nystrom_order, nystrom_trees};
pub use reduced::reduced_trees;
pub use report::OrderReport;
pub use simplifying::{MethodAssumptions, SimplifyingAssumptions, simplifying_assumptions};
pub use stage_order::stage_order;
pub use symmetry::{Symmetry, symmetry};
pub use symplecticity::{Symplecticity, symplecticity};
pub use tree::Tree;
pub use tree_latex::{condition_latex, forest_style};
pub use tree_layout::{PlacedNode, TreeLayout};
pub use trees::{TreeId, Trees};
pub use verdict::{Condition, OrderSummary, Verdict};
pub use weights::{Stages, Weights};
