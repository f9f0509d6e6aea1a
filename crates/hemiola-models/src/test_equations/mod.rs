//! Problems of the literature on which methods are tested.

pub(crate) mod brusselator;
pub(crate) mod kepler;
pub(crate) mod kpr;
pub(crate) mod linear_pair;
