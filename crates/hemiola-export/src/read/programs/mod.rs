//! Programs: `program` reads them statement by statement with the `reader`, which knows the `blocks` it is in; `braces`, `keywords`, `indentation`
//! and `preprocessor` say where these begin and end, `control` what they do. `assignment` reads values, `entry` those of entries of arrays;
//! `constructors` are the calls that make methods, and `methods` says what a program holds.

mod assignment;
mod blocks;
mod braces;
pub(crate) mod constructors;
mod control;
mod entry;
mod indentation;
mod keywords;
pub(crate) mod methods;
mod preprocessor;
mod program;
mod reader;
mod statements;
