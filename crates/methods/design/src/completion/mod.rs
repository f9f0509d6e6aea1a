//! Embedded weights and dense output for any method: explicit, implicit, additive and partitioned.
//!
//! For given stages both requests are linear conditions. If a method satisfies its own conditions exactly, they are
//! solved in exact arithmetic (`elimination`). The result is exact; if there is none, multipliers of the conditions
//! prove it (`proof`). If the coefficients are decimals, ranks are determined to their precision, and a proof of
//! absence holds for every table within that precision. Free weights are chosen by the criteria of the designer: B,
//! C and E of Prince & Dormand (1981), and errors over θ.
//!
//! `complete` takes a method and requests and reports the result of each (`finding`). It creates a `task` for every
//! partition, which `embedded` and `dense_output` solve. `extra_stage` appends the first stage of the next step,
//! and `method` writes the completed method. `multirate` adds embedded rows to multirate methods.
//!
//! ```
//! use hemiola_design::completion::{CompletionOutcome, AbsenceProof, CompletionRequests, complete};
//! let rk4 = hemiola_tableau::library::method("rk4").unwrap();
//! let found = complete(&rk4, CompletionRequests { embedded: Some(3), ..CompletionRequests::default() })?.embedded.unwrap();
//! assert!(matches!(found, CompletionOutcome::Impossible { proof: AbsenceProof::OnlyOwn { .. }, .. }));
//! # Ok::<(), hemiola_design::DesignError>(())
//! ```

pub(crate) mod complete;
pub(crate) mod dense_output;
pub(crate) mod elimination;
pub(crate) mod embedded;
pub(crate) mod extra_stage;
pub(crate) mod finding;
pub(crate) mod method;
pub(crate) mod multirate;
pub(crate) mod proof;
pub(crate) mod task;
#[cfg(test)]
mod tests;

pub use complete::{Completion, CompletionRequests, complete};
pub use extra_stage::allows_extra_stage;
pub use finding::{CompletionOutcome, PolynomialClass};
pub use multirate::{MultirateCompletion, complete_multirate};
pub use proof::AbsenceProof;
