//! Nonlinear programming with redundant equality constraints.
//!
//! `problem` defines the objective and its constraints. `restore` finds a point that satisfies the equations.
//! `null_space` finds the independent equations and the directions that they leave free. `descent` minimizes the
//! objective along these directions by Newton steps of a `model`, in which `inequalities` act as penalties. A `chart`
//! presents the same program to the solvers of argmin, and `solver` runs the one specified. `measured` minimizes
//! measured errors. `gauss_newton` minimizes sums of squares in the coordinates of a recurrence. `sparsify` sets coefficients to zero, and `profile_merit` evaluates the coupled profile of the
//! result.

pub(crate) mod chart;
pub(crate) mod descent;
pub(crate) mod gauss_newton;
pub(crate) mod inequalities;
pub(crate) mod measured;
pub(crate) mod model;
pub(crate) mod null_space;
pub(crate) mod problem;
pub(crate) mod profile_merit;
pub(crate) mod restore;
pub(crate) mod solver;
pub(crate) mod sparsify;
