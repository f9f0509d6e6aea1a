//! Best polynomial at a fixed scale under sampled constraints: a second-order cone program.
//!
//! The program is min t over γ and t with |R(z_i)| ≤ b_i + W_i t (Ketcheson & Ahmadia 2012, with W = 1). Near the
//! origin |R| is close to one for any γ, and a tolerance on |R| would hide every violation. The constraint there is
//! (|R|² − b²)/W ≤ 2t, where W is the size of |R|² − b², and |R|² − b² is expanded so that nothing cancels.

use clarabel::algebra::CscMatrix;
use clarabel::solver::SupportedConeT::{self, NonnegativeConeT, SecondOrderConeT, ZeroConeT};
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus};

use crate::arithmetic::complex::Complex;
use crate::basis::particular::taylor;
use crate::problem::condition::LinearCondition;
use crate::problem::constraint::Constraints;
use crate::problem::piece::Bound;
use crate::problem::sampling::BoundarySample;
use crate::solve::optimality::OptimalityState;

const TOLERANCE: f64 = 1e-10;
/// Moduli below this value are zero to the program.
const VANISHING: f64 = 1e-6;

/// Optimum at a fixed scale.
#[derive(Clone, Debug)]
pub(crate) struct ConicOptimum {
    pub(crate) gamma: Vec<f64>,
    /// Smallest t, negative if the scale is strictly feasible.
    pub(crate) level: f64,
    /// Derivative dt/dh.
    pub(crate) slope: f64,
}

/// Constraint of one sample.
enum Row {
    /// Cone |R| ≤ b + W t, with b and W.
    Cone { bound: f64, size: f64 },
    /// Cone |Σ γ q|² ≤ 2t − e − ℓ·γ for the scaled excess, with W.
    Scaled { size: f64 },
}

impl Constraints {
    /// Minimizes the maximum on the samples at scale h, over the polynomials that satisfy linear conditions.
    ///
    /// Returns `None` if the solver fails.
    pub(crate) fn best(
        &self,
        h: f64,
        samples: &[BoundarySample],
        conditions: &[LinearCondition],
    ) -> Option<ConicOptimum> {
        let n = self.basis.size();
        let mut program = ConeProgram::new(n);
        let mut rows = Vec::with_capacity(samples.len());
        for &(piece, t) in samples {
            let z = self.pieces[piece].z(h, t);
            let phi = self.basis.at(&z, false).value;
            let deficit = self.pieces[piece].bound.deficit(t, &z);
            rows.push(self.add(&mut program, &z, &phi, deficit));
        }
        if n == 0 {
            return self.without_freedom(h, samples);
        }
        for condition in conditions {
            let (factors, constant) = self.condition(condition);
            program.row(&factors, 0.0, constant);
            program.cones.push(ZeroConeT(1));
        }
        let (gamma, level, duals) = program.solve()?;
        let mut slope = 0.0;
        for ((row, &(piece, t)), dual) in rows.iter().zip(samples).zip(&duals) {
            let excess = self.excess(&gamma, &h, piece, &t, false);
            slope += match row {
                // Derive ∂(|R| − b)/∂h from that of |R|² − b².
                Row::Cone { bound, size } => {
                    // If R can vanish at all active samples, its modulus has no derivative there, and the level is −1.
                    let modulus = bound + size * level;
                    if modulus > VANISHING { dual * excess.h / (2.0 * modulus) } else { 0.0 }
                }
                Row::Scaled { size } => dual * excess.h / size,
            };
        }
        Some(ConicOptimum { gamma, level, slope })
    }

    /// Writes a linear condition as Σ factors·γ + constant = 0, with factors of size one.
    fn condition(&self, condition: &LinearCondition) -> (Vec<f64>, f64) {
        match *condition {
            LinearCondition::Value { z, value } => {
                let z = Complex::new(z, 0.0);
                let phi = self.basis.at(&z, false).value;
                let known = self.particular.at(self.order, &z, 0).swap_remove(0);
                (phi.into_iter().map(|phi| phi.re).collect(), known.re - value)
            }
            LinearCondition::Coefficient { power, value } => {
                let n = self.basis.size();
                let k = power.saturating_sub(self.order + 1);
                let scale = self.basis.unit().powi(power as i32);
                let at = |column: &Vec<f64>| column.get(k).map_or(0.0, |value| value * scale);
                let known = self.particular.free_coefficients(self.order + n, self.order, &1.0);
                let known = known.get(k).copied().unwrap_or_default();
                (self.basis.monomials(&1.0, n).iter().map(at).collect(), (known - value) * scale)
            }
        }
    }

