//! Arithmetic for vector instructions: `lanes` computes with eight numbers at a time, and `columns` stores matrices
//! whose columns are padded to whole chunks.

pub(crate) mod columns;
pub(crate) mod lanes;
