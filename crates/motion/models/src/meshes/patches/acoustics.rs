//! Acoustics on quadtrees.

use std::f64::consts::TAU;

use super::kernel::{Operators, Patches};
use super::law::{Law, Line, NODES};
use super::quadtree::{self, Quadtree};
use crate::equations::Number;
use crate::model::{ModelKind, ModelParts};
use crate::parameter::{AdmissibleValues, Parameter, Values, joined};

static ALL: [Parameter; 5] = joined(
    quadtree::PARAMETERS,
    [Parameter::new("waves", "waves along the period", 1.0, "1").within(AdmissibleValues::Count)],
);

/// p_t + v_x + w_y = 0, v_t + p_x = 0, w_t + p_y = 0 on the periodic unit square with upwind fluxes, from p = cos kx cos ky, v = w
/// = 0: waves in four directions.
pub(crate) static KIND: ModelKind = ModelKind {
    name: "dg-waves-quadtree",
    title: "acoustics in the plane by a discontinuous Galerkin method of degree three on a quadtree",
    parameters: &ALL,
    build: built,
};

/// Acoustics with sound speed one.
pub(super) struct Acoustics {
    /// The number of waves along the period.
    waves: f64,
}

fn built(values: Values<'_>) -> Option<ModelParts> {
    let size = Patches::<Acoustics, 3>::SIZE;
    let mesh = Quadtree::of(values, 1.0, size)?;
    let law = Acoustics { waves: values.of("waves") };
    let patches = Patches { law, mesh, operators: Operators::new(), exact: Some(standing) };
    let (initial, sizes) = (standing(&patches, 0.0), patches.mesh.sizes(size));
    let names = patches.names(["p", "v", "w"]);
    let variables: Vec<(&str, &'static str)> = names.iter().map(|name| (name.as_str(), "1")).collect();
    let period = std::f64::consts::FRAC_1_SQRT_2 / values.of("waves");
    Some(ModelParts::new(&variables, &sizes, patches).starting(initial).lasting(period).drawing(&[0]))
}

/// Returns the standing wave.
fn standing(patches: &Patches<Acoustics, 3>, t: f64) -> Vec<f64> {
    let k = TAU * patches.law.waves;
    let omega = k * std::f64::consts::SQRT_2;
    patches.state(|[x, y]| {
        let ((sx, cx), (sy, cy), (st, ct)) = ((k * x).sin_cos(), (k * y).sin_cos(), (omega * t).sin_cos());
        [cx * cy * ct, k / omega * sx * cy * st, k / omega * cx * sy * st]
    })
}

impl Law<3> for Acoustics {
    #[inline(always)]
    fn flux<N: Number>(&self, axis: usize, [p, v, w]: &Line<N, 3>) -> Line<N, 3> {
        let none = [N::from(0.0); NODES];
        if axis == 0 { [*v, *p, none] } else { [*w, none, *p] }
    }

    #[inline(always)]
    fn numerical_flux<N: Number>(&self, axis: usize, low: &Line<N, 3>, high: &Line<N, 3>) -> Line<N, 3> {
        let (p, u) = (0, 1 + axis);
        let mut flux = [[N::from(0.0); NODES]; 3];
        for j in 0..NODES {
            flux[p][j] = (low[u][j] + high[u][j] + low[p][j] - high[p][j]) * 0.5;
            flux[u][j] = (low[p][j] + high[p][j] + low[u][j] - high[u][j]) * 0.5;
        }
        flux
    }
}

#[cfg(test)]
mod tests {
    use crate::check::{rates, rk4};
    use crate::registry::model;

    #[test]
    fn standing_waves_converge_with_order_four() {
        let error = |cells: f64| {
            let waves = model("dg-waves-quadtree", &[("cells", cells), ("patch", cells / 2.0)]).unwrap();
            let end = rk4(&waves, 0.02 / cells, (cells * 25.0) as usize, |_, _| {});
            let exact = waves.exact(0.5).unwrap();
            end.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let [coarse, fine] = [error(4.0), error(8.0)];
        assert!(coarse < 0.02 && coarse / fine > 9.0, "{coarse} {fine}");
    }

    #[test]
    fn on_equal_cells_the_rates_are_those_of_the_modal_method() {
        // Two discretizations of the same space with the same fluxes: dg-waves-plane by Legendre polynomials on columns.
        let nodal = model("dg-waves-quadtree", &[("cells", 4.0), ("meshes", 1.0)]).unwrap();
        let modal = model("dg-waves-plane", &[("cells", 4.0), ("meshes", 1.0), ("rows", 4.0)]).unwrap();
        let largest = |y: &[f64], model: &crate::Model| {
            rates(model, 0.0, y).iter().fold(0.0, |most: f64, rate| most.max(rate.abs()))
        };
        // A uniform state rests, and a state of one cell has the same mean rates in both.
        assert!(largest(&vec![1.0; nodal.initial.len()], &nodal) < 1e-12);
        let (mut at_nodes, mut by_modes) = (vec![0.0; nodal.initial.len()], vec![0.0; modal.initial.len()]);
        at_nodes[..16].fill(1.0);
        by_modes[0] = 1.0;
        let weights = [0.173_927_422_568_726_9, 0.326_072_577_431_273_1];
        let weight = |node: usize| weights[usize::from((1..3).contains(&node))];
        let found = rates(&nodal, 0.0, &at_nodes);
        // Cells of the quadtree go along y first, those of the plane along x.
        for (cell, (rate, variable)) in (0..16).flat_map(|cell| (0..3).map(move |v| (cell, (48 * cell + 16 * v, v)))) {
            let mean: f64 = (0..16).map(|node| weight(node / 4) * weight(node % 4) * found[rate + node]).sum();
            let other = cell % 4 * 4 + cell / 4;
            let expected = rates(&modal, 0.0, &by_modes)[48 * other + 16 * variable];
            assert!((mean - expected).abs() < 1e-11, "{cell} {variable}: {mean} {expected}");
        }
    }

    #[test]
    fn pressure_is_kept_and_the_square_does_not_grow() {
        let waves = model("dg-waves-quadtree", &[("cells", 5.0), ("meshes", 3.0), ("patch", 3.0)]).unwrap();
        let end = rk4(&waves, 0.002, 200, |_, _| {});
        let bound = |y: &[f64]| y.iter().map(|y| y.abs()).fold(0.0, f64::max);
        assert!(bound(&end) < 1.02 * bound(&waves.initial));
    }
}
