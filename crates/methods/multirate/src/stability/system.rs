//! Steps on real linear systems with the equations of the fast variables solved exactly.

use hemiola_stability::{StabilityError, SystemStep};
use nalgebra::DMatrix;
use num_complex::Complex64;

use super::rows::{self, FlowRow, FlowRows};
use crate::error::MultirateError;
use crate::method::InfinitesimalMethod;

/// A step on a system q' = Jq whose variables are slow or fast: the block of the fast variables acts through its
/// exponential.
///
/// ```
/// use hemiola_multirate::{SystemFlow, library};
/// use hemiola_stability::BlockSystem;
/// let system = BlockSystem::new(&[vec![-1.0, 0.5], vec![0.5, -1e6]], vec![0, 1])?;
/// let flow = SystemFlow::new(&library::method("mri-gark-erk33a")?)?;
/// // The fast variable, a million times faster, does not bound the step.
/// let steps = system.stable_steps(&flow, 4.0, &())?;
/// assert!((steps.first_exit - 2.5127).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SystemFlow {
    rows: FlowRows<Complex64>,
}

impl SystemFlow {
    /// Prepares a method with one slow partition.
    ///
    /// # Errors
    /// Returns [`MultirateError::Coupled`] for a method with coupled stages, [`StabilityError::NotAPair`] for one with
    /// several slow partitions.
    pub fn new(method: &InfinitesimalMethod) -> Result<Self, MultirateError> {
        let rows = FlowRows::new(method)?;
        if rows.slow != 1 {
            return Err(StabilityError::NotAPair { found: rows.slow + 1 }.into());
        }
        Ok(Self { rows })
    }
}

impl SystemStep for SystemFlow {
    fn partitions(&self) -> usize {
        2
    }

    fn stages(&self) -> usize {
        self.rows.rows.len()
    }

    fn increment(&self, hj: &DMatrix<f64>, partition_of: &[usize]) -> Option<DMatrix<f64>> {
        let step = LinearStep::new(&self.rows, hj, partition_of)?;
        let mut stages = vec![DMatrix::zeros(hj.nrows(), hj.nrows())];
        let mut slopes = Vec::new();
        for row in &self.rows.rows {
            // The stages before the last one already have slopes.
            slopes.extend(stages.last().map(|stage| step.slope(stage)));
            stages.push(step.stage(row, &stages, &slopes)?);
        }
        stages.pop().filter(|last| last.iter().all(|value| value.is_finite()))
    }
}

/// The blocks of hJ, and the φ-functions of the fast one. Stages are stored as differences from the beginning of the step, which
/// keeps the digits of short steps.
struct LinearStep {
    slow: Vec<usize>,
    fast: Vec<usize>,
    /// The rows of slow variables in hJ.
    slow_rows: DMatrix<f64>,
    /// The entries of slow variables in the rows of fast ones.
    coupling: DMatrix<f64>,
    block: DMatrix<f64>,
    /// Each distinct length with φ₁, φ₂, … of the fast block.
    intervals: Vec<(f64, Vec<DMatrix<f64>>)>,
}

impl LinearStep {
    fn new(rows: &FlowRows<Complex64>, hj: &DMatrix<f64>, partition_of: &[usize]) -> Option<Self> {
        let members = |partition: usize| -> Vec<usize> {
            (0..partition_of.len()).filter(|variable| partition_of[*variable] == partition).collect()
        };
        let (slow, fast) = (members(0), members(1));
        let block = hj.select_rows(&fast).select_columns(&fast);
        let prepared =
            |(length, _): &(Complex64, bool)| Some((length.re, phi(&(&block * length.re), rows.highest_phi())?));
        Some(Self {
            slow_rows: hj.select_rows(&slow),
            coupling: hj.select_rows(&fast).select_columns(&slow),
            intervals: rows.intervals.iter().map(prepared).collect::<Option<_>>()?,
            slow,
            fast,
            block,
        })
    }

    /// Computes Y_i − I from the previous stages.
    ///
    /// With slow rows g_k = Σ_j γᵏ_j J_S Y_j the slow variables are v_S(τ) = v_S(0) + Σ_k g_k τᵏ⁺¹/(k+1). They force the fast ones,
    /// so that v_F(1) = e^{ΔF} v_F(0) + Δ (φ₁ C v_S(0) + Σ_k k! φ_{k+2} C g_k) with the block F and the coupling C.
    fn stage(
        &self,
        row: &FlowRow<Complex64>,
        stages: &[DMatrix<f64>],
        slopes: &[DMatrix<f64>],
    ) -> Option<DMatrix<f64>> {
        let n = stages[0].nrows();
        let identity = DMatrix::<f64>::identity(n, n);
        let combined = |start: DMatrix<f64>, coefficients: &[Complex64]| {
            stages.iter().zip(coefficients).fold(start, |sum, (stage, a)| sum + stage * a.re)
        };
        let start = combined(stages[row.from].clone(), &row.start);
        let drift = combined(DMatrix::zeros(n, n), &row.drift);
        let none = || DMatrix::zeros(self.slow.len(), n);
        let sum = |coefficients: &[Complex64]| {
            slopes.iter().zip(coefficients).fold(none(), |sum, (slope, a)| sum + slope * a.re)
        };
        let mut forcing: Vec<DMatrix<f64>> = row.forcing[0].iter().map(|powers| sum(powers)).collect();
        if forcing.is_empty() {
            forcing.push(none());
        }
        forcing[0] += drift.select_rows(&self.slow);
        let (length, phi) = &self.intervals[row.interval];
        let correction = sum(&row.correction[0]);
        let slow_start = start.select_rows(&self.slow);
        let fast_start = start.select_rows(&self.fast);
        let mut slow = &slow_start + correction;
        let whole = (&fast_start + identity.select_rows(&self.fast), &slow_start + identity.select_rows(&self.slow));
        let mut pushed = &self.block * &whole.0 + &self.coupling * &whole.1;
        pushed *= *length;
        pushed += drift.select_rows(&self.fast);
        let mut fast = fast_start + &phi[0] * pushed;
        for (k, slope) in forcing.iter().enumerate() {
            slow += slope / (k + 1) as f64;
            fast += self.fast_response(row, k) * slope;
        }
        let mut value = DMatrix::zeros(n, n);
        self.place(&mut value, &slow, &fast);
        self.with_own_slope(row, value)
    }

