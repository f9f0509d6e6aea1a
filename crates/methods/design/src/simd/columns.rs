//! Dense matrices by columns, each padded with zeros to chunks of eight numbers.

use hemiola_number::vector::{Registers, Task, dispatch};
use nalgebra::DMatrix;

use crate::simd::lanes::{Chunk, WIDTH, add, dot};

/// A matrix whose columns consist of whole chunks.
#[derive(Clone, Debug)]
pub(crate) struct PaddedColumns {
    height: usize,
    /// The number of chunks in a column.
    chunks: usize,
    count: usize,
    entries: Vec<Chunk>,
}

impl PaddedColumns {
    pub(crate) fn zero(height: usize, count: usize) -> Self {
        let chunks = height.div_ceil(WIDTH);
        Self { height, chunks, count, entries: vec![[0.0; WIDTH]; chunks * count] }
    }

    /// Returns a range of the unit vectors.
    pub(crate) fn unit(height: usize, which: std::ops::Range<usize>) -> Self {
        let mut unit = Self::zero(height, which.len());
        which.enumerate().for_each(|(j, i)| unit.column_mut(j).as_flattened_mut()[i] = 1.0);
        unit
    }

    pub(crate) fn height(&self) -> usize {
        self.height
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    pub(crate) fn column(&self, j: usize) -> &[Chunk] {
        &self.entries[j * self.chunks..][..self.chunks]
    }

    #[inline(always)]
    pub(crate) fn column_mut(&mut self, j: usize) -> &mut [Chunk] {
        &mut self.entries[j * self.chunks..][..self.chunks]
    }

    #[inline(always)]
    pub(crate) fn get(&self, i: usize, j: usize) -> f64 {
        self.column(j).as_flattened()[i]
    }

    pub(crate) fn matrix(&self) -> DMatrix<f64> {
        DMatrix::from_fn(self.height, self.count, |i, j| self.get(i, j))
    }

    pub(crate) fn transposed(&self) -> Self {
        let mut transposed = Self::zero(self.count, self.height);
        for j in 0..self.count {
            for i in 0..self.height {
                transposed.column_mut(i).as_flattened_mut()[j] = self.get(i, j);
            }
        }
        transposed
    }

    /// Returns a vector as one padded column.
    pub(crate) fn padded(x: &[f64]) -> Vec<Chunk> {
        let mut column = vec![[0.0; WIDTH]; x.len().div_ceil(WIDTH)];
        column.as_flattened_mut()[..x.len()].copy_from_slice(x);
        column
    }

    /// Computes Ay.
    pub(crate) fn times(&self, y: &[f64]) -> Vec<f64> {
        dispatch(Times { a: self, y })
    }

    /// Computes Aᵀx.
    pub(crate) fn transposed_times(&self, x: &[f64]) -> Vec<f64> {
        dispatch(TransposedTimes { a: self, x })
    }

    /// Computes AB.
    pub(crate) fn times_matrix(&self, b: &DMatrix<f64>) -> Self {
        let mut product = Self::zero(self.height, b.ncols());
        for j in 0..b.ncols() {
            let sum = self.times(b.column(j).as_slice());
            product.column_mut(j).as_flattened_mut()[..sum.len()].copy_from_slice(&sum);
        }
        product
    }

    /// Computes AᵀB.
    pub(crate) fn transposed_times_columns(&self, b: &Self) -> DMatrix<f64> {
        dispatch(Products { a: self, b })
    }

    /// Computes AAᵀ on and below the diagonal.
    pub(crate) fn gram(&self) -> Self {
        dispatch(Gram { a: self })
    }

    /// Computes (A + D)⁻¹g for a diagonal matrix D and a symmetric matrix A, given on and below its diagonal.
    ///
    /// Returns `None` unless A + D is positive definite.
    pub(crate) fn shifted_solution(&self, diagonal: impl Fn(usize) -> f64, g: &[f64]) -> Option<Vec<f64>> {
        let mut a = self.clone();
        (0..a.height).for_each(|j| a.column_mut(j).as_flattened_mut()[j] += diagonal(j));
        dispatch(Solution { a, g: Self::padded(g) })
    }
}

struct Times<'a> {
    a: &'a PaddedColumns,
    y: &'a [f64],
}

impl Task for Times<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run<R: Registers>(self) -> Vec<f64> {
        let mut sum = vec![[0.0; WIDTH]; self.a.chunks];
        for (j, &y) in self.y.iter().enumerate() {
            add(&mut sum, y, self.a.column(j));
        }
        sum.as_flattened()[..self.a.height].to_vec()
    }
}

struct TransposedTimes<'a> {
    a: &'a PaddedColumns,
    x: &'a [f64],
}

impl Task for TransposedTimes<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run<R: Registers>(self) -> Vec<f64> {
        let x = PaddedColumns::padded(self.x);
        (0..self.a.count).map(|j| dot(self.a.column(j), &x)).collect()
    }
}

