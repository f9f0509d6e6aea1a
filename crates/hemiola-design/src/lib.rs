//! Designs explicit dual-rate pairs: few slow and many fast evaluations in one step.
//!
//! A [`Specification`] says how often each part is evaluated, the order, and the stability polynomial of the fast part.
//! [`design`] satisfies all order and coupling conditions together with that polynomial from many structured random
//! starts, and makes the principal error norm small among the solutions. The result is reproducible: the same
//! specification gives the same method on any number of threads.

mod assumption;
mod bounds;
mod certificate;
mod consequences;
mod coupling;
mod descent;
mod entry;
mod equations;
mod error;
mod finish;
mod forests;
mod internal;
mod objective;
mod pattern;
mod residual;
mod search;
mod sparse;
mod specification;
mod stability;
mod start;
mod structure;
mod system;
mod tangent;

pub use assumption::Assumption;
pub use certificate::{Certificate, Status};
pub use entry::{Bound, Entry};
pub use error::DesignError;
pub use finish::Design;
pub use objective::{Coupling, Objective};
pub use residual::{Equation, Residual, residuals};
pub use search::{Phase, Progress, Search, Start, design};
pub use specification::{Specification, highest_order};
pub use stability::Stability;
pub use structure::Structure;
