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
    /// aⱼ, and where the slopes of stage j begin.
    terms: Vec<(f64, usize)>,
}

impl Sums {
    /// Sums with the coefficients of each partition over its range of the n variables.
    pub(crate) fn new(rows: impl Iterator<Item = (Vec<f64>, Range<usize>)>, n: usize) -> Self {
        let mut blocks: Vec<Block> = Vec::new();
        for (row, range) in rows {
            let terms: Vec<(f64, usize)> =
                row.into_iter().enumerate().filter(|(_, a)| *a != 0.0).map(|(j, a)| (a, j * n)).collect();
            match blocks.last_mut() {
                Some(last) if last.terms == terms => last.range.end = range.end,
                _ => blocks.push(Block { range, terms }),
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
        for Block { range, terms } in &self.blocks {
            for &(a, first) in terms {
                for i in range.clone() {
                    out[i] += h * a * slopes[first + i];
                }
            }
        }
    }

    /// `out` = y + h Σ aⱼ kⱼ.
    pub(crate) fn add(&self, y: &[f64], h: f64, slopes: &[f64], out: &mut [f64]) {
        for Block { range, terms } in &self.blocks {
            match range.len() {
                0 => {}
                1 => strips::<1>(range, y, h, slopes, terms, out),
                2..4 => strips::<2>(range, y, h, slopes, terms, out),
                4..8 => strips::<4>(range, y, h, slopes, terms, out),
                _ => strips::<8>(range, y, h, slopes, terms, out),
            }
        }
    }
}

/// The variables of a range, W at a time: as many sums as stay in registers. The last strip overlaps the one before it rather than
/// leave single variables.
#[inline]
fn strips<const W: usize>(
    range: &Range<usize>,
    y: &[f64],
    h: f64,
    slopes: &[f64],
    terms: &[(f64, usize)],
    out: &mut [f64],
) {
    let last = range.end - W;
    let mut i = range.start;
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
    fn equal_rows_become_one_block() {
        let rows = [(vec![0.5, 0.0], 0..3), (vec![0.5, 0.0], 3..5)];
        assert_eq!(Sums::new(rows.into_iter(), 5).blocks.len(), 1);
        assert!(Sums::new([(vec![0.0, 0.0], 0..5)].into_iter(), 5).is_empty());
    }
}
