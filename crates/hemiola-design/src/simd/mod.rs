//! Arithmetic for vector instructions: `dispatch` compiles one source for several sets of them, `lanes` has eight numbers as one, and
//! `columns` matrices whose columns are whole vectors.

pub(crate) mod columns;
pub(crate) mod lanes;
