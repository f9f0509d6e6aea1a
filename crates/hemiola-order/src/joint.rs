//! Whether one and the same rounding of the coefficients explains all residuals.
//!
//! Each residual by itself may be explained by the precision of the coefficients although no single choice of coefficients
//! within that precision satisfies all conditions: that is how a misprint in a coefficient of little weight shows. To first
//! order, errors e with |e_k| ≤ δ_k and Ge = −r are sought, G being the conditions' gradients. By Farkas' lemma there are none
//! if some y has yᵀr > Σ_k |(Gᵀy)_k| δ_k. The y tried come from least-squares solutions whose weights are shifted, step by step,
//! to the coefficients that would have to change most (Lawson's iteration towards the solution of least largest change).

use nalgebra::{DMatrix, DVector, SVD};

use crate::gradient::value_and_gradient;
use crate::uncertainty::{Uncertainty, entries};
use crate::verdict::Condition;

/// Residuals below this part of what is explained are as good as zero: the question does not arise.
const NEGLIGIBLE: f64 = 0.01;
/// More conditions than these make the question too long.
const MOST_CONDITIONS: usize = 400;
/// Steps of the iteration: the bound hardly improves after the third.
const STEPS: usize = 6;
/// Singular values below this part of the largest belong to conditions that follow from others.
const RANK_TOLERANCE: f64 = 1e-9;
/// The inequality must be violated by more than its rounding.
const CLEARLY: f64 = 1.0 + 1e-6;

/// Whether the conditions, each of which holds by itself, can hold together; also where that could not be decided.
pub(crate) fn hold_together(conditions: &[Condition], uncertainty: &Uncertainty) -> bool {
    let matters = |condition: &Condition| condition.residual.abs() > NEGLIGIBLE * condition.explained;
    if conditions.len() > MOST_CONDITIONS || !conditions.iter().any(|c| c.residual != 0.0 && matters(c)) {
        return true;
    }
    let Some(system) = System::new(conditions, uncertainty) else {
        return true;
    };
    !system.is_refuted()
}

/// Residuals and scaled gradients: Gz = −r with |z_k| ≤ 1.
struct System {
    gradients: DMatrix<f64>,
    residuals: DVector<f64>,
    /// What terms beyond the first order add to each residual.
    beyond: DVector<f64>,
}

impl System {
    fn new(conditions: &[Condition], uncertainty: &Uncertainty) -> Option<Self> {
        let deltas: Vec<f64> = entries(&uncertainty.deltas).copied().collect();
        let uncertain: Vec<usize> = (0..deltas.len()).filter(|&k| deltas[k] > 0.0).collect();
        // One scale for all numbers keeps tiny precisions from underflowing.
        let scale = deltas.iter().copied().reduce(f64::max).filter(|scale| *scale > 0.0)?;
        let rows: Vec<Vec<f64>> = conditions
            .iter()
            .map(|condition| {
                let (_, gradient) = value_and_gradient(&condition.tree, &uncertainty.nearest);
                let slopes: Vec<f64> = entries(&gradient).copied().collect();
                uncertain.iter().map(|&k| slopes[k] * deltas[k] / scale).collect()
            })
            .collect();
        let vector = |value: &dyn Fn(&Condition) -> f64| {
            DVector::from_iterator(conditions.len(), conditions.iter().map(|condition| value(condition) / scale))
        };
        Some(Self {
            gradients: DMatrix::from_fn(conditions.len(), uncertain.len(), |i, k| rows[i][k]),
            residuals: vector(&|condition| condition.residual),
            beyond: vector(&|condition| uncertainty.beyond_first_order(&condition.tree)),
        })
    }

    /// Whether some y proves that no errors within the precision explain the residuals.
    fn is_refuted(&self) -> bool {
        let (rows, columns) = self.gradients.shape();
        let mut weights = DVector::from_element(columns, 1.0);
        for _ in 0..STEPS {
            let weighted = DMatrix::from_fn(rows, columns, |i, k| self.gradients[(i, k)] * weights[k]);
            let Some(y) = least_squares_multipliers(weighted, &self.residuals) else {
                return false;
            };
            let slopes = self.gradients.transpose() * &y;
            let reachable =
                slopes.lp_norm(1) + y.iter().zip(&self.beyond).map(|(y, beyond)| y.abs() * beyond).sum::<f64>();
            if y.dot(&self.residuals) > CLEARLY * reachable {
                return true;
            }
            let changes = DVector::from_fn(columns, |k, _| (weights[k] * weights[k] * slopes[k]).abs());
            let largest = changes.max();
            if largest <= 1.0 {
                // The least-squares solution itself lies within the precision.
                return false;
            }
            weights.zip_apply(&changes, |weight, change| *weight *= (change / largest + 1e-3).sqrt());
        }
        false
    }
}

/// y = (GGᵀ)⁺r.
fn least_squares_multipliers(gradients: DMatrix<f64>, residuals: &DVector<f64>) -> Option<DVector<f64>> {
    let svd = SVD::try_new(gradients, true, false, f64::EPSILON, 10_000)?;
    let u = svd.u?;
    let cutoff = RANK_TOLERANCE * svd.singular_values.max();
    let mut components = u.transpose() * residuals;
    for (component, &sigma) in components.iter_mut().zip(&svd.singular_values) {
        *component = if sigma > cutoff { *component / (sigma * sigma) } else { 0.0 };
    }
    Some(u * components)
}
