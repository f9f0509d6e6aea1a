//! Checks of methods against their claims: verdicts, failing conditions, and the results as JSON and as LaTeX.

mod claim;
mod failing;
mod latex;
mod method_check;
mod orders;
mod properties;
mod report;

pub use claim::{CheckedClaim, multirate_claims};
pub use failing::FailingConditions;
pub use latex::condition_table;
pub use method_check::MethodCheck;
pub use orders::ClaimOrders;
pub use report::{CheckReport, TwinReport};
