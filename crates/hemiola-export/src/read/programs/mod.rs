//! Programs: `program` reads assignments statement by statement, `entry` those to entries of arrays; `constructors` are the calls that make methods,
//! and `methods` says what a program holds.

pub(crate) mod constructors;
pub(crate) mod entry;
pub(crate) mod methods;
pub(crate) mod program;
