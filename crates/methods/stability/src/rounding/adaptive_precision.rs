//! Stability matrix S(Z) of explicit methods with a bound on its rounding errors, in adaptive precision.
//!
//! Summed in powers of z, methods of many stages cancel: for Runge–Kutta–Chebyshev methods of 40 stages, terms of 10³⁰
//! add up to |R| ≤ 1. The stages Y_i = I + Σ A_ij K_j, K_j = Z Y_j do not cancel. A rounding error ε_i in K_i changes S
//! by G_i ε_i with the adjoints G_j = B_j + Σ_i G_i Z A_ij, so that Σ |G_i||ε_i| bounds its effect to first order.
//! (Wilkinson's running errors would bound it by |Z|ⁱ|A|ⁱ, which cancels as much as the powers.) If this bound leaves a
//! question open, double-doubles and then integers over 2²⁵⁶, 2¹⁰²⁴ and 2⁴⁰⁹⁶ answer it.

use hemiola_number::DoubleDouble;
use hemiola_tableau::Tableau;
use num_complex::Complex64;

use crate::rounding::digits::{BinaryFixed, PreciseComplex, PrecisionNumber};

/// Negligible error relative to the larger of the level and the value: a tenth of the rounding allowance of maps at
/// level one.
const NOTHING: f64 = 1e-12;
/// Allowed error away from the level, where it affects only colors and printed numbers.
const ROUGH: f64 = 1e-6;
/// Multiple of the error by which a value must differ from the level to be away from it.
const AWAY: f64 = 1e3;

/// Largest error of S in the corners of a window that is mapped in doubles alone. The visible region lies nearer to the
/// origin, where errors are smaller by orders of magnitude.
const COVERED: f64 = 1e-9;

/// Finds the largest t up to which a condition holds, to a few parts in a thousand.
pub(crate) fn reach(holds: impl Fn(f64) -> bool) -> f64 {
    const FARTHEST: f64 = 1e9;
    let (mut low, mut high) = (0.0f64, FARTHEST);
    while high - low > 4e-3 * high && high > 1e-6 {
        let large = low.max(1e-6);
        let middle = if high > 4.0 * large { (high * large).sqrt() } else { f64::midpoint(low, high) };
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}

/// Returns whether an error of at most `error` is small enough to determine the side of the level and the size of a
/// value.
pub(crate) fn is_settled(value: f64, error: f64, level: f64) -> bool {
    let size = value.abs().max(level);
    error <= NOTHING * size || error <= ROUGH * size && AWAY * error <= (value - level).abs() || value == f64::INFINITY
}

/// Relative error allowed by [`is_precise`]: a thirtieth of the margin of the limits.
const PRECISE: f64 = 3e-11;

/// Returns whether an error bound is negligible compared with the larger of one and the value.
pub(crate) fn is_precise(value: f64, error: f64) -> bool {
    error <= PRECISE * value.max(1.0) || !value.is_finite()
}

/// N×N matrix.
pub(crate) type SquareMatrix<T, const N: usize> = [[T; N]; N];

/// Matrix with bounds on the errors of its entries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundedMatrix<const N: usize> {
    pub(crate) s: SquareMatrix<Complex64, N>,
    pub(crate) error: SquareMatrix<f64, N>,
    /// Whether doubles did not suffice.
    pub(crate) in_more_digits: bool,
}

/// Explicit method of N partitions. A column of a matrix is the image of a unit vector.
#[derive(Clone, Debug)]
pub(crate) struct AdaptivePrecision<const N: usize> {
    /// Nonzero entries (j, a_ij) of A for each stage of each partition.
    rows: [Vec<Vec<(usize, f64)>>; N],
    weights: [Vec<f64>; N],
}

impl<const N: usize> AdaptivePrecision<N> {
    /// Prepares a method; returns `None` if the tableau is not explicit or has another number of partitions.
    pub(crate) fn new(tableau: &Tableau<f64>) -> Option<Self> {
        if tableau.partitions.len() != N || !tableau.is_explicit() {
            return None;
        }
        let sparse = |row: &Vec<f64>| row.iter().copied().enumerate().filter(|(_, a)| *a != 0.0).collect();
        let rows = std::array::from_fn(|r| tableau.partitions[r].a.iter().map(sparse).collect());
        Some(Self { rows, weights: std::array::from_fn(|r| tableau.partitions[r].b.clone()) })
    }

