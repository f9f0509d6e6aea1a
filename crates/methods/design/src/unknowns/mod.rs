//! The unknowns of a search.
//!
//! `free_entries` determines the unknown entries of the two tableaus, `linear_constraints` the linear equations and
//! inequalities (`linear_form`) that the structure imposes on them, and `start` the random starts of a search.
//! `recurrence_coordinates` has coordinates in which every pair has a given polynomial (its recurrence is in
//! `bounded_basis`); `slopes` turns derivatives with respect to coefficients into those with respect to coordinates.

pub(crate) mod bounded_basis;
pub(crate) mod free_entries;
pub(crate) mod linear_constraints;
pub(crate) mod linear_form;
pub(crate) mod recurrence_coordinates;
pub(crate) mod slopes;
pub(crate) mod start;
