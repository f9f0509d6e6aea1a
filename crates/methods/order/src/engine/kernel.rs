//! Inner loops of the fast engine: linear combinations for the conditions, with tests of their sizes.
//!
//! The product of a vector and a table is limited by memory bandwidth: each number of the table is read for a
//! single multiplication. Several vectors share the reads of the same table, as in the product of two matrices.

use hemiola_number::vector::{Registers, Task, dispatch, times_plus};

/// Number of neighbors of a row that are held in registers at a time.
pub(crate) const CHUNK: usize = 16;

/// Neighbors of a row. The alignment keeps a load of eight doubles within one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Chunk([f64; CHUNK]);

/// Rows of equal length, cut into chunks. The first chunks of all rows are stored first, then the second chunks,
/// so that memory is read sequentially. The last chunks are padded.
pub(crate) struct Packed {
    rows: usize,
    chunks: Vec<Chunk>,
}

impl Packed {
    pub(crate) fn new<T>(rows: &[Vec<T>], value: impl Fn(&T) -> f64) -> Self {
        let length = rows.first().map_or(0, Vec::len);
        let mut chunks = vec![Chunk([0.0; CHUNK]); rows.len() * length.div_ceil(CHUNK)];
        for (i, row) in rows.iter().enumerate() {
            for (k, part) in row.chunks(CHUNK).enumerate() {
                let Chunk(chunk) = &mut chunks[k * rows.len() + i];
                chunk.iter_mut().zip(part).for_each(|(x, part)| *x = value(part));
            }
        }
        Self { rows: rows.len(), chunks }
    }

    /// Iterates over the chunks of all rows, side by side.
    #[inline(always)]
    fn side_by_side(&self) -> std::slice::ChunksExact<'_, Chunk> {
        self.chunks.chunks_exact(self.rows.max(1))
    }
}

/// Statistics of screened values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ScreenStatistics {
    /// The number of values that do not exceed the threshold, including NaN.
    pub(crate) within: usize,
    /// The largest absolute value.
    pub(crate) largest: f64,
}

/// Computes out_f = Σᵢ uᵢ rowsᵢ[f] for f < length, and counts the |out_f| that do not exceed the threshold. The
/// length of `out` is `length` rounded up to a multiple of [`CHUNK`]; its entries beyond `length` are
/// meaningless.
pub(crate) fn combine_and_screen(
    u: &[f64],
    rows: &Packed,
    out: &mut [f64],
    length: usize,
    threshold: f64,
) -> ScreenStatistics {
    dispatch(CombineAndScreen { u, rows, out, length, threshold })
}

struct CombineAndScreen<'a> {
    u: &'a [f64],
    rows: &'a Packed,
    out: &'a mut [f64],
    length: usize,
    threshold: f64,
}

impl Task for CombineAndScreen<'_> {
    type Output = ScreenStatistics;

    #[inline(always)]
    fn run<R: Registers>(self) -> ScreenStatistics {
        let Self { u, rows, out, length, threshold } = self;
        let mut screened = ScreenStatistics { within: 0, largest: 0.0 };
        let mut left = length;
        for (out, chunks) in out.chunks_exact_mut(CHUNK).zip(rows.side_by_side()).take(length.div_ceil(CHUNK)) {
            let sums = combine(u.iter().copied(), chunks);
            out.copy_from_slice(&sums);
            // The padding, which occurs only in the last chunk, is excluded.
            if left >= CHUNK {
                update_statistics(&sums, threshold, &mut screened);
                left -= CHUNK;
            } else {
                update_statistics(&sums[..left], threshold, &mut screened);
            }
        }
        screened
    }
}

/// Computes one chunk of a linear combination. The array of constant length stays in vector registers throughout
/// the loop over stages.
#[inline(always)]
fn combine(u: impl Iterator<Item = f64>, chunks: &[Chunk]) -> [f64; CHUNK] {
    let mut sums = [0.0; CHUNK];
    for (u, Chunk(x)) in u.zip(chunks) {
        add_multiple(&mut sums, u, x);
    }
    sums
}

#[inline(always)]
fn add_multiple<const W: usize>(sums: &mut [f64; W], u: f64, x: &[f64; W]) {
    for l in 0..W {
        sums[l] = times_plus(u, x[l], sums[l]);
    }
}

