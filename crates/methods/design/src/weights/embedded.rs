//! Embedded weights b̂ for a finished pair; their difference from b estimates the error of a step.
//!
//! Weights of order q differ from b by a null vector n of the conditions up to order q. Let τ⁽ᵐ⁾ be the error
//! coefficients of order m. The leading term of the estimate is of order h^{q+1} and size ‖τ̂⁽q⁺¹⁾‖; the next terms
//! should not disturb it. Prince & Dormand (1981) and Kennedy, Carpenter & Lewis (2000, §2) require B =
//! ‖τ̂⁽q⁺²⁾‖/‖τ̂⁽q⁺¹⁾‖, C = ‖τ̂⁽q⁺²⁾ − τ⁽q⁺²⁾‖/‖τ̂⁽q⁺¹⁾‖ and E = ‖τ⁽ᵖ⁺¹⁾‖/‖τ̂⁽q⁺¹⁾‖ to be of the size of one.
//!
//! C depends only on the direction of n, which therefore minimizes C. The errors of order q + 3 and the size of n are
//! added, since they bound coefficients on which the conditions hardly depend; a difference n as large as b counts as
//! much as C = 1. The length of n makes E equal to one, with equal shares of both partitions of the pair. The sign of n
//! gives the smaller B.

use dashu::rational::RBig;
use hemiola_order::principal_error;
use hemiola_tableau::{Exact, Tableau};
use nalgebra::{DMatrix, DVector, SymmetricEigen};

use crate::error::DesignError;
use crate::pair::decimals::{from_doubles, moved};
use crate::pair::first_same_as_last::available;
use crate::pair::partitions::FAST;
use crate::weights::moments::{ErrorCoefficients, Moments, RangeNullSpace, scatter_to_stages, stack, to_f64};

/// Computes embedded weights b̂ of order `wanted` for a pair of order `order`, for each partition at its evaluated
/// stages.
///
/// # Errors
/// Returns [`DesignError::NoWeights`] if a partition has no other weights of this order.
pub(crate) fn embedded(tableau: &Tableau<Exact>, order: usize, wanted: usize) -> Result<Vec<Vec<Exact>>, DesignError> {
    let size = principal_error(tableau, order)?.total.two / (tableau.partitions.len() as f64).sqrt();
    let part = |partition| {
        let found = weights(tableau, partition, wanted, size)?;
        let part = if partition == FAST { "fast" } else { "slow" };
        found.ok_or(DesignError::NoWeights { part, what: "other weights", wanted })
    };
    (0..tableau.partitions.len()).map(part).collect()
}

/// Computes the weights of one partition with errors of order q + 1 of the given size.
fn weights(
    tableau: &Tableau<Exact>,
    partition: usize,
    wanted: usize,
    size: f64,
) -> Result<Option<Vec<Exact>>, DesignError> {
    let stages = available(tableau, partition);
    let moments = Moments::new(tableau, &stages, wanted)?;
    let b = &tableau.partitions[partition].b;
    let b = DVector::from_iterator(stages.len(), stages.iter().map(|&i| b[i].to_f64()));
    let doubles = to_f64(tableau);
    let errors = [1, 2, 3].map(|beyond| ErrorCoefficients::new(&doubles, &stages, wanted + beyond));
    let [leading, next, after] = errors;
    let errors = [leading?, next?, after?];
    let Some(RangeNullSpace { inverse, null }) = RangeNullSpace::new(&moments.matrix) else { return Ok(None) };
    let Some(difference) = clearest_difference(&errors, &null, &b, size) else { return Ok(None) };
    let start = b + difference;
    let refined = refine(&moments, &inverse, &start);
    Ok(refined.map(|x| scatter_to_stages(&stages, tableau.stages(), &x)))
}

