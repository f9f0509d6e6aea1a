//! S of a pair as a function of z_ss and the coupling number at a fixed z_ff, for eight points at a time.

use hemiola_stability::lanes::{ComplexLanes, RealLanes};
use num_complex::Complex64;
use num_traits::Zero;

/// S(Z) for Z = [z_ss, g z_ss; z_ff, z_ff], which has z_sf z_fs = g z_ss z_ff, at a fixed z_ff.
#[derive(Clone, Debug)]
pub(super) struct FixedPair {
    pub(super) rows: Vec<PairRow>,
}

/// A stage at a fixed z_ff. Coefficients of the slow variable are real.
#[derive(Clone, Debug)]
pub(super) struct PairRow {
    pub(super) from: usize,
    pub(super) flow: Complex64,
    /// The weight of the slow start in the fast end.
    pub(super) pull: Complex64,
    /// The weights of the fast and the slow drift in the fast end.
    pub(super) drift_flow: [Complex64; 2],
    pub(super) start: Vec<f64>,
    pub(super) drift: Vec<f64>,
    pub(super) slow: Vec<f64>,
    pub(super) fast: Vec<Complex64>,
}

/// The slow and the fast variable as images of the unit vectors: ss, sf, fs, ff.
type Pair = [ComplexLanes; 4];

/// The stages of a step, and the slow slopes at them.
#[derive(Default)]
pub(super) struct PairStages {
    values: Vec<Pair>,
    slopes: Vec<[ComplexLanes; 2]>,
}

/// Adds Σ_j α_j (Y_j − Y₁).
#[inline(always)]
fn combined(mut sum: Pair, columns: &[f64], values: &[Pair]) -> Pair {
    for (j, &coefficient) in columns.iter().enumerate().skip(1) {
        if coefficient != 0.0 {
            for entry in 0..4 {
                sum[entry] = values[j][entry].minus(values[0][entry]).scaled_plus(coefficient, sum[entry]);
            }
        }
    }
    sum
}

impl FixedPair {
    /// Computes S at z_ss = `slow` and g = `coupling`; entries are infinite or NaN at a pole.
    #[inline(always)]
    pub(super) fn entries(&self, slow: ComplexLanes, coupling: RealLanes, stages: &mut PairStages) -> Pair {
        let PairStages { values, slopes } = stages;
        values.clear();
        slopes.clear();
        let (zero, one) = (ComplexLanes::ZERO, ComplexLanes::all(Complex64::ONE));
        let mut last = [one, zero, zero, one];
        values.push(last);
        for row in &self.rows {
            let mut slope = [zero; 2];
            for q in 0..2 {
                slope[q] = slow.times(last[2 + q].real_times_plus(coupling, last[q]));
            }
            slopes.push(slope);
            let start = combined(values[row.from], &row.start, values);
            let (flow, pull) = (ComplexLanes::all(row.flow), ComplexLanes::all(row.pull));
            let mut s = [start[0], start[1]];
            let mut f = [zero; 2];
            for q in 0..2 {
                f[q] = flow.times_plus(start[2 + q], pull.times(start[q]));
            }
            if !row.drift.is_empty() {
                let drift = combined([zero; 4], &row.drift, values);
                let [mean, pull] = row.drift_flow;
                let (mean, pull) = (ComplexLanes::all(mean), ComplexLanes::all(pull));
                for q in 0..2 {
                    s[q] = s[q].plus(drift[q]);
                    f[q] = mean.times_plus(drift[2 + q], pull.times_plus(drift[q], f[q]));
                }
            }
            for (j, slope) in slopes.iter().enumerate() {
                let (weight, force) = (row.slow[j], ComplexLanes::all(row.fast[j]));
                for q in 0..2 {
                    s[q] = slope[q].scaled_plus(weight, s[q]);
                    f[q] = force.times_plus(slope[q], f[q]);
                }
            }
            let own = row.slow[slopes.len()];
            if !own.is_zero() {
                let reciprocal = one.minus(slow.scaled(RealLanes::all(own))).reciprocal();
                let force = slow.scaled(coupling).scaled(RealLanes::all(own));
                for q in 0..2 {
                    s[q] = force.times_plus(f[q], s[q]).times(reciprocal);
                }
            }
            last = [s[0], s[1], f[0], f[1]];
            values.push(last);
        }
        last
    }
}
