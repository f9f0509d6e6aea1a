//! Order and coupling conditions of partitioned Runge–Kutta methods, with any number of partitions.
//!
//! For every rooted tree t with nodes coloured by partition, a method of order p satisfies Φ(t) = 1/γ(t) as long as t
//! has at most p nodes. [`Trees`] enumerates the trees of a [`Grammar`], [`Weights`] computes Φ in any kind of number,
//! [`value_and_gradient`] its derivatives, and [`OrderCheck`] decides which conditions hold: exactly, to the precision that the
//! coefficients are known to, or not at all.
//!
//! ```
//! use hemiola_order::{CheckOptions, OrderCheck};
//! let method = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
//! let check = OrderCheck::new(&method, CheckOptions { highest_order: 3, ..Default::default() }).unwrap();
//! assert_eq!(check.order(), 2); // to the eight decimals that the paper prints
//! assert_eq!(check.exact_order(), 0);
//! ```

mod arithmetic;
mod check;
mod error;
mod error_constants;
mod gradient;
mod grammar;
mod kernel;
mod linearized;
mod majorant;
mod modular;
mod solved;
mod stage_order;
mod tables;
mod tree;
mod trees;
mod uncertainty;
mod verdict;
mod walk;
mod weights;

pub use check::{CheckOptions, OrderCheck, OrderReport, Problem, has_row_sum_abscissae, stages_off_row_sums};
pub use error::OrderError;
pub use error_constants::{principal_error_coefficients, principal_error_norm};
pub use gradient::value_and_gradient;
pub use grammar::{Grammar, Kind};
pub use stage_order::stage_order;
pub use tree::Tree;
pub use trees::{TreeId, Trees};
pub use verdict::{Condition, OrderSummary, Verdict};
pub use weights::{Stages, Weights};
