pub(crate) mod free_entries;
pub(crate) mod linear_constraints;
pub(crate) mod linear_form;
pub(crate) mod start;
