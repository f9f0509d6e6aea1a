//! Designs explicit dual-rate pairs: few slow and many fast evaluations in one step.
//!
//! A [`Specification`] says how often each part is evaluated, the order, and the stability polynomial of the fast part.
//! [`design`] satisfies all order and coupling conditions together with that polynomial from many structured random
//! starts, and makes the principal error norm small among the solutions. The result is reproducible: the same
//! specification gives the same method on any number of threads.

mod assumption;
mod bounds;
mod certificate;
mod checkpoint;
mod choice;
mod coupling;
mod dense;
mod descent;
mod dual;
mod embedded;
mod entry;
mod equations;
mod error;
mod file;
mod finish;
mod forests;
mod internal;
mod lanes;
mod moments;
mod objective;
#[cfg(test)]
mod output_tests;
mod pareto;
mod pattern;
mod reached;
mod relations;
mod residual;
mod search;
mod sparse;
mod specification;
mod stability;
mod start;
mod structure;
mod system;
mod tangent;
mod tuning;

pub use assumption::{Assumption, Vector};
pub use certificate::{Certificate, Status};
pub use checkpoint::Checkpoint;
pub use entry::{Bound, Entry};
pub use error::DesignError;
pub use file::DesignFile;
pub use finish::Design;
pub use objective::{Coupling, Objective};
pub use pareto::{Compromise, pareto};
pub use residual::{Equation, Residual, residuals};
pub use search::{Phase, Progress, Search, Start, design};
pub use specification::{Specification, highest_order};
pub use stability::Stability;
pub use structure::Structure;
pub use tuning::{Tuned, Tuning, tune};
