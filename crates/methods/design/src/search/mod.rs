//! Searches for pairs.
//!
//! `multistart` finds the best minima from many random starts; its `progress` can be observed and stopped. Its `plan`
//! determines how far starts are followed. In a race, `first_method` reports a pair early, `hops` improve the best
//! pairs, and each level of `effort` builds on the previous one. `one_design` completes the best of them ([`design`])
//! and increases the `slow_limit` and the internal stability at a small cost in error. `descents` follows single starts
//! with any solver. `made_for` fits the minima to a measured system, `part` divides the starts among machines, and
//! `task_executor` executes the tasks. `pareto` searches for compromises between errors and all other terms. `tuning`
//! searches for the parameters of a specification that give the best coupled profile. `recurrence` is the search of pairs with a rule that prefers good
//! profiles among small errors; its starts are those of the multistart search.
//!
//! ```
//! use hemiola_design::Specification;
//! use hemiola_design::search::design;
//! let specification = Specification { starts: 8, ..Specification::new(2, 4, None)? };
//! let design = design(&specification, &())?;
//! assert_eq!((design.method.stages(), design.slow_stages.len()), (4, 2));
//! # Ok::<(), hemiola_design::DesignError>(())
//! ```

mod descents;
mod effort;
pub(crate) mod first_method;
pub(crate) mod hops;
pub(crate) mod made_for;
pub(crate) mod multistart;
pub(crate) mod one_design;
pub(crate) mod pareto;
pub(crate) mod part;
pub(crate) mod plan;
pub(crate) mod progress;
pub(crate) mod recurrence;
pub(crate) mod slow_limit;
pub(crate) mod task_executor;
#[cfg(test)]
mod tests;
pub(crate) mod tuning;

pub use crate::optimize::chart::DesignChart;
pub use crate::optimize::descent::Minimum;
pub use crate::optimize::problem::EvaluationCounts;
pub use made_for::design_for;
pub use multistart::{Search, Start};
pub use one_design::design;
pub use pareto::{Compromise, pareto};
pub use part::SearchShare;
pub use progress::{DESCENTS, FIRST_METHOD, MEASURED, STARTS, TUNING};
pub use task_executor::{SearchTask, TaskCallback, TaskExecutor, TaskOwner};
pub use tuning::{TuningLimits, tune};
