//! The stability function R(z_F, z_S) of the additive test equation.

use super::flow_number::FlowNumber;
use super::phi::phi;
use super::rows::{FlowRows, factorial};
use crate::error::MultirateError;
use crate::method::InfinitesimalMethod;

/// The stability function R(z_F, z_σ, …) of a method on y' = (λ_F + Σ_σ λ_σ) y with z = Hλ, the fast term solved exactly.
///
/// A stage of length Δ that starts from Y_r ends at
/// e^{Δz_F} Y_r + Σ_σ z_σ Σ_j (Σ_k γ^σ_jk k! φ_{k+1}(Δz_F) + Γ^σ_j) Y_j (Sandu, SIAM J. Numer. Anal. 57, 2019, section 4).
/// A start α and a drift γ add Σ_j (α_j e^{Δz_F} + γ_j φ₁(Δz_F)) (Y_j − 1).
///
/// ```
/// use hemiola_multirate::{AdditiveFlow, library};
/// use num_complex::Complex64;
/// let flow = AdditiveFlow::<Complex64>::new(&library::method("mri-gark-erk33a")?)?;
/// let value = flow.at(&Complex64::new(-1000.0, 0.0), &[Complex64::new(-2.0, 0.0)]).expect("explicit methods have no pole");
/// assert!(value.norm() < 1.0);
/// // Without the slow term it is the exact solution.
/// assert!((flow.at(&Complex64::I, &[0.0.into()]).unwrap() - Complex64::I.exp()).norm() < 1e-15);
/// # Ok::<(), hemiola_multirate::MultirateError>(())
/// ```
#[derive(Clone, Debug)]
pub struct AdditiveFlow<T> {
    rows: FlowRows<T>,
}

impl<T: FlowNumber> AdditiveFlow<T> {
    /// Prepares the stability function of a method with explicit and decoupled stages.
    ///
    /// # Errors
    /// Returns [`MultirateError::Coupled`] for a method with coupled stages.
    pub fn new(method: &InfinitesimalMethod) -> Result<Self, MultirateError> {
        Ok(Self { rows: FlowRows::new(method)? })
    }

    /// Returns the number of slow partitions.
    #[must_use]
    pub fn slow_partitions(&self) -> usize {
        self.rows.slow
    }

    /// Computes R at z_F and the z_σ of the slow partitions; `None` at a pole of an implicit method, or if the number
    /// of slow values differs from the number of slow partitions.
    #[must_use]
    pub fn at(&self, fast: &T, slow: &[T]) -> Option<T> {
        if slow.len() != self.rows.slow {
            return None;
        }
        self.at_fast(fast).value(slow)
    }

    /// Computes the limit of R for z_F → ∞ in a sector of the left half-plane; `None` as for [`at`](Self::at).
    #[must_use]
    pub fn at_infinity(&self, slow: &[T]) -> Option<T> {
        if slow.len() != self.rows.slow {
            return None;
        }
        self.far_left().value(slow)
    }

    /// Fixes z_F.
    pub(super) fn at_fast(&self, fast: &T) -> FixedFast<T> {
        let phis = self.rows.phis(fast);
        self.fixed(|interval, k| phis[interval][k].clone())
    }

    /// Fixes z_F at infinity in the left half-plane, where φ_k of every positive length vanishes.
    pub(super) fn far_left(&self) -> FixedFast<T> {
        self.with_phis(|_, highest| vec![T::zero(); highest + 1])
    }

    /// Fixes z_F by a function that computes φ₀ … φ_K for a positive length and K.
    pub(super) fn with_phis(&self, phis: impl Fn(&T, usize) -> Vec<T>) -> FixedFast<T> {
        let highest = self.rows.highest_phi();
        let values =
            |(length, is_zero): &(T, bool)| if *is_zero { phi(&T::zero(), highest) } else { phis(length, highest) };
        let values: Vec<Vec<T>> = self.rows.intervals.iter().map(values).collect();
        self.fixed(|interval, k| values[interval][k].clone())
    }

