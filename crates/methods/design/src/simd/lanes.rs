//! Numbers in chunks of eight.
//!
//! The compiler turns loops over a chunk into vector instructions, which round like scalar instructions. A chunk holds
//! eight stages at one point, or one stage at eight points.

use std::cell::RefCell;
use std::ops::{Add, AddAssign, Mul, Sub};
use std::sync::atomic::{Ordering, compiler_fence};

/// The number of entries in a chunk.
pub(crate) const WIDTH: usize = 8;

pub(crate) type Chunk = [f64; WIDTH];

/// A strictly lower triangular matrix, stored by rows and by columns, in which only some columns are nonzero.
pub(crate) struct LowerTriangle<'a, T> {
    pub(crate) stages: usize,
    /// The distance between the starts of rows and of columns.
    pub(crate) stride: usize,
    pub(crate) rows: &'a [T],
    pub(crate) columns: &'a [T],
    pub(crate) occupied: &'a [usize],
}

/// A number type for elementary weights. Vectors over the stages are padded.
pub(crate) trait WeightNumber:
    Copy + From<f64> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + AddAssign
{
    /// Takes a vector with arbitrary contents.
    fn taken(length: usize) -> Vec<Self>;

    /// Returns a vector for reuse.
    fn returned(numbers: Vec<Self>);

    /// Returns the padded length of a vector over the stages.
    fn padded(stages: usize) -> usize;

    /// Computes sum += factor·x.
    fn accumulate(sum: &mut [Self], factor: Self, x: &[Self]);

    /// Computes y ← x ∘ y.
    fn multiply(y: &mut [Self], x: &[Self]);

    fn dot(x: &[Self], y: &[Self]) -> Self;

    /// Computes y = Ax.
    fn apply(a: &LowerTriangle<Self>, x: &[Self], y: &mut [Self]);

    /// Computes derivatives with respect to x from those with respect to Ax, and adds those with respect to the
    /// occupied columns of A, row by row.
    fn pull(a: &LowerTriangle<Self>, slope: &[Self], x: &[Self], gradient: &mut [Self], below: &mut [Self]);
}

impl WeightNumber for f64 {
    fn taken(length: usize) -> Vec<Self> {
        vec![0.0; length]
    }

    fn returned(_: Vec<Self>) {}

    #[inline(always)]
    fn padded(stages: usize) -> usize {
        stages.next_multiple_of(WIDTH)
    }

    #[inline(always)]
    fn accumulate(sum: &mut [Self], factor: Self, x: &[Self]) {
        add(sum.as_chunks_mut().0, factor, x.as_chunks().0);
    }

    #[inline(always)]
    fn multiply(y: &mut [Self], x: &[Self]) {
        for (y, x) in y.as_chunks_mut().0.iter_mut().zip(x.as_chunks().0) {
            *y = each(*x, *y, |x, y| x * y);
            separate_iterations();
        }
    }

    #[inline(always)]
    fn dot(x: &[Self], y: &[Self]) -> Self {
        dot(x.as_chunks().0, y.as_chunks().0)
    }

    #[inline(always)]
    fn apply(a: &LowerTriangle<Self>, x: &[Self], y: &mut [Self]) {
        let columns = a.columns.as_chunks().0;
        combine(columns, &a.occupied.iter().map(|&j| (j, x[j])), y.as_chunks_mut().0);
    }

    #[inline(always)]
    fn pull(a: &LowerTriangle<Self>, slope: &[Self], x: &[Self], gradient: &mut [Self], below: &mut [Self]) {
        let rows = a.rows.as_chunks().0;
        combine(rows, &(1..a.stages).map(|i| (i, slope[i])), below.as_chunks_mut().0);
        // Entries above the diagonal are not unknowns; the values added there are never read.
        for (gradient, &slope) in gradient.chunks_exact_mut(a.stride).zip(slope).skip(1) {
            Self::accumulate(gradient, slope, x);
        }
    }
}

/// Computes sum = Σ factor·vector, where the vectors are given by their indices.
#[inline(always)]
fn combine(vectors: &[Chunk], factors: &(impl Iterator<Item = (usize, f64)> + Clone), sum: &mut [Chunk]) {
    let chunks = sum.len();
    for (c, out) in sum.iter_mut().enumerate() {
        let mut sum = [0.0; WIDTH];
        for (number, factor) in factors.clone() {
            sum = each(vectors[number * chunks + c], sum, |x, sum| sum + factor * x);
            separate_iterations();
        }
        *out = sum;
    }
}

