//! Refinement of solutions to fifty decimals.

use dashu::rational::RBig;
use hemiola_tableau::Exact;
use nalgebra::{DMatrix, DVector};

use crate::pair::decimals::moved_to;
use crate::refinement::newton::newton_step;

/// Refines approximate unknowns to a number of decimals by Newton steps of smallest norm with exact residuals and the Jacobian in doubles; each step gains
/// some fifteen digits. `None` if the residuals do not fall below 10⁻⁵⁰.
pub(crate) fn refined(
    start: Vec<RBig>,
    jacobian: &DMatrix<f64>,
    decimals: usize,
    residuals: impl Fn(&[Exact]) -> Vec<Exact>,
) -> Option<Vec<RBig>> {
    const STEPS: usize = 40;
    const SOLVED: f64 = 1e-50;
    let values = |x: &[RBig]| {
        let exact: Vec<Exact> = x.iter().cloned().map(Exact::from).collect();
        DVector::from_iterator(jacobian.nrows(), residuals(&exact).iter().map(Exact::to_f64))
    };
    let mut exact = start;
    if jacobian.nrows() == 0 {
        return Some(exact);
    }
    let mut residual = values(&exact);
    for _ in 0..STEPS {
        let step = newton_step(jacobian, &residual)?;
        let trial = moved_to(decimals, &exact, step.iter());
        let next = values(&trial);
        // At the last digits, rounding ends the decrease.
        if next.amax() >= residual.amax() {
            break;
        }
        (exact, residual) = (trial, next);
    }
    (residual.amax() <= SOLVED).then_some(exact)
}
