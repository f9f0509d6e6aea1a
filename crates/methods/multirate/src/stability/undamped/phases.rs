//! The fast part alone for large y, if starts or drifts make it inexact: a function of the phases Δ_i y.

use num_complex::Complex64;

use super::moduli::Moduli;
use super::torus::TorusSupremum;
use crate::stability::rows::FlowRows;

/// Spacing and number of the values of y among which large moduli are sought.
const SPACING: f64 = 0.25;
const SAMPLES: usize = 800_000;

/// |R(iy, 0)| in the limit for large y, as a function of independent phases.
pub(super) struct Phases<'a> {
    rows: &'a FlowRows<Complex64>,
    /// The lengths whose phases matter; that of the last stage alone turns R without changing its modulus.
    lengths: Vec<usize>,
}

impl<'a> Phases<'a> {
    pub(super) fn new(rows: &'a FlowRows<Complex64>) -> Self {
        let last = rows.rows.len().saturating_sub(1);
        let is_used = |interval: &usize| {
            !rows.intervals[*interval].1 && rows.rows.iter().take(last).any(|row| row.interval == *interval)
        };
        Self { rows, lengths: (0..rows.intervals.len()).filter(is_used).collect() }
    }

    /// Computes |R|² at phases.
    fn at(&self, phases: &[f64]) -> f64 {
        let mut turns = vec![Complex64::ONE; self.rows.intervals.len()];
        for (length, phase) in self.lengths.iter().zip(phases) {
            turns[*length] = Complex64::cis(*phase);
        }
        let mut values = Vec::with_capacity(self.rows.rows.len() + 1);
        values.push(Complex64::ONE);
        for row in &self.rows.rows {
            let combined = |columns: &[Complex64]| {
                let terms = columns.iter().zip(&values).skip(1);
                terms.fold(Complex64::ZERO, |sum, (weight, value)| sum + weight.re * (value - 1.0))
            };
            let start = (values[row.from] + combined(&row.start)) * turns[row.interval];
            let is_still = self.rows.intervals[row.interval].1;
            values.push(if is_still { start + combined(&row.drift) } else { start });
        }
        values[values.len() - 1].norm_sqr()
    }

    /// Bounds the second derivative of |R|² by the phase of a length.
    fn curvature(&self, length: usize) -> f64 {
        let one = Moduli::constant(1.0);
        let mut values = vec![one];
        for row in &self.rows.rows {
            let combined = |columns: &[Complex64]| -> Moduli {
                columns.iter().zip(&values).skip(1).map(|(weight, value)| (*value + one).scaled(weight.re)).sum()
            };
            let is_still = self.rows.intervals[row.interval].1;
            let turn = Moduli::oscillation(if row.interval == length { 1.0 } else { 0.0 });
            let start = (values[row.from] + combined(&row.start)) * turn;
            values.push(if is_still { start + combined(&row.drift) } else { start });
        }
        values[values.len() - 1].of_square()
    }

    /// Bounds |R|² over all phases.
    pub(super) fn supremum(&self) -> TorusSupremum {
        let curvature = self.lengths.iter().map(|length| self.curvature(*length)).sum();
        TorusSupremum::new(self.lengths.len(), curvature, |phases| self.at(phases))
    }

    /// Returns y from `from` on with large moduli.
    pub(super) fn candidates(&self, from: f64) -> Vec<f64> {
        const KEPT: usize = 4;
        let mut best: Vec<(f64, f64)> = Vec::new();
        for k in 0..SAMPLES {
            let y = from + SPACING * k as f64;
            let phases: Vec<f64> = self.lengths.iter().map(|length| self.rows.intervals[*length].0.re * y).collect();
            let value = self.at(&phases);
            if best.len() < KEPT || value > best[KEPT - 1].0 {
                best.push((value, y));
                best.sort_by(|x, y| y.0.total_cmp(&x.0));
                best.truncate(KEPT);
            }
        }
        best.into_iter().map(|(_, y)| y).collect()
    }
}
