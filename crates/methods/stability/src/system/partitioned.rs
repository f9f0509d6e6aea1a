//! Stable steps with different tableaux in the partitions, from samples of the step matrix.

use nalgebra::{DMatrix, DVector};
use num_complex::Complex64;

use super::block_system::{BlockSystem, STABILITY_MARGIN};
use crate::eigenvalues::balance::eigenvalues;
use crate::steps::search::{StepExcess, StepSearch};
use crate::steps::stable_steps::StableSteps;
use crate::system::step::IncrementPolynomial;
use crate::system::system_step::SystemStep;
use hemiola_number::{Counter, parallel};

/// Returns the size that rounding gives a double zero eigenvalue.
///
/// A perturbation of n ε ‖M‖ in a block with an entry of at most ‖M‖ moves it by the square root of the product.
fn double_rounding(n: usize, size: f64) -> f64 {
    (n as f64 * f64::EPSILON).sqrt() * size
}

/// System and the method that advances it.
pub(super) struct Partitioned<'a> {
    system: &'a BlockSystem,
    step: &'a dyn SystemStep,
    partition_of: Vec<usize>,
    /// M − I of explicit methods as a polynomial in h.
    powers: Option<IncrementPolynomial>,
    counter: &'a Counter<'a>,
}

impl<'a> Partitioned<'a> {
    pub(super) fn new(
        system: &'a BlockSystem,
        step: &'a dyn SystemStep,
        partition_of: Vec<usize>,
        counter: &'a Counter<'a>,
    ) -> Self {
        Self { system, step, partition_of, powers: None, counter }
    }

    /// Computes ρ(M(h)) for each h; infinite if the stage equations are singular or M overflows.
    pub(super) fn spectral_radii(mut self, steps: &[f64]) -> Vec<f64> {
        self.prepare(steps.len());
        parallel::map(steps.len(), |k| 1.0 + self.growth(steps[k]))
    }

