//! Convergence studies: `reference` computes reference solutions, `comparison` runs methods with equal steps,
//! `order` observes orders.
//!
//! ```
//! // Errors of 1/n² need a thousand steps for 1e-6.
//! let steps = hemiola_integrate::convergence::fewest_steps(|steps| (steps as f64).powi(-2), 1e-6, 1 << 20);
//! assert!(steps.is_some_and(|steps| (1000..=1010).contains(&steps)));
//! ```

pub(crate) mod comparison;
pub(crate) mod order;
pub(crate) mod reference;

pub use comparison::{Comparison, Sample, cached_runs, fewest_steps, fewest_steps_of_order};
pub use order::{OrderFit, fitted_order, observed_order};
pub use reference::Reference;
