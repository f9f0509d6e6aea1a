//! The Brusselator with diffusion on a rod, with a fine grid in one half.

use crate::equations::{Equations, Number};
use crate::model::{ModelKind, ModelParts};
use crate::parameter::{AdmissibleValues, Parameter};

const SOURCE: &str = "Hairer & Wanner II (1996), IV.1";

/// u_t = A + u²v − (B + 1)u + d u_xx, v_t = Bu − u²v + d v_xx on [0, 1] with u = A, v = B/A at the ends, from u = A +
/// sin 2πx, v = B/A.
///
/// Finite volumes: `cells` equal ones in the left half and `refinement` times as many in the right half. The flux
/// between neighbors is d times the slope between their centers. Diffusion is stiffer in the right half by the square
/// of the refinement, so its cells are fast.
pub(crate) static KIND: ModelKind = ModelKind {
    name: "brusselator",
    title: "Brusselator with diffusion, coarse (slow) and fine (fast) cells",
    parameters: &[
        Parameter::new("cells", "cells of the coarse half", 6.0, "1").within(AdmissibleValues::Count),
        Parameter::new("refinement", "fine cells in the place of a coarse one", 3.0, "1")
            .within(AdmissibleValues::Count),
        Parameter::new("diffusion", "diffusion d", 0.02, "1").from(SOURCE).within(AdmissibleValues::NotNegative),
        Parameter::new("feed", "A", 1.0, "1").from(SOURCE),
        Parameter::new("reaction", "B", 3.0, "1").from(SOURCE),
    ],
    build: |values| {
        // The ranges of the parameters admit integers up to 30.
        let cells = values.of("cells") as usize;
        let fine = cells * values.of("refinement") as usize;
        let rod = Rod::new(cells, fine, values.of("diffusion"), values.of("feed"), values.of("reaction"));
        let named = |k: usize| [format!("u{}", k + 1), format!("v{}", k + 1)];
        let names: Vec<String> = (0..cells + fine).flat_map(named).collect();
        let variables: Vec<(&str, &'static str)> = names.iter().map(|name| (name.as_str(), "1")).collect();
        let [u, v] = rod.ends;
        let initial = rod.centers().flat_map(|x| [u + (std::f64::consts::TAU * x).sin(), v]).collect();
        let drawn = [0, 2 * (cells / 2), 2 * (cells + fine / 2)];
        let built = ModelParts::new(&variables, &[2 * cells, 2 * fine], rod).starting(initial);
        Some(built.lasting(10.0).drawing(&drawn[usize::from(cells == 1)..]))
    },
};

struct Rod {
    feed: f64,
    reaction: f64,
    /// The values of u and v at both ends.
    ends: [f64; 2],
    coarse: usize,
    widths: Vec<f64>,
    /// d over the distance between centers, or between the outermost center and the end: for the left face of each
    /// cell, then for the last right face.
    conductances: Vec<f64>,
}

impl Rod {
    fn new(coarse: usize, fine: usize, diffusion: f64, feed: f64, reaction: f64) -> Self {
        let [wide, narrow] = [coarse, fine].map(|cells| 0.5 / cells as f64);
        let mut widths = vec![wide; coarse];
        widths.resize(coarse + fine, narrow);
        let inner = widths.windows(2).map(|pair| 2.0 * diffusion / (pair[0] + pair[1]));
        let ends = [wide, narrow].map(|width| 2.0 * diffusion / width);
        let conductances = [ends[0]].into_iter().chain(inner).chain([ends[1]]).collect();
        Self { feed, reaction, ends: [feed, reaction / feed], coarse, widths, conductances }
    }

    fn centers(&self) -> impl Iterator<Item = f64> {
        self.widths.iter().scan(0.0, |left, width| {
            *left += width;
            Some(*left - width / 2.0)
        })
    }

    /// Computes the diffusion of one substance into a cell: 0 is u, 1 is v.
    fn diffusion<N: Number>(&self, cell: usize, substance: usize, y: &[N]) -> N {
        let end = || N::from(self.ends[substance]);
        let here = y[2 * cell + substance];
        let left = if cell == 0 { end() } else { y[2 * cell - 2 + substance] };
        let right = y.get(2 * cell + 2 + substance).copied().unwrap_or_else(end);
        let flow = (right - here) * self.conductances[cell + 1] + (left - here) * self.conductances[cell];
        flow / self.widths[cell]
    }
}

impl Equations for Rod {
    fn rate<N: Number>(&self, partition: usize, _t: f64, y: &[N], rate: &mut [N]) {
        if y.len() != 2 * self.widths.len() {
            return;
        }
        let first = if partition == 0 { 0 } else { self.coarse };
        for (cell, rate) in (first..self.widths.len()).zip(rate.chunks_exact_mut(2)) {
            let (u, v) = (y[2 * cell], y[2 * cell + 1]);
            let (made, used) = (u * u * v, u * self.reaction);
            rate[0] = made - used - u + self.feed + self.diffusion(cell, 0, y);
            rate[1] = used - made + self.diffusion(cell, 1, y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Rod;
    use crate::check::rates;
    use crate::registry::model;
    use hemiola_stability::real_eigenvalues;

    #[test]
    fn the_uniform_state_is_steady() {
        let rod = model("brusselator", &[("feed", 1.2), ("reaction", 2.5)]).unwrap();
        let y: Vec<f64> = [1.2, 2.5 / 1.2].repeat(rod.variables.len() / 2);
        assert!(rates(&rod, 0.0, &y).iter().all(|rate| rate.abs() < 1e-14));
    }

    #[test]
    fn what_leaves_a_cell_enters_its_neighbor() {
        let rod = Rod::new(3, 6, 0.02, 1.0, 3.0);
        let y: Vec<f64> = (0..18).map(|k| (1.7 * f64::from(k)).sin()).collect();
        // In the sum over all cells only the flux through the ends remains.
        let total: f64 = (0..9).map(|cell| rod.widths[cell] * rod.diffusion(cell, 0, &y)).sum();
        let ends = 0.02 * ((1.0 - y[0]) / (0.5 / 6.0) + (1.0 - y[16]) / (0.5 / 12.0));
        assert!((total - ends).abs() < 1e-14, "{total} {ends}");
    }

    #[test]
    fn a_straight_profile_does_not_diffuse() {
        let mut rod = Rod::new(4, 12, 0.02, 1.0, 3.0);
        rod.ends = [0.0; 2];
        let y: Vec<f64> = rod.centers().flat_map(|x| [2.0 * x, -x]).collect();
        // Only the last cell sees an end that is off the line.
        assert!(
            (0..15).all(|cell| rod.diffusion(cell, 0, &y).abs() < 1e-13 && rod.diffusion(cell, 1, &y).abs() < 1e-13)
        );
    }

    #[test]
    fn fine_cells_are_stiffer_by_the_square_of_the_refinement() {
        let largest = |refinement: f64, fast: bool| {
            let rod = model("brusselator", &[("cells", 8.0), ("refinement", refinement)]).unwrap();
            let jacobian = rod.jacobian_at(0.0, &rod.initial);
            let range = if fast { 16..jacobian.len() } else { 0..16 };
            let block: Vec<Vec<f64>> = jacobian[range.clone()].iter().map(|row| row[range.clone()].to_vec()).collect();
            real_eigenvalues(&block).unwrap().iter().map(|value| -value.re).fold(0.0, f64::max)
        };
        // Eigenvalues range from 4d/h² inside to 6d/h² at an end, where the distance is halved; d/h² is 5.12 in the
        // coarse half. |2uv − 4| and u² of the reactions are up to 8 and 4.
        let (slow, fast) = (largest(4.0, false), largest(4.0, true));
        assert!(slow > 3.0 * 5.12 && slow < 6.0 * 5.12 + 8.0, "{slow}");
        assert!(fast > 16.0 * 4.0 * 5.12 - 12.0 && fast < 16.0 * 6.0 * 5.12 + 12.0, "{fast}");
    }
}
