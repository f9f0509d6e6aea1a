//! Penalties by which inequalities act before they are reached.

use nalgebra::DVector;

use crate::unknowns::linear_form::LinearForm;

/// Distance from a bound at which its penalty begins.
const BOUND_MARGIN: f64 = 0.004;
/// Weight of the penalty relative to the error coefficients, which are of size 0.01 to 0.1.
pub(crate) const BOUND_WEIGHT: f64 = 10.0;

/// Returns the distance of a point beyond the margin of an inequality.
pub(crate) fn margin_excess(form: &LinearForm, x: &DVector<f64>) -> f64 {
    (form.excess(x.as_slice()) + BOUND_MARGIN).max(0.0)
}

/// Computes the penalty of inequalities near their bound.
pub(crate) fn penalty(x: &DVector<f64>, inequalities: &[LinearForm]) -> f64 {
    inequalities.iter().map(|form| (BOUND_WEIGHT * margin_excess(form, x)).powi(2)).sum::<f64>() / 2.0
}

/// Computes the gradient of the penalty.
pub(crate) fn penalty_gradient(x: &DVector<f64>, inequalities: &[LinearForm]) -> DVector<f64> {
    let mut gradient = DVector::zeros(x.len());
    for form in inequalities {
        let force = BOUND_WEIGHT * BOUND_WEIGHT * margin_excess(form, x);
        if force > 0.0 {
            form.terms.iter().for_each(|&(j, factor)| gradient[j] += force * factor);
        }
    }
    gradient
}