    /// Computes (|R|² − b²)/W at λ(t) on one piece, without cancellation near the origin.
    pub(crate) fn level(&self, state: &OptimalityState<f64>, piece: usize, t: f64) -> f64 {
        let piece = &self.pieces[piece];
        let z = piece.z(state.h, t);
        let phi = self.basis.at(&z, false).value;
        let free =
            phi.iter().zip(&state.gamma).fold(Complex::new(0.0, 0.0), |sum, (phi, gamma)| sum + phi.scale(gamma));
        let (known, deficit) = (self.particular.at(self.order, &z, 0).swap_remove(0), piece.bound.deficit(t, &z));
        if z.norm_sqr() >= near(self.order).powi(2) {
            return ((known + free).norm_sqr() - (1.0 - deficit)) / self.size(&z);
        }
        let excess = excess_of_taylor(&z, self.order);
        let taylor = taylor(&z, self.order);
        let beyond = (known - taylor.clone()) + free;
        (excess + 2.0 * taylor.dot(&beyond) + beyond.norm_sqr() + deficit) / self.size(&z)
    }

    /// Returns the size W of |R|² − 1 near the origin, at most one: |eᶻ|² − 1 ≈ 2 Re z, and y²ᵐ on the imaginary axis.
    fn size(&self, z: &Complex<f64>) -> f64 {
        let relative = z.norm_sqr() / self.reach().powi(2);
        (relative.powf(self.lowest_power() as f64 / 2.0) + 2.0 * z.re.abs()).min(1.0)
    }

    /// Returns the largest excess if the order fixes all coefficients.
    fn without_freedom(&self, h: f64, samples: &[BoundarySample]) -> Option<ConicOptimum> {
        let state = OptimalityState { gamma: Vec::new(), h, touches: Vec::new() };
        let level = |&(piece, t): &BoundarySample| {
            let excess = self.excess(&[], &h, piece, &t, false);
            let size = self.size(&self.pieces[piece].z(h, t));
            (0.5 * self.level(&state, piece, t), excess.h / (2.0 * size))
        };
        let (level, slope) = samples.iter().map(level).max_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(ConicOptimum { gamma: Vec::new(), level, slope })
    }

    fn add(&self, program: &mut ConeProgram, z: &Complex<f64>, phi: &[Complex<f64>], deficit: f64) -> Row {
        let known = self.particular.at(self.order, z, 0).swap_remove(0);
        let part = |part: fn(&Complex<f64>) -> f64, scale: f64| -> Vec<f64> {
            phi.iter().map(|phi| part(phi) * scale).collect()
        };
        if z.norm_sqr() >= near(self.order).powi(2) {
            let bound = (1.0 - deficit).sqrt();
            let size = self.size(z);
            program.row(&[], size, bound);
            program.row(&part(|phi| phi.re, 1.0), 0.0, known.re);
            program.row(&part(|phi| phi.im, 1.0), 0.0, known.im);
            program.cones.push(SecondOrderConeT(3));
            return Row::Cone { bound, size };
        }
        let size = self.size(z);
        // |E + e|² − b², with E the Taylor polynomial and e the rest of the particular polynomial.
        let taylor = taylor(z, self.order);
        let rest = known.clone() - taylor.clone();
        let excess = excess_of_taylor(z, self.order) + 2.0 * taylor.dot(&rest) + rest.norm_sqr();
        let linear: Vec<f64> = phi.iter().map(|phi| -2.0 * known.dot(phi) / size).collect();
        let constant = -(excess + deficit) / size;
        let root = size.sqrt();
        // |q|² ≤ l is the cone ‖(2q, l − 1)‖ ≤ l + 1.
        program.row(&linear, 2.0, constant + 1.0);
        program.row(&linear, 2.0, constant - 1.0);
        program.row(&part(|phi| phi.re, 2.0 / root), 0.0, 0.0);
        program.row(&part(|phi| phi.im, 2.0 / root), 0.0, 0.0);
        program.cones.push(SecondOrderConeT(4));
        Row::Scaled { size }
    }
}

impl Bound {
    /// Computes 1 − b² without cancellation near the origin.
    fn deficit(&self, t: f64, z: &Complex<f64>) -> f64 {
        match *self {
            Self::Power { epsilon, exponent } => epsilon * t.powi(exponent as i32),
            Self::Blend { eta } => {
                let deficit = -eta * z.re.exp_m1();
                deficit * (2.0 - deficit)
            }
        }
    }
}

