//! Where a method stays stable along a step: the first exit, and the gaps beyond it.
//!
//! A function that is at most zero where the method is stable is sampled, and every change of sign refined to rounding. Between two
//! samples of one sign the other may hide: wherever a sample stands out from its neighbours towards zero, the extremum there
//! is sought until it is found or its far side is seen.

use num_complex::Complex64;

use hemiola_tableau::Tableau;

use crate::contour::Window;
use crate::error::StabilityError;
use crate::scan::{Scan, Slice};

/// How far an extremum between samples may reach beyond them, in units of the differences of the samples next to it. An
/// eigenvalue that comes near another one disturbs it by the inverse of their distance, so that a peak a thirtieth as wide as the
/// distance of samples still raises them by a thousandth of its height.
const REACH: f64 = 1000.0;
/// Golden section: the bracket shrinks by this factor at each step, to the root of the rounding in forty.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
const STEPS: usize = 40;

/// The steps t for which a method is stable, between zero and a farthest one.
///
/// Between two samples an interval may be missed if it is narrower than their distance and does not show in them as a peak
/// either, by a thousandth of the height that it needs. For pairs [`coupled_limit`](crate::coupled_limit) misses none.
#[derive(Clone, Debug, PartialEq)]
pub struct StableSteps {
    /// The first exit: stable up to it, and not just beyond. Infinite where there is none up to `farthest`.
    pub first_exit: f64,
    /// All intervals of instability that are followed by stability again, from exit to return.
    pub gaps: Vec<(f64, f64)>,
    /// The last stable step up to `farthest`.
    pub last: f64,
    /// How far was looked.
    pub farthest: f64,
}

/// How finely and how far steps are searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSearch {
    /// The largest step.
    pub farthest: f64,
    /// The number of intervals between samples.
    pub samples: usize,
    /// How much ρ may exceed one.
    pub margin: f64,
}

/// A function of the step that is positive, perhaps infinite, where a method is unstable.
pub(crate) trait Excess {
    fn at(&self, t: f64) -> f64;
    /// The values at `cells` + 1 equidistant steps.
    fn sample(&self, from: f64, to: f64, cells: usize) -> Vec<f64>;
}

impl StableSteps {
    /// The stable steps of a pair along z_ss = t z₀, z_ff = t z₁, z_sf z_fs = t² z₂ for `z` = [z₀, z₁, z₂].
    ///
    /// Exits are right to rounding over the slope of ρ there. A margin below about 1e-12 is decided by rounding; a peak of ρ that
    /// touches 1 + margin to rounding counts or not, as rounding has it.
    ///
    /// ```
    /// use hemiola_stability::{StableSteps, StepSearch};
    /// use num_complex::Complex64;
    /// let pair = hemiola_tableau::library::method("mprk-p3")?.to_f64();
    /// let u = Complex64::new(-0.05, (1.0f64 - 0.0025).sqrt());
    /// let search = StepSearch { farthest: 6.0, samples: 2000, margin: 1e-9 };
    /// let steps = StableSteps::of_pair(&pair, [u, u * 2.0, u * u * 0.02], search)?;
    /// assert!(steps.first_exit > 2.7 && steps.first_exit < 2.8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`StabilityError::NotAPair`] where the tableau has not two partitions, [`StabilityError::OutOfRange`] where a number of `z`
    /// is not finite or the search is empty.
    pub fn of_pair(tableau: &Tableau<f64>, z: [Complex64; 3], search: StepSearch) -> Result<Self, StabilityError> {
        let search = search.checked()?;
        Ok(Self::find(&PairExcess::new(tableau, z, search.margin)?, search, 0.0))
    }

    /// The stable steps of a function; differences up to `noise` are rounding.
    pub(crate) fn find(excess: &impl Excess, search: StepSearch, noise: f64) -> Self {
        let values = excess.sample(0.0, search.farthest, search.samples);
        let place = |i: usize| search.farthest * (i as f64 / search.samples as f64);
        Self::from_places(
            excess,
            values.into_iter().enumerate().map(|(i, value)| (place(i), value)).collect(),
            search.farthest,
            noise,
        )
    }

    /// The same from samples at any places between zero and the farthest step.
    pub(crate) fn from_places(excess: &impl Excess, samples: Vec<(f64, f64)>, farthest: f64, noise: f64) -> Self {
        let places = refined(excess, samples, noise);
        let changes = places.windows(2).filter(|pair| (pair[0].1 > 0.0) != (pair[1].1 > 0.0));
        let mut ends: Vec<f64> = changes.map(|pair| change(excess, pair[0], pair[1])).collect();
        if places.first().is_some_and(|place| place.1 > 0.0) {
            ends.insert(0, 0.0);
        }
        Self::between(&ends, farthest)
    }