    /// Computes S(Z) in the lowest precision that settles a question, or in the highest if none does.
    pub(crate) fn settled(
        &self,
        z: &SquareMatrix<Complex64, N>,
        is_settled: impl Fn(&BoundedMatrix<N>) -> bool,
    ) -> BoundedMatrix<N> {
        let ways: [fn(&Self, &SquareMatrix<Complex64, N>) -> BoundedMatrix<N>; 5] = [
            |method, z| method.at::<f64>(z, ()),
            |method, z| method.at::<DoubleDouble>(z, ()),
            |method, z| method.at::<BinaryFixed>(z, 256),
            |method, z| method.at::<BinaryFixed>(z, 1024),
            |method, z| method.at::<BinaryFixed>(z, 4096),
        ];
        let mut found = ways[0](self, z);
        for way in &ways[1..] {
            if is_settled(&found) {
                break;
            }
            found = BoundedMatrix { in_more_digits: true, ..way(self, z) };
        }
        found
    }

    /// Returns whether doubles are accurate enough for S for all |z_rp| up to these sizes.
    pub(crate) fn is_covered(&self, sizes: &SquareMatrix<f64, N>) -> bool {
        self.worst(sizes).0 <= COVERED
    }

    /// Bounds the errors of the entries of S in doubles, and the entries themselves, for |z_rp| at most `sizes`.
    ///
    /// The bound holds for any order of summation, by powers of Z or by stages. An entry of S is a sum of products of
    /// up to 2s factors; with all signs positive it is at most M. Each product takes part in at most s + 5 roundings
    /// for each of its s stages.
    pub(crate) fn worst(&self, sizes: &SquareMatrix<f64, N>) -> (f64, f64) {
        let s = self.weights[0].len();
        let mut slopes: Vec<SquareMatrix<f64, N>> = Vec::with_capacity(s);
        let sum = |weights: &[(usize, f64)], slopes: &[SquareMatrix<f64, N>], r: usize, q: usize| {
            let start = if r == q { 1.0 } else { 0.0 };
            weights.iter().fold(start, |sum, &(j, a)| sum + a.abs() * slopes[j][r][q])
        };
        for i in 0..s {
            let stage: SquareMatrix<f64, N> = square(&0.0, |r, q| sum(&self.rows[r][i], &slopes, r, q));
            slopes.push(square(&0.0, |r, q| (0..N).map(|p| sizes[r][p] * stage[p][q]).sum()));
        }
        let all = |r: usize| self.weights[r].iter().copied().enumerate().collect::<Vec<_>>();
        let last: SquareMatrix<f64, N> = square(&0.0, |r, q| sum(&all(r), &slopes, r, q));
        let most = last.iter().flatten().copied().fold(0.0, f64::max);
        (f64::rounding(most, ()) * (s * (s + 5)) as f64, most)
    }

    /// Computes S(Z) in one precision.
    pub(crate) fn at<T: PrecisionNumber>(
        &self,
        z: &SquareMatrix<Complex64, N>,
        precision: T::Precision,
    ) -> BoundedMatrix<N> {
        let zero = PreciseComplex::<T>::new(Complex64::ZERO, precision);
        let identity = diagonal(&zero, |_| PreciseComplex::new(Complex64::ONE, precision));
        let z: SquareMatrix<PreciseComplex<T>, N> = square(&zero, |r, p| PreciseComplex::new(z[r][p], precision));
        let s = self.weights[0].len();
        let z_sizes: SquareMatrix<f64, N> = square(&0.0, |r, p| norm(&z[r][p]));
        let mut slopes: Vec<SquareMatrix<PreciseComplex<T>, N>> = Vec::with_capacity(s);
        let mut sizes: Vec<SquareMatrix<f64, N>> = Vec::with_capacity(s);
        let mut errors: Vec<SquareMatrix<f64, N>> = Vec::with_capacity(s);
        for i in 0..s {
            let mut stage = identity.clone();
            let mut terms: SquareMatrix<f64, N> = diagonal(&0.0, |_| 1.0);
            for r in 0..N {
                for &(j, a) in &self.rows[r][i] {
                    let factor = T::from_f64(a, precision);
                    for q in 0..N {
                        stage[r][q] = stage[r][q].clone().plus_scaled(&factor, &slopes[j][r][q]);
                        terms[r][q] += a.abs() * sizes[j][r][q];
                    }
                }
            }
            // A sum of n + 1 terms, each a product, has an error of n + 1 roundings of the sum of their sizes.
            let rounding =
                |r: usize, q: usize| T::rounding(terms[r][q], precision) * (self.rows[r][i].len() + 1) as f64;
            let local: SquareMatrix<f64, N> = square(&0.0, rounding);
            let slope = product(&zero, &z, &stage);
            // A complex product has an error of √5 roundings (Brent, Percival & Zimmermann 2007); N of them and their
            // sum have N + 3.
            errors.push(square(&0.0, |r, q| {
                let (mut inherited, mut size) = (0.0, 0.0);
                for p in 0..N {
                    inherited += z_sizes[r][p] * local[p][q];
                    size += z_sizes[r][p] * norm(&stage[p][q]);
                }
                inherited + T::rounding(size, precision) * (N + 3) as f64
            }));
            sizes.push(square(&0.0, |r, q| norm(&slope[r][q])));
            slopes.push(slope);
        }
        let mut sum = identity;
        let mut terms: SquareMatrix<f64, N> = diagonal(&0.0, |_| 1.0);
        for r in 0..N {
            for (j, &b) in self.weights[r].iter().enumerate().filter(|(_, b)| **b != 0.0) {
                let factor = T::from_f64(b, precision);
                for q in 0..N {
                    sum[r][q] = sum[r][q].clone().plus_scaled(&factor, &slopes[j][r][q]);
                    terms[r][q] += b.abs() * sizes[j][r][q];
                }
            }
        }
        let propagated = self.propagated::<T>(&z, &errors, precision);
        let error = square(&0.0, |r, q| {
            let last = T::rounding(terms[r][q], precision) * (s + 1) as f64;
            propagated[r][q] + last
        });
        BoundedMatrix { s: square(&Complex64::ZERO, |r, q| sum[r][q].to_complex()), error, in_more_digits: false }
    }

