//! Linear differential equations by the exponential of a block matrix (Van Loan 1978).
//!
//! Steps must not allocate, which rules out the matrix exponential of a general library. The tests compare with one.

use crate::linear_algebra::lu::Lu;

/// Coefficients b₀ … b₁₃ of the numerator of the [13/13] Padé approximant of eˣ (Higham 2005, Table 2.3).
const PADE: [f64; 14] = [
    64_764_752_532_480_000.0,
    32_382_376_266_240_000.0,
    7_771_770_303_897_600.0,
    1_187_353_796_428_800.0,
    129_060_195_264_000.0,
    10_559_470_521_600.0,
    670_442_572_800.0,
    33_522_128_640.0,
    1_323_241_920.0,
    40_840_800.0,
    960_960.0,
    16_380.0,
    182.0,
    1.0,
];
/// Largest 1-norm at which the backward error of the approximant is below rounding (same table).
const NORM: f64 = 5.371_920_351_148_152;

/// Solver of v' = Av + b + tc with v(0) = 0 and m variables, with its storage.
///
/// With the scalars t and 1 as additional variables the equation is homogeneous, and v(h) is the last column of the
/// exponential of
///
/// ```text
///     [ A  c  b ]
///   h [ 0  0  1 ]
///     [ 0  0  0 ]
/// ```
///
/// The variables are first scaled such that rows and columns of A have similar norms and b and c do not exceed one. A
/// smaller norm needs fewer squarings, each of which doubles the relative error.
#[derive(Clone, Debug)]
pub(crate) struct RampResponse {
    /// The size m + 2 of the block matrix.
    rows: usize,
    /// The unit of each variable, a power of two.
    units: Vec<f64>,
    matrix: Vec<f64>,
    /// The second, fourth and sixth powers of the matrix.
    powers: [Vec<f64>; 3],
    odd: Vec<f64>,
    even: Vec<f64>,
    scratch: Vec<f64>,
    column: Vec<f64>,
    lu: Lu,
}

impl RampResponse {
    pub(crate) fn new(m: usize) -> Self {
        let rows = m + 2;
        let square = || vec![0.0; rows * rows];
        Self {
            rows,
            units: vec![1.0; m],
            matrix: square(),
            powers: [square(), square(), square()],
            odd: square(),
            even: square(),
            scratch: square(),
            column: vec![0.0; rows],
            lu: Lu::new(rows),
        }
    }

    /// Overwrites b with v(h). A is stored row by row. The result is not finite if the exponential overflows.
    pub(crate) fn solve(&mut self, a: &[f64], c: &[f64], h: f64, b: &mut [f64]) {
        let m = b.len();
        self.balance(a);
        let units = &self.units;
        let term = |x: &[f64], h: f64| x.iter().zip(units).map(|(x, unit)| (h * x / unit).abs()).fold(0.0, f64::max);
        let size = term(b, h).max(h.abs() * term(c, h));
        if size == 0.0 {
            return;
        }
        // Time is measured in units of h, so that the entries do not depend on the unit of time.
        self.matrix.fill(0.0);
        for (row, entries) in self.matrix.chunks_exact_mut(m + 2).take(m).enumerate() {
            for column in 0..m {
                entries[column] = h * a[row * m + column] * (units[column] / units[row]);
            }
            entries[m] = h * (h * c[row]) / units[row] / size;
            entries[m + 1] = h * b[row] / units[row] / size;
        }
        self.matrix[m * (m + 2) + m + 1] = 1.0;
        let is_done = self.matrix.iter().all(|entry| entry.is_finite()) && self.exponentiate();
        for (row, b) in b.iter_mut().enumerate() {
            *b = if is_done { self.units[row] * size * self.matrix[row * (m + 2) + m + 1] } else { f64::NAN };
        }
    }

