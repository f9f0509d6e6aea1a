//! The numbers that solvers run on: reals of three precisions (`real`), and complex numbers over any of them (`complex`).

pub(crate) mod complex;
pub(crate) mod real;
