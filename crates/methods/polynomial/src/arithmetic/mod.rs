//! Number types of the solvers: reals of three precisions (`real`) and complex numbers over them (`complex`).

pub(crate) mod complex;
pub(crate) mod real;
