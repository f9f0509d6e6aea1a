//! Tableaus that differ among the partitions: the step matrix itself, sample by sample.

use hemiola_tableau::Tableau;
use nalgebra::{DMatrix, DVector};
use num_complex::Complex64;

use super::block_system::{BlockSystem, STABILITY_MARGIN};
use crate::eigenvalues::balance::eigenvalues;
use crate::steps::search::{Excess, StepSearch, Watch};
use crate::steps::stable_steps::StableSteps;
use crate::system::step::{Powers, increment};
use hemiola_number::parallel;

/// What rounding makes of a double zero eigenvalue: a perturbation of n ε ‖M‖ in a block with an entry of at most ‖M‖ moves it by the
/// root of the product.
fn double_rounding(n: usize, size: f64) -> f64 {
    (n as f64 * f64::EPSILON).sqrt() * size
}

/// A system and the method that steps it.
pub(super) struct Partitioned<'a> {
    system: &'a BlockSystem,
    tableau: &'a Tableau<f64>,
    partition_of: Vec<usize>,
    /// M − I by powers of h, of explicit methods.
    powers: Option<Powers>,
    watch: Watch<'a>,
}

impl<'a> Partitioned<'a> {
    pub(super) fn new(
        system: &'a BlockSystem,
        tableau: &'a Tableau<f64>,
        partition_of: Vec<usize>,
        watch: Watch<'a>,
    ) -> Self {
        Self { system, tableau, partition_of, powers: None, watch }
    }

    /// ρ(M(h)) for each h; infinite where the stage equations are singular or M overflows.
    pub(super) fn spectral_radii(mut self, steps: &[f64]) -> Vec<f64> {
        self.prepare(steps.len());
        parallel::map(steps.len(), |k| 1.0 + self.growth(steps[k]))
    }

    /// The stable steps of a search, and of searches up to the first exit while they find an earlier one.
    pub(super) fn stable_steps(mut self, search: StepSearch) -> StableSteps {
        self.prepare(search.samples);
        let mut found = self.searched(search.farthest);
        for _ in 0..CLOSER {
            if !(found.first_exit.is_finite() && found.first_exit > 0.0) {
                break;
            }
            let closer = self.searched(found.first_exit);
            if closer.first_exit >= found.first_exit * (1.0 - ROUNDING) {
                break;
            }
            found.add(&closer);
        }
        found
    }

    fn searched(&self, farthest: f64) -> StableSteps {
        let samples = self.samples(farthest);
        let places = samples.iter().map(|sample| (sample.h, self.excess_of(sample))).collect();
        // Peaks in what is rounding are not worth looking at: there are hundreds.
        StableSteps::from_places(self, places, farthest, 0.1 * STABILITY_MARGIN)
    }

    /// Samples as dense as the eigenvalues move, and denser where two of them may meet near the circle.
    fn samples(&self, farthest: f64) -> Vec<Sample> {
        let mut samples = self.sampled(&grid(farthest, norm(&self.system.balanced)));
        let narrowest = farthest / FINEST;
        loop {
            let may_meet = |pair: &[Sample]| pair[1].h - pair[0].h > narrowest && pair[0].may_hide_a_meeting(&pair[1]);
            let middle = |pair: &[Sample]| may_meet(pair).then(|| f64::midpoint(pair[0].h, pair[1].h));
            let middles = parallel::map(samples.len().saturating_sub(1), |k| middle(&samples[k..k + 2]));
            let between: Vec<f64> = middles.into_iter().flatten().collect();
            if between.is_empty() {
                return samples;
            }
            samples.extend(self.sampled(&between));
            samples.sort_by(|x, y| x.h.total_cmp(&y.h));
        }
    }

    fn sampled(&self, steps: &[f64]) -> Vec<Sample> {
        parallel::map(steps.len(), |k| Sample { h: steps[k], values: self.eigenvalues_of_increment(steps[k]) })
    }

    fn excess_of(&self, sample: &Sample) -> f64 {
        growth(sample.values.as_deref()) - STABILITY_MARGIN
    }

    /// Powers of h, where there are enough samples to pay for them.
    fn prepare(&mut self, samples: usize) {
        let is_worth_while = samples > self.tableau.stages();
        if is_worth_while && self.tableau.is_explicit() {
            self.powers = Some(Powers::new(self.tableau, &self.system.balanced, &self.partition_of));
        }
    }

    /// The eigenvalues of M(h); `None` where the stage equations are singular or M overflows.
    pub(super) fn step_eigenvalues(&self, h: f64) -> Option<Vec<Complex64>> {
        Some(self.eigenvalues_of_increment(h)?.into_iter().map(|value| value + 1.0).collect())
    }

    /// ρ(M(h)) − 1.
    fn growth(&self, h: f64) -> f64 {
        growth(self.eigenvalues_of_increment(h).as_deref())
    }