    /// Chooses units in which each row of A is about as large as the column with the same index, apart from the
    /// diagonal (Parlett & Reinsch 1969).
    fn balance(&mut self, a: &[f64]) {
        let m = self.units.len();
        self.units.fill(1.0);
        // The iteration converges; a few sweeps achieve almost all of it.
        for _ in 0..8 {
            let mut is_balanced = true;
            for i in 0..m {
                let others = || (0..m).filter(|j| *j != i);
                let row: f64 = others().map(|j| (a[i * m + j] * self.units[j] / self.units[i]).abs()).sum();
                let column: f64 = others().map(|j| (a[j * m + i] * self.units[i] / self.units[j]).abs()).sum();
                let ratio = (row / column).sqrt();
                if ratio.is_normal() && !(0.5..=2.0).contains(&ratio) {
                    self.units[i] *= ratio.log2().round().exp2();
                    is_balanced = false;
                }
            }
            if is_balanced {
                return;
            }
        }
    }

    /// Replaces the matrix by its exponential, by scaling, [13/13] Padé approximation and squaring (Higham 2005,
    /// Algorithm 2.3). Returns false if overflow prevents this.
    fn exponentiate(&mut self) -> bool {
        let n = self.rows;
        let norm = (0..n).map(|j| (0..n).map(|i| self.matrix[i * n + j].abs()).sum()).fold(0.0, f64::max);
        let squarings = (norm / NORM).log2().ceil().max(0.0) as i32;
        let scale = (-f64::from(squarings)).exp2();
        self.matrix.iter_mut().for_each(|entry| *entry *= scale);
        if !self.approximate() {
            return false;
        }
        for _ in 0..squarings {
            product(n, &self.matrix, &self.matrix, &mut self.scratch);
            self.matrix.copy_from_slice(&self.scratch);
        }
        true
    }

    /// Computes the approximant (V − U)⁻¹(V + U) from the odd part U and the even part V of the numerator.
    fn approximate(&mut self) -> bool {
        let n = self.rows;
        let [second, fourth, sixth] = &mut self.powers;
        product(n, &self.matrix, &self.matrix, second);
        product(n, second, second, fourth);
        product(n, second, fourth, sixth);
        let powers = [&*second, &*fourth, &*sixth];
        let [odd, even] = [&mut self.odd, &mut self.even];
        combine(n, [PADE[9], PADE[11], PADE[13]], powers, 0.0, odd);
        product(n, sixth, odd, even);
        combine(n, [PADE[3], PADE[5], PADE[7]], powers, PADE[1], odd);
        odd.iter_mut().zip(&*even).for_each(|(sum, term)| *sum += term);
        product(n, &self.matrix, odd, &mut self.scratch);
        odd.copy_from_slice(&self.scratch);
        combine(n, [PADE[8], PADE[10], PADE[12]], powers, 0.0, even);
        product(n, sixth, even, &mut self.scratch);
        combine(n, [PADE[2], PADE[4], PADE[6]], powers, PADE[0], even);
        even.iter_mut().zip(&self.scratch).for_each(|(sum, term)| *sum += term);
        let denominator = self.lu.matrix(n);
        denominator.iter_mut().zip(even.iter().zip(&*odd)).for_each(|(entry, (even, odd))| *entry = even - odd);
        if !self.lu.factorize() {
            return false;
        }
        for j in 0..n {
            (0..n).for_each(|i| self.column[i] = even[i * n + j] + odd[i * n + j]);
            self.lu.solve(&mut self.column);
            (0..n).for_each(|i| self.matrix[i * n + j] = self.column[i]);
        }
        true
    }
}

/// Computes out = XY for n×n matrices.
fn product(n: usize, x: &[f64], y: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    for (row, out) in x.chunks_exact(n).zip(out.chunks_exact_mut(n)) {
        for (x, y) in row.iter().zip(y.chunks_exact(n)).filter(|(x, _)| **x != 0.0) {
            out.iter_mut().zip(y).for_each(|(out, y)| *out += x * y);
        }
    }
}

