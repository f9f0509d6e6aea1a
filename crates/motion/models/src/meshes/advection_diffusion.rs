//! Advection and diffusion by finite volumes.

use std::f64::consts::TAU;

use super::cells::{Cells, Layout, PARAMETERS};
use crate::equations::{Equations, Number};
use crate::model::{ModelKind, ModelParts};
use crate::parameter::{AdmissibleValues, Parameter, Values, joined};

const DIFFUSION: [Parameter; 1] =
    [Parameter::new("diffusion", "diffusion ν", 0.01, "1").within(AdmissibleValues::NotNegative)];
static ALL: [Parameter; 6] = joined(PARAMETERS, DIFFUSION);

/// u_t + u_x = ν u_xx on a period of length one, from u = sin 2πx. The advective flux is upwind, from the left; the
/// diffusive flux is the slope between cell centers.
pub(crate) static KIND: ModelKind = ModelKind {
    name: "advection-diffusion",
    title: "advection and diffusion by finite volumes on cells of several widths",
    parameters: &ALL,
    build: |values| built(values, None),
};

/// Builds the model of all cells, or of one kind alone.
pub(super) fn built(values: Values<'_>, alone: Option<usize>) -> Option<ModelParts> {
    let cells = Cells::of(values, 1, alone)?;
    let layout = Layout::new(&cells.kinds, cells.count, 1);
    let names = layout.names(&["u#".to_owned()]);
    let variables: Vec<(&str, &'static str)> = names.iter().map(|name| (name.as_str(), "1")).collect();
    let initial = layout.arranged(&cells.centers().map(|x| vec![(TAU * x).sin()]).collect::<Vec<_>>());
    let (sizes, diffusion) = (layout.sizes(), values.of("diffusion"));
    let drawn = if initial.len() > 1 { vec![0, initial.len() - 1] } else { vec![0] };
    let built = ModelParts::new(&variables, &sizes, Fluxes { diffusion, cells, layout });
    Some(built.starting(initial).lasting(1.0).drawing(&drawn))
}

struct Fluxes {
    diffusion: f64,
    cells: Cells,
    layout: Layout,
}

impl Equations for Fluxes {
    fn rate<N: Number>(&self, partition: usize, _t: f64, y: &[N], rate: &mut [N]) {
        let cells = &self.cells;
        let Some(members) = self.layout.members.get(partition).filter(|_| y.len() == cells.len()) else { return };
        let flux = |left: usize, right: usize| {
            let [u, v] = [left, right].map(|cell| y[self.layout.first[cell]]);
            u - (v - u) * (2.0 * self.diffusion / (cells.widths[left] + cells.widths[right]))
        };
        for (&cell, rate) in members.iter().zip(rate) {
            *rate = (flux(cells.left(cell), cell) - flux(cell, cells.right(cell))) / cells.widths[cell];
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::check::rates;
    use crate::registry::model;

    #[test]
    fn what_leaves_a_cell_enters_its_neighbor() {
        let model = model("advection-diffusion", &[("meshes", 3.0), ("sequences", 2.0)]).unwrap();
        let rate = rates(&model, 0.0, &model.initial);
        // There are 8, 16 and 32 cells of widths 1/24, 1/48, 1/96.
        let change: f64 = rate
            .iter()
            .enumerate()
            .map(|(k, r)| {
                r / if k < 8 {
                    24.0
                } else if k < 24 {
                    48.0
                } else {
                    96.0
                }
            })
            .sum();
        assert!(change.abs() < 1e-14, "{change}");
    }

    #[test]
    fn equal_cells_have_the_eigenvalues_of_the_symbol() {
        // λ = (e^{−iθ} − 1)/w + 2ν (cos θ − 1)/w² is largest at θ = π.
        let model = model("advection-diffusion", &[("meshes", 1.0), ("cells", 16.0)]).unwrap();
        let values = hemiola_stability::real_eigenvalues(&model.jacobian_at(0.0, &model.initial)).unwrap();
        let largest = values.iter().map(|value| value.norm()).fold(0.0, f64::max);
        assert!((largest - (2.0 * 16.0 + 4.0 * 0.01 * 256.0)).abs() < 1e-9, "{largest}");
    }
}
