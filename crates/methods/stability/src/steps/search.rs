//! Sign changes of a function that is at most zero where a method is stable.
//!
//! The function is sampled, and every sign change is refined to rounding. The other sign may hide between two samples
//! of equal sign: if a sample is closer to zero than its neighbors, the search approaches the extremum there until it
//! finds the other sign or converges.

use crate::error::StabilityError;

/// Largest distance by which an extremum between samples may exceed them, in units of the differences of the
/// neighboring samples.
///
/// An eigenvalue close to another one perturbs it by the inverse of their distance: a peak a thirtieth as wide as the
/// sample distance still raises the samples by a thousandth of its height.
const REACH: f64 = 1000.0;
/// Golden section factor by which the bracket shrinks at each step; forty steps reach the square root of rounding.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
const STEPS: usize = 40;

/// Resolution and range of a search for stable steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSearch {
    /// Largest step size.
    pub farthest: f64,
    /// Number of intervals between samples.
    pub samples: usize,
    /// Margin by which ρ may exceed one.
    pub margin: f64,
}

impl StepSearch {
    pub(crate) fn checked(self) -> Result<Self, StabilityError> {
        let positive = |value: f64| value > 0.0 && value.is_finite();
        if !positive(self.farthest) {
            let expected = "a positive finite number";
            return Err(StabilityError::OutOfRange { name: "the farthest step", value: self.farthest, expected });
        }
        if !(self.margin >= 0.0 && self.margin.is_finite()) {
            return Err(StabilityError::OutOfRange {
                name: "the margin",
                value: self.margin,
                expected: "a number ≥ 0",
            });
        }
        Ok(Self { samples: self.samples.max(2), ..self })
    }
}

/// Function of the step size that is positive, possibly infinite, where a method is unstable.
pub(crate) trait StepExcess {
    fn at(&self, t: f64) -> f64;
    /// Evaluates the function at `cells` + 1 equidistant step sizes.
    fn sample(&self, from: f64, to: f64, cells: usize) -> Vec<f64>;
    /// Evaluates the function at equidistant step sizes; the result may end after a positive value.
    fn sample_to_exit(&self, from: f64, to: f64, cells: usize) -> Vec<f64> {
        self.sample(from, to, cells)
    }
}

/// Finds only the first exit, from samples taken in blocks as far as needed; infinite if there is none.
pub(crate) fn first_exit(excess: &impl StepExcess, search: StepSearch, blocks: usize) -> f64 {
    let block = search.farthest / blocks as f64;
    // One more sample on each side detects peaks at the ends of a block.
    let cells = search.samples.div_ceil(blocks);
    let overlap = block / cells as f64;
    let search_block = |k: usize| {
        let (from, to) = ((block * k as f64 - overlap).max(0.0), block * (k + 1) as f64);
        let cells = cells + usize::from(k > 0);
        let mut values = excess.sample_to_exit(from, to, cells);
        // Values after an exit do not affect earlier exits, because a positive value next to a nonpositive one is not a
        // minimum.
        let exit = values.iter().position(|value| *value > 0.0);
        values.truncate(exit.map_or(values.len(), |exit| exit + 1));
        let step = (to - from) / cells as f64;
        let samples = values.iter().enumerate().map(|(i, &value)| (from + step * i as f64, value));
        let places = refined(excess, samples.collect(), 0.0);
        let exit = places.windows(2).find(|pair| pair[1].1 > 0.0)?;
        Some(change(excess, exit[0], exit[1]))
    };
    (0..blocks).find_map(search_block).unwrap_or(f64::INFINITY)
}

/// Returns the samples and, between them, points of the other sign near extrema, in order.
pub(super) fn refined(excess: &impl StepExcess, mut places: Vec<(f64, f64)>, noise: f64) -> Vec<(f64, f64)> {
    let samples = places.len();
    for i in 1..samples.saturating_sub(1) {
        let [from, at, to] = [places[i - 1], places[i], places[i + 1]];
        if from.1 < at.1 && at.1 < to.1 || from.1 > at.1 && at.1 > to.1 {
            continue;
        }
        let sign = if at.1 > 0.0 { -1.0 } else { 1.0 };
        let [before, here, after] = [from, at, to].map(|place| sign * place.1);
        // Neighbors of the other sign already show the change, and it is refined there.
        let stands_out = here >= before && here > after || here > before && here >= after;
        let rise = here - before.min(after);
        if stands_out && rise > noise && here + REACH * rise > 0.0 {
            places.extend(beyond_zero(excess, sign, from.0, to.0));
        }
    }
    if places.len() > samples {
        places.sort_by(|x, y| x.0.total_cmp(&y.0));
    }
    places
}

/// Finds a point of the other sign near the maximum of `sign` · excess, if there is one, by golden section search.
fn beyond_zero(excess: &impl StepExcess, sign: f64, mut low: f64, mut high: f64) -> Option<(f64, f64)> {
    let at = |t: f64| sign * excess.at(t);
    let (mut left, mut right) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
    let (mut at_left, mut at_right) = (at(left), at(right));
    for _ in 0..STEPS {
        for (t, value) in [(left, at_left), (right, at_right)] {
            // The two signs of an excess are "at most zero" and "positive".
            if value > 0.0 || (sign < 0.0 && value == 0.0) {
                return Some((t, sign * value));
            }
        }
        if at_left > at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - GOLDEN * (high - low);
            at_left = at(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + GOLDEN * (high - low);
            at_right = at(right);
        }
    }
    None
}

/// Returns the stable end of the bracket around a sign change, to rounding.
pub(crate) fn change(excess: &impl StepExcess, a: (f64, f64), b: (f64, f64)) -> f64 {
    let [a, b] = bracketed(|t| excess.at(t), [a, b], 0.0);
    if is_stable(a.1) { a.0 } else { b.0 }
}

/// Brackets a sign change between two points a < b to a width or to rounding.
///
/// It uses the Illinois variant of false position, with bisection every third time and where a value is infinite.
pub(crate) fn bracketed(
    mut excess: impl FnMut(f64) -> f64,
    [mut a, mut b]: [(f64, f64); 2],
    width: f64,
) -> [(f64, f64); 2] {
    // Every third step is a bisection. Fifty bisections are enough, or a thousand if the bracket spans the range of
    // doubles.
    const MOST: usize = 3600;
    let mut weights = (a.1, b.1);
    let mut moved_low = None;
    for step in 1..=MOST {
        let secant = a.0 + (b.0 - a.0) * (weights.0 / (weights.0 - weights.1));
        let inside = secant.is_finite() && secant > a.0 && secant < b.0;
        let t = if inside && step % 3 != 0 { secant } else { f64::midpoint(a.0, b.0) };
        if b.0 - a.0 < width || t <= a.0 || t >= b.0 {
            break;
        }
        let value = excess(t);
        let moves_low = is_stable(value) == is_stable(a.1);
        // An end that remains twice loses half of its weight (Illinois).
        let weight = if moved_low == Some(moves_low) { 0.5 } else { 1.0 };
        if moves_low {
            a = (t, value);
            weights = (value, weight * weights.1);
        } else {
            b = (t, value);
            weights = (weight * weights.0, value);
        }
        moved_low = Some(moves_low);
    }
    [a, b]
}

fn is_stable(excess: f64) -> bool {
    excess <= 0.0
}
