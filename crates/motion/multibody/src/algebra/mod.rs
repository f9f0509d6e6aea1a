//! Vectors, rotations, spatial motions and forces, inertias, and dense factorizations without allocation.

pub(crate) mod dense;
pub(crate) mod inertia;
pub(crate) mod number;
pub(crate) mod rotation;
pub(crate) mod spatial;
pub(crate) mod vector;
