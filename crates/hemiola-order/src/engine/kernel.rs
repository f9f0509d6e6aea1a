//! The inner loops of the fast engine: one linear combination for each condition, and a look at its size.

/// Values that one pass of the loop holds in registers: rows are padded to a multiple of this.
pub(crate) const CHUNK: usize = 16;

/// What a first look at values saw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Screened {
    /// How many values do not exceed the threshold; what is not a number does not.
    pub(crate) within: usize,
    /// The largest absolute value.
    pub(crate) largest: f64,
}

/// out_f = Σᵢ uᵢ rowsᵢ[f] for f < length, and how many |out_f| do not exceed the threshold. Every row and `out` are as long as
/// the next multiple of [`CHUNK`]; what `out` holds beyond `length` has no meaning.
pub(crate) fn combine_and_screen(
    u: &[f64],
    rows: &[Vec<f64>],
    out: &mut [f64],
    length: usize,
    threshold: f64,
) -> Screened {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
        // SAFETY: the processor has the features that the function is compiled for; it touches memory through
        // slices alone.
        return unsafe { avx2(u, rows, out, length, threshold) };
    }
    portable(u, rows, out, length, threshold, |x, y, sum| x * y + sum)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2(u: &[f64], rows: &[Vec<f64>], out: &mut [f64], length: usize, threshold: f64) -> Screened {
    portable(u, rows, out, length, threshold, f64::mul_add)
}

#[inline(always)]
fn portable(
    u: &[f64],
    rows: &[Vec<f64>],
    out: &mut [f64],
    length: usize,
    threshold: f64,
    multiply_add: impl Fn(f64, f64, f64) -> f64,
) -> Screened {
    let mut screened = Screened { within: 0, largest: 0.0 };
    for (k, chunk) in out.chunks_exact_mut(CHUNK).enumerate().take(length.div_ceil(CHUNK)) {
        let start = k * CHUNK;
        // An array of constant length stays in vector registers while the stages are run through.
        let mut sums = [0.0; CHUNK];
        for (&u, row) in u.iter().zip(rows) {
            for (sum, &x) in sums.iter_mut().zip(&row[start..start + CHUNK]) {
                *sum = multiply_add(u, x, *sum);
            }
        }
        chunk.copy_from_slice(&sums);
        // The padding is no value: only the last chunk has any.
        if length - start >= CHUNK {
            look(&sums, threshold, &mut screened);
        } else {
            look(&sums[..length - start], threshold, &mut screened);
        }
    }
    screened
}

#[inline(always)]
fn look(values: &[f64], threshold: f64, screened: &mut Screened) {
    let mut beyond = 0;
    for value in values {
        let size = value.abs();
        beyond += usize::from(size > threshold);
        screened.largest = if size > screened.largest { size } else { screened.largest };
    }
    screened.within += values.len() - beyond;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vector_and_portable_paths_agree_to_rounding() {
        let number = |k: usize| (k as f64 * 0.7).sin();
        for (stages, length) in [(1, 1), (5, 7), (11, 16), (11, 61), (3, 100)] {
            let padded = usize::next_multiple_of(length, CHUNK);
            let u: Vec<f64> = (0..stages).map(number).collect();
            let rows: Vec<Vec<f64>> =
                (0..stages).map(|i| (0..padded).map(|f| number(17 * i + 3 * f)).collect()).collect();
            let (mut fast, mut plain) = (vec![0.0; padded], vec![0.0; padded]);
            let seen = combine_and_screen(&u, &rows, &mut fast, length, 0.3);
            portable(&u, &rows, &mut plain, length, 0.3, |x, y, sum| x * y + sum);
            let fast = &fast[..length];
            for (fast, plain) in fast.iter().zip(&plain) {
                assert!((fast - plain).abs() <= stages as f64 * f64::EPSILON * stages as f64);
            }
            assert_eq!(seen.within, fast.iter().filter(|value| value.abs() <= 0.3).count());
            assert_eq!(seen.largest, fast.iter().fold(0.0, |largest, value| f64::max(largest, value.abs())));
        }
    }

    #[test]
    fn what_is_not_a_number_is_not_beyond() {
        let mut row = vec![9.0; CHUNK];
        row[..2].copy_from_slice(&[f64::NAN, 2.0]);
        let seen = combine_and_screen(&[1.0], &[row], &mut [0.0; CHUNK], 2, 1.0);
        assert_eq!(seen, Screened { within: 1, largest: 2.0 });
    }
}