/// Computes a difference from the weights b in a null space, with errors of order q + 1 of the given size.
///
/// Its errors of the orders q + 1, q + 2 and q + 3 determine its direction. Returns `None` if all weights of order
/// q have order q + 1.
pub(crate) fn clearest_difference(
    [leading, next, after]: &[ErrorCoefficients; 3],
    null: &DMatrix<f64>,
    b: &DVector<f64>,
    size: f64,
) -> Option<DVector<f64>> {
    let [main, others] = [&leading.matrix * null, stack(&(&next.matrix * null), &(&after.matrix * null))];
    // Size of the errors that rounding leaves if all weights of order q have order q + 1.
    let noise = leading.matrix.norm() * f64::EPSILON * b.len() as f64;
    let direction = clearest(&main, &others, size / b.norm()).filter(|y| (&main * y).norm() > noise * y.norm())?;
    let difference = null * (&direction * (size / (&main * &direction).norm()));
    let disturbance = |x: &DVector<f64>| (&next.matrix * x - &next.expected).norm();
    let [plus, minus] = [b + &difference, b - &difference];
    Some(if disturbance(&minus) < disturbance(&plus) { -difference } else { difference })
}

/// Returns the y that maximizes ‖Ey‖²/(‖Fy‖² + μ²‖y‖²).
fn clearest(main: &DMatrix<f64>, others: &DMatrix<f64>, mu: f64) -> Option<DVector<f64>> {
    if main.ncols() == 0 {
        return None;
    }
    let metric = others.tr_mul(others) + DMatrix::identity(main.ncols(), main.ncols()) * (mu * mu);
    let lower = metric.cholesky()?.l();
    let scaled = lower.solve_lower_triangular(&main.transpose())?;
    let eigen = SymmetricEigen::try_new(&scaled * scaled.transpose(), f64::EPSILON, 10_000)?;
    lower.tr_solve_lower_triangular(&eigen.eigenvectors.column(eigen.eigenvalues.imax()))
}

/// Refines weights by Newton steps with exact residuals.
///
/// Returns `None` if the residual exceeds the part that the precision of the stages explains: the null space then
/// exists only to the precision of doubles.
fn refine(moments: &Moments, inverse: &DMatrix<f64>, start: &DVector<f64>) -> Option<Vec<RBig>> {
    let (x, residual) = refined_weights(moments, inverse, start);
    (residual <= moments.explainable_residual(&x)).then_some(x)
}

