//! Parameters of a class whose tableau agrees with rounded coefficients.

use num_dual::Dual64;

use crate::Exact;
use crate::low_storage::family::{LowerRows, StorageFamily};

/// Corrections of the parameters, each in exact arithmetic on their residuals.
const CORRECTIONS: usize = 8;
/// Number of reweightings by which least squares approach the minimax solution (Lawson 1961).
const REWEIGHTINGS: usize = 60;
/// Ridge relative to the largest diagonal entry, for parameters without effect.
const RIDGE: f64 = 1e-13;
/// Largest residual relative to the tolerance from which corrections are expected to converge.
const FARTHEST: f64 = 1e40;

/// Finds parameters whose tableau agrees with the target within the tolerance in every entry, as exact arithmetic
/// confirms. Tolerances are positive.
pub(crate) fn fitted(
    family: StorageFamily,
    start: &[f64],
    target: &LowerRows<Exact>,
    tolerance: &[f64],
) -> Option<Vec<Exact>> {
    let mut parameters = start.iter().map(|x| Exact::from_f64(*x)).collect::<Option<Vec<Exact>>>()?;
    let mut best = f64::INFINITY;
    for _ in 0..CORRECTIONS {
        let rows = family.rows(&parameters);
        let differences = target.iter().flatten().zip(rows.iter().flatten());
        let residuals: Vec<f64> = differences
            .zip(tolerance)
            .map(|((target, found), tolerance)| (target.clone() - found.clone()).to_f64() / tolerance)
            .collect();
        let worst = maximum(&residuals);
        if worst <= 1.0 {
            return Some(parameters);
        }
        if !(worst < FARTHEST && worst < 0.99 * best) {
            return None;
        }
        best = worst;
        let columns = slopes(family, &parameters, tolerance);
        for (x, change) in parameters.iter_mut().zip(least_maximum(&columns, &residuals)?) {
            *x += Exact::from_f64(change)?;
        }
    }
    None
}

fn maximum(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |largest: f64, x| if x.is_nan() { f64::NAN } else { largest.max(x.abs()) })
}

/// Returns the derivative of all entries, relative to their tolerances, with respect to each parameter.
fn slopes(family: StorageFamily, parameters: &[Exact], tolerance: &[f64]) -> Vec<Vec<f64>> {
    let mut duals: Vec<Dual64> = parameters.iter().map(|x| Dual64::from_re(x.to_f64())).collect();
    let column = |k: usize| {
        duals[k].eps = 1.0;
        let rows = family.rows(&duals);
        duals[k].eps = 0.0;
        rows.iter().flatten().zip(tolerance).map(|(entry, tolerance)| entry.eps / tolerance).collect()
    };
    (0..parameters.len()).map(column).collect()
}

/// Returns the change of the parameters that approximately minimizes the largest linearized residual.
fn least_maximum(columns: &[Vec<f64>], residuals: &[f64]) -> Option<Vec<f64>> {
    let mut weights = vec![1.0; residuals.len()];
    let mut best = (f64::INFINITY, None);
    for _ in 0..REWEIGHTINGS {
        let change = least_squares(columns, residuals, &weights)?;
        let rest = remaining(columns, residuals, &change);
        let worst = maximum(&rest);
        if worst < best.0 {
            best = (worst, Some(change));
        }
        if best.0 <= 0.5 || worst.is_nan() {
            break;
        }
        weights.iter_mut().zip(&rest).for_each(|(weight, rest)| *weight *= rest.abs());
        let total = weights.iter().sum::<f64>() / weights.len() as f64;
        weights.iter_mut().for_each(|weight| *weight = (*weight / total).max(1e-9));
    }
    best.1
}

fn remaining(columns: &[Vec<f64>], residuals: &[f64], change: &[f64]) -> Vec<f64> {
    let mut rest = residuals.to_vec();
    for (column, change) in columns.iter().zip(change) {
        rest.iter_mut().zip(column).for_each(|(rest, slope)| *rest -= change * slope);
    }
    rest
}

/// Solves the weighted least-squares problem by normal equations of scaled columns. Errors of the solution only cost
/// further corrections.
fn least_squares(columns: &[Vec<f64>], residuals: &[f64], weights: &[f64]) -> Option<Vec<f64>> {
    let product = |x: &[f64], y: &[f64]| x.iter().zip(y).zip(weights).map(|((x, y), w)| w * x * y).sum::<f64>();
    let scales: Vec<f64> = columns.iter().map(|column| product(column, column).sqrt()).collect();
    let scale = |k: usize| if scales[k] > 0.0 { scales[k].recip() } else { 0.0 };
    let n = columns.len();
    let mut matrix = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            matrix[i][j] = product(&columns[i], &columns[j]) * scale(i) * scale(j);
        }
        matrix[i][i] += RIDGE;
    }
    let right = (0..n).map(|k| product(&columns[k], residuals) * scale(k)).collect();
    let solution = cholesky(matrix, right)?;
    Some(solution.iter().enumerate().map(|(k, x)| x * scale(k)).collect())
}

/// Solves a symmetric positive definite system, given by its lower triangle.
fn cholesky(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let n = right.len();
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
            let rest = matrix[i][j] - sum;
            matrix[i][j] = if i > j { rest / matrix[j][j] } else { rest.max(RIDGE).sqrt() };
        }
        let sum: f64 = (0..i).map(|k| matrix[i][k] * right[k]).sum();
        right[i] = (right[i] - sum) / matrix[i][i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| matrix[k][i] * right[k]).sum();
        right[i] = (right[i] - sum) / matrix[i][i];
    }
    right.iter().all(|x| x.is_finite()).then_some(right)
}