/// Computes f(x, y) elementwise.
#[inline(always)]
fn each(x: Chunk, y: Chunk, f: impl Fn(f64, f64) -> f64) -> Chunk {
    let mut each = [0.0; WIDTH];
    for k in 0..WIDTH {
        each[k] = f(x[k], y[k]);
    }
    each
}

/// Separates iterations of loops over chunks without any run-time effect.
///
/// Otherwise compilers vectorize across chunks, over equal positions in eight of them, which requires expensive
/// gathers.
#[inline(always)]
fn separate_iterations() {
    compiler_fence(Ordering::SeqCst);
}

/// Computes Σ xᵢyᵢ in an order that does not depend on the instruction set.
#[inline(always)]
pub(crate) fn dot(x: &[Chunk], y: &[Chunk]) -> f64 {
    let mut sums = [0.0; WIDTH];
    for (x, y) in x.iter().zip(y) {
        let products = each(*x, *y, |x, y| x * y);
        sums = each(products, sums, |x, sum| sum + x);
        separate_iterations();
    }
    sums.iter().sum()
}

/// Computes y += factor·x.
#[inline(always)]
pub(crate) fn add(y: &mut [Chunk], factor: f64, x: &[Chunk]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = each(*x, *y, |x, y| y + factor * x);
        separate_iterations();
    }
}

/// A number at each of eight points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EightPoints(pub(crate) Chunk);

thread_local! {
    /// Spare vectors for reuse. Evaluations need some hundred kilobytes at a time. Allocators return blocks of this
    /// size to the system, and fresh pages cost more than the arithmetic on them.
    static SPARE: RefCell<Vec<Vec<EightPoints>>> = const { RefCell::new(Vec::new()) };
}

impl WeightNumber for EightPoints {
    fn taken(length: usize) -> Vec<Self> {
        let mut numbers = SPARE.with_borrow_mut(Vec::pop).unwrap_or_default();
        numbers.resize(length, Self::from(0.0));
        numbers
    }

    fn returned(numbers: Vec<Self>) {
        SPARE.with_borrow_mut(|spare| spare.push(numbers));
    }

    #[inline(always)]
    fn padded(stages: usize) -> usize {
        stages
    }

    #[inline(always)]
    fn accumulate(sum: &mut [Self], factor: Self, x: &[Self]) {
        for (sum, &x) in sum.iter_mut().zip(x) {
            *sum += factor * x;
            separate_iterations();
        }
    }

    #[inline(always)]
    fn multiply(y: &mut [Self], x: &[Self]) {
        for (y, &x) in y.iter_mut().zip(x) {
            *y = *y * x;
            separate_iterations();
        }
    }

    #[inline(always)]
    fn dot(x: &[Self], y: &[Self]) -> Self {
        let mut sum = Self::from(0.0);
        for (&x, &y) in x.iter().zip(y) {
            sum += x * y;
            separate_iterations();
        }
        sum
    }

    #[inline(always)]
    fn apply(a: &LowerTriangle<Self>, x: &[Self], y: &mut [Self]) {
        for (i, y) in y.iter_mut().enumerate() {
            let row = &a.rows[i * a.stride..][..i];
            let mut sum = Self::from(0.0);
            for &j in a.occupied.iter().take_while(|&&j| j < i) {
                sum += row[j] * x[j];
                separate_iterations();
            }
            *y = sum;
        }
    }

    #[inline(always)]
    fn pull(a: &LowerTriangle<Self>, slope: &[Self], x: &[Self], gradient: &mut [Self], below: &mut [Self]) {
        below.fill(Self::from(0.0));
        for &j in a.occupied {
            let column = &a.columns[j * a.stride..][..a.stages];
            let (x, mut sum) = (x[j], Self::from(0.0));
            for i in j + 1..a.stages {
                gradient[i * a.stride + j] += slope[i] * x;
                sum += slope[i] * column[i];
                separate_iterations();
            }
            below[j] = sum;
        }
    }
}

impl EightPoints {
    #[inline(always)]
    fn each(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Self(each(self.0, other.0, f))
    }
}

impl From<f64> for EightPoints {
    #[inline(always)]
    fn from(x: f64) -> Self {
        Self([x; WIDTH])
    }
}

impl Add for EightPoints {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.each(other, |x, y| x + y)
    }
}

impl Sub for EightPoints {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.each(other, |x, y| x - y)
    }
}

impl Mul for EightPoints {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.each(other, |x, y| x * y)
    }
}

impl AddAssign for EightPoints {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
