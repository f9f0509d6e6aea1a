//! Optima on the imaginary axis for many stages, continued from those for few: s → s + 2.
//!
//! Two more stages add one contact point. The contact points near the end move like those of Chebyshev polynomials, at
//! nearly constant distances in θ = arccos(y/h), in units of 1/h; those near the origin, where R follows e^{iy}, stay
//! in place. Both are smooth in s, and so are the arguments of R there: extrapolated, they are close enough for
//! Newton's method. Conic programs take hundreds of times as long and lose their digits beyond some fifty stages.

use std::f64::consts::{PI, TAU};

use nalgebra::{DMatrix, DVector};

use crate::arithmetic::complex::Complex;
use crate::basis::particular::taylor;
use crate::problem::constraint::Constraints;
use crate::problem::piece::BoundaryPiece;
use crate::solve::optimality::{ContactKind, ContactUnknown, OptimalityState};
use crate::solve::sampled::SampledProblem;
use crate::solve::search::{SearchFailure, SearchOutcome, search};

/// Minimum number of contact points for extrapolation.
const FEWEST: usize = 3;

/// Number of free coefficients up to which a direct search is at least as fast.
const FEW: usize = 6;
/// Number of free coefficients at which the continuation begins (or one less).
const BASE: usize = 4;

/// Finds the optimum on one piece of the imaginary axis.
pub(crate) fn search_upwards(
    stages: usize,
    order: usize,
    piece: &BoundaryPiece,
) -> Result<SearchOutcome, SearchFailure> {
    let direct = |stages: usize| search(stages, order, vec![piece.clone()]);
    if stages <= order + FEW {
        return direct(stages);
    }
    let base = order + BASE - (stages - order) % 2;
    let mut last: Vec<OptimumTrace> = Vec::new();
    for s in (base..stages).step_by(2) {
        let found = extrapolated(&last, s, order, piece, false).map_or_else(|| direct(s), Ok);
        match found {
            Ok(SearchOutcome::Polished(constraints, state)) => last.push(OptimumTrace::new(&constraints, &state, s)),
            // The pattern of contact points may have changed: restart the extrapolation.
            _ => last.clear(),
        }
    }
    extrapolated(&last, stages, order, piece, true).map_or_else(|| direct(stages), Ok)
}

/// Extrapolates the optimum to two more stages from the last two or three, if there are enough contact points.
///
/// Only an optimum that is the `goal` is checked between its contact points: intermediate ones need only be stationary.
fn extrapolated(
    last: &[OptimumTrace],
    stages: usize,
    order: usize,
    piece: &BoundaryPiece,
    goal: bool,
) -> Option<SearchOutcome> {
    let before = &last[last.len().saturating_sub(3)..];
    if before.len() < 2 || before[0].touches.len() < FEWEST {
        return None;
    }
    let (search, state) = step(before, stages, order, piece)?;
    let state = if goal { search.polish_contacts(state)? } else { search.constraints.converge(state)? };
    Some(SearchOutcome::Polished(search.constraints, state))
}

/// Quantities that are extrapolated in s.
struct OptimumTrace {
    h: f64,
    /// Multiplier of the contact at the origin, if there is one.
    origin: Option<f64>,
    /// Contact points from the origin outwards.
    touches: Vec<ContactTrace>,
}

/// Contact point in coordinates relative to the origin and to the end.
#[derive(Clone, Copy)]
struct ContactTrace {
    y: f64,
    /// arg(R e^{−iy}).
    lag: f64,
    /// h arccos(y/h).
    distance: f64,
    /// arg R − kπ − (s−1)π/2 at the k-th point from the end.
    turn: f64,
    multiplier: f64,
}

