//! Systems in the plane by discontinuous Galerkin methods of degree three on quadtrees: nested squares of cells, each half as wide
//! as those around it along both directions.
//!
//! `quadtree` defines the mesh, and `kernel` computes the rates of any law (`law`); `acoustics` and `euler` are laws
//! and their models. Unknowns are values at the products of four Gauss nodes, in one block for each cell; the cells of
//! one width are contiguous. The rates of a partition need a pass over its cells and its faces; where widths differ,
//! fluxes are formed at the nodes of the narrow side and projected to the wide one, so that sums over all cells are
//! conserved (Kopriva 1996).

pub(crate) mod acoustics;
pub(crate) mod euler;
mod kernel;
mod law;
mod quadtree;
