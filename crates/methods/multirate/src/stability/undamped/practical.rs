//! The largest x with |R(iy, z_S)| ≤ 1.001 for −x ≤ z_S ≤ 0 and all y.

use std::ops::ControlFlow;

use num_complex::Complex64;
use num_traits::Zero;

use super::axis::{Surface, prove};
use super::bounds::UndampedBounds;
use super::moduli::Moduli;
use crate::stability::additive::{AdditiveFlow, FixedFast};
use crate::stability::search::{maximum, root};
use crate::stability::sector::FARTHEST_SLOW;

/// The largest |R|: growth that becomes visible in a thousand steps, as in the practical coupled profile.
const LEVEL: f64 = 1.001;
/// First samples of y, and the samples of x: their spacing, and the ratio of neighbors beyond ten.
const FIRST_SPACING: f64 = 0.1;
const FIRST_END: f64 = 1000.0;
const SLOW_SPACING: f64 = 0.05;
const UNIFORM: f64 = 10.0;
const RATIO: f64 = 1.05;
/// Width of the first intervals of y, and the largest number of rectangles.
const SPACING: f64 = 0.5;
const BUDGET: usize = 150_000;
/// Largest limit for which a proof is attempted; bounds of derivatives grow with powers of it.
const MOST_LIMIT: f64 = 50.0;
/// Fraction of the limit that proofs leave open: the bound and the limit meet there.
const OPEN: f64 = 1e-6;
/// Parts of the limit for which a proof is attempted.
const PARTS: [f64; 3] = [1.0, 0.3, 0.1];
/// Ends of the part of the axis that is divided into rectangles. If what is known beyond is not sharp, the last would
/// take long and gain little.
const ENDS: [f64; 4] = [500.0, 2000.0, 8000.0, 40_000.0];

/// A limit that is exceeded just beyond, and a proved lower bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PracticalLimit {
    pub(super) limit: Option<f64>,
    pub(super) lower: Option<f64>,
}

/// Knowledge of R for large y.
#[derive(Clone, Copy, Debug)]
pub(super) enum Far {
    /// The fast part is exact, and the growth is at most this.
    Exact(f64),
    /// The fast part is exact, and the limit has this period.
    Periodic(f64),
    /// The fast part is inexact, and its |R| is at most this far on.
    Inexact(f64),
}

/// |R(iy, −x)|² of a method, or of its limit for large y.
struct Modulus<'a> {
    flow: &'a AdditiveFlow<Complex64>,
    bounds: &'a UndampedBounds,
    slow: usize,
    /// 1/Ω for the limit for y ≥ Ω.
    far: Option<f64>,
}

impl Modulus<'_> {
    fn excess(&self, column: &FixedFast<Complex64>, x: f64) -> f64 {
        self.value(column, x) - LEVEL * LEVEL
    }
}

impl Surface for Modulus<'_> {
    type Column = FixedFast<Complex64>;

    fn column(&self, y: f64) -> Self::Column {
        if self.far.is_none() {
            return self.flow.at_fast(&Complex64::new(0.0, y));
        }
        self.flow.with_phis(|length, highest| {
            let mut phis = vec![Complex64::zero(); highest + 1];
            phis[0] = Complex64::cis(length.re * y);
            phis
        })
    }

    fn value(&self, column: &Self::Column, x: f64) -> f64 {
        let mut slow = vec![Complex64::zero(); self.flow.slow_partitions()];
        slow[self.slow] = Complex64::from(-x);
        let square = column.value(&slow).map_or(f64::INFINITY, |value| value.norm_sqr());
        if square.is_nan() { f64::INFINITY } else { square }
    }

    fn curvatures(&self, most: f64) -> [f64; 2] {
        [self.bounds.along_frequency(most, self.far.is_some()), self.bounds.along_slow(most)].map(Moduli::of_square)
    }

    fn rounding(&self, y: f64) -> f64 {
        self.bounds.rounding(y, LEVEL * LEVEL)
    }

    fn level(&self, x: f64) -> f64 {
        let distance = self.far.map_or(0.0, |w| self.bounds.far_distance(x, w, true));
        (LEVEL - distance).max(0.0).powi(2)
    }
}

