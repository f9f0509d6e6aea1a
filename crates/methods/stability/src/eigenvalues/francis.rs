//! Eigenvalues of a real Hessenberg matrix by the implicit double-shift QR iteration (Francis 1961, 1962).
//!
//! It uses the deflation criterion of Ahues & Tisseur (1997) and exceptional shifts on stagnation, like LAPACK's
//! `dlahqr`. It computes no vectors, so each step works only on the active block.

use num_complex::Complex64;

use crate::eigenvalues::hessenberg::{Columns, reflection};
use crate::eigenvalues::pair::real_pair;

/// Maximum number of steps per eigenvalue, on average; two or three are usual.
const STEPS: usize = 30;
/// Size for the step limit of smaller matrices.
const SMALL: usize = 10;
/// Number of steps without deflation after which shifts are exceptional.
const PATIENCE: usize = 10;
/// Exceptional shifts: offsets from a diagonal entry, in units of the subdiagonal there (Wilkinson).
const EXCEPTIONAL: [f64; 2] = [0.75, -0.4375];

impl Columns {
    /// Computes the eigenvalues of a Hessenberg matrix, which is overwritten; returns `None` if the iteration stalls.
    #[inline(always)]
    pub(super) fn eigenvalues(&mut self) -> Option<Vec<Complex64>> {
        let n = self.n;
        let mut values = vec![Complex64::ZERO; n];
        let mut end = n;
        let mut left = STEPS * n.max(SMALL);
        let mut steps = 0;
        while end > 0 {
            let begin = self.last_block(end);
            match end - begin {
                1 => values[begin] = self.at(begin, begin).into(),
                2 => {
                    let entry = |i: usize, j: usize| self.at(begin + i, begin + j);
                    let pair = real_pair([[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]]);
                    values[begin..end].copy_from_slice(&pair);
                }
                _ if left > 0 => {
                    left -= 1;
                    steps += 1;
                    let shifts = self.shifts(begin, end, steps);
                    self.step(begin, end, &shifts);
                    continue;
                }
                _ => return None,
            }
            (end, steps) = (begin, 0);
        }
        Some(values)
    }

    /// Finds the start of the last block without a zero on its subdiagonal.
    #[inline(always)]
    fn last_block(&mut self, end: usize) -> usize {
        for k in (1..end).rev() {
            if self.is_zero_below(k, end) {
                self.set(k, k - 1, 0.0);
                return k;
            }
        }
        0
    }

    /// Returns whether the subdiagonal entry in row k is negligible compared with its neighbors.
    #[inline(always)]
    fn is_zero_below(&self, k: usize, end: usize) -> bool {
        let below = self.at(k, k - 1).abs();
        if below < f64::MIN_POSITIVE / f64::EPSILON {
            return true;
        }
        let (before, here) = (self.at(k - 1, k - 1), self.at(k, k));
        let mut around = before.abs() + here.abs();
        if around == 0.0 {
            around += if k >= 2 { self.at(k - 1, k - 2).abs() } else { 0.0 };
            around += if k + 1 < end { self.at(k + 1, k).abs() } else { 0.0 };
        }
        if below > f64::EPSILON * around {
            return false;
        }
        let above = self.at(k - 1, k).abs();
        let (larger, smaller) = (below.max(above), below.min(above));
        let difference = (before - here).abs();
        let (wide, narrow) = (here.abs().max(difference), here.abs().min(difference));
        let sum = wide + larger;
        smaller * (larger / sum) <= f64::EPSILON * (narrow * (wide / sum))
    }

    /// Chooses the two shifts: the eigenvalues of the last 2×2 block, or twice the one nearer to the last entry if both
    /// are real.
    #[inline(always)]
    fn shifts(&self, begin: usize, end: usize, step: usize) -> [Complex64; 2] {
        let exceptional = |entry: f64, size: f64| {
            let diagonal = EXCEPTIONAL[0] * size + entry;
            [[diagonal, EXCEPTIONAL[1] * size], [size, diagonal]]
        };
        let last = end - 1;
        let block = if step.is_multiple_of(2 * PATIENCE) {
            exceptional(self.at(last, last), self.at(last, last - 1).abs() + self.at(last - 1, last - 2).abs())
        } else if step.is_multiple_of(PATIENCE) {
            exceptional(self.at(begin, begin), self.at(begin + 1, begin).abs() + self.at(begin + 2, begin + 1).abs())
        } else {
            [[self.at(last - 1, last - 1), self.at(last - 1, last)], [self.at(last, last - 1), self.at(last, last)]]
        };
        let pair = real_pair(block);
        if pair[0].im != 0.0 {
            return pair;
        }
        let nearer =
            if (pair[0].re - block[1][1]).abs() <= (pair[1].re - block[1][1]).abs() { pair[0] } else { pair[1] };
        [nearer, nearer]
    }

