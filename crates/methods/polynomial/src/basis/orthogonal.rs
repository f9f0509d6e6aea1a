//! Orthogonal basis of the free part of a stability polynomial on the spectrum.
//!
//! R(z) = B(z) + Σ_j γ_j φ_j(z), φ_j(z) = wᵉ q_j(w), w = z/u, with e = p + 1. The q_j are orthonormal on a sample of
//! the spectrum with weight |w|²ᵉ. Arnoldi's process builds them by a recurrence, which also evaluates them (Brubeck,
//! Nakatsukasa & Trefethen 2021, "Vandermonde with Arnoldi"). Scaled monomials are useless beyond some fifteen stages:
//! their condition grows as fast as that of a Vandermonde matrix.

use dashu::rational::RBig;
use hemiola_number::vector::{Registers, Task};

use crate::arithmetic::complex::Complex;
use crate::arithmetic::real::{BigReal, Real};

/// Recurrence entries below this threshold are rounding errors.
const NEGLIGIBLE: f64 = 1e-13;

/// Basis φ_1 … φ_n, defined in any precision by its doubles, taken exactly.
#[derive(Clone, Debug)]
pub(crate) struct OrthogonalBasis {
    /// Exponent e.
    exponent: usize,
    size: usize,
    /// Unit u of z.
    unit: f64,
    /// 1/‖·‖ of the constant function, the value of q_0; `recursion` holds for each j the coefficients of w q_j in q_0
    /// … q_{j+1}.
    first: f64,
    recursion: Vec<Vec<f64>>,
}

/// Values and z-derivatives of all basis functions at one point.
pub(crate) struct Jet<T> {
    pub(crate) value: Vec<Complex<T>>,
    pub(crate) first: Vec<Complex<T>>,
    /// Empty unless requested.
    pub(crate) second: Vec<Complex<T>>,
}

impl OrthogonalBasis {
    /// Builds at most `size` functions that are orthonormal on the points z.
    ///
    /// The real inner product Σ |w|²ᵉ Re(conj(f) g) covers the points together with their conjugates.
    pub(crate) fn new(exponent: usize, size: usize, points: &[(f64, f64)]) -> Self {
        let unit = points.iter().map(|&(x, y)| x.hypot(y)).fold(0.0, f64::max);
        let points: Vec<Complex<f64>> = points.iter().map(|&(x, y)| Complex::new(x / unit, y / unit)).collect();
        let weights: Vec<f64> = points.iter().map(|w| w.norm_sqr().powi(exponent as i32)).collect();
        let inner = |f: &[Complex<f64>], g: &[Complex<f64>]| -> f64 {
            f.iter().zip(g).zip(&weights).map(|((f, g), weight)| weight * f.dot(g)).sum()
        };
        let first = 1.0 / weights.iter().sum::<f64>().sqrt();
        let mut columns = vec![vec![Complex::new(first, 0.0); points.len()]];
        let mut recursion = Vec::new();
        for j in 1..size {
            let mut next: Vec<_> = columns[j - 1].iter().zip(&points).map(|(q, w)| q.clone() * w.clone()).collect();
            let length = inner(&next, &next).sqrt();
            let mut coefficients = vec![0.0; j + 1];
            // Two passes of orthogonalization suffice (Parlett 1980).
            for _ in 0..2 {
                for (k, column) in columns.iter().enumerate() {
                    let component = inner(column, &next);
                    coefficients[k] += component;
                    next.iter_mut().zip(column).for_each(|(next, q)| *next = next.clone() - q.scale(&component));
                }
            }
            coefficients.iter_mut().filter(|c| c.abs() <= NEGLIGIBLE * length).for_each(|c| *c = 0.0);
            let norm = inner(&next, &next).sqrt();
            // The points impose only so many independent conditions; all further functions vanish on them.
            if norm <= NEGLIGIBLE * length {
                break;
            }
            coefficients[j] = norm;
            columns.push(next.iter().map(|value| value.scale(&(1.0 / norm))).collect());
            recursion.push(coefficients);
        }
        let size = size.min(recursion.len() + 1);
        Self { exponent, size, unit, first, recursion }
    }

    /// Keeps the functions of w and changes the unit of z.
    pub(crate) fn with_unit(mut self, unit: f64) -> Self {
        self.unit = unit;
        self
    }

    /// Returns u, q_0 and the recurrence.
    pub(crate) fn parts(&self) -> (f64, f64, &[Vec<f64>]) {
        (self.unit, self.first, &self.recursion)
    }

    pub(crate) fn from_parts(unit: f64, first: f64, recursion: &[Vec<f64>]) -> Self {
        Self { exponent: 0, size: recursion.len() + 1, unit, first, recursion: recursion.to_vec() }
    }

