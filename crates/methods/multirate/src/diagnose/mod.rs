//! Search for the transcription error in a multirate method that fails its claims.
//!
//! Every hypothesis leaves one coefficient free, alone or with another one in its place (`diagnosis`). Its value is fitted to
//! the order conditions of the step and of the embedded row, and to internal consistency where most sums have it
//! (`requirements`). The texts that may be meant, the ranking and the words for slips are those of ordinary methods
//! ([`hemiola_order::diagnose()`]). `place` names coefficients.

mod diagnosis;
mod place;
mod requirements;
#[cfg(test)]
mod tests;

pub use diagnosis::{CouplingChange, CouplingSuggestion, MultirateDiagnosis, diagnose};
pub use place::{CoefficientKind, CouplingPlace};