    /// Performs one step on the block: chases a bulge of three rows down the diagonal.
    #[inline(always)]
    fn step(&mut self, begin: usize, end: usize, shifts: &[Complex64; 2]) {
        let (top, mut v) = self.start(begin, end, shifts);
        for k in top..end - 1 {
            let rows = (end - k).min(3);
            if k > top {
                v = [self.at(k, k - 1), self.at(k + 1, k - 1), if rows == 3 { self.at(k + 2, k - 1) } else { 0.0 }];
            }
            let Some((beta, tau)) = reflection(&mut v[..rows]) else { continue };
            if k > top {
                self.column_mut(k - 1)[k..k + rows].fill(0.0);
                self.set(k, k - 1, beta);
            } else if top > begin {
                // Two consecutive small entries: the first is updated, and its products with the second are negligible.
                self.set(k, k - 1, self.at(k, k - 1) * (1.0 - tau));
            }
            if rows == 3 {
                self.reflect_three(k, [begin, end], tau, [v[1], v[2]]);
            } else {
                self.reflect_two(k, [begin, end], tau, v[1]);
            }
        }
    }

    /// Finds the start of the step, and the first column of (H − σ₁)(H − σ₂) from there, up to a factor.
    ///
    /// The step starts as far down as two consecutive small entries allow.
    #[inline(always)]
    fn start(&self, begin: usize, end: usize, [one, two]: &[Complex64; 2]) -> (usize, [f64; 3]) {
        let mut k = end - 3;
        loop {
            let (here, below) = (self.at(k, k), self.at(k + 1, k));
            let size = (here - two.re).abs() + two.im.abs() + below.abs();
            let share = below / size;
            let square = (here - one.re) * ((here - two.re) / size) - one.im * (two.im / size);
            let v = [
                share * self.at(k, k + 1) + square,
                share * (here + self.at(k + 1, k + 1) - one.re - two.re),
                share * self.at(k + 2, k + 1),
            ];
            let size = v.iter().map(|v| v.abs()).sum::<f64>();
            let v = v.map(|v| v / size);
            if k == begin {
                return (k, v);
            }
            let diagonal = self.at(k - 1, k - 1).abs() + here.abs() + self.at(k + 1, k + 1).abs();
            if self.at(k, k - 1).abs() * (v[1].abs() + v[2].abs()) <= f64::EPSILON * v[0].abs() * diagonal {
                return (k, v);
            }
            k -= 1;
        }
    }

    /// Applies the reflection with (1, v, w) to rows and columns k, k + 1, k + 2.
    #[inline(always)]
    fn reflect_three(&mut self, k: usize, [begin, end]: [usize; 2], tau: f64, [v, w]: [f64; 2]) {
        for j in k..end {
            if let [x, y, z] = &mut self.column_mut(j)[k..k + 3] {
                let sum = tau * (*x + v * *y + w * *z);
                (*x, *y, *z) = (*x - sum, *y - sum * v, *z - sum * w);
            }
        }
        let [x, y, z] = self.three_columns(k, begin..end.min(k + 4));
        for ((x, y), z) in x.iter_mut().zip(y).zip(z) {
            let sum = tau * (*x + v * *y + w * *z);
            (*x, *y, *z) = (*x - sum, *y - sum * v, *z - sum * w);
        }
    }

    /// Applies the reflection with (1, v) to the last two rows and columns.
    #[inline(always)]
    fn reflect_two(&mut self, k: usize, [begin, end]: [usize; 2], tau: f64, v: f64) {
        let reflected = |x: f64, y: f64| {
            let sum = tau * (x + v * y);
            (x - sum, y - sum * v)
        };
        for j in k..end {
            let (x, y) = reflected(self.at(k, j), self.at(k + 1, j));
            self.set(k, j, x);
            self.set(k + 1, j, y);
        }
        for i in begin..end {
            let (x, y) = reflected(self.at(i, k), self.at(i, k + 1));
            self.set(i, k, x);
            self.set(i, k + 1, y);
        }
    }
}