/// Computes out = Σ coefficient · power + identity · I.
fn combine(n: usize, [x, y, z]: [f64; 3], [second, fourth, sixth]: [&Vec<f64>; 3], identity: f64, out: &mut [f64]) {
    for (k, out) in out.iter_mut().enumerate() {
        *out = x * second[k] + y * fourth[k] + z * sixth[k] + if k % (n + 1) == 0 { identity } else { 0.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DMatrix;

    fn response<const M: usize>(a: &[f64], c: [f64; M], h: f64, b: [f64; M]) -> [f64; M] {
        let mut v = b;
        RampResponse::new(M).solve(a, &c, h, &mut v);
        v
    }

    /// v' = −v + 2 + 3t has the solution v = 3t − 1 + e⁻ᵗ, and v' = 2 + 3t has v = 2t + 3t²/2.
    #[test]
    fn scalar_equations() {
        for h in [1e-3, 0.7, 4.0, 300.0, -0.5] {
            let decay = response(&[-1.0], [3.0], h, [2.0])[0];
            let exact = 3.0 * h + (-h).exp_m1();
            // The two terms cancel for small h.
            assert!((decay - exact).abs() < 1e-15 * (3.0 * h.abs() + exact.abs()), "{h} {decay} {exact}");
            let integral = response(&[0.0], [3.0], h, [2.0])[0];
            let exact = 2.0 * h + 1.5 * h * h;
            assert!((integral - exact).abs() < 1e-15 * h.abs() * (2.0 + 3.0 * h.abs()), "{h} {integral} {exact}");
        }
        assert_eq!(response(&[-1.0], [0.0], 1.0, [0.0]), [0.0]);
    }

    /// The last column of the block matrix's exponential agrees with that computed by nalgebra.
    #[test]
    fn another_exponential_agrees() {
        const M: usize = 6;
        let number = |k: usize| (2.3 * k as f64 + 0.4).sin();
        let a: Vec<f64> = (0..M * M).map(number).collect();
        let [b, c]: [[f64; M]; 2] = [100, 200].map(|from| std::array::from_fn(|i| number(from + i)));
        for h in [1e-4, 0.3, 2.0, -1.0] {
            let block = DMatrix::from_fn(M + 2, M + 2, |i, j| match (i < M, j) {
                (true, j) if j < M => h * a[i * M + j],
                (true, j) => h * if j == M { c[i] } else { b[i] },
                (false, j) => {
                    if i == M && j == M + 1 {
                        h
                    } else {
                        0.0
                    }
                }
            });
            let column = block.exp().column(M + 1).rows(0, M).into_owned();
            let found = response(&a, c, h, b);
            let size = column.amax();
            for (found, expected) in found.iter().zip(&column) {
                assert!((found - expected).abs() < 1e-14 * size, "{h}: {found} {expected}");
            }
        }
    }

    /// An undamped oscillator over 40 periods, in units that differ by a factor ω: x = (1 − cos ωt)/ω².
    #[test]
    fn oscillator() {
        let (omega, h) = (700.0f64, 0.359);
        let [x, v] = response(&[0.0, 1.0, -omega * omega, 0.0], [0.0, 0.0], h, [0.0, 1.0]);
        let (sine, cosine) = (omega * h).sin_cos();
        // Rounding of the phase ωh; squaring contributes as much.
        let tolerance = 4.0 * omega * h * f64::EPSILON;
        assert!((x * omega * omega - (1.0 - cosine)).abs() < tolerance && (v * omega - sine).abs() < tolerance);
    }

    #[test]
    fn extreme_numbers_are_no_trap() {
        assert!((response(&[-1e300], [0.0], 1.0, [1e300])[0] - 1.0).abs() < 1e-15);
        assert!(!response(&[1e5], [0.0], 1.0, [1.0])[0].is_finite());
        assert!(response(&[f64::NAN], [0.0], 1.0, [1.0])[0].is_nan());
        assert!(!response(&[1e200, 1e300, 1e300, 1e308], [0.0; 2], 1e10, [1.0; 2])[0].is_finite());
    }
}
