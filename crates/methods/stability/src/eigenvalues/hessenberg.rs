//! Reduction of a real matrix to Hessenberg form by Householder reflections (Householder 1958; Golub & Van Loan,
//! *Matrix Computations*, §7.4.3).

/// Real square matrix, stored by columns.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub(super) n: usize,
    entries: Vec<f64>,
}

impl Columns {
    pub(super) fn new(n: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        Self { n, entries: (0..n * n).map(|k| entry(k % n, k / n)).collect() }
    }

    #[inline(always)]
    pub(super) fn at(&self, i: usize, j: usize) -> f64 {
        self.entries[j * self.n + i]
    }

    #[inline(always)]
    pub(super) fn set(&mut self, i: usize, j: usize, value: f64) {
        self.entries[j * self.n + i] = value;
    }

    #[inline(always)]
    pub(super) fn column_mut(&mut self, j: usize) -> &mut [f64] {
        let first = j * self.n;
        &mut self.entries[first..first + self.n]
    }

    /// Borrows three neighboring columns, restricted to `rows`.
    #[inline(always)]
    pub(super) fn three_columns(&mut self, j: usize, rows: std::ops::Range<usize>) -> [&mut [f64]; 3] {
        let (first, rest) = self.entries[j * self.n..].split_at_mut(self.n);
        let (second, third) = rest.split_at_mut(self.n);
        [&mut first[rows.clone()], &mut second[rows.clone()], &mut third[rows]]
    }

    /// Reduces the matrix to QᵀAQ, which is zero below the first subdiagonal.
    #[inline(always)]
    pub(super) fn reduce(&mut self) {
        let n = self.n;
        let (mut v, mut w) = (vec![0.0; n], vec![0.0; n]);
        for k in 0..n.saturating_sub(2) {
            let below = &mut self.column_mut(k)[k + 1..];
            let Some((beta, tau)) = reflection(below) else { continue };
            v[k + 1..].copy_from_slice(below);
            v[k + 1] = 1.0;
            below.fill(0.0);
            below[0] = beta;
            let v = &v[k + 1..];
            // Apply the reflection from the right, A − τ (Av) vᵀ, then from the left, column by column.
            w.fill(0.0);
            for (j, &v) in v.iter().enumerate() {
                add(&mut w, v, self.column_mut(k + 1 + j));
            }
            for (j, &weight) in v.iter().enumerate() {
                let column = self.column_mut(k + 1 + j);
                add(column, -tau * weight, &w);
                let part = &mut column[k + 1..];
                add(part, -tau * dot(part, v), v);
            }
        }
    }
}

/// Computes the reflection I − τvvᵀ, v₁ = 1, that maps x to a multiple β of the first unit vector.
///
/// Returns β and τ and overwrites x with v except for the first entry. Returns `None` if x is already such a multiple.
#[inline(always)]
pub(super) fn reflection(x: &mut [f64]) -> Option<(f64, f64)> {
    let (first, rest) = x.split_first_mut()?;
    let largest = rest.iter().fold(0.0f64, |largest, value| largest.max(value.abs()));
    if largest == 0.0 {
        return None;
    }
    // Compute squares in units of the largest entry to avoid overflow and underflow.
    let unit = largest.max(first.abs());
    let square: f64 = rest.iter().map(|value| (value / unit) * (value / unit)).sum();
    let size = unit * ((*first / unit) * (*first / unit) + square).sqrt();
    let beta = if *first > 0.0 { -size } else { size };
    let tau = (beta - *first) / beta;
    let factor = (*first - beta).recip();
    if factor.is_finite() {
        rest.iter_mut().for_each(|value| *value *= factor);
    } else {
        let difference = *first - beta;
        rest.iter_mut().for_each(|value| *value /= difference);
    }
    Some((beta, tau))
}

/// Computes y += a x.
#[inline(always)]
fn add(y: &mut [f64], a: f64, x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += a * x);
}

/// Computes Σ xᵢyᵢ in eight sums, because the compiler may not reorder a single one.
#[inline(always)]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (mut x, mut y) = (x.chunks_exact(8), y.chunks_exact(8));
    for (x, y) in x.by_ref().zip(y.by_ref()) {
        for l in 0..8 {
            sums[l] += x[l] * y[l];
        }
    }
    let rest: f64 = x.remainder().iter().zip(y.remainder()).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f64>() + rest
}
