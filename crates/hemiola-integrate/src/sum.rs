//! y + h Σ aⱼ kⱼ: what a step consists of beside the rates.

use std::ops::Range;

/// Σ aⱼ kⱼ over the slopes of all stages, with coefficients for each partition, zeros left out.
#[derive(Clone, Debug)]
pub(crate) struct Sums {
    blocks: Vec<Block>,
}

/// Variables with the same coefficients.
#[derive(Clone, Debug)]
struct Block {
    range: Range<usize>,
    strips: Strips,
    /// aⱼ, and where the slopes of stage j begin.
    terms: Vec<(f64, usize)>,
}

impl Sums {
    /// Sums with the coefficients of each partition over its range of the n variables.
    pub(crate) fn new(rows: impl Iterator<Item = (Vec<f64>, Range<usize>)>, n: usize) -> Self {
        let mut blocks: Vec<Block> = Vec::new();
        for (row, range) in rows.filter(|(_, range)| !range.is_empty()) {
            let terms: Vec<(f64, usize)> =
                row.into_iter().enumerate().filter(|(_, a)| *a != 0.0).map(|(j, a)| (a, j * n)).collect();
            match blocks.last_mut() {
                Some(last) if last.terms == terms => {
                    last.range.end = range.end;
                    last.strips = fitting(&last.range);
                }
                _ => blocks.push(Block { strips: fitting(&range), range, terms }),
            }
        }
        Self { blocks }
    }

    /// Whether there is nothing to add.
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.iter().all(|block| block.terms.is_empty())
    }

    /// `out` = h Σ aⱼ kⱼ.
    pub(crate) fn write(&self, h: f64, slopes: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for Block { range, terms, .. } in &self.blocks {
            for &(a, first) in terms {
                for i in range.clone() {
                    out[i] += h * a * slopes[first + i];
                }
            }
        }
    }

    /// `out` = y + h Σ aⱼ kⱼ.
    pub(crate) fn add(&self, y: &[f64], h: f64, slopes: &[f64], out: &mut [f64]) {
        for Block { range, terms, strips } in &self.blocks {
            strips(range, y, h, slopes, terms, out);
        }
    }
}

/// Adds the sums of a range to y.
type Strips = fn(&Range<usize>, &[f64], f64, &[f64], &[(f64, usize)], &mut [f64]);

/// Strips of 1, 2, … variables: with sixteen, their sums still stay in registers.
const WIDTHS: [Strips; 16] = [
    strips::<1>,
    strips::<2>,
    strips::<3>,
    strips::<4>,
    strips::<5>,
    strips::<6>,
    strips::<7>,
    strips::<8>,
    strips::<9>,
    strips::<10>,
    strips::<11>,
    strips::<12>,
    strips::<13>,
    strips::<14>,
    strips::<15>,
    strips::<16>,
];

/// The fewest strips of equal widths for a range.
fn fitting(range: &Range<usize>) -> Strips {
    let strips = range.len().div_ceil(WIDTHS.len()).max(1);
    WIDTHS[range.len().div_ceil(strips).max(1) - 1]
}

/// The variables of a range, W at a time. The last strip overlaps the one before it rather than leave some variables over.
fn strips<const W: usize>(
    range: &Range<usize>,
    y: &[f64],
    h: f64,
    slopes: &[f64],
    terms: &[(f64, usize)],
    out: &mut [f64],
) {
    let (Some(last), mut i) = (range.end.checked_sub(W), range.start) else { return };
    loop {
        strip::<W>(y, h, slopes, terms, i, out);
        if i == last {
            return;
        }
        i = (i + W).min(last);
    }
}

/// The variables i … i + W − 1.
#[inline]
fn strip<const W: usize>(y: &[f64], h: f64, slopes: &[f64], terms: &[(f64, usize)], i: usize, out: &mut [f64]) {
    let mut sum = [0.0; W];
    for &(a, first) in terms {
        let slope = &slopes[first + i..][..W];
        for l in 0..W {
            sum[l] += a * slope[l];
        }
    }
    let (y, out) = (&y[i..][..W], &mut out[i..][..W]);
    for l in 0..W {
        out[l] = y[l] + h * sum[l];
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
    fn equal_rows_become_one_block() {
        let rows = [(vec![0.5, 0.0], 0..3), (vec![0.5, 0.0], 3..5)];
        assert_eq!(Sums::new(rows.into_iter(), 5).blocks.len(), 1);
        assert!(Sums::new([(vec![0.0, 0.0], 0..5)].into_iter(), 5).is_empty());
    }
}
