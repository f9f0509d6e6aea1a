//! Order and coupling conditions of partitioned Runge–Kutta methods, with any number of partitions.
//!
//! For every rooted tree t with nodes coloured by partition, a method of order p satisfies Φ(t) = 1/γ(t) as long as t
//! has at most p nodes. [`Trees`] enumerates the trees of a [`Grammar`], [`Weights`] computes Φ in any kind of number,
//! [`Gradients`] its derivatives, and [`OrderCheck`] decides which conditions hold: exactly, to the precision that the
//! coefficients are known to, or not at all.
//!
//! ```
//! use hemiola_order::{CheckOptions, OrderCheck};
//! let method = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
//! let check = OrderCheck::new(&method, CheckOptions { highest_order: 3, ..Default::default() }).unwrap();
//! assert_eq!(check.order(), 2); // to the eight decimals that the paper prints
//! assert_eq!(check.exact_order(), 0);
//! ```

mod check;
mod error;
mod gradient;
mod grammar;
mod majorant;
mod stage_order;
mod trees;
mod verdict;
mod weights;

pub use check::{
    CheckOptions, OrderCheck, OrderReport, OrderSummary, Problem, has_row_sum_abscissae, principal_error_norm,
    stages_off_row_sums,
};
pub use error::OrderError;
pub use gradient::Gradients;
pub use grammar::{Grammar, Kind};
pub use stage_order::stage_order;
pub use trees::{TreeId, Trees};
pub use verdict::{Condition, Verdict, principal_error_coefficients};
pub use weights::{Stages, Weights};
