//! One file per language, which writes steps and tables.

pub(crate) mod c;
pub(crate) mod csv;
pub(crate) mod fortran;
pub(crate) mod json;
pub(crate) mod julia;
pub(crate) mod latex;
pub(crate) mod matlab;
pub(crate) mod petsc;
mod petsc_arrays;
pub(crate) mod petsc_implicit;
pub(crate) mod python;
pub(crate) mod rust;
pub(crate) mod sundials;
