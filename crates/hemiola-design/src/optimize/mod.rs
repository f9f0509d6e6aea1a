//! Nonlinear programming with redundant equality constraints.
//!
//! `problem` has the objective and its constraints. `restore` goes from a start to a point that satisfies the equations; `null_space` finds
//! the independent ones among them and the directions that they leave free. `descent` makes the objective small along these directions,
//! by Newton steps of a `model` in which `inequalities` push back. `sparsify` sets coefficients to zero afterwards, and `profile_merit`
//! evaluates the coupled profile of what was found.

pub(crate) mod descent;
pub(crate) mod inequalities;
pub(crate) mod model;
pub(crate) mod null_space;
pub(crate) mod problem;
pub(crate) mod profile_merit;
pub(crate) mod restore;
pub(crate) mod sparsify;
