//! The wave equation as a first-order system, by discontinuous Galerkin methods.

use std::f64::consts::TAU;

use super::cells::{Cells, Layout, PARAMETERS};
use super::galerkin::{self, Galerkin, left_end, right_end};
use crate::equations::{Equations, Number};
use crate::model::{ModelKind, ModelParts};
use crate::parameter::{Parameter, Values, joined};

static ALL: [Parameter; 7] = joined(PARAMETERS, galerkin::PARAMETERS);

/// p_t + v_x = 0, v_t + p_x = 0 on a period of length one, from p = sin 2πx, v = 0, with upwind fluxes.
pub(crate) static KIND: ModelKind = ModelKind {
    name: "dg-waves",
    title: "wave equation by discontinuous Galerkin methods on cells of several widths",
    parameters: &ALL,
    build: |values| built(values, None),
};

/// Builds the model of all cells, or of one kind alone.
pub(super) fn built(values: Values<'_>, alone: Option<usize>) -> Option<ModelParts> {
    let galerkin = Galerkin::of(values);
    let n = galerkin.size();
    let cells = Cells::of(values, 2 * n, alone)?;
    let layout = Layout::new(&cells.kinds, cells.count, 2 * n);
    let modes = |name: &str| (0..n).map(|k| format!("{name}# mode {k}")).collect::<Vec<_>>();
    let names = layout.names(&[modes("p"), modes("v")].concat());
    let variables: Vec<(&str, &'static str)> = names.iter().map(|name| (name.as_str(), "1")).collect();
    let start = |(center, width): (f64, &f64)| {
        let mut values = galerkin.projected(center, *width, |x| (TAU * x).sin());
        values.resize(2 * n, 0.0);
        values
    };
    let initial = layout.arranged(&cells.centers().zip(&cells.widths).map(start).collect::<Vec<_>>());
    let sizes = layout.sizes();
    let fast = sizes.iter().sum::<usize>() - sizes.last().copied().unwrap_or_default();
    let built = ModelParts::new(&variables, &sizes, LineWaves { galerkin, cells, layout });
    let drawn = if fast == 0 { vec![0] } else { vec![0, fast] };
    Some(built.starting(initial).lasting(1.0).drawing(&drawn))
}

struct LineWaves {
    galerkin: Galerkin,
    cells: Cells,
    layout: Layout,
}

impl LineWaves {
    /// Returns the upwind fluxes of p and v between two cells: v and p of the incoming waves.
    fn fluxes<N: Number>(&self, left: &[N], right: &[N]) -> [N; 2] {
        let n = self.galerkin.size();
        let [p_left, v_left] = [&left[..n], &left[n..]].map(right_end);
        let [p_right, v_right] = [&right[..n], &right[n..]].map(left_end);
        [(v_left + v_right + p_left - p_right) * 0.5, (p_left + p_right + v_left - v_right) * 0.5]
    }
}

impl Equations for LineWaves {
    fn rate<N: Number>(&self, partition: usize, _t: f64, y: &[N], rate: &mut [N]) {
        let (n, cells) = (self.galerkin.size(), &self.cells);
        let Some(members) = self.layout.members.get(partition).filter(|_| y.len() == 2 * n * cells.len()) else {
            return;
        };
        let of = |cell: usize| &y[self.layout.first[cell]..self.layout.first[cell] + 2 * n];
        for (&cell, rate) in members.iter().zip(rate.chunks_exact_mut(2 * n)) {
            let here = of(cell);
            let [p_left, v_left] = self.fluxes(of(cells.left(cell)), here);
            let [p_right, v_right] = self.fluxes(here, of(cells.right(cell)));
            let (p, v) = rate.split_at_mut(n);
            let width = cells.widths[cell];
            self.galerkin.divergence(width, self.galerkin.at_nodes(&here[n..]), [p_left, p_right], p);
            self.galerkin.divergence(width, self.galerkin.at_nodes(&here[..n]), [v_left, v_right], v);
        }
    }

    /// Returns ∫ (p² + v²)/2, which does not grow with upwind fluxes.
    fn energy<N: Number>(&self, _t: f64, y: &[N]) -> Option<N> {
        let n = self.galerkin.size();
        let mut sum = N::from(0.0);
        for (cell, width) in self.cells.widths.iter().enumerate() {
            let here = y.get(self.layout.first[cell]..self.layout.first[cell] + 2 * n)?;
            let (p, v) = here.split_at(n);
            sum += (self.galerkin.square(p) + self.galerkin.square(v)) * (0.25 * width);
        }
        Some(sum)
    }
}

#[cfg(test)]
mod tests {
    use crate::check::rk4;
    use crate::registry::model;

    #[test]
    fn standing_waves_return() {
        // p = sin 2πx cos 2πt, v = −cos 2πx sin 2πt: the state returns after one period.
        let waves = model("dg-waves", &[("cells", 8.0)]).unwrap();
        let end = rk4(&waves, 1e-3, 1000, |_, _| {});
        let worst = end.iter().zip(&waves.initial).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 2e-4, "{worst}");
        let energy = |y: &[f64]| waves.energy(0.0, y).unwrap();
        assert!((energy(&waves.initial) - 0.25).abs() < 1e-6 && energy(&end) <= energy(&waves.initial));
    }
}