    /// Expands Σ β_k zᵏ in a basis with e = 0 and sufficient degree, by Horner's scheme; returns the coefficients c_j.
    pub(crate) fn coefficients(&self, beta: &[RBig]) -> Vec<f64> {
        // The cancellation in Horner's scheme grows like 6ˢ.
        let like = BigReal::new(1.0, 30 + 2 * self.size);
        let unit = like.like(self.unit);
        let mut c = vec![like.like(0.0); self.size];
        for (k, beta) in beta.iter().enumerate().rev() {
            let mut next = vec![like.like(0.0); self.size];
            for (c, row) in c.iter().zip(&self.recursion) {
                for (next, entry) in next.iter_mut().zip(row).filter(|(_, entry)| **entry != 0.0) {
                    *next += c.clone() * like.like(*entry);
                }
            }
            next[0] += like.like_rational(beta) * unit.power(k) / like.like(self.first);
            c = next;
        }
        c.iter().map(Real::to_f64).collect()
    }

    /// Returns u, the largest |z| for which the basis is built.
    pub(crate) fn unit(&self) -> f64 {
        self.unit
    }

    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Evaluates φ_j, φ_j′ and, if `with_second`, φ_j″ at z.
    pub(crate) fn at<T: Real>(&self, z: &Complex<T>, with_second: bool) -> Jet<T> {
        T::run(EvaluateBasis { basis: self, z, with_second })
    }

    /// Returns for each φ_j its coefficients of zᵉ, zᵉ⁺¹, …, at most `count` of them.
    ///
    /// In units of u they grow like 6ʲ: sums of them cancel.
    pub(crate) fn monomials<T: Real>(&self, like: &T, count: usize) -> Vec<Vec<T>> {
        let mut q = vec![vec![like.like(self.first)]];
        for coefficients in &self.recursion {
            let mut next = vec![like.like(0.0)];
            next.extend(q[q.len() - 1].iter().cloned());
            next.truncate(count);
            let (norm, components) = coefficients.split_last().map_or((1.0, &[][..]), |(norm, rest)| (*norm, rest));
            for (component, q) in components.iter().zip(&q).filter(|(component, _)| **component != 0.0) {
                next.iter_mut().zip(q).for_each(|(next, q)| *next -= q.clone() * like.like(*component));
            }
            q.push(next.into_iter().map(|value| value / like.like(norm)).collect());
        }
        q.truncate(self.size);
        let per_unit = like.like(1.0) / like.like(self.unit);
        for column in &mut q {
            let mut power = per_unit.power(self.exponent);
            for value in column {
                *value = value.clone() * power.clone();
                power = power * per_unit.clone();
            }
        }
        q
    }
}

/// Evaluation of all basis functions at one point.
struct EvaluateBasis<'a, T> {
    basis: &'a OrthogonalBasis,
    z: &'a Complex<T>,
    with_second: bool,
}

impl<T: Real> Task for EvaluateBasis<'_, T> {
    type Output = Jet<T>;

    #[inline(always)]
    fn run<R: Registers>(self) -> Jet<T> {
        let Self { basis, z, with_second } = self;
        let like = &z.re;
        let unit = like.like(basis.unit);
        let w = z.scale(&(like.like(1.0) / unit.clone()));
        let zero = Complex::like(like, (0.0, 0.0));
        let number = |n: usize| like.like(n as f64);
        let e = basis.exponent;
        // Leibniz rule: wᵉ and its derivatives are multiplied by those of q below.
        let power = |lost: usize, factor: usize| match e.checked_sub(lost) {
            Some(rest) => w.power(rest).scale(&number(factor)),
            None => zero.clone(),
        };
        let lead = [power(0, 1), power(1, e), power(2, e * e.saturating_sub(1))];
        let mut q = vec![[Complex::like(like, (basis.first, 0.0)), zero.clone(), zero.clone()]];
        for coefficients in &basis.recursion {
            let last = &q[q.len() - 1];
            let mut next = [
                last[0].times(&w),
                last[1].times(&w) + last[0].clone(),
                if with_second { last[2].times(&w) + last[1].scale(&number(2)) } else { zero.clone() },
            ];
            let (norm, components) = coefficients.split_last().map_or((1.0, &[][..]), |(norm, rest)| (*norm, rest));
            for (component, q) in components.iter().zip(&q).filter(|(component, _)| **component != 0.0) {
                let component = like.like(-component);
                for (next, q) in next.iter_mut().zip(q).take(if with_second { 3 } else { 2 }) {
                    *next += q.scale(&component);
                }
            }
            let inverse = like.like(1.0) / like.like(norm);
            q.push(next.map(|value| value.scale(&inverse)));
        }
        q.truncate(basis.size);
        let per_unit = like.like(1.0) / unit;
        let value = q.iter().map(|q| lead[0].times(&q[0])).collect();
        let first = q.iter().map(|q| (lead[0].times(&q[1]) + lead[1].times(&q[0])).scale(&per_unit)).collect();
        let second = |q: &[Complex<T>; 3]| {
            let mixed = lead[1].times(&q[1]).scale(&number(2));
            (lead[0].times(&q[2]) + mixed + lead[2].times(&q[0])).scale(&per_unit).scale(&per_unit)
        };
        let second = if with_second { q.iter().map(second).collect() } else { Vec::new() };
        Jet { value, first, second }
    }
}
