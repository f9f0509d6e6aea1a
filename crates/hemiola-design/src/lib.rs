//! Designs explicit dual-rate pairs: few slow and many fast evaluations in one step.
//!
//! A [`Specification`] says how often each part is evaluated, the order, the stability polynomials, what the coefficients are to look
//! like ([`Structure`]) and what is to be small ([`Objective`]); a [`DesignFile`] is its text. [`design`] satisfies all order and coupling
//! conditions together with the polynomials from many structured random starts, and makes the objective small among the
//! solutions. [`tune`] looks for numbers of a specification first, [`pareto`] for compromises. The result is reproducible: the
//! same specification gives the same method on any number of threads, with a [`Certificate`] of what is proved.

mod assumption;
mod bounds;
mod certificate;
mod checkpoint;
mod choice;
mod columns;
mod completion;
mod coupling;
mod dense;
mod descent;
mod dispatch;
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
mod polish;
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
mod trees;
mod tuning;

pub use assumption::{Assumption, Vector};
pub use certificate::{Certificate, Status};
pub use checkpoint::Checkpoint;
pub use completion::{Completion, Finding, Proof, Wishes, allows_extra_stage, complete};
pub use entry::{Bound, Entry};
pub use error::DesignError;
pub use file::DesignFile;
pub use finish::Design;
pub use objective::{Coupling, Objective};
pub use pareto::{Compromise, pareto};
pub use polish::{Enclosed, PolishError, PolishOptions, Polished, polish};
pub use residual::{Equation, Residual, residuals};
pub use search::{Phase, Progress, Search, Start, design};
pub use specification::{Specification, highest_order};
pub use stability::Stability;
pub use structure::Structure;
pub use tuning::{Tuned, Tuning, tune};
