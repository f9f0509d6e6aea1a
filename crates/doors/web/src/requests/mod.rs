//! The questions, one file each.

mod checked;
pub(crate) mod design;
pub(crate) mod export;
mod facts;
pub(crate) mod library;
pub(crate) mod limits;
pub(crate) mod map;
pub(crate) mod method;
pub(crate) mod polynomial;
pub(crate) mod verdicts;
