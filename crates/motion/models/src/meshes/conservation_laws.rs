//! Scalar conservation laws by discontinuous Galerkin methods: linear advection and Burgers' equation.

use std::f64::consts::TAU;

use super::cells::{Cells, Layout, PARAMETERS};
use super::galerkin::{self, Galerkin, right_end};
use crate::equations::{Equations, Number};
use crate::model::{ModelKind, ModelParts};
use crate::parameter::{Parameter, Values, joined};

static ALL: [Parameter; 7] = joined(PARAMETERS, galerkin::PARAMETERS);

/// u_t + u_x = 0 on a period of length one, from u = sin 2πx, with the upwind flux from the left.
pub(crate) static ADVECTION: ModelKind = ModelKind {
    name: "dg-advection",
    title: "advection by discontinuous Galerkin methods on cells of several widths",
    parameters: &ALL,
    build: |values| built(values, Law::Advection, None),
};

/// u_t + (u²/2)_x = 0 on a period of length one, from u = 1 + (sin 2πx)/4. Since u is positive, the upwind flux is that
/// from the left. A shock forms at t = 2/π.
pub(crate) static BURGERS: ModelKind = ModelKind {
    name: "dg-burgers",
    title: "Burgers' equation by discontinuous Galerkin methods on cells of several widths",
    parameters: &ALL,
    build: |values| built(values, Law::Burgers, None),
};

#[derive(Clone, Copy)]
pub(super) enum Law {
    Advection,
    Burgers,
}

impl Law {
    fn flux<N: Number>(self, u: N) -> N {
        match self {
            Self::Advection => u,
            Self::Burgers => u * u * 0.5,
        }
    }

    fn start(self, x: f64) -> f64 {
        match self {
            Self::Advection => (TAU * x).sin(),
            Self::Burgers => 1.0 + 0.25 * (TAU * x).sin(),
        }
    }
}

/// Builds the model of all cells, or of one kind alone.
pub(super) fn built(values: Values<'_>, law: Law, alone: Option<usize>) -> Option<ModelParts> {
    let galerkin = Galerkin::of(values);
    let size = galerkin.size();
    let cells = Cells::of(values, size, alone)?;
    let layout = Layout::new(&cells.kinds, cells.count, size);
    let names = layout.names(&(0..size).map(|k| format!("u# mode {k}")).collect::<Vec<_>>());
    let variables: Vec<(&str, &'static str)> = names.iter().map(|name| (name.as_str(), "1")).collect();
    let start = |(center, width): (f64, &f64)| galerkin.projected(center, *width, |x| law.start(x));
    let initial = layout.arranged(&cells.centers().zip(&cells.widths).map(start).collect::<Vec<_>>());
    let sizes = layout.sizes();
    let drawn: Vec<usize> = sizes
        .iter()
        .scan(0, |end, size| {
            *end += size;
            Some(*end - size)
        })
        .collect();
    let equations = ConservationLaw { law, galerkin, cells, layout };
    Some(ModelParts::new(&variables, &sizes, equations).starting(initial).lasting(0.5).drawing(&drawn))
}

struct ConservationLaw {
    law: Law,
    galerkin: Galerkin,
    cells: Cells,
    layout: Layout,
}

impl Equations for ConservationLaw {
    fn rate<N: Number>(&self, partition: usize, _t: f64, y: &[N], rate: &mut [N]) {
        let (size, cells) = (self.galerkin.size(), &self.cells);
        let Some(members) = self.layout.members.get(partition).filter(|_| y.len() == size * cells.len()) else {
            return;
        };
        let of = |cell: usize| &y[self.layout.first[cell]..self.layout.first[cell] + size];
        for (&cell, rate) in members.iter().zip(rate.chunks_exact_mut(size)) {
            let u = of(cell);
            let ends = [of(cells.left(cell)), u].map(|u| self.law.flux(right_end(u)));
            let inside = self.galerkin.at_nodes(u).map(|u| self.law.flux(u));
            self.galerkin.divergence(cells.widths[cell], inside, ends, rate);
        }
    }

    /// Returns ∫ u²/2, which does not grow with the upwind flux.
    fn energy<N: Number>(&self, _t: f64, y: &[N]) -> Option<N> {
        let size = self.galerkin.size();
        let mut sum = N::from(0.0);
        for (cell, width) in self.cells.widths.iter().enumerate() {
            let u = y.get(self.layout.first[cell]..self.layout.first[cell] + size)?;
            sum += self.galerkin.square(u) * (0.25 * width);
        }
        Some(sum)
    }
}

#[cfg(test)]
mod tests {
    use crate::check::{rates, rk4};
    use crate::registry::model;

    #[test]
    fn a_sine_is_carried_around() {
        // Degree three on 12 cells: the error of the projection is about (2π w)⁴/1000.
        let advection = model("dg-advection", &[("meshes", 2.0), ("cells", 8.0), ("sequences", 2.0)]).unwrap();
        let end = rk4(&advection, 1.0 / 600.0, 600, |_, _| {});
        let worst = end.iter().zip(&advection.initial).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 2e-5, "{worst}");
    }

    #[test]
    fn mass_is_kept_and_energy_does_not_grow() {
        for name in ["dg-advection", "dg-burgers"] {
            let law = model(name, &[("meshes", 3.0), ("sequences", 4.0), ("cells", 1.0), ("degree", 2.0)]).unwrap();
            let rate = rates(&law, 0.0, &law.initial);
            // Widths 1/12, 1/24, 1/48 and three coefficients per cell.
            let (mut position, mut change) = (0, 0.0);
            for (kind, cells) in [4, 8, 16].into_iter().enumerate() {
                for _ in 0..cells {
                    change += rate[3 * position] / 12.0 / f64::from(1 << kind);
                    position += 1;
                }
            }
            assert!(change.abs() < 1e-13, "{name}: {change}");
            let start = law.energy(0.0, &law.initial).unwrap();
            let end = rk4(&law, 1e-3, 300, |_, _| {});
            assert!(law.energy(0.3, &end).unwrap() <= start * (1.0 + 1e-12), "{name}");
        }
    }
}
