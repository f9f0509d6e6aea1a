//! Verdicts on conditions: they hold exactly, to the precision of the coefficients, numerically, or not at all.
//!
//! `condition` defines a [`Verdict`], and `check` collects the verdicts on all conditions up to an order
//! ([`OrderCheck`]). They come from `condition_checker`, which rejects checks that would take hours. For Runge–Kutta
//! methods it uses `forms` of the coefficients, a first `screen` in doubles, `high_precision` with twice the digits if
//! verdicts are only counted, and the `decision` by residues and balls for the rest. Linearized implicit methods have a
//! separate check. `condition_table` evaluates the definition, condition by condition. `uncertainty` bounds the
//! residuals that the uncertainty of the coefficients explains. `joint` determines whether a single change of the
//! coefficients explains all residuals, and the smallest such change. `equations` and `midpoint_radius` decide other
//! polynomial equations between coefficients.
//!
//! ```
//! use hemiola_order::verdict::{CheckOptions, OrderCheck, Verdict};
//! let heun = hemiola_tableau::library::method("heun-2").unwrap();
//! let check = OrderCheck::new(&heun, CheckOptions { highest_order: 3, ..Default::default() }).unwrap();
//! assert_eq!(check.order(), 2);
//! assert!(check.failures().all(|condition| condition.verdict == Verdict::Fails));
//! assert_eq!(check.failures().count(), 2);
//! ```

mod batches;
pub(crate) mod cell;
pub(crate) mod check;
pub(crate) mod condition;
pub(crate) mod condition_checker;
pub(crate) mod condition_table;
mod decision;
pub(crate) mod equations;
mod forms;
mod high_precision;
mod joint;
pub(crate) mod midpoint_radius;
pub(crate) mod screen;
pub(crate) mod uncertainty;
mod vectors;

pub use cell::{Cell, TableauPosition};
pub use check::{CheckOptions, OrderCheck, ProblemClass};
pub use condition::{Allowance, Condition, OrderSummary, Verdict};
pub use condition_checker::order_to_check;
pub use condition_table::conditions;
pub use equations::VerifiedOrders;
pub use joint::DigitsOff;