impl PracticalLimit {
    /// Finds the limit; `peaks` are values of y at which growth is large.
    pub(super) fn new(
        flow: &AdditiveFlow<Complex64>,
        bounds: &UndampedBounds,
        slow: usize,
        peaks: &[f64],
        far: Far,
    ) -> Self {
        let near = Modulus { flow, bounds, slow, far: None };
        let mut limit = first_limit(&near, peaks);
        if limit.is_none_or(|limit| limit > MOST_LIMIT) {
            return Self { limit, lower: None };
        }
        let Some(open) = limit.filter(|limit| *limit > 0.0).map(|limit| limit * (1.0 - OPEN)) else {
            return Self { limit, lower: None };
        };
        let (end, beyond) = near.end(open, far);
        // A smaller part of the limit may be provable if the whole is not.
        let lower = PARTS.iter().find_map(|part| {
            prove(&near, end, SPACING, BUDGET, open * part, |column, _, x| {
                let exit = root(|x| near.excess(column, x), 0.0, x);
                limit = limit.map(|limit| limit.min(exit));
                ControlFlow::Continue(exit * (1.0 - OPEN))
            })
        });
        let proved = lower.map(|lower| lower.min(beyond)).filter(|lower| *lower > 0.0);
        Self { limit, lower: proved }
    }
}

impl Modulus<'_> {
    /// Chooses the end of the part of the axis that is divided into rectangles, and returns it with the limit that holds
    /// beyond: the first end for which that is `most`.
    fn end(&self, most: f64, far: Far) -> (f64, f64) {
        let ends = ENDS.map(|end| (end, self.beyond(most, end, far)));
        ends.into_iter().find(|(_, beyond)| *beyond >= most).unwrap_or(ends[ENDS.len() - 2])
    }

    /// Returns a limit up to `most` that holds for all y beyond `end`, by what is known there; zero if there is none.
    fn beyond(&self, most: f64, end: f64, far: Far) -> f64 {
        const CELLS: usize = 256;
        let w = end.recip();
        let part = |k: usize| most * k as f64 / CELLS as f64;
        let by_moduli = |k: usize| self.bounds.far_modulus([part(k), part(k + 1)], w);
        let is_stable = |k: usize| match far {
            Far::Periodic(_) => by_moduli(k) <= LEVEL,
            // |R|² = 1 + 2gx + ½ x² ∂²|R|²/∂x² at some smaller x.
            Far::Exact(growth) => {
                let x = part(k + 1);
                let square = 1.0 + 2.0 * growth.max(0.0) * x + 0.5 * x * x * self.bounds.along_slow(x).of_square();
                square <= LEVEL * LEVEL || by_moduli(k) <= LEVEL
            }
            Far::Inexact(fast) => fast + self.bounds.far_distance(part(k + 1), w, false) <= LEVEL,
        };
        let all = part((0..CELLS).take_while(|&k| is_stable(k)).count());
        let Far::Periodic(period) = far else { return all };
        if all >= most {
            return all;
        }
        let limit = Self { far: Some(w), ..*self };
        let lowered = prove(&limit, period, SPACING, BUDGET, most, |column, _, x| {
            let exit = root(|x| limit.value(column, x) - limit.level(x), 0.0, x);
            ControlFlow::Continue(exit * (1.0 - OPEN))
        });
        lowered.map_or(all, |lowered| lowered.max(all))
    }
}

/// Finds the first x at which |R| exceeds the level at one of the first samples of y or at a peak.
fn first_limit(modulus: &Modulus, peaks: &[f64]) -> Option<f64> {
    const POLISHES: usize = 20;
    let steps = slow_steps();
    let count = (FIRST_END / FIRST_SPACING) as usize;
    let samples = (0..=count).map(|k| FIRST_SPACING * k as f64);
    let (mut limit, mut at) = (None, 0.0);
    for y in peaks.iter().copied().chain(samples) {
        let column = modulus.column(y);
        let mut low = 0.0;
        if modulus.excess(&column, 0.0) > 0.0 {
            return Some(0.0);
        }
        for &step in &steps {
            let x = limit.map_or(step, |limit: f64| step.min(limit));
            if modulus.excess(&column, x) > 0.0 {
                (limit, at) = (Some(root(|x| modulus.excess(&column, x), low, x)), y);
            }
            if limit.is_some_and(|limit| limit <= step) {
                break;
            }
            low = x;
        }
    }
    // Between samples of y, |R| exceeds the level before.
    for _ in 0..POLISHES {
        let Some(x) = limit else { break };
        let peak =
            maximum(&|y| modulus.excess(&modulus.column(y), x), (at - FIRST_SPACING).max(0.0), at + FIRST_SPACING);
        if peak.value <= 0.0 {
            break;
        }
        let column = modulus.column(peak.at);
        (limit, at) = (Some(root(|x| modulus.excess(&column, x), 0.0, x)), peak.at);
    }
    limit
}

/// Returns the samples of x after 0.
fn slow_steps() -> Vec<f64> {
    let count = (UNIFORM / SLOW_SPACING).round() as usize;
    let mut steps: Vec<f64> = (1..=count).map(|k| SLOW_SPACING * k as f64).collect();
    let mut step = UNIFORM;
    while step < FARTHEST_SLOW {
        step *= RATIO;
        steps.push(step);
    }
    steps
}