    /// The eigenvalues of M − I, with zeros for those of J; `None` if there are none or they overflow.
    fn eigenvalues_of_increment(&self, h: f64) -> Option<Vec<Complex64>> {
        (self.watch)(1);
        let increment = match self.powers.as_ref().and_then(|powers| powers.at(h)) {
            Some(increment) => increment,
            None => increment(self.tableau, &(&self.system.balanced * h), &self.partition_of)?,
        };
        let (mut values, size) = eigenvalues(&increment).ok()?;
        values.sort_by(|x, y| x.norm().total_cmp(&y.norm()));
        let rounding = double_rounding(values.len(), size);
        for value in values.iter_mut().take(self.system.rigid).filter(|value| value.norm() <= rounding) {
            *value = Complex64::ZERO;
        }
        values.iter().all(|value| value.is_finite()).then_some(values)
    }
}

/// The most looks closer: where each finds more, it is rounding.
const CLOSER: usize = 8;
/// The first exit found again is the same one within this.
const ROUNDING: f64 = 1e-9;
/// Equal cells to begin with: this many for a step of 1/‖J‖,
const CELLS: f64 = 8.0;
/// but between these numbers in total.
const FEWEST: f64 = 64.0;
const MOST: f64 = 1000.0;
/// Eigenvalues λ of very different size show over steps that grow by this factor.
const RATIO: f64 = 1.15;
/// The least step worth a look, in units of 1/‖J‖.
const LEAST: f64 = 0.1;
/// Cells are halved down to this part of the range.
const FINEST: f64 = 1024.0;

/// Equal steps, and steps in a geometric sequence where equal ones are large beside 1/‖J‖.
fn grid(farthest: f64, norm: f64) -> Vec<f64> {
    let cells = (CELLS * farthest * norm).clamp(FEWEST, MOST).ceil();
    let equal = farthest / cells;
    let mut steps: Vec<f64> = (0..=cells as usize).map(|k| farthest * (k as f64 / cells)).collect();
    let least = LEAST / norm.max(f64::MIN_POSITIVE);
    steps.extend(std::iter::successors(Some(least), |h| Some(RATIO * h)).take_while(|h| *h < equal));
    steps.sort_by(f64::total_cmp);
    steps
}

/// ‖J‖₂ but for some percent, by the power method on JᵀJ: with couplings S depends on more than the eigenvalues of J.
fn norm(jacobian: &DMatrix<f64>) -> f64 {
    const STEPS: usize = 20;
    let n = jacobian.nrows();
    let mut direction = DVector::from_fn(n, |i, _| 1.0 + 0.5 * (1.7 * i as f64).sin());
    let mut norm = 0.0;
    for _ in 0..STEPS {
        let image = jacobian * &direction;
        norm = image.norm() / direction.norm().max(f64::MIN_POSITIVE);
        let next = jacobian.tr_mul(&image);
        direction = &next / next.norm().max(f64::MIN_POSITIVE);
    }
    norm
}

/// max |1 + μ| − 1.
fn growth(values: Option<&[Complex64]>) -> f64 {
    values.map_or(f64::INFINITY, |values| values.iter().map(|value| (1.0 + value).norm() - 1.0).fold(-1.0, f64::max))
}

/// The eigenvalues of M − I at a step.
struct Sample {
    h: f64,
    values: Option<Vec<Complex64>>,
}

impl Sample {
    /// Whether two eigenvalues near the unit circle may come together before the next sample.
    ///
    /// Apart from each other they move smoothly, and samples show how far. Where two meet, one may leave the circle in an interval
    /// that is narrow if their coupling is weak, and as far as that is strong: what lies deeper in the disk than both move stays
    /// there.
    fn may_hide_a_meeting(&self, next: &Self) -> bool {
        let (Some(here), Some(there)) = (&self.values, &next.values) else { return false };
        let nearest = |value: &Complex64| {
            there.iter().map(|other| (value - other).norm_sqr()).fold(f64::INFINITY, f64::min).sqrt()
        };
        // Meetings hide growth between stable samples; what is unstable on both sides stays so.
        if growth(Some(here)).min(growth(Some(there))) > STABILITY_MARGIN {
            return false;
        }
        let near = |value: &&Complex64| ((1.0 + *value).norm() - 1.0).abs() < NEAR;
        let moving: Vec<(Complex64, f64)> = here.iter().filter(near).map(|value| (*value, nearest(value))).collect();
        moving.iter().enumerate().any(|(i, &(value, moves))| {
            // Those that do not move at all are conserved quantities.
            let meets = |&(other, others): &(Complex64, f64)| {
                let reach = MOVES * (moves + others);
                let is_near = |value: Complex64| ((1.0 + value).norm() - 1.0).abs() < reach;
                reach > 0.0 && (value - other).norm() < reach && is_near(value) && is_near(other)
            };
            moving[i + 1..].iter().any(meets)
        })
    }
}

/// Eigenvalues farther from the circle are not followed.
const NEAR: f64 = 0.3;
/// Eigenvalues are assumed to move at most this many times as far as from sample to sample.
const MOVES: f64 = 1.5;

impl Excess for Partitioned<'_> {
    fn at(&self, h: f64) -> f64 {
        self.growth(h) - STABILITY_MARGIN
    }

    fn sample(&self, from: f64, to: f64, cells: usize) -> Vec<f64> {
        let place = |i: usize| from + (to - from) * (i as f64 / cells as f64);
        parallel::map(cells + 1, |i| self.at(place(i)))
    }
}
