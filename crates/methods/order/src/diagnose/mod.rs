//! Search for the transcription error in a tableau that fails one of its claims.
//!
//! The tableau is extended by the weights to which the `claim` refers (`subject`). Every hypothesis assigns some
//! entries to other cells and leaves one value free (`hypotheses`, `suspects`). The value is fitted to the
//! `conditions` (`fitting`). If a hypothesis fits, `slips` interprets the value, for example as a lost sign or a
//! wrong digit. Suggestions are verified and ranked by the number of equally good fits expected by chance
//! (`search`, `nearby`, `verification`, `ranking`); none of them is applied.
//!
//! ```
//! use hemiola_order::diagnose::{DiagnoseOptions, diagnose};
//! let rk4 = hemiola_tableau::library::method("rk4").unwrap();
//! let claim = |order| DiagnoseOptions { order, ..DiagnoseOptions::default() };
//! assert!(diagnose(&rk4, &claim(4), &()).unwrap().is_sound);
//! // No single entry makes order five of four stages.
//! assert_eq!(diagnose(&rk4, &claim(5), &()).unwrap().plausible().count(), 0);
//! ```

pub(crate) mod claim;
mod conditions;
mod diagnosis;
mod fitting;
mod hypotheses;
mod nearby;
mod options;
mod ranking;
mod search;
mod slips;
mod subject;
mod suggestion;
mod suspects;
mod verification;

pub use claim::{Claim, CoefficientArray};
pub use diagnosis::{Diagnosis, WrongAbscissae, diagnose, first_failing};
pub use hypotheses::Slip;
pub use options::{DiagnoseOptions, PolynomialCoefficient};
pub use ranking::ErrorEffects;
pub use slips::{PossibleText, possible_texts};
pub use suggestion::{CoefficientChange, PLAUSIBLE, Suggestion};
