//! Arithmetic for vector instructions: `lanes` treats eight numbers as one, and `columns` stores matrices whose
//! columns are whole vectors.

pub(crate) mod columns;
pub(crate) mod lanes;
