//! Coefficients of a pair in one array, laid out for vector instructions.

use crate::simd::lanes::WeightNumber;

/// The coefficients of both partitions in padded rows: for each partition the rows of A, then b.
#[derive(Clone, Debug)]
pub(crate) struct PairCoefficients<T = f64> {
    pub(crate) stages: usize,
    pub(crate) entries: Vec<T>,
    /// The columns of A of each partition that may not be zero.
    pub(crate) occupied: [Vec<usize>; 2],
}

impl<T: WeightNumber> PairCoefficients<T> {
    pub(crate) fn zero(stages: usize) -> Self {
        let entries = vec![T::from(0.0); 2 * T::padded(stages) * (stages + 1)];
        Self { stages, entries, occupied: [(0..stages).collect(), (0..stages).collect()] }
    }

    pub(crate) fn stride(&self) -> usize {
        T::padded(self.stages)
    }

    /// Returns the offset of a row of A of a partition; the row after the last is b.
    pub(crate) fn row_offset(&self, partition: usize, row: usize) -> usize {
        (partition * (self.stages + 1) + row) * self.stride()
    }

    /// Returns a row of A of a partition; the row after the last is b.
    pub(crate) fn row(&self, partition: usize, row: usize) -> &[T] {
        &self.entries[self.row_offset(partition, row)..][..self.stages]
    }

    /// Returns b with its padding.
    #[inline(always)]
    pub(crate) fn b(&self, partition: usize) -> &[T] {
        &self.entries[self.row_offset(partition, self.stages)..][..self.stride()]
    }

    /// Returns the columns of both matrices A, one after the other.
    #[inline(always)]
    pub(crate) fn columns(&self) -> Vec<T> {
        let stride = self.stride();
        let mut columns = vec![T::from(0.0); 2 * self.stages * stride];
        for partition in 0..2 {
            for i in 0..self.stages {
                for j in 0..i {
                    columns[(partition * self.stages + j) * stride + i] =
                        self.entries[self.row_offset(partition, i) + j];
                }
            }
        }
        columns
    }
}