impl OptimumTrace {
    fn new(constraints: &Constraints, state: &OptimalityState<f64>, stages: usize) -> Self {
        let is_origin = |touch: &&ContactUnknown<f64>| touch.contact == ContactKind::Origin;
        let mut outside: Vec<&ContactUnknown<f64>> = state.touches.iter().filter(|touch| !is_origin(touch)).collect();
        outside.sort_by(|a, b| a.t.total_cmp(&b.t));
        let count = outside.len();
        let touch = |(index, touch): (usize, &&ContactUnknown<f64>)| {
            let (t, y) = (touch.t, state.h * touch.t);
            let r = constraints.value(&state.gamma, &Complex::new(0.0, y));
            let argument = r.im.atan2(r.re);
            let steps = (count - 1 - index) as f64 + 0.5 * (stages - 1) as f64;
            ContactTrace {
                y,
                lag: nearest(argument - y, 0.0),
                distance: state.h * t.min(1.0).acos(),
                turn: nearest(argument - PI * steps, 0.0),
                multiplier: touch.multiplier,
            }
        };
        let touches = outside.iter().enumerate().map(touch).collect();
        Self { h: state.h, origin: state.touches.iter().find(is_origin).map(|touch| touch.multiplier), touches }
    }
}

/// Returns the angle that equals `angle` modulo 2π and is nearest to `other`.
fn nearest(angle: f64, other: f64) -> f64 {
    angle - TAU * ((angle - other) / TAU).round()
}

/// Extrapolates an equidistant sequence by its last two or three values; differences change by a nearly constant
/// factor.
fn extrapolate(values: &[f64]) -> f64 {
    match *values {
        [.., a, b, c] => {
            let (before, last) = (b - a, c - b);
            let ratio = last / before;
            // Aitken's Δ² where it is safe, the parabola elsewhere.
            if (0.1..=2.0).contains(&ratio) { c + ratio * last } else { c + 2.0 * last - before }
        }
        [a, b] => 2.0 * b - a,
        _ => f64::NAN,
    }
}

/// Extrapolates angles, modulo 2π.
fn extrapolate_angle(values: &[f64]) -> f64 {
    let last = values.last().copied().unwrap_or_default();
    extrapolate(&values.iter().map(|&value| nearest(value, last)).collect::<Vec<_>>())
}

/// Extrapolates multipliers, which vary like powers of s.
fn extrapolate_power(values: &[f64]) -> f64 {
    let logarithms: Vec<f64> = values.iter().map(|value| value.max(f64::MIN_POSITIVE).ln()).collect();
    extrapolate(&logarithms).exp()
}

/// Contact point extrapolated in s.
struct Extrapolated {
    place: f64,
    argument: f64,
    multiplier: f64,
    /// Difference between two extrapolations of the position; infinite with too few values.
    error: f64,
}

impl Extrapolated {
    fn new(
        history: impl Iterator<Item = ContactTrace>,
        place: fn(&ContactTrace) -> f64,
        argument: fn(&ContactTrace) -> f64,
    ) -> Self {
        let history: Vec<ContactTrace> = history.collect();
        let values = |part: fn(&ContactTrace) -> f64| history.iter().map(part).collect::<Vec<_>>();
        let places = values(place);
        let last_term = match places.as_slice() {
            [.., a, b, c] => extrapolate(&places) - (3.0 * (c - b) + a),
            [a, b] => b - a,
            _ => f64::INFINITY,
        };
        Self {
            place: extrapolate(&places),
            argument: extrapolate_angle(&values(argument)),
            multiplier: extrapolate_power(&values(|touch| touch.multiplier)),
            error: last_term.abs(),
        }
    }
}