/// Refines weights by Newton steps with exact residuals and returns the largest remaining residual.
pub(crate) fn refined_weights(moments: &Moments, inverse: &DMatrix<f64>, start: &DVector<f64>) -> (Vec<RBig>, f64) {
    const STEPS: usize = 8;
    let mut x = from_doubles(start.iter().copied());
    let mut residual = moments.residual(&x, |_| 1);
    for _ in 0..STEPS {
        let trial = moved(&x, (inverse * &residual).iter());
        let next = moments.residual(&trial, |_| 1);
        // At the last digits, rounding ends the decrease.
        if next.amax() >= residual.amax() {
            break;
        }
        (x, residual) = (trial, next);
    }
    (x, residual.amax())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::first_same_as_last::{is_first_same_as_last, with_last_stage};
    use hemiola_order::principal_error_coefficients;
    use hemiola_tableau::library;

    /// Returns a pair whose partitions both equal a method with one partition.
    fn doubled(id: &str) -> Tableau<Exact> {
        let plain = library::method(id).unwrap().exact().partitions[0].clone();
        Tableau { partitions: vec![plain.clone(), plain] }
    }

    fn null_vectors(tableau: &Tableau<Exact>, order: usize) -> DMatrix<f64> {
        RangeNullSpace::new(&Moments::new(tableau, &available(tableau, FAST), order).unwrap().matrix).unwrap().null
    }

    #[test]
    fn four_stages_of_order_four_have_no_embedded_order_three() {
        for id in ["rk4", "ralston-4", "gill-4"] {
            let tableau = doubled(id);
            assert_eq!(null_vectors(&tableau, 3).ncols(), 0, "{id}");
            assert!(matches!(embedded(&tableau, 4, 3), Err(DesignError::NoWeights { part: "slow", .. })), "{id}");
            let longer = with_last_stage(&tableau);
            assert!(is_first_same_as_last(&longer) && !is_first_same_as_last(&tableau));
            assert_eq!(null_vectors(&longer, 3).ncols(), 1, "{id}");
            // The fifth weight, at the first stage of the next step, is nonzero and distinguishes the weights from
            // b.
            let weights = embedded(&longer, 4, 3).unwrap();
            assert!(weights.iter().all(|b| b[4].to_f64().abs() > 1e-3), "{id}");
        }
    }

    #[test]
    fn published_weights_lie_in_the_space_that_is_searched() {
        for (id, order) in [("bogacki-shampine-3", 3), ("dormand-prince-5", 5)] {
            let tableau = doubled(id);
            let hat = library::method(id).unwrap().embedded().unwrap().to_f64().partitions[0].b.clone();
            let b = to_f64(&tableau).partitions[0].b.clone();
            let published = DVector::from_vec(hat) - DVector::from_vec(b.clone());
            let null = null_vectors(&tableau, order - 1);
            let outside = &published - &null * null.tr_mul(&published);
            assert!(outside.norm() < 1e-14 * published.norm().max(0.1), "{id}: {outside}");
            // A single null vector leaves only the length and the sign free.
            let found = &embedded(&tableau, order, order - 1).unwrap()[FAST];
            let found = DVector::from_fn(b.len(), |i, _| found[i].to_f64() - b[i]);
            let cosine = found.dot(&published) / (found.norm() * published.norm());
            assert!(null.ncols() > 1 || (cosine.abs() - 1.0).abs() < 1e-12, "{id}: {cosine}");
        }
        assert_eq!(null_vectors(&doubled("dormand-prince-5"), 4).ncols(), 1);
    }

    #[test]
    fn the_criteria_of_prince_and_dormand() {
        let tableau = doubled("bogacki-shampine-3");
        let weights = embedded(&tableau, 3, 2).unwrap();
        let mut estimate = tableau.clone();
        estimate.partitions.iter_mut().zip(weights).for_each(|(part, b)| part.b = b);
        let norm = |tableau: &Tableau<Exact>, order| {
            DVector::from_vec(principal_error_coefficients(&to_f64(tableau), order).unwrap()).norm()
        };
        assert!(norm(&estimate, 2) < 1e-15, "order 2");
        let (leading, next, main) = (norm(&estimate, 3), norm(&estimate, 4), norm(&tableau, 4));
        assert!((main / leading - 1.0).abs() < 1e-12, "E = {}", main / leading);
        assert!(next / leading < 2.0, "B = {}", next / leading);
    }

    #[test]
    fn no_direction_is_clearer() {
        let main = DMatrix::from_row_slice(2, 3, &[1.0, 0.3, -0.2, 0.1, 0.7, 0.4]);
        let others = DMatrix::from_row_slice(3, 3, &[0.2, 0.5, 0.1, -0.3, 0.2, 0.9, 0.6, 0.1, 0.1]);
        let quotient =
            |y: &DVector<f64>| (&main * y).norm_squared() / ((&others * y).norm_squared() + 0.04 * y.norm_squared());
        let best = quotient(&clearest(&main, &others, 0.2).unwrap());
        let mut highest: f64 = 0.0;
        for i in 0..60 {
            for j in 0..60 {
                let (polar, azimuth) = (f64::from(i) * 0.05236, f64::from(j) * 0.10472);
                let (sine, cosine) = polar.sin_cos();
                highest =
                    highest.max(quotient(&DVector::from_vec(vec![sine * azimuth.cos(), sine * azimuth.sin(), cosine])));
            }
        }
        assert!(highest <= best * (1.0 + 1e-12) && highest > 0.98 * best, "{highest}, {best}");
    }
}