    /// Finds the stable steps, and repeats the search up to the first exit as long as it finds an earlier one.
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
            found.merge_closer(&closer);
        }
        found
    }

    fn searched(&self, farthest: f64) -> StableSteps {
        let samples = self.samples(farthest);
        let places = samples.iter().map(|sample| (sample.h, self.excess_of(sample))).collect();
        // Ignore the hundreds of peaks within rounding.
        StableSteps::from_places(self, places, farthest, 0.1 * STABILITY_MARGIN)
    }

    /// Takes samples as dense as the motion of the eigenvalues requires, and denser ones where two of them may meet
    /// near the circle.
    fn samples(&self, farthest: f64) -> Vec<StepSpectrum> {
        let mut samples = self.sampled(&grid(farthest, norm(&self.system.balanced)));
        let narrowest = farthest / FINEST;
        loop {
            let may_meet =
                |pair: &[StepSpectrum]| pair[1].h - pair[0].h > narrowest && pair[0].may_hide_a_meeting(&pair[1]);
            let middle = |pair: &[StepSpectrum]| may_meet(pair).then(|| f64::midpoint(pair[0].h, pair[1].h));
            let middles = parallel::map(samples.len().saturating_sub(1), |k| middle(&samples[k..k + 2]));
            let between: Vec<f64> = middles.into_iter().flatten().collect();
            if between.is_empty() {
                return samples;
            }
            samples.extend(self.sampled(&between));
            samples.sort_by(|x, y| x.h.total_cmp(&y.h));
        }
    }

    fn sampled(&self, steps: &[f64]) -> Vec<StepSpectrum> {
        parallel::map(steps.len(), |k| StepSpectrum { h: steps[k], values: self.eigenvalues_of_increment(steps[k]) })
    }

    fn excess_of(&self, sample: &StepSpectrum) -> f64 {
        growth(sample.values.as_deref()) - STABILITY_MARGIN
    }

    /// Prepares the polynomial in h if there are enough samples to make it worthwhile.
    fn prepare(&mut self, samples: usize) {
        let explicit = self.step.tableau().filter(|tableau| samples > tableau.stages() && tableau.is_explicit());
        self.powers =
            explicit.map(|tableau| IncrementPolynomial::new(tableau, &self.system.balanced, &self.partition_of));
    }

    /// Computes the eigenvalues of M(h); returns `None` if the stage equations are singular or M overflows.
    pub(super) fn step_eigenvalues(&self, h: f64) -> Option<Vec<Complex64>> {
        Some(self.eigenvalues_of_increment(h)?.into_iter().map(|value| value + 1.0).collect())
    }

    /// Computes ρ(M(h)) − 1.
    fn growth(&self, h: f64) -> f64 {
        growth(self.eigenvalues_of_increment(h).as_deref())
    }

    /// Computes the eigenvalues of M − I, with zeros for those of J; returns `None` if there are none or they overflow.
    fn eigenvalues_of_increment(&self, h: f64) -> Option<Vec<Complex64>> {
        self.counter.advance(1).continue_value()?;
        let increment = match self.powers.as_ref().and_then(|powers| powers.at(h)) {
            Some(increment) => increment,
            None => self.step.increment(&(&self.system.balanced * h), &self.partition_of)?,
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

/// Maximum number of closer searches; if each finds more exits, rounding causes them.
const CLOSER: usize = 8;
/// Relative difference up to which two first exits are the same.
const ROUNDING: f64 = 1e-9;
/// Number of equal initial cells for a step of 1/‖J‖.
const CELLS: f64 = 8.0;
/// Bounds of the total number of equal cells.
const FEWEST: f64 = 64.0;
const MOST: f64 = 1000.0;
/// Growth factor of geometric steps, which resolve eigenvalues λ of very different size.
const RATIO: f64 = 1.15;
/// Smallest step that is examined, in units of 1/‖J‖.
const LEAST: f64 = 0.1;
/// Number of parts of the range down to which cells are halved.
const FINEST: f64 = 1024.0;

/// Returns equal steps, and a geometric sequence of steps where the equal ones are large compared with 1/‖J‖.
fn grid(farthest: f64, norm: f64) -> Vec<f64> {
    let cells = (CELLS * farthest * norm).clamp(FEWEST, MOST).ceil();
    let equal = farthest / cells;
    let mut steps: Vec<f64> = (0..=cells as usize).map(|k| farthest * (k as f64 / cells)).collect();
    let least = LEAST / norm.max(f64::MIN_POSITIVE);
    steps.extend(std::iter::successors(Some(least), |h| Some(RATIO * h)).take_while(|h| *h < equal));
    steps.sort_by(f64::total_cmp);
    steps
}

/// Estimates ‖J‖₂ to a few percent by the power method on JᵀJ: with couplings, S depends on more than the eigenvalues
/// of J.
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

/// Computes max |1 + μ| − 1.
fn growth(values: Option<&[Complex64]>) -> f64 {
    values.map_or(f64::INFINITY, |values| values.iter().map(|value| (1.0 + value).norm() - 1.0).fold(-1.0, f64::max))
}

/// Eigenvalues of M − I at one step size.
struct StepSpectrum {
    h: f64,
    values: Option<Vec<Complex64>>,
}

impl StepSpectrum {
    /// Returns whether two eigenvalues near the unit circle may meet before the next sample.
    ///
    /// Separate eigenvalues move smoothly, and samples show how far. If two meet, one may leave the circle in an
    /// interval that is narrow for weak coupling and wide for strong coupling. Eigenvalues deeper inside the disk than
    /// both can move remain inside.
    fn may_hide_a_meeting(&self, next: &Self) -> bool {
        let (Some(here), Some(there)) = (&self.values, &next.values) else { return false };
        let nearest = |value: &Complex64| {
            there.iter().map(|other| (value - other).norm_sqr()).fold(f64::INFINITY, f64::min).sqrt()
        };
        // Meetings hide growth between stable samples; an interval with two unstable ends remains unstable.
        if growth(Some(here)).min(growth(Some(there))) > STABILITY_MARGIN {
            return false;
        }
        let near = |value: &&Complex64| ((1.0 + *value).norm() - 1.0).abs() < NEAR;
        let moving: Vec<(Complex64, f64)> = here.iter().filter(near).map(|value| (*value, nearest(value))).collect();
        moving.iter().enumerate().any(|(i, &(value, moves))| {
            // Eigenvalues that do not move at all are conserved quantities.
            let meets = |&(other, others): &(Complex64, f64)| {
                let reach = MOVES * (moves + others);
                let is_near = |value: Complex64| ((1.0 + value).norm() - 1.0).abs() < reach;
                reach > 0.0 && (value - other).norm() < reach && is_near(value) && is_near(other)
            };
            moving[i + 1..].iter().any(meets)
        })
    }
}

/// Distance from the circle beyond which eigenvalues are not followed.
const NEAR: f64 = 0.3;
/// Maximum motion of eigenvalues, in units of their motion between samples.
const MOVES: f64 = 1.5;

impl StepExcess for Partitioned<'_> {
    fn at(&self, h: f64) -> f64 {
        self.growth(h) - STABILITY_MARGIN
    }

    fn sample(&self, from: f64, to: f64, cells: usize) -> Vec<f64> {
        let place = |i: usize| from + (to - from) * (i as f64 / cells as f64);
        parallel::map(cells + 1, |i| self.at(place(i)))
    }
}
