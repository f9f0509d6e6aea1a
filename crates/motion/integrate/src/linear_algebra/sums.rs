//! Sums y + h Σ aⱼ kⱼ, the part of a step other than evaluations.

use std::ops::Range;

use crate::linear_algebra::strips::{self, Strips};

/// Sums Σ aⱼ kⱼ over the slopes of all stages, with coefficients for each partition. Zero coefficients are dropped.
#[derive(Clone, Debug)]
pub(crate) struct Sums {
    blocks: Vec<SumBlock>,
}

/// A range of variables with the same coefficients.
#[derive(Clone, Debug)]
struct SumBlock {
    range: Range<usize>,
    strips: Strips,
    /// aⱼ and the index at which the slopes of stage j begin.
    terms: Vec<(f64, usize)>,
    /// Whether the output already holds the sum.
    is_there: bool,
}

impl Sums {
    /// Creates sums from the coefficients of each partition and its range of the n variables.
    pub(crate) fn new(rows: impl Iterator<Item = (Vec<f64>, Range<usize>)>, n: usize) -> Self {
        let mut blocks: Vec<SumBlock> = Vec::new();
        for (row, range) in rows.filter(|(_, range)| !range.is_empty()) {
            let terms: Vec<(f64, usize)> =
                row.into_iter().enumerate().filter(|(_, a)| *a != 0.0).map(|(j, a)| (a, j * n)).collect();
            match blocks.last_mut() {
                Some(last) if last.terms == terms => {
                    last.range.end = range.end;
                    last.strips = Strips::fitting(&last.range);
                }
                _ => blocks.push(SumBlock { strips: Strips::fitting(&range), range, terms, is_there: false }),
            }
        }
        Self { blocks }
    }

    /// Skips the sums that `before` has already written to the same output.
    ///
    /// In a slow partition whose stages depend on the first slope only, most sums equal those of the previous stage.
    pub(crate) fn without_repeats_of(mut self, before: &Self) -> Self {
        for block in &mut self.blocks {
            let has = |other: &SumBlock| {
                other.terms == block.terms
                    && other.range.start <= block.range.start
                    && block.range.end <= other.range.end
            };
            block.is_there = before.blocks.iter().any(has);
        }
        self
    }

    /// Returns whether all coefficients are zero.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.iter().all(|block| block.terms.is_empty())
    }

    /// Returns aⱼ and the start of the slopes of stage j if all variables have the same coefficients; `None` if there
    /// are no terms.
    #[inline]
    pub(crate) fn terms(&self) -> Option<&[(f64, usize)]> {
        self.blocks.first().map(|block| &block.terms[..]).filter(|terms| !terms.is_empty())
    }

    /// Writes h Σ aⱼ kⱼ to `out`.
    pub(crate) fn write(&self, h: f64, slopes: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for SumBlock { range, terms, .. } in &self.blocks {
            for &(a, first) in terms {
                for i in range.clone() {
                    out[i] += h * a * slopes[first + i];
                }
            }
        }
    }

    /// Writes y + h Σ aⱼ kⱼ to `out`.
    #[inline]
    pub(crate) fn add(&self, y: &[f64], h: f64, slopes: &[f64], out: &mut [f64]) {
        for SumBlock { range, terms, strips, .. } in self.blocks.iter().filter(|block| !block.is_there) {
            strips.add(strips::SumOperands { range, y, h, slopes, terms, out });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_plain_loops() {
        let n = 13;
        let slopes: Vec<f64> = (0..3 * n).map(|k| (k as f64 * 0.7).sin()).collect();
        let y: Vec<f64> = (0..n).map(|i| i as f64).collect();
        let rows = [(vec![0.5, 0.0, -1.5], 0..11), (vec![0.0, 0.25, 2.0], 11..13)];
        let mut found = vec![0.0; n];
        Sums::new(rows.clone().into_iter(), n).add(&y, 0.1, &slopes, &mut found);
        for (row, range) in rows {
            for i in range {
                let sum: f64 = (0..3).map(|j| row[j] * slopes[j * n + i]).sum();
                assert!((found[i] - (y[i] + 0.1 * sum)).abs() < 4.0 * f64::EPSILON * y[i].abs().max(1.0));
            }
        }
    }

    #[test]
    fn every_length_is_covered_once() {
        for n in 1..70 {
            let (y, slopes): (Vec<f64>, Vec<f64>) = (0..n).map(|i| (i as f64, 1.0 + i as f64)).unzip();
            let mut found = vec![0.0; n];
            Sums::new([(vec![2.0], 0..n)].into_iter(), n).add(&y, 0.5, &slopes, &mut found);
            assert!(found.iter().enumerate().all(|(i, x)| *x == 2.0 * i as f64 + 1.0), "{n}: {found:?}");
        }
    }

    #[test]
    fn sums_that_are_in_place_stay_there() {
        let n = 7;
        let (y, slopes): (Vec<f64>, Vec<f64>) = (0..2 * n).map(|i| (i as f64, 1.0 + i as f64)).unzip();
        let first = Sums::new([(vec![2.0, 0.0], 0..4), (vec![1.0, 0.0], 4..7)].into_iter(), n);
        let rows = [(vec![2.0, 0.0], 0..4), (vec![1.0, 3.0], 4..7)];
        let second = Sums::new(rows.clone().into_iter(), n);
        let (mut all, mut changed) = (vec![0.0; n], vec![0.0; n]);
        second.add(&y, 0.5, &slopes, &mut all);
        first.add(&y, 0.5, &slopes, &mut changed);
        let second = second.without_repeats_of(&first);
        assert_eq!(second.blocks.iter().map(|block| block.is_there).collect::<Vec<_>>(), [true, false]);
        second.add(&y, 0.5, &slopes, &mut changed);
        assert_eq!(all, changed);
        // The sums before form one block over both partitions; the second partition now has one more term.
        let merged = Sums::new([(vec![2.0, 0.0], 0..4), (vec![2.0, 0.0], 4..7)].into_iter(), n);
        let split = Sums::new(rows.into_iter(), n).without_repeats_of(&merged);
        assert_eq!(split.blocks.iter().map(|block| block.is_there).collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn equal_rows_become_one_block() {
        let rows = [(vec![0.5, 0.0], 0..3), (vec![0.5, 0.0], 3..5)];
        assert_eq!(Sums::new(rows.into_iter(), 5).blocks.len(), 1);
        assert!(Sums::new([(vec![0.0, 0.0], 0..5)].into_iter(), 5).is_empty());
    }
}
