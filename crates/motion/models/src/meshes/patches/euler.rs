//! The compressible Euler equations on quadtrees.

use std::f64::consts::{FRAC_1_SQRT_2, TAU};

use super::kernel::{Operators, Patches, Solution};
use super::law::{Law, Line, NODES};
use super::quadtree::{self, Quadtree};
use crate::equations::Number;
use crate::model::{ModelKind, ModelParts};
use crate::parameter::{AdmissibleValues, Parameter, Values, joined};

static ALL: [Parameter; 8] = joined(
    quadtree::PARAMETERS,
    [
        Parameter::choice("flow", "initial state: an isentropic vortex, or two shear layers", &["vortex", "shear"]),
        Parameter::new("mach", "speed along the diagonal of the flow that carries the vortex", 0.35, "1")
            .within(AdmissibleValues::NotNegative),
        Parameter::new("strength", "largest speed in the vortex", 0.4, "1").within(AdmissibleValues::Fraction),
        Parameter::new("thickness", "half width of the shear layers", 1.0 / 15.0, "1")
            .within(AdmissibleValues::Positive),
    ],
);

/// Ratio of specific heats.
const GAMMA: f64 = 1.4;
/// Periods of the two flows: a vortex of radius one, and shear layers at y = 0 and y = 1.
const PERIODS: [f64; 2] = [10.0, 2.0];

/// Mass, momentum and energy of an ideal gas on a periodic square with the fluxes of Rusanov (1961).
///
/// The vortex (Shu 1998) moves through the mesh; far from it the speed of sound is one. The shear layers of equal pressure roll up
/// (Kelvin–Helmholtz; Rueda-Ramírez & Gassner 2021).
pub(crate) static KIND: ModelKind = ModelKind {
    name: "dg-euler-quadtree",
    title: "compressible Euler equations by a discontinuous Galerkin method of degree three on a quadtree",
    parameters: &ALL,
    build: built,
};

/// The Euler equations, with the speed and the strength of the vortex.
pub(super) struct Euler {
    mach: f64,
    strength: f64,
}

