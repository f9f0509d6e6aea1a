//! Sums y + h Σ aⱼ kⱼ over strips of variables, with the vector instructions of the processor.
//!
//! Products and sums are not fused: each is rounded, as in a step written out by hand.

use std::ops::Range;

use hemiola_number::vector::{Instructions, Registers, Task};

/// Width of the widest strip whose sums fit in registers.
const WIDEST: usize = 16;

/// Partition of a range of variables into strips of equal width, and the instructions that process them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strips {
    width: usize,
    instructions: Instructions,
}

/// Operands of a sum: each term holds aⱼ and the position of kⱼ in `slopes`.
pub(crate) struct SumOperands<'a> {
    pub(crate) range: &'a Range<usize>,
    pub(crate) y: &'a [f64],
    pub(crate) h: f64,
    pub(crate) slopes: &'a [f64],
    pub(crate) terms: &'a [(f64, usize)],
    pub(crate) out: &'a mut [f64],
}

impl Strips {
    /// Divides a range into as few strips of equal width as possible.
    pub(crate) fn fitting(range: &Range<usize>) -> Self {
        let strips = range.len().div_ceil(WIDEST).max(1);
        Self { width: range.len().div_ceil(strips).max(1), instructions: Instructions::widest() }
    }

    /// Computes y + h Σ aⱼ kⱼ for a range of variables.
    #[inline]
    pub(crate) fn add(self, sum: SumOperands<'_>) {
        // For narrow strips, calling a function with wider instructions takes as long as the sums themselves.
        match self.width {
            1 => strips::<1>(sum),
            2 => strips::<2>(sum),
            3 => strips::<3>(sum),
            4 => strips::<4>(sum),
            width => self.instructions.run(StripTask { width, sum }),
        }
    }
}

/// A sum over strips of a given width.
struct StripTask<'a> {
    width: usize,
    sum: SumOperands<'a>,
}

impl Task for StripTask<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Registers>(self) {
        /// One function for each width: arrays of constant length stay in registers.
        macro_rules! widths {
            ($($width:literal)*) => {
                match self.width {
                    $($width => strips::<$width>(self.sum),)*
                    // The largest width; `fitting` chooses none above it.
                    _ => strips::<WIDEST>(self.sum),
                }
            };
        }
        widths!(5 6 7 8 9 10 11 12 13 14 15);
    }
}

/// Processes a range W variables at a time. The last strip overlaps the previous one, so that no variables are left
/// over.
#[inline(always)]
fn strips<const W: usize>(SumOperands { range, y, h, slopes, terms, out }: SumOperands<'_>) {
    let (Some(last), mut i) = (range.end.checked_sub(W), range.start) else { return };
    loop {
        strip::<W>(y, h, slopes, terms, i, out);
        if i == last {
            return;
        }
        i = (i + W).min(last);
    }
}

/// Processes the variables i … i + W − 1.
#[inline(always)]
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
    fn all_instructions_give_the_same_bits() {
        let n = 40;
        let numbers = |count: usize| (0..count).map(|k| (1.7 * k as f64).sin()).collect::<Vec<f64>>();
        let (y, slopes) = (numbers(n), numbers(3 * n));
        let terms = [(0.3, 0), (-1.1, n), (0.7, 2 * n)];
        for width in 1..=WIDEST {
            let range = 2..(2 + 2 * width).min(n);
            let found = |instructions: Instructions| {
                let mut out = vec![0.0; n];
                let sum = SumOperands { range: &range, y: &y, h: 0.1, slopes: &slopes, terms: &terms, out: &mut out };
                Strips { width, instructions }.add(sum);
                out
            };
            let portable = found(Instructions::PORTABLE);
            assert!(Instructions::all().all(|instructions| found(instructions) == portable), "{width}");
            assert!(portable[range.clone()].iter().all(|x| *x != 0.0));
        }
    }
}