    /// Iterates over the distinct positive lengths of the stages.
    pub(super) fn lengths(&self) -> impl Iterator<Item = &T> {
        self.rows.intervals.iter().filter(|(_, is_zero)| !is_zero).map(|(length, _)| length)
    }

    fn fixed(&self, phi: impl Fn(usize, usize) -> T) -> FixedFast<T> {
        let row = |row: &super::rows::FlowRow<T>| {
            let weights =
                |slow: usize| row.corrected(slow, row.columns(slow, |k| factorial::<T>(k) * phi(row.interval, k + 1)));
            let flow = phi(row.interval, 0);
            let scaled = |columns: &[T], factor: T| columns.iter().map(|x| x.clone() * factor.clone()).collect();
            let combined = Combined {
                start: scaled(&row.start, flow.clone()),
                drift: if row.drift.is_empty() { Vec::new() } else { scaled(&row.drift, phi(row.interval, 1)) },
            };
            FixedRow { from: row.from, flow, combined, weights: (0..self.rows.slow).map(weights).collect() }
        };
        FixedFast { rows: self.rows.rows.iter().map(row).collect() }
    }
}

/// R as a function of the slow values at a fixed z_F.
#[derive(Clone, Debug)]
pub(super) struct FixedFast<T> {
    rows: Vec<FixedRow<T>>,
}

#[derive(Clone, Debug)]
struct FixedRow<T> {
    from: usize,
    /// e^{Δz_F}.
    flow: T,
    combined: Combined<T>,
    /// Weights of z_σ Y_j at `[σ][j]`; the last column is that of the stage itself.
    weights: Vec<Vec<T>>,
}

/// The weights of Y_j − Y₁.
#[derive(Clone, Debug)]
struct Combined<T> {
    start: Vec<T>,
    drift: Vec<T>,
}

impl<T: FlowNumber> Combined<T> {
    /// Adds the weighted differences of the stages from the first.
    fn add_to(&self, sum: &mut T, values: &[T]) {
        for columns in [&self.start, &self.drift] {
            for (weight, value) in columns.iter().zip(values).skip(1) {
                *sum += weight.clone() * (value.clone() - values[0].clone());
            }
        }
    }
}

impl<T: FlowNumber> FixedFast<T> {
    /// Computes R; `None` at a pole.
    pub(super) fn value(&self, slow: &[T]) -> Option<T> {
        let mut values = Vec::with_capacity(self.rows.len() + 1);
        values.push(T::one());
        for row in &self.rows {
            let mut sum = row.flow.clone() * values[row.from].clone();
            row.combined.add_to(&mut sum, &values);
            let mut own = T::zero();
            for (z, weights) in slow.iter().zip(&row.weights) {
                let forced = weights.iter().zip(&values).fold(T::zero(), |sum, (w, y)| sum + w.clone() * y.clone());
                sum += z.clone() * forced;
                own += z.clone() * weights[values.len()].clone();
            }
            values.push(if own.is_zero() { sum } else { sum.divided_by(&(T::one() - own))? });
        }
        values.pop()
    }

    /// Computes R and ∂R/∂z_σ with all slow values zero.
    pub(super) fn linear_part(&self, slow: usize) -> (T, T) {
        let (mut values, mut slopes) = (vec![T::one()], vec![T::zero()]);
        for row in &self.rows {
            let mut value = row.flow.clone() * values[row.from].clone();
            row.combined.add_to(&mut value, &values);
            values.push(value);
            let forced = row.weights[slow].iter().zip(&values);
            let forced = forced.fold(T::zero(), |sum, (w, y)| sum + w.clone() * y.clone());
            let mut slope = row.flow.clone() * slopes[row.from].clone() + forced;
            row.combined.add_to(&mut slope, &slopes);
            slopes.push(slope);
        }
        let last = self.rows.len();
        (values[last].clone(), slopes[last].clone())
    }
}