fn built(values: Values<'_>) -> Option<ModelParts> {
    let size = Patches::<Euler, 4>::SIZE;
    let is_shear = values.is("flow", "shear");
    let mesh = Quadtree::of(values, PERIODS[usize::from(is_shear)], size)?;
    let law = Euler { mach: values.of("mach"), strength: values.of("strength") };
    let exact: Option<Solution<Euler, 4>> = if is_shear { None } else { Some(vortex) };
    let patches = Patches { law, mesh, operators: Operators::new(), exact };
    let initial =
        if is_shear { patches.state(|place| shear(place, values.of("thickness"))) } else { vortex(&patches, 0.0) };
    let sizes = patches.mesh.sizes(size);
    let names = patches.names(["density", "momentum x", "momentum y", "energy"]);
    let variables: Vec<(&str, &'static str)> = names.iter().map(|name| (name.as_str(), "1")).collect();
    Some(ModelParts::new(&variables, &sizes, patches).starting(initial).lasting(1.0).drawing(&[0]))
}

/// Returns the conserved variables of a density, a velocity and a pressure.
fn conserved(density: f64, [u, v]: [f64; 2], pressure: f64) -> [f64; 4] {
    let energy = pressure / (GAMMA - 1.0) + 0.5 * density * (u * u + v * v);
    [density, density * u, density * v, energy]
}

/// Returns the vortex after a time, from its nearest periodic image.
fn vortex(patches: &Patches<Euler, 4>, t: f64) -> Vec<f64> {
    let Euler { mach, strength } = patches.law;
    let (speed, period) = (mach * FRAC_1_SQRT_2, PERIODS[0]);
    patches.state(|place| {
        let [x, y] = place.map(|x| {
            let from = x - 0.5 * period - speed * t;
            from - period * (from / period).round()
        });
        let bell = strength * (0.5 * (1.0 - x * x - y * y)).exp();
        // Sound travels at c² = T, and dc²/dr = (γ − 1) v²/r balances the rotation.
        let temperature = 1.0 - 0.5 * (GAMMA - 1.0) * bell * bell;
        let density = temperature.powf(1.0 / (GAMMA - 1.0));
        conserved(density, [speed - bell * y, speed + bell * x], density * temperature / GAMMA)
    })
}

/// Returns two shear layers, disturbed by a wave. The second one crosses the refined square.
fn shear([x, y]: [f64; 2], thickness: f64) -> [f64; 4] {
    // The dense gas between y = 0 and y = 1 with its nearest images, so that the flow is smooth.
    let between = |y: f64| (y / thickness).tanh() - ((y - 1.0) / thickness).tanh();
    let inside = between(y) + between(y - PERIODS[1]) + between(y + PERIODS[1]);
    conserved(0.5 + 0.75 * inside, [0.5 * (inside - 1.0), 0.1 * (TAU * x).sin()], 1.0)
}

impl Euler {
    /// Returns the normal velocity and the pressure at a node.
    #[inline(always)]
    fn velocity_and_pressure<N: Number>(axis: usize, state: &Line<N, 4>, j: usize) -> [N; 2] {
        let [density, u, v, energy] = [state[0][j], state[1][j], state[2][j], state[3][j]];
        let inverse = N::from(1.0) / density;
        let pressure = (energy - (u * u + v * v) * inverse * 0.5) * (GAMMA - 1.0);
        [if axis == 0 { u } else { v } * inverse, pressure]
    }
}

impl Law<4> for Euler {
    #[inline(always)]
    fn flux<N: Number>(&self, axis: usize, state: &Line<N, 4>) -> Line<N, 4> {
        let mut flux = *state;
        for j in 0..NODES {
            let [velocity, pressure] = Self::velocity_and_pressure(axis, state, j);
            for k in 0..3 {
                flux[k][j] = state[k][j] * velocity;
            }
            flux[1 + axis][j] += pressure;
            flux[3][j] = (state[3][j] + pressure) * velocity;
        }
        flux
    }

    #[inline(always)]
    fn numerical_flux<N: Number>(&self, axis: usize, low: &Line<N, 4>, high: &Line<N, 4>) -> Line<N, 4> {
        let fluxes = [self.flux(axis, low), self.flux(axis, high)];
        let mut flux = fluxes[0];
        for j in 0..NODES {
            let speed = |state: &Line<N, 4>| {
                let [velocity, pressure] = Self::velocity_and_pressure(axis, state, j);
                velocity.abs() + (pressure * GAMMA / state[0][j]).sqrt()
            };
            let (below, above) = (speed(low), speed(high));
            let most = if below.re() > above.re() { below } else { above };
            for k in 0..4 {
                flux[k][j] = (fluxes[0][k][j] + fluxes[1][k][j] - (high[k][j] - low[k][j]) * most) * 0.5;
            }
        }
        flux
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::rk4;
    use crate::meshes::galerkin::gauss;
    use crate::model::Model;
    use crate::{Value, model_with};

    fn euler(changes: &[(&str, Value<'_>)]) -> Model {
        model_with("dg-euler-quadtree", changes).unwrap()
    }

    /// Returns mass, momenta and energy over the whole mesh.
    fn totals(y: &[f64], changes: &[Parameter]) -> [f64; 4] {
        let values = Values(changes);
        let period = PERIODS[usize::from(values.is("flow", "shear"))];
        let size = Patches::<Euler, 4>::SIZE;
        let mesh = Quadtree::of(values, period, size).unwrap();
        let weights = gauss(NODES).1;
        let mut totals = [0.0; 4];
        for (cell, block) in mesh.cells.iter().zip(y.chunks_exact(size)) {
            for (k, value) in block.iter().enumerate() {
                let (variable, i, j) = (k / (NODES * NODES), k / NODES % NODES, k % NODES);
                totals[variable] += 0.25 * cell.width * cell.width * weights[i] * weights[j] * value;
            }
        }
        totals
    }

    #[test]
    fn mass_momentum_and_energy_are_kept_to_rounding() {
        for flow in ["vortex", "shear"] {
            let mesh = [("meshes", 3.0.into()), ("cells", 5.0.into()), ("patch", 3.0.into())];
            let model = euler(&[&mesh[..], &[("flow", flow.into()), ("thickness", 0.2.into())]].concat());
            let end = rk4(&model, 0.004, 50, |_, _| {});
            assert!(end.iter().zip(&model.initial).any(|(a, b)| (a - b).abs() > 1e-3));
            let (before, after) = (totals(&model.initial, &model.parameters), totals(&end, &model.parameters));
            for (before, after) in before.iter().zip(after) {
                assert!((before - after).abs() < 1e-13 * totals(&end, &model.parameters)[3], "{before} {after}");
            }
        }
    }

    #[test]
    fn the_vortex_moves_as_it_should() {
        // The errors were computed by another program with the same discretization.
        let error = |cells: f64| {
            let model = euler(&[("cells", cells.into()), ("patch", (cells / 4.0).into())]);
            let end = rk4(&model, 0.1 / cells, (cells * 10.0) as usize, |_, _| {});
            let exact = model.exact(1.0).unwrap();
            end.iter().zip(&exact).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt() / (end.len() as f64).sqrt()
        };
        for (cells, expected) in [(8.0, 3.2703e-4), (16.0, 1.4817e-5)] {
            let found = error(cells);
            assert!((found / expected - 1.0).abs() < 0.01, "{cells}: {found}");
        }
    }
}
