//! How often chance would do as well as a hypothesis.
//!
//! Suppose that the table were wrong in some other way, by errors in all suspected cells of a size τ that explains the residuals.
//! In units of their tolerances residuals would then fill an ellipsoid with the half-axes τσᵢ, σᵢ the singular values of
//! the Jacobian. The free value of a hypothesis accounts for one direction; in each other direction with τσᵢ > 1, residuals
//! within the tolerances have a chance of about 1/(τσᵢ). Conditions that depend on each other share their directions, so
//! that redundant ones do not count. The product, times the number of hypotheses tried, is the expected number of accidental
//! fits.

use hemiola_tableau::Tableau;

use super::cells::Cell;
use super::conditions::Conditions;

/// Directions shorter than this are taken for rounding errors of longer ones.
const NOISE: f64 = 10.0;
/// The conditions that are looked at: independent ones abound among the first.
const MOST_CONDITIONS: usize = 1500;

/// The decimal logarithm of the chance that a hypothesis with one free value fits by accident.
pub(super) fn log_chance_of_fit(
    conditions: &Conditions,
    printed: &Tableau<f64>,
    tolerances: &[f64],
    cells: &[Cell],
) -> f64 {
    let residuals = conditions.residuals(printed, |value| value.to_f64());
    let count = conditions.len().min(MOST_CONDITIONS);
    let mut rows: Vec<Vec<f64>> = (0..count).map(|k| conditions.slopes(k, printed, cells)).collect();
    let norm = |numbers: &mut dyn Iterator<Item = &f64>| numbers.map(|x| x * x).sum::<f64>().sqrt();
    let size = norm(&mut residuals[..count].iter()) / norm(&mut rows.iter().flatten());
    for (row, tolerance) in rows.iter_mut().zip(tolerances) {
        row.iter_mut().for_each(|slope| *slope *= size / tolerance);
    }
    let mut axes = half_axes(rows);
    axes.sort_by(|x, y| y.total_cmp(x));
    -axes.iter().skip(1).map(|axis| axis.log10()).sum::<f64>()
}

/// Half-axes of the image of the unit ball, by Gram and Schmidt's method with the longest row first: the lengths are the
/// singular values up to moderate factors (Golub & Van Loan 2013, §5.4.2).
fn half_axes(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let mut axes = Vec::new();
    let squared = |row: &Vec<f64>| row.iter().map(|x| x * x).sum::<f64>();
    while let Some(longest) = rows.iter().max_by(|x, y| squared(x).total_cmp(&squared(y))) {
        let length = squared(longest).sqrt();
        let first = axes.first().copied().unwrap_or(length);
        // Below the second bound only rounding errors of the longest rows are left.
        if !length.is_finite() || length <= NOISE || length <= 1e-13 * first {
            break;
        }
        axes.push(length);
        let direction: Vec<f64> = longest.iter().map(|x| x / length).collect();
        for row in &mut rows {
            let along: f64 = row.iter().zip(&direction).map(|(x, d)| x * d).sum();
            row.iter_mut().zip(&direction).for_each(|(x, d)| *x -= along * d);
        }
    }
    axes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependent_conditions_count_once() {
        let rows = vec![vec![1e6, 0.0, 0.0], vec![2e6, 0.0, 0.0], vec![1e6, 3e4, 0.0], vec![0.0, 6e4, 0.0]];
        let axes = half_axes(rows);
        assert_eq!(axes.len(), 2);
        assert!((axes[0] - 2e6).abs() < 1.0 && (axes[1] - 6e4).abs() < 1.0, "{axes:?}");
        assert_eq!(half_axes(vec![vec![0.5, 0.5]]), [0.0; 0]);
    }
}
