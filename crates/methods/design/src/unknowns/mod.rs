//! The unknowns of a search.
//!
//! `free_entries` determines the unknown entries of the two tableaus, `linear_constraints` the linear equations and
//! inequalities (`linear_form`) that the structure imposes on them, and `start` the random starts of a search.

pub(crate) mod free_entries;
pub(crate) mod linear_constraints;
pub(crate) mod linear_form;
pub(crate) mod start;