#[inline(always)]
fn update_statistics(values: &[f64], threshold: f64, screened: &mut ScreenStatistics) {
    let mut beyond = 0;
    for value in values {
        let size = value.abs();
        beyond += usize::from(size > threshold);
        screened.largest = larger(size, screened.largest);
    }
    screened.within += values.len() - beyond;
}

/// Number of vectors that share a table. With two wide registers for each, enough sums are in flight to hide the
/// latency of memory.
pub(crate) const VECTORS: usize = 8;

/// The smallest and the largest size among values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extremes {
    pub(crate) smallest: f64,
    pub(crate) largest: f64,
}

/// Returns for each vector v the extremes of |Σᵢ uᵢᵥ rowsᵢ[f]| over f < lengths_v, none of which may overflow.
///
/// The sums equal those of [`combine_and_screen`] to the last bit. The function is fastest if the lengths are
/// nearly equal and in ascending order.
pub(crate) fn extremes(u: &[[f64; VECTORS]], rows: &Packed, lengths: [usize; VECTORS]) -> [Extremes; VECTORS] {
    dispatch(FindExtremes { u, rows, lengths })
}

struct FindExtremes<'a> {
    u: &'a [[f64; VECTORS]],
    rows: &'a Packed,
    lengths: [usize; VECTORS],
}

impl Task for FindExtremes<'_> {
    type Output = [Extremes; VECTORS];

    /// Computes the chunks that at least a third of the vectors need for all vectors together, and the remaining chunks
    /// for each vector separately.
    #[inline(always)]
    fn run<R: Registers>(self) -> Self::Output {
        let Self { u, rows, lengths } = self;
        let shortest = lengths.iter().fold(usize::MAX, |least, length| *length.min(&least));
        let common = lengths[2 * VECTORS / 3].div_ceil(CHUNK);
        let mut seen = [const { LaneExtremes::NOTHING }; VECTORS];
        for (k, chunks) in rows.side_by_side().take(common).enumerate() {
            let places = ChunkPosition { first: k * CHUNK, shortest, lengths: &lengths };
            if R::ARE_WIDE {
                all_at_once(u, chunks, places, &mut seen);
            } else {
                first_half(u, chunks, places, &mut seen);
                second_half(u, chunks, places, &mut seen);
            }
        }
        for v in 0..VECTORS {
            let rest = rows.side_by_side().enumerate().take(lengths[v].div_ceil(CHUNK)).skip(common);
            for (k, chunks) in rest {
                let sums = combine(u.iter().map(|u| u[v]), chunks);
                seen[v].include(&without_padding(sums, lengths[v], k * CHUNK));
            }
        }
        seen.map(LaneExtremes::extremes)
    }
}

/// The position of a chunk within the rows.
#[derive(Clone, Copy)]
struct ChunkPosition<'a> {
    first: usize,
    shortest: usize,
    lengths: &'a [usize; VECTORS],
}

/// Defines a function that combines a chunk for several vectors, W values at a time. Each array has its own name,
/// because the compiler keeps no part of an array of arrays in registers.
macro_rules! multiply {
    ($name:ident, $width:literal, $($v:literal $sums:ident),*) => {
        #[inline(always)]
        fn $name(u: &[[f64; VECTORS]], chunks: &[Chunk], places: ChunkPosition<'_>, seen: &mut [LaneExtremes; VECTORS]) {
            for tile in 0..CHUNK / $width {
                $(let mut $sums = [0.0; $width];)*
                for (u, Chunk(x)) in u.iter().zip(chunks) {
                    let x = &x.as_chunks::<$width>().0[tile];
                    $(add_multiple(&mut $sums, u[$v], x);)*
                }
                let start = places.first + tile * $width;
                if start + $width > places.shortest {
                    $($sums = without_padding($sums, places.lengths[$v], start);)*
                }
                $(seen[$v].include(&$sums);)*
            }
        }
    };
}

multiply!(all_at_once, 16, 0 a, 1 b, 2 c, 3 d, 4 e, 5 f, 6 g, 7 h);
multiply!(first_half, 8, 0 a, 1 b, 2 c, 3 d);
multiply!(second_half, 8, 4 e, 5 f, 6 g, 7 h);

/// Replaces values beyond the length by NaN, which no comparison selects.
#[inline(always)]
fn without_padding<const W: usize>(mut values: [f64; W], length: usize, start: usize) -> [f64; W] {
    for l in 0..W {
        values[l] = if start + l < length { values[l] } else { f64::NAN };
    }
    values
}

/// Number of values that are compared in parallel.
const LANES: usize = 8;

