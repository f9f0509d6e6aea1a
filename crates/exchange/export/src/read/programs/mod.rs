//! Programs, read statement by statement without running them.
//!
//! `program` iterates over statements with the `reader`, which keeps track of the enclosing `blocks`. `braces`,
//! `keywords`, `indentation` and `preprocessor` find the beginnings and ends of blocks; `control` determines their
//! effects. `assignment` reads values, and `entry` reads values of array entries. `constructors` interprets calls that
//! construct methods, and `methods` collects the methods of a program.

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
pub(crate) mod reader;
mod statements;