    /// All steps up to the farthest but for intervals, sorted by their beginnings; where one ends at infinity there is no return.
    pub(crate) fn without(intervals: &[(f64, f64)], farthest: f64) -> Self {
        let mut ends: Vec<f64> = Vec::new();
        for &(exit, back) in intervals {
            match ends.last_mut() {
                Some(last) if exit <= *last => *last = last.max(back),
                _ => ends.extend([exit, back]),
            }
        }
        ends.retain(|end| end.is_finite());
        Self::between(&ends, farthest)
    }

    /// Takes in what a closer look found up to the first exit.
    pub(crate) fn add(&mut self, closer: &Self) {
        if closer.last < closer.farthest {
            // What it left open ends where the first gap does, or nowhere.
            match self.gaps.first_mut() {
                Some(gap) => gap.0 = closer.last,
                None => self.last = closer.last,
            }
        }
        self.first_exit = closer.first_exit;
        self.gaps.splice(0..0, closer.gaps.iter().copied());
    }

    /// Exits and returns in turn.
    fn between(ends: &[f64], farthest: f64) -> Self {
        let (gaps, rest) = ends.as_chunks::<2>();
        Self {
            first_exit: ends.first().copied().unwrap_or(f64::INFINITY),
            gaps: gaps.iter().map(|&[exit, back]| (exit, back)).collect(),
            last: rest.first().copied().unwrap_or(farthest),
            farthest,
        }
    }
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

/// The first exit alone, from samples taken in blocks as far as needed; infinite where there is none.
pub(crate) fn first_exit(excess: &impl Excess, search: StepSearch, blocks: usize) -> f64 {
    let block = search.farthest / blocks as f64;
    // One more sample on each side shows the peaks at the ends of a block.
    let cells = search.samples.div_ceil(blocks);
    let overlap = block / cells as f64;
    let search_block = |k: usize| {
        let from = (block * k as f64 - overlap).max(0.0);
        let values = excess.sample(from, block * (k + 1) as f64, cells + usize::from(k > 0));
        let step = (block * (k + 1) as f64 - from) / (values.len() - 1) as f64;
        let samples = values.iter().enumerate().map(|(i, &value)| (from + step * i as f64, value));
        let places = refined(excess, samples.collect(), 0.0);
        let exit = places.windows(2).find(|pair| pair[1].1 > 0.0)?;
        Some(change(excess, exit[0], exit[1]))
    };
    (0..blocks).find_map(search_block).unwrap_or(f64::INFINITY)
}

/// The samples, and between them the extrema at which the sign changes, in order.
fn refined(excess: &impl Excess, mut places: Vec<(f64, f64)>, noise: f64) -> Vec<(f64, f64)> {
    for i in 1..places.len().saturating_sub(1) {
        let [from, at, to] = [places[i - 1], places[i], places[i + 1]];
        let sign = if at.1 > 0.0 { -1.0 } else { 1.0 };
        let [before, here, after] = [from, at, to].map(|place| sign * place.1);
        // Neighbours of the other sign show the change already, and it is refined there.
        let stands_out = here >= before && here > after || here > before && here >= after;
        let rise = here - before.min(after);
        if stands_out && rise > noise && here + REACH * rise > 0.0 {
            places.extend(beyond_zero(excess, sign, from.0, to.0));
        }
    }
    places.sort_by(|x, y| x.0.total_cmp(&y.0));
    places
}

/// A place of the other sign near the maximum of `sign` · excess, if there is one, by golden section.
fn beyond_zero(excess: &impl Excess, sign: f64, mut low: f64, mut high: f64) -> Option<(f64, f64)> {
    let at = |t: f64| sign * excess.at(t);
    let (mut left, mut right) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
    let (mut at_left, mut at_right) = (at(left), at(right));
    for _ in 0..STEPS {
        for (t, value) in [(left, at_left), (right, at_right)] {
            // The signs of excess are "at most zero" and "above".
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

/// The stable end of the bracket around a change of sign, to rounding: false position with Illinois' weights and, every third
/// time and where a value is infinite, bisection.
pub(crate) fn change(excess: &impl Excess, mut a: (f64, f64), mut b: (f64, f64)) -> f64 {
    // Bisection is every third step, and alone needs fifty, or a thousand where a bracket spans the range of doubles.
    const MOST: usize = 3600;
    let is_stable = |value: f64| value <= 0.0;
    let mut weights = (a.1, b.1);
    let mut moved_low = None;
    for step in 1..=MOST {
        let secant = a.0 + (b.0 - a.0) * (weights.0 / (weights.0 - weights.1));
        let inside = secant.is_finite() && secant > a.0 && secant < b.0;
        let t = if inside && step % 3 != 0 { secant } else { f64::midpoint(a.0, b.0) };
        if t <= a.0 || t >= b.0 {
            break;
        }
        let value = excess.at(t);
        let moves_low = is_stable(value) == is_stable(a.1);
        // An end that stays twice loses half of its weight.
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
    if is_stable(a.1) { a.0 } else { b.0 }
}

/// ρ(S) − 1 − margin along a ray of a pair's space, by vector kernels: with the direction in the coefficients, ξ = t is real.
pub(crate) struct PairExcess {
    scan: Scan,
    level: f64,
}

impl PairExcess {
    pub(crate) fn new(tableau: &Tableau<f64>, z: [Complex64; 3], margin: f64) -> Result<Self, StabilityError> {
        let zero = Complex64::ZERO;
        let slice = Slice { slow: [zero, z[0]], fast: [zero, z[1]], product: [zero, zero, z[2]] };
        Ok(Self { scan: Scan::new(tableau, slice)?, level: 1.0 + margin })
    }
}

impl Excess for PairExcess {
    fn at(&self, t: f64) -> f64 {
        self.scan.spectral_radius(t.into()) - self.level
    }

    fn sample(&self, from: f64, to: f64, cells: usize) -> Vec<f64> {
        let row = Window { x: (from, to), y: (0.0, 0.0), cells: (cells, 0) };
        self.scan.spectral_radii(&row).iter().map(|radius| radius - self.level).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Function<F>(F);

    impl<F: Fn(f64) -> f64> Excess for Function<F> {
        fn at(&self, t: f64) -> f64 {
            (self.0)(t)
        }

        fn sample(&self, from: f64, to: f64, cells: usize) -> Vec<f64> {
            (0..=cells).map(|i| self.at(from + (to - from) * i as f64 / cells as f64)).collect()
        }
    }

    fn steps(f: impl Fn(f64) -> f64, farthest: f64, samples: usize) -> StableSteps {
        StableSteps::find(&Function(f), StepSearch { farthest, samples, margin: 0.0 }, 0.0)
    }

    #[test]
    fn gaps_are_intervals_between_roots() {
        // Negative on (0, 1), (2, 3), (4, ∞) with steep and flat crossings.
        let found = steps(|t| -(t - 1.0) * (t - 2.0) * (t - 3.0) * (t - 4.0) * (t * t + 1.0), 5.0, 97);
        assert_eq!(found.gaps.len(), 2);
        for (found, expected) in found.gaps.iter().flat_map(|gap| [gap.0, gap.1]).zip([1.0, 2.0, 3.0, 4.0]) {
            assert!((found - expected).abs() < 1e-14, "{found}");
        }
        assert_eq!((found.first_exit, found.last), (found.gaps[0].0, 5.0));
        let found = steps(|t| t - 1.0, 2.0, 10);
        assert_eq!((found.gaps.len(), found.first_exit, found.last), (0, 1.0, 1.0));
        let none = steps(|_| -1.0, 2.0, 10);
        assert_eq!((none.first_exit, none.last), (f64::INFINITY, 2.0));
    }

    #[test]
    fn narrow_peaks_and_narrow_stable_windows_between_samples() {
        // |t − 1.2345| < 0.003 exceeds; samples are 0.1 apart.
        let peak = |t: f64| 9e-6 / (t - 1.2345).powi(2) - 1.0;
        let found = steps(peak, 3.0, 30);
        assert_eq!(found.gaps.len(), 1);
        assert!((found.first_exit - 1.2315).abs() < 1e-14 && (found.gaps[0].1 - 1.2375).abs() < 1e-14, "{found:?}");
        let exit = first_exit(&Function(peak), StepSearch { farthest: 3.0, samples: 30, margin: 0.0 }, 4);
        assert_eq!(exit, found.first_exit);
        let window = steps(|t| (t - 2.0).powi(2) - 1e-4 - if t < 1.0 { 9.0 } else { 0.0 }, 4.0, 41);
        assert!((window.last - 2.01).abs() < 1e-14 && window.gaps.len() == 1, "{window:?}");
        assert!((window.gaps[0].1 - 1.99).abs() < 1e-14);
    }

    #[test]
    fn infinite_values_are_unstable() {
        let found = steps(|t| if t < 0.7 { -1.0 } else { f64::INFINITY }, 2.0, 10);
        assert!((found.first_exit - 0.7).abs() < 1e-15 && found.last == found.first_exit);
    }

    #[test]
    fn peaks_at_the_ends_of_blocks() {
        for centre in [0.5, 0.75, 1.0, 1.25, 1.5] {
            let peak = |t: f64| 9e-6 / (t - centre - 0.01).powi(2) - 1.0;
            let exit = first_exit(&Function(peak), StepSearch { farthest: 2.0, samples: 40, margin: 0.0 }, 4);
            assert!((exit - (centre + 0.007)).abs() < 1e-14, "{centre}: {exit}");
        }
    }
}
