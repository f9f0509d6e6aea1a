//! Tables: `grid` reads rows of numbers, and `butcher` identifies A, b and c without labels. `latex` reads arrays of
//! papers from the visible parts that `latex_text` finds, `json` fields of objects, and `own` the tables that this crate writes.

pub(crate) mod butcher;
pub(crate) mod grid;
pub(crate) mod json;
pub(crate) mod latex;
mod latex_text;
pub(crate) mod own;
pub(crate) mod rows;