struct Products<'a> {
    a: &'a PaddedColumns,
    b: &'a PaddedColumns,
}

impl Task for Products<'_> {
    type Output = DMatrix<f64>;

    #[inline(always)]
    fn run<R: Registers>(self) -> DMatrix<f64> {
        let Self { a, b } = self;
        let mut products = DMatrix::zeros(a.count, b.count);
        for j in 0..b.count {
            for i in 0..a.count {
                products[(i, j)] = dot(a.column(i), b.column(j));
            }
        }
        products
    }
}

struct Gram<'a> {
    a: &'a PaddedColumns,
}

impl Task for Gram<'_> {
    type Output = PaddedColumns;

    #[inline(always)]
    fn run<R: Registers>(self) -> PaddedColumns {
        let a = self.a;
        let mut gram = PaddedColumns::zero(a.height, a.height);
        for k in 0..a.count {
            let column = a.column(k);
            for (j, &factor) in column.as_flattened()[..a.height].iter().enumerate() {
                let first = j / WIDTH;
                add(&mut gram.column_mut(j)[first..], factor, &column[first..]);
            }
        }
        gram
    }
}

struct Solution {
    a: PaddedColumns,
    g: Vec<Chunk>,
}

impl Task for Solution {
    type Output = Option<Vec<f64>>;

    /// Solves the equations; the Cholesky factors overwrite A.
    #[inline(always)]
    fn run<R: Registers>(self) -> Self::Output {
        let Self { mut a, mut g } = self;
        let n = a.height;
        for k in 0..n {
            let first = k / WIDTH;
            let (before, rest) = a.entries.split_at_mut((k + 1) * a.chunks);
            let column = &mut before[k * a.chunks..];
            let pivot = column.as_flattened()[k];
            if pivot.is_nan() || pivot <= 0.0 {
                return None;
            }
            let scale = 1.0 / pivot.sqrt();
            column[first..].as_flattened_mut().iter_mut().for_each(|x| *x *= scale);
            for (later, j) in rest.chunks_exact_mut(a.chunks).zip(k + 1..n) {
                let first = j / WIDTH;
                add(&mut later[first..], -column.as_flattened()[j], &column[first..]);
            }
        }
        for k in 0..n {
            let (column, first) = (a.column(k), k / WIDTH);
            let x = g.as_flattened()[k] / column.as_flattened()[k];
            add(&mut g[first..], -x, &column[first..]);
            g.as_flattened_mut()[k] = x;
        }
        for k in (0..n).rev() {
            let column = &a.column(k).as_flattened()[..n];
            let x = g.as_flattened_mut();
            let sum: f64 = (k + 1..n).map(|i| column[i] * x[i]).sum();
            x[k] = (x[k] - sum) / column[k];
        }
        Some(g.as_flattened()[..n].to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DVector;

    #[test]
    fn products_and_solutions_are_those_of_dense_matrices() {
        // Two full chunks and a partial one; more columns than rows, so that the Gram matrix is regular.
        let (height, count) = (19, 23);
        let dense = DMatrix::from_fn(height, count, |i, j| ((3 * i + 7 * j * j) as f64).sin());
        let mut columns = PaddedColumns::zero(height, count);
        for j in 0..count {
            columns.column_mut(j).as_flattened_mut()[..height].copy_from_slice(dense.column(j).as_slice());
        }
        assert_eq!((columns.matrix(), columns.transposed().matrix()), (dense.clone(), dense.transpose()));
        let (x, y) = (DVector::from_fn(height, |i, _| i as f64), DVector::from_fn(count, |j, _| (j as f64).cos()));
        assert!((DVector::from_vec(columns.times(y.as_slice())) - &dense * &y).amax() < 1e-13);
        assert!((DVector::from_vec(columns.transposed_times(x.as_slice())) - dense.tr_mul(&x)).amax() < 1e-12);
        assert!((columns.transposed_times_columns(&columns) - dense.tr_mul(&dense)).amax() < 1e-13);
        assert!((columns.times_matrix(&dense.transpose()).matrix() - &dense * dense.transpose()).amax() < 1e-13);
        let gram = &dense * dense.transpose();
        assert!((columns.gram().matrix().lower_triangle() - gram.lower_triangle()).amax() < 1e-13);
        let diagonal = |i: usize| 0.5 + i as f64;
        let solution = DVector::from_vec(columns.gram().shifted_solution(diagonal, x.as_slice()).unwrap());
        let shifted = gram + DMatrix::from_diagonal(&DVector::from_fn(height, |i, _| diagonal(i)));
        assert!((shifted * solution - x).amax() < 1e-12);
        assert_eq!(columns.gram().shifted_solution(|_| -100.0, &[1.0; 19]), None);
    }
}
