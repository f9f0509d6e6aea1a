//! Stage-by-stage computation of S for explicit and diagonally implicit pairs at any z_ss, z_ff and w.
//!
//! Stage i has Y_s = e_s + Σ a^s_ij K_j and Y_f = e_f + Σ a^f_ij L_j. Its slopes solve (I − Z diag(p, q)) (K, L) = Z
//! (Y_s, Y_f) with p = a^s_ii and q = a^f_ii. With δ = det Z, and scaled to z_sf = 1, z_fs = w, they are
//!
//! K = ((z_ss − qδ) Y_s + Y_f)/D,  L = (w Y_s + (z_ff − pδ) Y_f)/D,  D = 1 − p z_ss − q z_ff + pqδ.

use hemiola_tableau::{Butcher, Tableau};

use super::spectrum::Entries;
use crate::lanes::{ComplexLanes, RealLanes};

/// Nonzero weights of earlier slopes in a sum: (stage, weight).
type SparseWeights = Vec<(usize, f64)>;

/// Steps of the recursion.
#[derive(Clone, Debug)]
pub(crate) struct StageRecursion {
    stages: Vec<Stage>,
    /// Weights b^s and b^f.
    weights: [SparseWeights; 2],
    /// Distinct diagonal entries (a^s_ii, a^f_ii): one division serves all stages that share them.
    diagonals: Vec<(f64, f64)>,
}

#[derive(Clone, Debug)]
struct Stage {
    /// Rows of A^s and A^f left of the diagonal.
    rows: [SparseWeights; 2],
    diagonal: usize,
    /// Whether K_i and L_i enter any sum.
    needed: [bool; 2],
}

/// Map from (Y_s, Y_f) to (K, L) for stages with the same diagonal entries; without a reciprocal D is one.
#[derive(Clone, Copy, Debug)]
struct Propagator {
    slow: ComplexLanes,
    fast: ComplexLanes,
    reciprocal: Option<ComplexLanes>,
}

/// Memory for the slopes of one block of points; reused for the next block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    propagators: Vec<Propagator>,
    /// Slopes K and L of each stage.
    slopes: Vec<[ComplexLanes; 2]>,
}

impl StageRecursion {
    /// Prepares the recursion; returns `None` if a stage depends on later ones.
    pub(crate) fn new(tableau: &Tableau<f64>) -> Option<Self> {
        let parts = &tableau.partitions;
        if !parts.iter().all(|part| part.is_explicit() || part.is_diagonally_implicit()) {
            return None;
        }
        let mut diagonals: Vec<(f64, f64)> = Vec::new();
        let stage = |i: usize| {
            let entries = (parts[0].a[i][i], parts[1].a[i][i]);
            let diagonal = diagonals.iter().position(|known| *known == entries).unwrap_or_else(|| {
                diagonals.push(entries);
                diagonals.len() - 1
            });
            let needed = [0, 1].map(|r| is_needed(&parts[r], i));
            Stage { rows: [0, 1].map(|r| sparse(&parts[r].a[i][..i])), diagonal, needed }
        };
        let stages = (0..tableau.stages()).map(stage).collect();
        Some(Self { stages, weights: [0, 1].map(|r| sparse(&parts[r].b)), diagonals })
    }

    /// Returns the distinct pairs (a^s_ii, a^f_ii).
    pub(crate) fn diagonals(&self) -> &[(f64, f64)] {
        &self.diagonals
    }

    /// Computes S at eight points (z_ss, z_ff, w) by one step from each unit vector.
    #[inline(always)]
    pub(crate) fn entries(&self, z: [ComplexLanes; 3], scratch: &mut Scratch) -> Entries {
        scratch.propagators.clear();
        // Use an explicit loop: the loop of an iterator is compiled for the baseline processor, where fused
        // multiplications are function calls.
        scratch.propagators.reserve(self.diagonals.len());
        for &diagonal in &self.diagonals {
            let propagator = propagator(z, diagonal);
            scratch.propagators.push(propagator);
        }
        scratch.slopes.resize(self.stages.len(), [ComplexLanes::ZERO; 2]);
        let (zero, one) = (ComplexLanes::ZERO, ComplexLanes { re: RealLanes::all(1.0), im: RealLanes::ZERO });
        let mut columns = [[one, zero], [zero, one]];
        for column in &mut columns {
            *column = self.step(*column, z[2], scratch);
        }
        let [[ss, fs], [sf, ff]] = columns;
        [ss, sf, fs, ff]
    }

    #[inline(always)]
    fn step(&self, start: [ComplexLanes; 2], product: ComplexLanes, scratch: &mut Scratch) -> [ComplexLanes; 2] {
        for (i, stage) in self.stages.iter().enumerate() {
            let [ys, yf] = combination(start, &stage.rows, &scratch.slopes);
            let propagator = &scratch.propagators[stage.diagonal];
            if stage.needed[0] {
                scratch.slopes[i][0] = propagator.divided(propagator.slow.times_plus(ys, yf));
            }
            if stage.needed[1] {
                let coupled = product.times(ys);
                scratch.slopes[i][1] = propagator.divided(propagator.fast.times_plus(yf, coupled));
            }
        }
        combination(start, &self.weights, &scratch.slopes)
    }
}

impl Propagator {
    #[inline(always)]
    fn divided(&self, numerator: ComplexLanes) -> ComplexLanes {
        match self.reciprocal {
            Some(reciprocal) => numerator.times(reciprocal),
            None => numerator,
        }
    }
}

#[inline(always)]
fn propagator([slow, fast, product]: [ComplexLanes; 3], (p, q): (f64, f64)) -> Propagator {
    if p == 0.0 && q == 0.0 {
        return Propagator { slow, fast, reciprocal: None };
    }
    let determinant = slow.times(fast).minus(product);
    let one = ComplexLanes { re: RealLanes::all(1.0), im: RealLanes::ZERO };
    let divisor = determinant.scaled_plus(p * q, fast.scaled_plus(-q, slow.scaled_plus(-p, one)));
    Propagator {
        slow: determinant.scaled_plus(-q, slow),
        fast: determinant.scaled_plus(-p, fast),
        reciprocal: Some(divisor.reciprocal()),
    }
}

/// Computes Y_s and Y_f: the initial values plus sums of slopes.
#[inline(always)]
fn combination(start: [ComplexLanes; 2], rows: &[SparseWeights; 2], slopes: &[[ComplexLanes; 2]]) -> [ComplexLanes; 2] {
    let mut values = start;
    for r in 0..2 {
        for &(j, weight) in &rows[r] {
            values[r] = slopes[j][r].scaled_plus(weight, values[r]);
        }
    }
    values
}

fn is_needed(part: &Butcher<f64>, stage: usize) -> bool {
    part.b[stage] != 0.0 || part.a.iter().enumerate().any(|(i, row)| i != stage && row[stage] != 0.0)
}

fn sparse(weights: &[f64]) -> SparseWeights {
    weights.iter().copied().enumerate().filter(|(_, weight)| *weight != 0.0).collect()
}
