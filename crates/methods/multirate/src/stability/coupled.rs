//! The stability matrix S(Z) of the component test, with the fast row solved exactly.

use hemiola_stability::{Matrix, StabilityError, StabilityScheme};
use nalgebra::DMatrix;
use num_complex::Complex64;
use num_traits::{One, Zero};

use super::fixed_pair::{FixedPair, PairRow};
use super::rows::{FlowRow, FlowRows, factorial};
use crate::error::MultirateError;
use crate::method::InfinitesimalMethod;

/// A method on q' = Λq, one variable for each partition, with the fast row solved exactly: q⁺ = S(Z) q.
///
/// The rows and columns of Z belong to the slow partitions in their order and, last, to the fast one, as in ordinary
/// pairs. Along a stage the slow variables are polynomials in τ, so the fast variable is a sum of φ-functions of Δz_ff.
/// With F_j = z_σ· Y_j it ends at e^{Δz_ff} Y_rf + Δ φ₁ Σ_σ z_fσ Y_rσ + Δ Σ_σ z_fσ Σ_j Σ_k γ^σ_jk k! φ_{k+2} F_j. A
/// start replaces Y_r by its sum, and a drift D = Σ_j γ_j (Y_j − Y₁) adds D_σ to the slow ends and φ₁ D_f + Δ φ₂ Σ_σ
/// z_fσ D_σ to the fast one.
///
/// ```
/// use hemiola_multirate::{CoupledFlow, library};
/// use hemiola_stability::StabilityScheme;
/// use num_complex::Complex64;
/// let flow = CoupledFlow::new(&library::method("mis-kw3")?)?;
/// let z = [[-0.1, 0.02], [0.3, -50.0]].map(|row| row.map(Complex64::from).to_vec());
/// assert!(flow.spectral_radius(&z) < 1.0);
/// # Ok::<(), hemiola_multirate::MultirateError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CoupledFlow {
    rows: FlowRows<Complex64>,
}

impl CoupledFlow {
    /// Prepares the stability matrix of a method with explicit and decoupled stages.
    ///
    /// # Errors
    /// Returns [`MultirateError::Coupled`] for a method with coupled stages.
    pub fn new(method: &InfinitesimalMethod) -> Result<Self, MultirateError> {
        Ok(Self { rows: FlowRows::new(method)? })
    }

    /// Returns the number of partitions, which is the size of Z.
    #[must_use]
    pub fn partitions(&self) -> usize {
        self.rows.slow + 1
    }

    /// Returns the differences between the times at which stages end, without repetition: the frequencies in Im z_ff at
    /// which S oscillates.
    pub(super) fn frequencies(&self) -> Vec<f64> {
        let mut times = vec![0.0];
        for row in &self.rows.rows {
            times.push(times[row.from] + self.rows.intervals[row.interval].0.re);
        }
        let lengths = self.rows.intervals.iter().map(|(length, _)| length.re);
        let differences = times.iter().flat_map(|x| times.iter().map(move |y| x - y)).chain(lengths);
        let mut differences: Vec<f64> = differences.filter(|difference| *difference > 1e-9).collect();
        differences.sort_by(f64::total_cmp);
        differences.dedup();
        differences
    }

    /// Fixes z_ff = z for a pair with the fast row z (1, 1); every coupling can be scaled to this form.
    pub(super) fn at_fast(&self, z: Complex64) -> FixedPair {
        let phis = self.rows.phis(&z);
        // Δ z k! φ_{k+2}(Δz) = k! φ_{k+1}(Δz) − 1/(k+1), without the cancellation near zero.
        self.fixed_pair(
            |row, k| self.rows.intervals[row.interval].0 * z * factorial::<Complex64>(k) * phis[row.interval][k + 2],
            |row| phis[row.interval][0],
            |row| self.rows.intervals[row.interval].0 * z * phis[row.interval][1],
            |row| phis[row.interval][1],
        )
    }

    /// Fixes z_ff at infinity in the left half-plane, where v_f follows −v_s.
    pub(super) fn far_left(&self) -> FixedPair {
        let is_zero = |row: &FlowRow<Complex64>| self.rows.intervals[row.interval].1;
        let moving = |row: &FlowRow<Complex64>, value: f64| Complex64::from(if is_zero(row) { 0.0 } else { value });
        self.fixed_pair(
            |row, k| moving(row, -1.0 / (k + 1) as f64),
            |row| Complex64::from(if is_zero(row) { 1.0 } else { 0.0 }),
            |row| moving(row, -1.0),
            |row| Complex64::from(if is_zero(row) { 1.0 } else { 0.0 }),
        )
    }

    fn fixed_pair(
        &self,
        force: impl Fn(&FlowRow<Complex64>, usize) -> Complex64,
        flow: impl Fn(&FlowRow<Complex64>) -> Complex64,
        pull: impl Fn(&FlowRow<Complex64>) -> Complex64,
        mean: impl Fn(&FlowRow<Complex64>) -> Complex64,
    ) -> FixedPair {
        let real = |columns: &[Complex64]| columns.iter().map(|x| x.re).collect();
        let row = |row: &FlowRow<Complex64>| PairRow {
            from: row.from,
            flow: flow(row),
            pull: pull(row),
            // A drift is a constant forcing of both variables.
            drift_flow: [mean(row), force(row, 0)],
            start: real(&row.start),
            drift: real(&row.drift),
            slow: real(&row.corrected(0, row.columns(0, |k| Complex64::from(1.0 / (k + 1) as f64)))),
            fast: row.columns(0, |k| force(row, k)),
        };
        FixedPair { rows: self.rows.rows.iter().map(row).collect() }
    }
}

