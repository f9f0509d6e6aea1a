//! Partial differential equations on periodic meshes whose cells have several widths: one partition for each width, the
//! widest cells first.
//!
//! `cells` has the meshes, `plane` those of two dimensions, `galerkin` discontinuous Galerkin operators on them. Stable steps are proportional to widths, so
//! that every halving calls for twice as many evaluations.

pub(crate) mod advection_diffusion;
pub(crate) mod advection_plane;
mod cells;
pub(crate) mod conservation_laws;
mod galerkin;
pub(crate) mod galerkin_plane;
mod plane;
pub(crate) mod waves;
pub(crate) mod waves_plane;

use crate::model::Built;
use crate::parameter::Values;

/// One kind of cells alone around the period, of the model with a name and values of its parameters; `None` if that has no mesh.
pub(crate) fn alone(name: &str, values: Values<'_>, kind: usize) -> Option<Built> {
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
