//! Least squares with nonnegative unknowns.

use nalgebra::{DMatrix, DVector};

/// Solves min ‖Ax − b‖ over x ≥ 0 (Lawson & Hanson 1974, Algorithm NNLS).
pub(crate) fn non_negative(a: &DMatrix<f64>, b: &DVector<f64>) -> DVector<f64> {
    let n = a.ncols();
    let mut x = DVector::zeros(n);
    let mut passive: Vec<usize> = Vec::new();
    let tolerance = f64::EPSILON * 10.0 * a.amax() * b.amax() * a.nrows().max(n) as f64;
    for _ in 0..3 * n {
        let gradient = a.transpose() * (b - a * &x);
        let best = (0..n).filter(|j| !passive.contains(j)).max_by(|&i, &j| gradient[i].total_cmp(&gradient[j]));
        let Some(entering) = best.filter(|&j| gradient[j] > tolerance) else { break };
        passive.push(entering);
        loop {
            let solution = on_columns(a, b, &passive);
            let blocked = passive.iter().zip(solution.iter()).filter(|(_, value)| **value <= 0.0);
            // Take the longest step toward the unconstrained solution that keeps x ≥ 0.
            let step = blocked.map(|(&j, value)| x[j] / (x[j] - value)).fold(1.0, f64::min);
            for (&j, value) in passive.iter().zip(solution.iter()) {
                x[j] += step * (value - x[j]);
            }
            if step == 1.0 {
                break;
            }
            passive.retain(|&j| {
                let stays = x[j] > f64::EPSILON;
                if !stays {
                    x[j] = 0.0;
                }
                stays
            });
        }
    }
    x
}

/// Solves the least-squares problem restricted to some of the columns.
fn on_columns(a: &DMatrix<f64>, b: &DVector<f64>, columns: &[usize]) -> DVector<f64> {
    if columns.is_empty() {
        return DVector::zeros(0);
    }
    let part = a.select_columns(columns);
    let cut = f64::EPSILON * part.nrows().max(part.ncols()) as f64 * part.amax();
    part.svd(true, true).solve(b, cut).unwrap_or_else(|_| DVector::zeros(columns.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_conditions_of_optimality_hold() {
        let a = DMatrix::from_fn(6, 9, |i, j| ((i * 7 + j * 13) % 11) as f64 - 4.5);
        let b = DVector::from_fn(6, |i, _| (i as f64 - 2.5).powi(3));
        let x = non_negative(&a, &b);
        let gradient = a.transpose() * (&b - &a * &x);
        for j in 0..9 {
            assert!(x[j] >= 0.0 && gradient[j] <= 1e-9 && (x[j] * gradient[j]).abs() <= 1e-9, "{j}: {x} {gradient}");
        }
    }

    #[test]
    fn a_positive_solution_is_found() {
        let a = DMatrix::from_row_slice(3, 2, &[1.0, 2.0, 3.0, 4.0, 5.0, 7.0]);
        let expected = DVector::from_vec(vec![0.5, 2.0]);
        assert!((non_negative(&a, &(&a * &expected)) - expected).amax() < 1e-12);
    }
}
