//! Designs explicit dual-rate pairs: few slow and many fast evaluations in one step.
//!
//! A [`Specification`] says how often each part is evaluated, the order, the stability polynomials, what the coefficients are to look
//! like ([`Structure`]) and what is to be small ([`Objective`]); a [`DesignFile`] is its text. [`design`] satisfies all order and coupling
//! conditions together with the polynomials from many structured random starts, and makes the objective small among the
//! solutions. [`tune`] looks for numbers of a specification first, [`pareto`] for compromises. The result is reproducible: the
//! same specification gives the same method on any number of threads, with a [`Certificate`] of what is proved.

mod completion;
mod conditions;
mod error;
mod file;
mod interval;
mod optimize;
mod pair;
mod polish;
mod proof;
mod refinement;
mod search;
mod simd;
mod specification;
mod terms;
mod unknowns;
mod weights;

pub use completion::complete::{Completion, Wishes, complete};
pub use completion::extra_stage::allows_extra_stage;
pub use completion::finding::Finding;
pub use completion::proof::Proof;
pub use conditions::residual::{Equation, Residual, residuals};
pub use error::DesignError;
pub use file::checkpoint::Checkpoint;
pub use file::design_file::DesignFile;
pub use polish::error::PolishError;
pub use polish::polished::{PolishOptions, Polished, polish};
pub use polish::proof::Enclosed;
pub use proof::assumption::{Assumption, Vector};
pub use proof::certificate::{Certificate, Status};
pub use refinement::design::Design;
pub use search::multistart::{Search, Start, design};
pub use search::pareto::{Compromise, pareto};
pub use search::progress::{Phase, Progress};
pub use search::tuning::{Tuned, Tuning, tune};
pub use specification::definition::Specification;
pub use specification::entry::{Bound, Entry};
pub use specification::objective::{Coupling, Objective};
pub use specification::order_barriers::highest_order;
pub use specification::stability::Stability;
pub use specification::structure::Structure;
