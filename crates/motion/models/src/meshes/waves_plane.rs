//! The wave equation in the plane as a first-order system, by discontinuous Galerkin methods with products of Legendre
//! polynomials.

use std::f64::consts::{SQRT_2, TAU};

use super::cells::PARAMETERS;
use super::galerkin::{self, Galerkin, left_end, right_end};
use super::galerkin_plane::MOST;
use super::plane::{Plane, ROWS};
use crate::equations::{Equations, Number};
use crate::model::{ModelKind, ModelParts};
use crate::parameter::{Parameter, Values, joined};

const GALERKIN: [Parameter; 3] = joined(galerkin::PARAMETERS, [ROWS]);
static ALL: [Parameter; 8] = joined(PARAMETERS, GALERKIN);

/// p_t + v_x + w_y = 0, v_t + p_x = 0, w_t + p_y = 0 on the periodic unit square, from p = sin 2πx sin 2πy, v = w = 0,
/// with upwind fluxes. Columns of cells have several widths; rows have equal heights.
pub(crate) static KIND: ModelKind = ModelKind {
    name: "dg-waves-plane",
    title: "wave equation in the plane by discontinuous Galerkin methods on cells of several widths",
    parameters: &ALL,
    build: |values| built(values, None),
};

/// Builds the model of all cells, or of one kind alone.
pub(super) fn built(values: Values<'_>, alone: Option<usize>) -> Option<ModelParts> {
    let galerkin = Galerkin::of(values);
    let n = galerkin.size();
    let size = 3 * n * n;
    let plane = Plane::of(values, size, alone)?;
    let modes = |name: &str| (0..n * n).map(|k| format!("{name}# mode {},{}", k / n, k % n)).collect::<Vec<_>>();
    let names = plane.layout.names(&[modes("p"), modes("v"), modes("w")].concat());
    let variables: Vec<(&str, &'static str)> = names.iter().map(|name| (name.as_str(), "1")).collect();
    let initial = plane.state(|[center, width], row| {
        let x = galerkin.projected(center, width, |x| (TAU * x).sin());
        let y = galerkin.projected(row, plane.height, |y| (TAU * y).sin());
        let mut state: Vec<f64> = x.iter().flat_map(|x| y.iter().map(move |y| x * y)).collect();
        state.resize(size, 0.0);
        state
    });
    let sizes = plane.layout.sizes();
    let fast = sizes.iter().sum::<usize>() - sizes.last().copied().unwrap_or_default();
    let built = ModelParts::new(&variables, &sizes, PlaneWaves { galerkin, plane });
    let drawn = if fast == 0 { vec![0] } else { vec![0, fast] };
    // The standing wave has the period 1/√2.
    Some(built.starting(initial).lasting(0.5 * SQRT_2).drawing(&drawn))
}

struct PlaneWaves {
    galerkin: Galerkin,
    plane: Plane,
}

impl PlaneWaves {
    /// Adds the coupling of pressure and velocity along one direction: −u_ξ to p and −p_ξ to u. `place(k, l)` is the
    /// index of the coefficient of P_k along the direction and P_l across.
    fn add<N: Number>(
        &self,
        (width, velocity): (f64, usize),
        [before, here, after]: [&[N]; 3],
        place: impl Fn(usize, usize) -> usize,
        rate: &mut [N],
    ) {
        let n = self.galerkin.size();
        for line in 0..n {
            // Polynomials of p and of the velocity on a line through a cell.
            let on_line = |cell: &[N]| {
                let mut found = [[N::from(0.0); MOST]; 2];
                for k in 0..n {
                    found[0][k] = cell[place(k, line)];
                    found[1][k] = cell[velocity * n * n + place(k, line)];
                }
                found
            };
            let [before, here, after] = [before, here, after].map(on_line);
            let ends = [self.fluxes(&before, &here), self.fluxes(&here, &after)];
            for (of, changed, other) in [(0, 0, 1), (1, velocity, 0)] {
                let mut change = [N::from(0.0); MOST];
                let inside = self.galerkin.at_nodes(&here[other][..n]);
                self.galerkin.divergence(width, inside, ends.map(|fluxes| fluxes[of]), &mut change[..n]);
                for k in 0..n {
                    rate[changed * n * n + place(k, line)] += change[k];
                }
            }
        }
    }

    /// Returns the upwind fluxes of p and of the velocity between two cells: velocity and pressure of the incoming
    /// waves.
    fn fluxes<N: Number>(&self, [p_before, u_before]: &[[N; MOST]; 2], [p_after, u_after]: &[[N; MOST]; 2]) -> [N; 2] {
        let n = self.galerkin.size();
        let (p_left, u_left) = (right_end(&p_before[..n]), right_end(&u_before[..n]));
        let (p_right, u_right) = (left_end(&p_after[..n]), left_end(&u_after[..n]));
        [(u_left + u_right + p_left - p_right) * 0.5, (p_left + p_right + u_left - u_right) * 0.5]
    }
}

impl Equations for PlaneWaves {
    fn rate<N: Number>(&self, partition: usize, _t: f64, y: &[N], rate: &mut [N]) {
        let n = self.galerkin.size();
        self.plane.each(partition, y, rate, |place, rate| {
            self.add((place.width, 1), [place.left, place.here, place.right], |k, l| k * n + l, rate);
            self.add((self.plane.height, 2), [place.below, place.here, place.above], |k, l| l * n + k, rate);
        });
    }

    /// Returns ∫ (p² + v² + w²)/2, which does not grow with upwind fluxes.
    fn energy<N: Number>(&self, _t: f64, y: &[N]) -> Option<N> {
        let n = self.galerkin.size();
        let (size, columns) = (3 * n * n, self.plane.cells.len());
        let mut sum = N::from(0.0);
        for (cell, &first) in self.plane.layout.first.iter().enumerate() {
            let area = self.plane.cells.widths[cell % columns] * self.plane.height;
            let lines = y.get(first..first + size)?.chunks_exact(n).enumerate();
            let square = |(line, u): (usize, &[N])| self.galerkin.square(u) * self.galerkin.square_of(line % n);
            sum += lines.map(square).fold(N::from(0.0), |sum, square| sum + square) * (0.125 * area);
        }
        Some(sum)
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::SQRT_2;

    use crate::check::{rates, rk4};
    use crate::registry::model;

    #[test]
    fn standing_waves_return() {
        let waves = model("dg-waves-plane", &[("cells", 4.0), ("rows", 8.0)]).unwrap();
        let end = rk4(&waves, 0.5 * SQRT_2 / 500.0, 500, |_, _| {});
        let worst = end.iter().zip(&waves.initial).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 3e-3, "{worst}");
        // After half a period p has the opposite sign.
        let half = rk4(&waves, 0.5 * SQRT_2 / 500.0, 250, |_, _| {});
        let worst = half.iter().zip(&waves.initial).map(|(a, b)| (a + b).abs()).fold(0.0, f64::max);
        assert!(worst < 3e-3, "{worst}");
    }

    #[test]
    fn along_x_waves_are_those_of_the_line() {
        // States constant along y in each row: the mean over y in each cell is a wave on the line.
        let mesh = [("cells", 3.0), ("degree", 2.0)];
        let plane = model("dg-waves-plane", &[&mesh[..], &[("rows", 2.0)]].concat()).unwrap();
        let line = model("dg-waves", &mesh).unwrap();
        let state = |k: usize| (1.3 * k as f64).sin();
        // Nine cells on the line, with three coefficients each of p and v; 27 per cell of p, v, w in the plane, of
        // which P_k(x)P_0(y) is the first of every three.
        let on_line: Vec<f64> = (0..54).map(state).collect();
        let mut in_plane = vec![0.0; plane.initial.len()];
        for place in 0..in_plane.len() {
            let (cell, of) = (place / 27, place % 27);
            // Three wide cells in each of two rows come first, then the narrow ones, six per row.
            let column = if cell < 6 { cell % 3 } else { 3 + (cell - 6) % 6 };
            if of < 18 && of % 3 == 0 {
                in_plane[place] = on_line[6 * column + of / 3];
            }
        }
        let (found, expected) = (rates(&plane, 0.0, &in_plane), rates(&line, 0.0, &on_line));
        for (place, found) in found.iter().enumerate() {
            let (cell, of) = (place / 27, place % 27);
            let column = if cell < 6 { cell % 3 } else { 3 + (cell - 6) % 6 };
            let expected = if of < 18 && of % 3 == 0 { expected[6 * column + of / 3] } else { 0.0 };
            assert!((found - expected).abs() < 1e-11, "{place}: {found} {expected}");
        }
    }

    #[test]
    fn pressure_is_kept_and_energy_does_not_grow() {
        let waves = model("dg-waves-plane", &[("cells", 2.0), ("rows", 3.0), ("degree", 2.0)]).unwrap();
        let mut state: Vec<f64> = (0..waves.initial.len()).map(|k| (0.7 * k as f64).sin()).collect();
        let rate = rates(&waves, 0.0, &state);
        // Two wide cells and four narrow ones, half as wide, in each of three rows.
        let mass: f64 =
            rate.chunks(27).enumerate().map(|(cell, rate)| rate[0] * if cell < 6 { 2.0 } else { 1.0 }).sum();
        assert!(mass.abs() < 1e-12, "{mass}");
        let energy = |y: &[f64]| waves.energy(0.0, y).unwrap();
        let before = energy(&state);
        state.iter_mut().zip(&rate).for_each(|(y, rate)| *y += 1e-6 * rate);
        assert!(energy(&state) < before);
        // ∫ sin² sin²/2 = 1/8.
        let fine = model("dg-waves-plane", &[("cells", 4.0), ("rows", 8.0)]).unwrap();
        assert!((fine.energy(0.0, &fine.initial).unwrap() - 0.125).abs() < 1e-6);
    }
}
