//! Partial differential equations on periodic meshes whose cells have several widths: one partition for each width, the
//! widest cells first.
//!
//! `cells` has the meshes, `galerkin` discontinuous Galerkin operators on them. Stable steps are proportional to widths, so
//! that every halving calls for twice as many evaluations.

pub(crate) mod advection_diffusion;
pub(crate) mod advection_plane;
mod cells;
pub(crate) mod conservation_laws;
mod galerkin;
pub(crate) mod waves;
