//! Partial differential equations on periodic meshes with cells of several widths: one partition for each width, the
//! widest cells first.
//!
//! `cells` defines the meshes, `plane` those of two dimensions, and `galerkin` discontinuous Galerkin operators on
//! them; `patches` contains systems on quadtrees. Stable steps are proportional to the widths, so that every halving
//! requires twice as many evaluations.

pub(crate) mod advection_diffusion;
pub(crate) mod advection_plane;
mod cells;
pub(crate) mod conservation_laws;
mod galerkin;
pub(crate) mod galerkin_plane;
pub(crate) mod patches;
mod plane;
pub(crate) mod waves;
pub(crate) mod waves_plane;

use crate::model::ModelParts;
use crate::parameter::Values;

/// Builds the model of one kind of cells alone around the period, from a model's name and parameters; `None` if that
/// model has no mesh or no such kind.
pub(crate) fn alone(name: &str, values: Values<'_>, kind: usize) -> Option<ModelParts> {
    if kind as f64 >= values.of("meshes") {
        return None;
    }
    let kind = Some(kind);
    match name {
        "dg-advection" => conservation_laws::built(values, conservation_laws::Law::Advection, kind),
        "dg-burgers" => conservation_laws::built(values, conservation_laws::Law::Burgers, kind),
        "dg-plane" => galerkin_plane::built(values, kind),
        "dg-waves" => waves::built(values, kind),
        "dg-waves-plane" => waves_plane::built(values, kind),
        "advection-diffusion" => advection_diffusion::built(values, kind),
        "advection-plane" => advection_plane::built(values, kind),
        _ => None,
    }
}
