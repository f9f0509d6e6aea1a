//! Terms of the objective.
//!
//! `objective` collects the errors and the other terms. Each of these implements `term`: the `size` of the
//! coefficients, `internal_stability`, the `slow_limit` and the `coupled_profile`. `stability_limit` determines the limit of a
//! polynomial along a ray. `coupled_hinges` and `soft_bounds` are inequalities whose excesses Gauss–Newton steps reduce.

pub(crate) mod coupled_hinges;
pub(crate) mod coupled_profile;
pub(crate) mod internal_stability;
pub(crate) mod measure;
pub(crate) mod objective;
pub(crate) mod size;
pub(crate) mod slow_limit;
pub(crate) mod soft_bounds;
pub(crate) mod stability_limit;
pub(crate) mod term;
