//! Stable step sizes of a method: the first exit, and the gaps beyond it.

use crate::steps::search::{StepExcess, StepSearch, change, refined};

/// Step sizes t for which a method is stable, up to a largest one.
///
/// The search may miss an interval between two samples that does not raise the samples by a thousandth of the necessary
/// height. For pairs, [`coupled_limit`](crate::coupled_limit) misses none.
#[derive(Clone, Debug, PartialEq)]
pub struct StableSteps {
    /// First exit: the method is stable up to it, but not just beyond it. Infinite if there is none up to `farthest`.
    pub first_exit: f64,
    /// Intervals of instability with stable steps beyond them, from exit to return.
    pub gaps: Vec<(f64, f64)>,
    /// Last stable step size up to `farthest`.
    pub last: f64,
    /// End of the searched range.
    pub farthest: f64,
}

impl StableSteps {
    /// Finds the stable step sizes of a function; differences up to `noise` count as rounding.
    pub(crate) fn find(excess: &impl StepExcess, search: StepSearch, noise: f64) -> Self {
        let values = excess.sample(0.0, search.farthest, search.samples);
        let place = |i: usize| search.farthest * (i as f64 / search.samples as f64);
        Self::from_places(
            excess,
            values.into_iter().enumerate().map(|(i, value)| (place(i), value)).collect(),
            search.farthest,
            noise,
        )
    }

    /// Finds the stable step sizes from samples at arbitrary points between zero and the farthest step.
    pub(crate) fn from_places(excess: &impl StepExcess, samples: Vec<(f64, f64)>, farthest: f64, noise: f64) -> Self {
        let places = refined(excess, samples, noise);
        let changes = places.windows(2).filter(|pair| (pair[0].1 > 0.0) != (pair[1].1 > 0.0));
        let mut ends: Vec<f64> = changes.map(|pair| change(excess, pair[0], pair[1])).collect();
        if places.first().is_some_and(|place| place.1 > 0.0) {
            ends.insert(0, 0.0);
        }
        Self::from_exits(&ends, farthest)
    }

    /// Removes intervals, sorted by their beginnings, from the steps up to the farthest; an interval that ends at
    /// infinity has no return.
    pub(crate) fn excluding_intervals(intervals: &[(f64, f64)], farthest: f64) -> Self {
        let mut ends: Vec<f64> = Vec::new();
        for &(exit, back) in intervals {
            match ends.last_mut() {
                Some(last) if exit <= *last => *last = last.max(back),
                _ => ends.extend([exit, back]),
            }
        }
        ends.retain(|end| end.is_finite());
        Self::from_exits(&ends, farthest)
    }

    /// Merges a closer search of the range up to the first exit.
    pub(crate) fn merge_closer(&mut self, closer: &Self) {
        if closer.last < closer.farthest {
            // An unstable interval that is open at the end of the closer search extends to the end of the first gap, or
            // without end.
            match self.gaps.first_mut() {
                Some(gap) => gap.0 = closer.last,
                None => self.last = closer.last,
            }
        }
        self.first_exit = closer.first_exit;
        self.gaps.splice(0..0, closer.gaps.iter().copied());
    }

    /// Builds the intervals from alternating exits and returns.
    pub(crate) fn from_exits(ends: &[f64], farthest: f64) -> Self {
        let (gaps, rest) = ends.as_chunks::<2>();
        Self {
            first_exit: ends.first().copied().unwrap_or(f64::INFINITY),
            gaps: gaps.iter().map(|&[exit, back]| (exit, back)).collect(),
            last: rest.first().copied().unwrap_or(farthest),
            farthest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::search::first_exit;

    struct Function<F>(F);

    impl<F: Fn(f64) -> f64> StepExcess for Function<F> {
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
        // Negative on (0, 1), (2, 3) and (4, ∞), with steep and flat crossings.
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
        // The excess is positive for |t − 1.2345| < 0.003; samples are 0.1 apart.
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
        for center in [0.5, 0.75, 1.0, 1.25, 1.5] {
            let peak = |t: f64| 9e-6 / (t - center - 0.01).powi(2) - 1.0;
            let exit = first_exit(&Function(peak), StepSearch { farthest: 2.0, samples: 40, margin: 0.0 }, 4);
            assert!((exit - (center + 0.007)).abs() < 1e-14, "{center}: {exit}");
        }
    }
}
