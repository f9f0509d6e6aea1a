//! The growth for large y: an almost periodic function.

use std::f64::consts::TAU;

use dashu::base::Gcd;
use dashu::integer::UBig;
use hemiola_number::Exact;
use num_traits::Zero;

use super::torus::TorusSupremum;
use crate::method::InfinitesimalMethod;

/// Largest common denominator of frequencies for which a whole period is examined.
const MOST_PERIODS: u32 = 4000;
/// Spacing and number of the values of y among which large values of the limit are sought.
const SPACING: f64 = 0.25;
const SAMPLES: usize = 2_000_000;
/// Steps of a rotation after which it is computed anew.
const ROTATIONS: usize = 4096;

/// P(y) = a₀ + Σ_δ a_δ cos δy, from which the growth g(y) of a method with an exact fast part differs by O(1/y).
///
/// The terms come from the corrections Γ and from stages of length zero, and δ are differences of the times of stages.
#[derive(Clone, Debug)]
pub(super) struct LimitGrowth {
    constant: f64,
    /// The frequencies δ > 0 and the coefficients a_δ.
    terms: Vec<(Exact, f64)>,
    /// The distinct times but 0, and for each term two of them (from 1; 0 is the time 0) whose difference it is.
    times: usize,
    pairs: Vec<[usize; 2]>,
}

impl LimitGrowth {
    pub(super) fn new(method: &InfinitesimalMethod, slow: usize) -> Self {
        let rows = method.exact_rows();
        let mut times = vec![Exact::zero()];
        let mut distinct = vec![Exact::zero()];
        let mut slopes: Vec<Vec<(Exact, Exact, [usize; 2])>> = vec![Vec::new()];
        for stage in rows.iter().take(method.stages().len()) {
            let end = times[stage.from - 1].clone() + stage.interval.clone();
            let mut slope = slopes[stage.from - 1].clone();
            if !distinct.contains(&end) {
                distinct.push(end.clone());
            }
            let place = |time: &Exact| distinct.iter().position(|known| known == time).unwrap_or_default();
            let mut add = |j: usize, weight: Exact| {
                let time = times.get(j).cloned().unwrap_or_else(|| end.clone());
                let pair = [place(&time), place(&end)];
                let difference = time - end.clone();
                // cos is even.
                let frequency = if difference.to_f64() < 0.0 { -difference } else { difference };
                match slope.iter_mut().find(|(known, _, _)| *known == frequency) {
                    Some((_, sum, _)) => *sum += weight,
                    None => slope.push((frequency, weight, pair)),
                }
            };
            for (j, weight) in stage.correction[slow].iter().enumerate() {
                add(j, weight.clone());
            }
            if stage.interval.is_zero() {
                for (k, power) in stage.forcing[slow].iter().enumerate() {
                    for (j, weight) in power.iter().enumerate() {
                        add(j, weight.clone() * Exact::from_ratio(1, k as u64 + 1));
                    }
                }
            }
            times.push(end);
            slopes.push(slope);
        }
        let mut limit = Self { constant: 0.0, terms: Vec::new(), times: distinct.len() - 1, pairs: Vec::new() };
        for (frequency, weight, pair) in slopes.pop().unwrap_or_default() {
            // g = −Re of the slope.
            let weight = -weight.to_f64();
            if frequency.is_zero() {
                limit.constant += weight;
            } else if weight != 0.0 {
                limit.terms.push((frequency, weight));
                limit.pairs.push(pair);
            }
        }
        limit
    }

    /// Returns whether the growth tends to zero.
    pub(super) fn is_zero(&self) -> bool {
        self.constant == 0.0 && self.terms.is_empty()
    }

    /// Returns a value that no y exceeds.
    ///
    /// It is the supremum for independent phases of all times, which a trajectory approaches if the times are linearly
    /// independent over the rationals (Kronecker). If each time but one common to all terms occurs once, that is the sum
    /// of moduli.
    pub(super) fn bound(&self) -> f64 {
        let weights = || self.terms.iter().zip(&self.pairs).map(|((_, weight), pair)| (*weight, *pair));
        let sum = self.constant + weights().map(|(weight, _)| weight.abs()).sum::<f64>();
        let curvature =
            weights().map(|(weight, pair)| weight.abs() * pair.iter().filter(|k| **k > 0).count() as f64).sum();
        let is_star = self.pairs.iter().all(|pair| pair[1] == self.pairs[0][1]);
        if is_star {
            return sum;
        }
        let phase = |phases: &[f64], k: usize| if k == 0 { 0.0 } else { phases[k - 1] };
        let function = |phases: &[f64]| {
            weights()
                .fold(self.constant, |sum, (weight, [x, y])| sum + weight * (phase(phases, x) - phase(phases, y)).cos())
        };
        TorusSupremum::new(self.times, curvature, function).bound.min(sum)
    }

    /// Bounds the second derivative.
    pub(super) fn curvature(&self) -> f64 {
        self.terms.iter().map(|(frequency, weight)| weight.abs() * frequency.to_f64().powi(2)).sum()
    }

    /// Returns the period if all frequencies are fractions with a short common denominator.
    pub(super) fn period(&self) -> Option<f64> {
        common_period(self.terms.iter().map(|(frequency, _)| frequency))
    }

    pub(super) fn at(&self, y: f64) -> f64 {
        self.terms.iter().fold(self.constant, |sum, (frequency, weight)| sum + weight * (frequency.to_f64() * y).cos())
    }

    /// Returns y with large values of the limit, from `from` on.
    pub(super) fn candidates(&self, from: f64) -> Vec<f64> {
        const KEPT: usize = 4;
        let frequencies: Vec<f64> = self.terms.iter().map(|(frequency, _)| frequency.to_f64()).collect();
        let turns: Vec<[f64; 2]> = frequencies.iter().map(|f| [(f * SPACING).cos(), (f * SPACING).sin()]).collect();
        let mut phases = vec![[1.0, 0.0]; frequencies.len()];
        let mut best: Vec<(f64, f64)> = Vec::new();
        for k in 0..SAMPLES {
            let y = from + SPACING * k as f64;
            if k % ROTATIONS == 0 {
                phases = frequencies.iter().map(|f| [(f * y).cos(), (f * y).sin()]).collect();
            }
            let value: f64 = self.terms.iter().zip(&phases).map(|((_, weight), phase)| weight * phase[0]).sum();
            for (phase, turn) in phases.iter_mut().zip(&turns) {
                *phase = [phase[0] * turn[0] - phase[1] * turn[1], phase[0] * turn[1] + phase[1] * turn[0]];
            }
            if best.len() < KEPT || value > best[KEPT - 1].0 {
                best.push((value, y));
                best.sort_by(|x, y| y.0.total_cmp(&x.0));
                best.truncate(KEPT);
            }
        }
        best.into_iter().map(|(_, y)| y).collect()
    }
}

/// Returns the common period 2πq of oscillations with rational frequencies, if the denominator q is short.
pub(super) fn common_period<'a>(frequencies: impl Iterator<Item = &'a Exact>) -> Option<f64> {
    let mut common = UBig::ONE;
    for frequency in frequencies {
        let denominator = frequency.as_rational()?.denominator().clone();
        common = &common / (&common).gcd(&denominator) * denominator;
        if common > UBig::from(MOST_PERIODS) {
            return None;
        }
    }
    let count: u32 = (&common).try_into().ok()?;
    Some(TAU * f64::from(count))
}