/// Returns the distance from the origin within which constraints are relative to their size: the Taylor polynomial
/// follows eᶻ there.
fn near(order: usize) -> f64 {
    1.0 + order as f64 / 2.0
}

/// Computes |E_p(z)|² − 1 for small z, as |eᶻ|² − 1 minus the contribution of the tail of the exponential series.
fn excess_of_taylor(z: &Complex<f64>, p: usize) -> f64 {
    /// Terms of the tail; the remaining terms are below the rounding of the sum for |z| up to [`near`].
    const TERMS: usize = 30;
    let mut term = (1..=p).fold(Complex::new(1.0, 0.0), |term, k| (term * z.clone()).scale(&(1.0 / k as f64)));
    let mut tail = Complex::new(0.0, 0.0);
    for k in p + 1..=p + TERMS {
        term = (term * z.clone()).scale(&(1.0 / k as f64));
        tail += term.clone();
    }
    let exponential = Complex::new(z.im.cos(), z.im.sin()).scale(&z.re.exp());
    (2.0 * z.re).exp_m1() - 2.0 * exponential.dot(&tail) + tail.norm_sqr()
}

/// Cone program min t with b + A(γ, t) in a product of cones.
struct ConeProgram {
    size: usize,
    /// Columns of A: one for each γ_j and one for t.
    columns: Vec<Vec<(usize, f64)>>,
    constants: Vec<f64>,
    cones: Vec<SupportedConeT<f64>>,
}

impl ConeProgram {
    fn new(size: usize) -> Self {
        Self { size, columns: vec![Vec::new(); size + 1], constants: Vec::new(), cones: Vec::new() }
    }

    /// Adds the affine function Σ `factors`·γ + `level`·t + `constant`.
    fn row(&mut self, factors: &[f64], level: f64, constant: f64) {
        let row = self.constants.len();
        for (column, &factor) in factors.iter().enumerate().filter(|(_, factor)| **factor != 0.0) {
            self.columns[column].push((row, factor));
        }
        if level != 0.0 {
            self.columns[self.size].push((row, level));
        }
        self.constants.push(constant);
    }

    /// Solves for γ, t and the multiplier of each cone's constraint: of b + Wt − |R|, or of 2t − (|R|² − b²)/W.
    fn solve(mut self) -> Option<(Vec<f64>, f64, Vec<f64>)> {
        // |R|² ≥ 0 already bounds t from below; the explicit bound keeps programs with few samples bounded.
        let bound = self.constants.len();
        self.columns[self.size].push((bound, 1.0));
        self.constants.push(1.0);
        self.cones.push(NonnegativeConeT(1));
        let n = self.size + 1;
        let starts = std::iter::once(0).chain(self.columns.iter().scan(0, |end, column| {
            *end += column.len();
            Some(*end)
        }));
        let starts: Vec<usize> = starts.collect();
        // Clarabel's form is As + b with s = b − Ax in the cone.
        let (rows, values) = self.columns.iter().flatten().map(|&(row, value)| (row, -value)).unzip();
        let matrix = CscMatrix::new(self.constants.len(), n, starts, rows, values);
        let quadratic = CscMatrix::new(n, n, vec![0; n + 1], Vec::new(), Vec::new());
        let mut objective = vec![0.0; n];
        objective[self.size] = 1.0;
        let settings = DefaultSettings {
            verbose: false,
            tol_gap_abs: TOLERANCE,
            tol_gap_rel: TOLERANCE,
            tol_feas: TOLERANCE,
            ..DefaultSettings::default()
        };
        let mut solver =
            DefaultSolver::new(&quadratic, &objective, &matrix, &self.constants, &self.cones, settings).ok()?;
        solver.solve();
        let solution = &solver.solution;
        // Slightly less accuracy than requested is enough: a Newton iteration follows.
        let is_usable = matches!(
            solution.status,
            SolverStatus::Solved | SolverStatus::AlmostSolved | SolverStatus::InsufficientProgress
        );
        if !is_usable || solution.x.iter().any(|x| !x.is_finite()) {
            return None;
        }
        let mut start = 0;
        let mut duals = Vec::with_capacity(self.cones.len());
        for cone in &self.cones {
            duals.push(match cone {
                SecondOrderConeT(4) => solution.z[start] + solution.z[start + 1],
                _ => solution.z[start],
            });
            start += match cone {
                SecondOrderConeT(size) => *size,
                _ => 1,
            };
        }
        Some((solution.x[..self.size].to_vec(), solution.x[self.size], duals))
    }
}
