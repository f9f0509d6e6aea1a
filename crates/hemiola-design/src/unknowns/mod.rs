//! The unknowns of a search.
//!
//! `free_entries` says which entries of the two tableaus they are, `linear_constraints` which linear equations and
//! inequalities (`linear_form`) the structure imposes on them, and `start` where a search begins.

pub(crate) mod free_entries;
pub(crate) mod linear_constraints;
pub(crate) mod linear_form;
pub(crate) mod start;