    /// Computes Σ_i |G_i| ε_i, from the last stage to the first.
    fn propagated<T: PrecisionNumber>(
        &self,
        z: &SquareMatrix<PreciseComplex<T>, N>,
        errors: &[SquareMatrix<f64, N>],
        precision: T::Precision,
    ) -> SquareMatrix<f64, N> {
        let zero = PreciseComplex::<T>::new(Complex64::ZERO, precision);
        let start = |j: usize| diagonal(&zero, |r| PreciseComplex::new(self.weights[r][j].into(), precision));
        let mut adjoints: Vec<SquareMatrix<PreciseComplex<T>, N>> = (0..errors.len()).map(start).collect();
        let mut bound = [[0.0; N]; N];
        for i in (0..errors.len()).rev() {
            let adjoint = adjoints[i].clone();
            for r in 0..N {
                for t in 0..N {
                    let size = norm(&adjoint[r][t]);
                    for q in 0..N {
                        bound[r][q] += size * errors[i][t][q];
                    }
                }
            }
            let of_stage = product(&zero, &adjoint, z);
            for t in 0..N {
                for &(j, a) in &self.rows[t][i] {
                    let factor = T::from_f64(a, precision);
                    for r in 0..N {
                        adjoints[j][r][t] = adjoints[j][r][t].clone().plus_scaled(&factor, &of_stage[r][t]);
                    }
                }
            }
        }
        bound
    }
}

/// Bounds |ρ(S + E) − ρ(S)| for |E| ≤ `error`.
///
/// The eigenvalues are t/2 ± √δ with δ = (s_ss − s_ff)²/4 + s_sf s_fs; a change of δ by at most η moves the root by at
/// most min(√η, η/√|δ|).
pub(crate) fn radius_error(found: &BoundedMatrix<2>) -> f64 {
    let ([[a, b], [c, d]], [[ea, eb], [ec, ed]]) = (found.s, found.error);
    let trace = 0.5 * (ea + ed);
    let half = 0.5 * (a - d);
    let discriminant = half * half + b * c;
    let change = 2.0 * half.norm() * trace + trace * trace + b.norm() * ec + c.norm() * eb + eb * ec;
    let root = discriminant.norm().sqrt();
    trace + change.sqrt().min(if root > 0.0 { change / root } else { f64::INFINITY })
}

fn norm<T: PrecisionNumber>(value: &PreciseComplex<T>) -> f64 {
    value.to_complex().norm()
}

/// Builds a matrix from its entries; `any` is a placeholder, because the type has no default value.
fn square<T: Clone, const N: usize>(any: &T, entry: impl Fn(usize, usize) -> T) -> SquareMatrix<T, N> {
    let mut square = filled(any);
    for r in 0..N {
        for q in 0..N {
            square[r][q] = entry(r, q);
        }
    }
    square
}

fn diagonal<T: Clone, const N: usize>(zero: &T, entry: impl Fn(usize) -> T) -> SquareMatrix<T, N> {
    let mut square = filled(zero);
    for r in 0..N {
        square[r][r] = entry(r);
    }
    square
}

fn filled<T: Clone, const N: usize>(value: &T) -> SquareMatrix<T, N> {
    std::array::from_fn(|_| std::array::from_fn(|_| value.clone()))
}

/// Computes XY.
fn product<T: PrecisionNumber, const N: usize>(
    zero: &PreciseComplex<T>,
    x: &SquareMatrix<PreciseComplex<T>, N>,
    y: &SquareMatrix<PreciseComplex<T>, N>,
) -> SquareMatrix<PreciseComplex<T>, N> {
    let mut product = filled(zero);
    for r in 0..N {
        for q in 0..N {
            let mut sum = zero.clone();
            for p in 0..N {
                sum = sum.plus(&x[r][p].times(&y[p][q]));
            }
            product[r][q] = sum;
        }
    }
    product
}