    /// Computes J_S Y from Y − I.
    fn slope(&self, stage: &DMatrix<f64>) -> DMatrix<f64> {
        &self.slow_rows + &self.slow_rows * stage
    }

    /// Returns k! Δ φ_{k+2} C, the response of the fast variables to the coefficient of τᵏ.
    fn fast_response(&self, row: &FlowRow<Complex64>, k: usize) -> DMatrix<f64> {
        let (length, phi) = &self.intervals[row.interval];
        &phi[k + 1] * &self.coupling * (factorial(k) * length)
    }

    fn place(&self, value: &mut DMatrix<f64>, slow: &DMatrix<f64>, fast: &DMatrix<f64>) {
        for (part, members) in [(slow, &self.slow), (fast, &self.fast)] {
            members.iter().enumerate().for_each(|(i, variable)| value.set_row(*variable, &part.row(i)));
        }
    }

    /// Solves for the slope of the stage itself: Y = R + P X with X = J_S Y.
    fn with_own_slope(&self, row: &FlowRow<Complex64>, value: DMatrix<f64>) -> Option<DMatrix<f64>> {
        let own = |coefficients: &[Complex64]| coefficients.get(row.own).map_or(0.0, |a| a.re);
        let powers: Vec<f64> = row.forcing[0].iter().map(|powers| own(powers)).collect();
        let correction = own(&row.correction[0]);
        if correction == 0.0 && powers.iter().all(|power| *power == 0.0) {
            return Some(value);
        }
        let (n_slow, n) = (self.slow.len(), value.nrows());
        let mut slow = correction;
        let mut fast = DMatrix::zeros(self.fast.len(), n_slow);
        for (k, power) in powers.iter().enumerate() {
            slow += power / (k + 1) as f64;
            fast += self.fast_response(row, k) * *power;
        }
        let mut response = DMatrix::zeros(n, n_slow);
        self.place(&mut response, &(DMatrix::identity(n_slow, n_slow) * slow), &fast);
        let system = DMatrix::identity(n_slow, n_slow) - &self.slow_rows * &response;
        let slope = system.lu().solve(&self.slope(&value))?;
        Some(value + response * slope)
    }
}

/// Returns k!.
fn factorial(k: usize) -> f64 {
    rows::factorial::<Complex64>(k).re
}

/// Largest 1-norm at which the series is summed; larger arguments are halved, and the results doubled.
const SUMMED: f64 = 0.5;
/// Terms of the series: 0.5ⁿ/n! is below a tenth of the rounding of one.
const TERMS: usize = 15;
/// Largest number of doublings; the largest norm is 2⁵⁰⁰.
const DOUBLINGS: i32 = 500;

/// Computes φ₁(A), …, φ_count(A), where φ_k(z) = Σ_n zⁿ/(n+k)!; `None` if they are not finite.
///
/// φ_k(2z) = 2⁻ᵏ (e^z φ_k(z) + Σ_j φ_j(z)/(k−j)!) (Skaflestad & Wright, Applied Numerical Mathematics 59, 2009).
fn phi(a: &DMatrix<f64>, count: usize) -> Option<Vec<DMatrix<f64>>> {
    let n = a.nrows();
    let identity = || DMatrix::<f64>::identity(n, n);
    let norm = a.column_iter().map(|column| column.lp_norm(1)).fold(0.0, f64::max);
    if !norm.is_finite() {
        return None;
    }
    let doublings = (0..DOUBLINGS).find(|doublings| norm * 0.5f64.powi(*doublings) <= SUMMED)?;
    let mut scaled = a * 0.5f64.powi(doublings);
    // Horner's scheme for the highest function, then φ_{k−1} = A φ_k + I/(k−1)!.
    let mut highest = DMatrix::zeros(n, n);
    for term in (0..TERMS).rev() {
        highest = &scaled * highest + identity() / factorial(term + count);
    }
    let mut phi = vec![highest];
    for k in (1..count).rev() {
        let next = &scaled * &phi[0] + identity() / factorial(k);
        phi.insert(0, next);
    }
    for _ in 0..doublings {
        let exponential = identity() + &scaled * &phi[0];
        let doubled = |k: usize| {
            let start = &exponential * &phi[k - 1];
            let sum = (1..=k).fold(start, |sum, j| sum + &phi[j - 1] / factorial(k - j));
            sum * 0.5f64.powi(k as i32)
        };
        phi = (1..=count).map(doubled).collect();
        scaled *= 2.0;
    }
    phi.iter().flatten().all(|value| value.is_finite()).then_some(phi)
}