/// The extremes in each lane; a single running extreme would form a dependency chain.
#[repr(align(64))]
struct LaneExtremes {
    smallest: [f64; LANES],
    largest: [f64; LANES],
}

impl LaneExtremes {
    const NOTHING: Self = Self { smallest: [f64::INFINITY; LANES], largest: [0.0; LANES] };

    /// Includes values in the extremes, ignoring NaN.
    #[inline(always)]
    fn include<const W: usize>(&mut self, values: &[f64; W]) {
        for values in values.as_chunks::<LANES>().0 {
            for l in 0..LANES {
                let size = values[l].abs();
                self.smallest[l] = smaller(size, self.smallest[l]);
                self.largest[l] = larger(size, self.largest[l]);
            }
        }
    }

    /// Reduces the lanes by comparing halves with each other.
    #[inline(always)]
    fn extremes(mut self) -> Extremes {
        let mut half = LANES / 2;
        while half > 0 {
            for l in 0..half {
                self.smallest[l] = smaller(self.smallest[l], self.smallest[l + half]);
                self.largest[l] = larger(self.largest[l], self.largest[l + half]);
            }
            half /= 2;
        }
        Extremes { smallest: self.smallest[0], largest: self.largest[0] }
    }
}

/// Returns the smaller number by a single instruction; `f64::min` would also test for NaN.
#[inline(always)]
fn smaller(x: f64, y: f64) -> f64 {
    if x < y { x } else { y }
}

#[inline(always)]
fn larger(x: f64, y: f64) -> f64 {
    if x > y { x } else { y }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_number::vector::Instructions;

    #[test]
    fn several_vectors_see_what_each_sees_alone() {
        let number = |k: usize| (k as f64 * 0.7).sin();
        for (stages, lengths) in [
            (1, [1, 2, 3, 4, 5, 6, 7, 8]),
            (5, [7; 8]),
            (11, [16, 61, 40, 15, 17, 31, 33, 9]),
            (3, [0, 5, 32, 33, 0, 0, 1, 2]),
            (40, [100, 99, 98, 97, 96, 80, 64, 100]),
            (4, [48; 8]),
        ] {
            let longest = lengths.into_iter().max().unwrap_or(0);
            let u: Vec<[f64; VECTORS]> = (0..stages).map(|i| std::array::from_fn(|v| number(8 * i + v))).collect();
            let rows: Vec<Vec<f64>> =
                (0..stages).map(|i| (0..longest).map(|f| number(17 * i + 3 * f)).collect()).collect();
            let packed = Packed::new(&rows, |x| *x);
            let found = extremes(&u, &packed, lengths);
            for instructions in Instructions::all() {
                assert_eq!(instructions.run(FindExtremes { u: &u, rows: &packed, lengths }), found);
            }
            for (v, &length) in lengths.iter().enumerate() {
                let weights: Vec<f64> = u.iter().map(|u| u[v]).collect();
                let mut out = vec![0.0; length.next_multiple_of(CHUNK)];
                let seen = combine_and_screen(&weights, &packed, &mut out, length, 0.3);
                assert_eq!(found[v].largest, seen.largest);
                assert_eq!(found[v].smallest > 0.3, seen.within == 0);
                let smallest = out[..length].iter().fold(f64::INFINITY, |least, value| least.min(value.abs()));
                assert_eq!(found[v].smallest, smallest);
            }
        }
    }

    #[test]
    fn all_instructions_agree_with_the_plain_sum() {
        let number = |k: usize| (k as f64 * 0.7).sin();
        for (stages, length) in [(1, 1), (5, 7), (11, 16), (11, 61), (3, 100)] {
            let u: Vec<f64> = (0..stages).map(number).collect();
            let rows: Vec<Vec<f64>> =
                (0..stages).map(|i| (0..length).map(|f| number(17 * i + 3 * f)).collect()).collect();
            let packed = Packed::new(&rows, |x| *x);
            let run = |instructions: Instructions| {
                let mut out = vec![0.0; length.next_multiple_of(CHUNK)];
                let task = CombineAndScreen { u: &u, rows: &packed, out: &mut out, length, threshold: 0.3 };
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
        let rows = Packed::new(&[vec![f64::NAN, 2.0, 9.0]], |x| *x);
        let seen = combine_and_screen(&[1.0], &rows, &mut [0.0; CHUNK], 2, 1.0);
        assert_eq!(seen, ScreenStatistics { within: 1, largest: 2.0 });
    }
}
