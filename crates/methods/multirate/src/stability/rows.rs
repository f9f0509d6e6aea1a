//! Rows of a method in the number type of a stability function. Rows of the same length share φ-functions.

use hemiola_number::Exact;
use num_traits::Zero;

use super::flow_number::FlowNumber;
use super::phi::phi;
use crate::error::MultirateError;
use crate::method::InfinitesimalMethod;
use crate::stage::InfinitesimalStage;

/// One row: a stage, with columns from 0.
#[derive(Clone, Debug)]
pub(super) struct FlowRow<T> {
    /// The stage from which it starts, counted from 0.
    pub(super) from: usize,
    /// The column of the stage itself.
    pub(super) own: usize,
    /// Position of its length among the distinct lengths.
    pub(super) interval: usize,
    /// The coefficient of τᵏ at `[σ][k][j]`.
    pub(super) forcing: Vec<Vec<Vec<T>>>,
    pub(super) correction: Vec<Vec<T>>,
    /// The coefficients of Y_j − Y₁ in the start and in the slope.
    pub(super) start: Vec<T>,
    pub(super) drift: Vec<T>,
}

/// All rows of a method except the embedded one.
#[derive(Clone, Debug)]
pub(super) struct FlowRows<T> {
    pub(super) rows: Vec<FlowRow<T>>,
    /// The distinct lengths, and whether each is zero.
    pub(super) intervals: Vec<(T, bool)>,
    /// The number of slow partitions.
    pub(super) slow: usize,
    /// The highest power of τ.
    degree: usize,
}

impl<T: FlowNumber> FlowRows<T> {
    /// Converts the rows of a method.
    ///
    /// # Errors
    /// Returns [`MultirateError::Coupled`] for a method with coupled stages.
    pub(super) fn new(method: &InfinitesimalMethod) -> Result<Self, MultirateError> {
        method.require_decoupled()?;
        let stages = method.exact_rows().into_iter().take(method.stages().len());
        let mut lengths: Vec<Exact> = Vec::new();
        let mut rows = Vec::new();
        let mut degree = 0;
        for (e, stage) in stages.enumerate() {
            let known = lengths.iter().position(|length| *length == stage.interval);
            let interval = known.unwrap_or(lengths.len());
            if known.is_none() {
                lengths.push(stage.interval.clone());
            }
            let converted = stage.map(T::of_exact);
            degree = converted.forcing.iter().map(|powers| powers.len().saturating_sub(1)).fold(degree, usize::max);
            let InfinitesimalStage { forcing, correction, start, drift, .. } = converted;
            rows.push(FlowRow { from: stage.from - 1, own: e + 1, interval, forcing, correction, start, drift });
        }
        let intervals = lengths.iter().map(|length| (T::of_exact(length), length.is_zero())).collect();
        Ok(Self { rows, intervals, slow: method.partitions().len() - 1, degree })
    }

    /// Computes φ₀(Δz) … φ_{K+2}(Δz) for each distinct length Δ and the highest power K of τ.
    pub(super) fn phis(&self, z: &T) -> Vec<Vec<T>> {
        self.intervals.iter().map(|(length, _)| phi(&(length.clone() * z.clone()), self.highest_phi())).collect()
    }

    /// Returns the highest index of the φ-functions in use.
    pub(super) fn highest_phi(&self) -> usize {
        self.degree + 2
    }
}

impl<T: FlowNumber> FlowRow<T> {
    /// Computes Σ_k γ_jk `factors`[k] for each column j of a slow partition.
    pub(super) fn columns(&self, slow: usize, factors: impl Fn(usize) -> T) -> Vec<T> {
        let mut columns = vec![T::zero(); self.own + 1];
        for (k, power) in self.forcing[slow].iter().enumerate() {
            let factor = factors(k);
            for (column, coefficient) in columns.iter_mut().zip(power) {
                *column += coefficient.clone() * factor.clone();
            }
        }
        columns
    }

    /// Adds the corrections of a slow partition to its columns.
    pub(super) fn corrected(&self, slow: usize, mut columns: Vec<T>) -> Vec<T> {
        for (column, correction) in columns.iter_mut().zip(&self.correction[slow]) {
            *column += correction.clone();
        }
        columns
    }
}

/// Returns k!.
pub(super) fn factorial<T: FlowNumber>(k: usize) -> T {
    (1..=k).fold(T::one(), |product, j| product * T::ratio(j as i64, 1))
}