/// Predicts a state near the optimum for two more stages than the last entry of `before`, which is in ascending order.
fn step(
    before: &[OptimumTrace],
    stages: usize,
    order: usize,
    piece: &BoundaryPiece,
) -> Option<(SampledProblem, OptimalityState<f64>)> {
    let last = before.last()?;
    let count = last.touches.len() + 1;
    let fits = |(lag, traits): (usize, &OptimumTrace)| {
        traits.touches.len() + lag + 1 == count && traits.origin.is_some() == last.origin.is_some()
    };
    if !before.iter().rev().enumerate().all(fits) {
        return None;
    }
    let h = extrapolate(&before.iter().map(|traits| traits.h).collect::<Vec<_>>());
    let place = |index: usize| {
        let from_end = count - 1 - index;
        let inner = |traits: &'_ OptimumTrace| traits.touches.get(index).copied();
        let outer =
            |traits: &'_ OptimumTrace| (traits.touches.len() - 1).checked_sub(from_end).map(|k| traits.touches[k]);
        let from_origin = Extrapolated::new(before.iter().filter_map(inner), |touch| touch.y, |touch| touch.lag);
        let from_end_of_piece =
            Extrapolated::new(before.iter().filter_map(outer), |touch| touch.distance, |touch| touch.turn);
        if from_origin.error <= from_end_of_piece.error {
            let Extrapolated { place: y, argument, multiplier, .. } = from_origin;
            (y / h, y + argument, multiplier)
        } else {
            let Extrapolated { place: distance, argument, multiplier, .. } = from_end_of_piece;
            let steps = from_end as f64 + 0.5 * (stages - 1) as f64;
            ((distance / h).cos(), PI * steps + argument, multiplier)
        }
    };
    let mut search = SampledProblem::new(stages, order, vec![piece.clone()]);
    search.set_basis(h);
    let places: Vec<(f64, f64, f64)> = (0..count).map(place).collect();
    let touch = |contact, t, multiplier| ContactUnknown { piece: 0, contact, t, multiplier };
    let interior = |&(t, _, multiplier): &(f64, f64, f64)| touch(ContactKind::Interior, t, multiplier);
    let mut touches: Vec<ContactUnknown<f64>> = places.iter().map(interior).collect();
    let end = touches.last_mut()?;
    *end = touch(ContactKind::Fixed, 1.0, end.multiplier);
    let origin: Vec<f64> = before.iter().filter_map(|traits| traits.origin).collect();
    let origin = last.origin.map(|_| extrapolate_power(&origin));
    if let Some(multiplier) = origin {
        touches.push(touch(ContactKind::Origin, 0.0, multiplier));
    }
    let gamma = fitted(&search.constraints, h, &places, origin)?;
    Some((search, OptimalityState { gamma, h, touches }))
}

/// Fits, by least squares, the coefficients for which R has the given arguments and |R| = 1, d|R|/dy = 0 at the points.
fn fitted(constraints: &Constraints, h: f64, places: &[(f64, f64, f64)], origin: Option<f64>) -> Option<Vec<f64>> {
    let n = constraints.basis.size();
    let mut rows = DMatrix::zeros(3 * places.len() + 1, n);
    let mut target = DVector::zeros(3 * places.len() + 1);
    if let Some(multiplier) = origin {
        let weight = multiplier.sqrt();
        let origin = constraints.excess_at_origin(&vec![0.0; n], &h, 0);
        origin.gamma.iter().enumerate().for_each(|(j, value)| rows[(3 * places.len(), j)] = weight * value);
        target[3 * places.len()] = -weight * origin.value;
    }
    for (i, &(t, argument, multiplier)) in places.iter().enumerate() {
        let z = Complex::new(0.0, h * t);
        let jet = constraints.basis.at(&z, false);
        let known = constraints.value(&[], &z);
        let slope = taylor(&z, constraints.order - 1);
        let unit = Complex::new(argument.cos(), argument.sin());
        // d|R|²/dy = 2 Re(R̄ iR′) with the intended R̄, at interior points.
        let tangent =
            if i + 1 < places.len() { unit.clone() * Complex::new(0.0, -1.0) } else { Complex::new(0.0, 0.0) };
        // Weight errors by their effect on the stationarity.
        let weight = multiplier.sqrt();
        for j in 0..n {
            rows[(3 * i, j)] = weight * jet.value[j].re;
            rows[(3 * i + 1, j)] = weight * jet.value[j].im;
            rows[(3 * i + 2, j)] = weight * tangent.dot(&jet.first[j]);
        }
        target[3 * i] = weight * (unit.re - known.re);
        target[3 * i + 1] = weight * (unit.im - known.im);
        target[3 * i + 2] = -weight * tangent.dot(&slope);
    }
    let gamma = rows.svd(true, true).solve(&target, f64::EPSILON).ok()?;
    Some(gamma.iter().copied().collect())
}
