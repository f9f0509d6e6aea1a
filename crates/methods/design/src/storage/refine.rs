//! Refinement of a minimum to fifty decimals.

use dashu::rational::RBig;
use hemiola_tableau::Exact;
use nalgebra::DVector;

use crate::pair::decimals::{from_doubles, moved};
use crate::refinement::newton::newton_step;
use crate::storage::equations::StorageEquations;

/// Largest number of Newton steps; each gains up to fifteen digits.
const STEPS: usize = 40;
/// Largest residual of a refined solution.
const SOLVED: f64 = 1e-50;

/// Refines the unknowns by Newton steps of smallest norm with exact residuals; `None` if they do not converge.
pub(crate) fn refined(equations: &StorageEquations, x: &[f64]) -> Option<Vec<RBig>> {
    let factors: Vec<f64> = equations.factors().collect();
    let weighted = |x: &[RBig]| {
        let values = equations.exact_residuals(x);
        DVector::from_iterator(values.len(), values.iter().map(Exact::to_f64).zip(&factors).map(|(r, f)| r * f))
    };
    let coordinates = &equations.coordinates;
    let jacobian = equations.linearized(&coordinates.tableaus(x), &coordinates.slopes(x)).1;
    let mut exact = from_doubles(x.iter().copied());
    let mut residual = weighted(&exact);
    for _ in 0..STEPS {
        let step = newton_step(&jacobian, &residual)?;
        let trial = moved(&exact, step.iter());
        let next = weighted(&trial);
        // At the last digits, rounding ends the decrease.
        if next.amax() >= residual.amax() {
            break;
        }
        (exact, residual) = (trial, next);
    }
    let worst = equations.exact_residuals(&exact).iter().map(|x| x.to_f64().abs()).fold(0.0, f64::max);
    (worst <= SOLVED).then_some(exact)
}
