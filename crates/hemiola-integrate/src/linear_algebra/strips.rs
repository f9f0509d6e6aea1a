//! y + h Σ aⱼ kⱼ over strips of variables, in the vector instructions that the processor has.
//!
//! Products and sums are not fused: with all instructions the same numbers come out.

use std::ops::Range;

/// Adds h Σ aⱼ kⱼ to y for a range of variables; of each term aⱼ and where kⱼ begins among the slopes.
pub(crate) type Strips = fn(&Range<usize>, &[f64], f64, &[f64], &[(f64, usize)], &mut [f64]);

/// A function for strips of 1, 2, … 16 variables, whose sums still stay in registers.
macro_rules! widths {
    ($strips:ident: $($width:literal)*) => { [$($strips::<$width>),*] };
}

const WIDEST: usize = 16;
const PORTABLE: [Strips; WIDEST] = widths!(strips: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
#[cfg(target_arch = "x86_64")]
const AVX2: [Strips; WIDEST] = widths!(avx2: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);

/// The fewest strips of equal widths for a range.
pub(crate) fn fitting(range: &Range<usize>) -> Strips {
    let strips = range.len().div_ceil(WIDEST).max(1);
    available()[range.len().div_ceil(strips).max(1) - 1]
}

fn available() -> &'static [Strips; WIDEST] {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        return &AVX2;
    }
    &PORTABLE
}

#[cfg(target_arch = "x86_64")]
fn avx2<const W: usize>(
    range: &Range<usize>,
    y: &[f64],
    h: f64,
    slopes: &[f64],
    terms: &[(f64, usize)],
    out: &mut [f64],
) {
    #[target_feature(enable = "avx2")]
    fn vectors<const W: usize>(
        range: &Range<usize>,
        y: &[f64],
        h: f64,
        slopes: &[f64],
        terms: &[(f64, usize)],
        out: &mut [f64],
    ) {
        strips::<W>(range, y, h, slopes, terms, out);
    }
    // SAFETY: this function leaves the module through `available` alone, on processors that have AVX2.
    unsafe { vectors::<W>(range, y, h, slopes, terms, out) }
}

/// The variables of a range, W at a time. The last strip overlaps the one before it rather than leave some variables over.
#[inline(always)]
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
            let [mut portable, mut chosen] = [vec![0.0; n], vec![0.0; n]];
            PORTABLE[width - 1](&range, &y, 0.1, &slopes, &terms, &mut portable);
            available()[width - 1](&range, &y, 0.1, &slopes, &terms, &mut chosen);
            assert_eq!(portable, chosen, "{width}");
            assert!(portable[range].iter().all(|x| *x != 0.0));
        }
    }
}