impl StabilityScheme for CoupledFlow {
    fn matrix(&self, z: &[Vec<Complex64>]) -> Result<Matrix, StabilityError> {
        let expected = self.partitions();
        for found in z.iter().map(Vec::len).chain([z.len()]) {
            if found != expected {
                return Err(StabilityError::WrongSize { found, expected });
            }
        }
        let mut stages = Stages { z, values: vec![identity(expected)], slopes: Vec::new() };
        let phis = self.rows.phis(&z[expected - 1][expected - 1]);
        for row in &self.rows.rows {
            let length = self.rows.intervals[row.interval].0;
            stages.add(row, length, &phis[row.interval]).ok_or_else(|| StabilityError::Pole { z: z.to_vec() })?;
        }
        Ok(stages.values.pop().unwrap_or_default())
    }
}

/// Stages of a step as matrices that map q to the stage.
struct Stages<'a> {
    z: &'a [Vec<Complex64>],
    values: Vec<Matrix>,
    /// The rows H f_σ of the slow partitions at each stage.
    slopes: Vec<Matrix>,
}

impl Stages<'_> {
    /// Adds the stage of a row; `None` at a pole.
    fn add(&mut self, row: &FlowRow<Complex64>, length: Complex64, phi: &[Complex64]) -> Option<()> {
        let (n, z) = (self.z.len(), self.z);
        let fast = n - 1;
        // Complete the slopes at all earlier stages; the slope at the last one was not needed before.
        while self.slopes.len() < self.values.len() {
            self.slopes.push(product(&z[..fast], &self.values[self.slopes.len()]));
        }
        let mut start = self.values[row.from].clone();
        self.combine(&mut start, &row.start);
        let mut value = start.clone();
        value[fast] = start[fast].iter().map(|y| phi[0] * y).collect();
        if !row.drift.is_empty() {
            self.drift(&mut value, &row.drift, length, phi);
        }
        let mut own = vec![Complex64::zero(); fast];
        for slow in 0..fast {
            let weights = row.corrected(slow, row.columns(slow, |k| Complex64::from(1.0 / (k + 1) as f64)));
            let forces = row.columns(slow, |k| length * factorial::<Complex64>(k) * phi[k + 2]);
            own[slow] = weights[row.own];
            let coupling = z[fast][slow];
            for q in 0..n {
                value[fast][q] += length * phi[1] * coupling * start[slow][q];
                for (j, slopes) in self.slopes.iter().enumerate() {
                    value[slow][q] += weights[j] * slopes[slow][q];
                    value[fast][q] += coupling * forces[j] * slopes[slow][q];
                }
            }
        }
        self.values.push(implicit(z, value, &own)?);
        Some(())
    }

    /// Adds Σ_j α_j (Y_j − Y₁).
    fn combine(&self, sum: &mut Matrix, columns: &[Complex64]) {
        for (coefficient, stage) in columns.iter().zip(&self.values).skip(1) {
            for ((sum, row), first) in sum.iter_mut().zip(stage).zip(&self.values[0]) {
                sum.iter_mut().zip(row).zip(first).for_each(|((sum, y), first)| *sum += coefficient * (y - first));
            }
        }
    }

    /// Adds the contribution of a drift to the end of a stage.
    fn drift(&self, value: &mut Matrix, columns: &[Complex64], length: Complex64, phi: &[Complex64]) {
        let (n, fast) = (self.z.len(), self.z.len() - 1);
        let mut drift = vec![vec![Complex64::zero(); n]; n];
        self.combine(&mut drift, columns);
        for q in 0..n {
            value[fast][q] += phi[1] * drift[fast][q];
            for slow in 0..fast {
                value[slow][q] += drift[slow][q];
                value[fast][q] += length * phi[2] * self.z[fast][slow] * drift[slow][q];
            }
        }
    }
}

/// Solves Y_σ = V_σ + a_σ Σ_q z_σq Y_q for the slow variables of an implicit stage; `None` at a pole.
fn implicit(z: &[Vec<Complex64>], mut value: Matrix, own: &[Complex64]) -> Option<Matrix> {
    if own.iter().all(Zero::is_zero) {
        return Some(value);
    }
    let (slow, n) = (own.len(), z.len());
    let entry = |r: usize, q: usize| if r == q { Complex64::one() } else { Complex64::zero() } - own[r] * z[r][q];
    let right = |r: usize, q: usize| value[r][q] + own[r] * z[r][slow] * value[slow][q];
    let solution = DMatrix::from_fn(slow, slow, entry).lu().solve(&DMatrix::from_fn(slow, n, right))?;
    for r in 0..slow {
        value[r] = solution.row(r).iter().copied().collect();
    }
    value.iter().flatten().all(|x| x.is_finite()).then_some(value)
}

fn identity(n: usize) -> Matrix {
    let entry = |r: usize, q: usize| if r == q { Complex64::one() } else { Complex64::zero() };
    (0..n).map(|r| (0..n).map(|q| entry(r, q)).collect()).collect()
}

fn product(x: &[Vec<Complex64>], y: &[Vec<Complex64>]) -> Matrix {
    x.iter().map(|row| (0..y.len()).map(|j| row.iter().zip(y).map(|(x, y)| x * y[j]).sum()).collect()).collect()
}
