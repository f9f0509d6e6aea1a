//! Tables: `grid` reads rows of numbers, `butcher` tells which of them are A, b and c where there are no labels; `latex` reads arrays
//! of papers in what `latex_text` shows, and `own` the tables that this crate writes.

pub(crate) mod butcher;
pub(crate) mod grid;
pub(crate) mod latex;
mod latex_text;
pub(crate) mod own;
pub(crate) mod rows;
