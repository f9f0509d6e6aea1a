//! Methods with M micro-steps of the fast part in one slow step, for any M.
//!
//! A [`MicroStepMethod`] has a slow and a fast tableau and couplings whose entries are expressions in the number λ of
//! the micro-step and in M ([`RatioPolynomial`]). [`MicroStepMethod::at`] returns the ordinary pair for one M; a
//! [`MicroStepReport`] contains verdicts for every M at once.

mod format;
pub mod library;
mod method;
mod pair;
mod polynomial;
mod verdict;
mod zeros;

pub use format::FORMAT as MICRO_STEP_FORMAT;
pub use method::{Entries, FastSlowCoupling, MicroStepMethod, MicroStepTableau, SlowFastCoupling};
pub use pair::CompoundStage;
pub use polynomial::RatioPolynomial;
pub use verdict::{HoldingRatios, MicroStepOrder, MicroStepReport};
