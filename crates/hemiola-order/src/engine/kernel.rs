//! The inner loops of the fast engine: one linear combination for each condition, and a look at its size.

use hemiola_number::vector::{Registers, Task, dispatch, times_plus};

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
    dispatch(CombineAndScreen { u, rows, out, length, threshold })
}

struct CombineAndScreen<'a> {
    u: &'a [f64],
    rows: &'a [Vec<f64>],
    out: &'a mut [f64],
    length: usize,
    threshold: f64,
}

impl Task for CombineAndScreen<'_> {
    type Output = Screened;

    #[inline(always)]
    fn run<R: Registers>(self) -> Screened {
        let Self { u, rows, out, length, threshold } = self;
        let mut screened = Screened { within: 0, largest: 0.0 };
        for (k, chunk) in out.chunks_exact_mut(CHUNK).enumerate().take(length.div_ceil(CHUNK)) {
            let start = k * CHUNK;
            // An array of constant length stays in vector registers while the stages are run through.
            let mut sums = [0.0; CHUNK];
            for (&u, row) in u.iter().zip(rows) {
                for (sum, &x) in sums.iter_mut().zip(&row[start..start + CHUNK]) {
                    *sum = times_plus(u, x, *sum);
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
    use hemiola_number::vector::Instructions;

    #[test]
    fn all_instructions_agree_with_the_plain_sum() {
        let number = |k: usize| (k as f64 * 0.7).sin();
        for (stages, length) in [(1, 1), (5, 7), (11, 16), (11, 61), (3, 100)] {
            let padded = usize::next_multiple_of(length, CHUNK);
            let u: Vec<f64> = (0..stages).map(number).collect();
            let rows: Vec<Vec<f64>> =
                (0..stages).map(|i| (0..padded).map(|f| number(17 * i + 3 * f)).collect()).collect();
            let run = |instructions: Instructions| {
                let mut out = vec![0.0; padded];
                let task = CombineAndScreen { u: &u, rows: &rows, out: &mut out, length, threshold: 0.3 };
                (instructions.run(task), out)
            };
            let (seen, fast) = run(Instructions::PORTABLE);
            assert!(Instructions::all().all(|instructions| run(instructions) == (seen, fast.clone())));
            let fast = &fast[..length];
            for (f, fast) in fast.iter().enumerate() {
                let plain: f64 = u.iter().zip(&rows).map(|(u, row)| u * row[f]).sum();
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
