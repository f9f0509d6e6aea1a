//! Advection, diffusion and reaction by finite volumes.

use std::f64::consts::TAU;

use super::cells::{Cells, Layout, PARAMETERS};
use crate::equations::{Equations, Number};
use crate::model::{ModelKind, ModelParts};
use crate::parameter::{AdmissibleValues, Parameter, Values, joined};

const OWN: [Parameter; 2] = [
    Parameter::new("diffusion", "diffusion ν", 0.01, "1").within(AdmissibleValues::NotNegative),
    Parameter::new("reaction", "rate k of the reaction in the narrowest cells", 0.0, "1")
        .within(AdmissibleValues::NotNegative),
];
static ALL: [Parameter; 7] = joined(PARAMETERS, OWN);

/// u_t + u_x = ν u_xx on a period of length one, from u = sin 2πx. The advective flux is upwind, from the left; the
/// diffusive flux is the slope between cell centers.
///
/// In the narrowest cells a reaction with the rate −k(v + v³) draws u towards its initial profile, v = u − sin 2πx. For large k
/// these cells are stiff, and their solution follows the inflow slowly from the start.
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
    let profile: Vec<f64> = cells.centers().map(|x| (TAU * x).sin()).collect();
    let initial = layout.arranged(&profile.iter().map(|u| vec![*u]).collect::<Vec<_>>());
    let (sizes, diffusion) = (layout.sizes(), values.of("diffusion"));
    let is_narrowest = |kind: usize| (kind + 1) as f64 >= values.of("meshes");
    let reaction = if alone.is_none_or(is_narrowest) { values.of("reaction") } else { 0.0 };
    let drawn = if initial.len() > 1 { vec![0, initial.len() - 1] } else { vec![0] };
    let built = ModelParts::new(&variables, &sizes, Fluxes { diffusion, reaction, profile, cells, layout });
    Some(built.starting(initial).lasting(1.0).drawing(&drawn))
}

struct Fluxes {
    diffusion: f64,
    reaction: f64,
    /// The state that the reaction maintains, cell by cell.
    profile: Vec<f64>,
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
            if self.reaction > 0.0 && cells.kinds[cell] + 1 == cells.count {
                let away = y[self.layout.first[cell]] - self.profile[cell];
                *rate -= (away + away * away * away) * self.reaction;
            }
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

    /// Truth: the derivatives of −k(v + v³) are −k(1 + 3v²) on the diagonal of the narrowest cells.
    #[test]
    fn the_reaction_acts_in_the_narrowest_cells() {
        let with = |k: f64| model("advection-diffusion", &[("reaction", k)]).unwrap();
        let (plain, stiff) = (with(0.0), with(1e3));
        let shifted: Vec<f64> = stiff.initial.iter().map(|u| u + 0.5).collect();
        let [before, after] = [&plain, &stiff].map(|model| model.jacobian_at(0.0, &shifted));
        // Four wide cells, then eight narrow ones.
        let expected = |i: usize, j: usize| if i == j && i >= 4 { -1e3 * (1.0 + 3.0 * 0.25) } else { 0.0 };
        for (i, j) in (0..12).flat_map(|i| (0..12).map(move |j| (i, j))) {
            assert!((after[i][j] - before[i][j] - expected(i, j)).abs() < 1e-9, "{i} {j}");
        }
        assert_eq!(rates(&plain, 0.0, &plain.initial), rates(&stiff, 0.0, &stiff.initial));
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
