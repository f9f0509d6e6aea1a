//! Tables: `grid` reads rows of numbers, `butcher` tells which of them are A, b and c where there are no labels; `latex` reads arrays of papers,
//! and `own` the tables that this crate writes.

pub(crate) mod butcher;
pub(crate) mod grid;
pub(crate) mod latex;
pub(crate) mod own;
pub(crate) mod rows;
