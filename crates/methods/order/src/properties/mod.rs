//! Properties of a method besides its order.
//!
//! Other orders (`stage_order`, `linear_order`, `coupling_order`, `dense_output`), structure (`symmetry`,
//! `symplecticity`, `simplifying_assumptions`, `row_sums`) and the size of the error (`error_constants`,
//! `embedded_error`). The `report` collects all of them ([`OrderReport`]), `claimed` only those that decide
//! claims ([`ClaimedOrders`]).
//!
//! ```
//! use hemiola_order::properties::{stage_order, symplecticity};
//! use hemiola_order::verdict::Verdict;
//! let gauss = hemiola_tableau::library::method("gauss-2").unwrap();
//! assert_eq!(stage_order(&gauss), 2);
//! assert_eq!(symplecticity(&gauss).within, Verdict::Exact);
//! ```

mod claimed;
mod coupling_order;
pub(crate) mod dense_output;
mod embedded_error;
mod error_constants;
mod error_estimate;
mod linear_order;
mod report;
pub(crate) mod row_sums;
mod simplifying_assumptions;
mod stage_order;
mod symmetry;
mod symplecticity;
mod weak_stage_order;

pub use claimed::ClaimedOrders;
pub use dense_output::{DenseOutput, dense_output};
pub use embedded_error::{EmbeddedError, embedded_error};
pub use error_constants::{Norms, PrincipalError, principal_error, principal_error_coefficients, principal_error_norm};
pub use error_estimate::{EstimateGap, estimate_gaps, has_exchanged_weights};
pub use linear_order::linear_order;
pub use report::OrderReport;
pub use row_sums::{has_row_sum_abscissae, off_row_sums_text, stages_off_row_sums};
pub use simplifying_assumptions::{MethodAssumptions, SimplifyingAssumptions, simplifying_assumptions};
pub use stage_order::stage_order;
pub use symmetry::{Symmetry, symmetry};
pub use symplecticity::{Symplecticity, symplecticity};
pub use weak_stage_order::{WeakStageOrder, weak_stage_order};
