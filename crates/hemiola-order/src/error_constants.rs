//! Principal error coefficients: what the local error begins with.

use hemiola_tableau::{Scalar, Tableau};

use crate::error::OrderError;
use crate::grammar::Grammar;
use crate::trees::Trees;
use crate::weights::{Stages, Weights};

/// (Φ(t) − 1/γ(t))/σ(t) for all trees of one order: the principal error coefficients of a method of the order below
/// (Hairer, Nørsett & Wanner 1993, §II.3).
///
/// ```
/// use hemiola_order::principal_error_coefficients;
/// let euler = hemiola_tableau::library::method("explicit-euler").unwrap().to_f64();
/// // One tree of order two, [τ]: 0 − 1/2.
/// assert_eq!(principal_error_coefficients(&euler, 2).unwrap(), [-0.5]);
/// ```
///
/// # Errors
/// [`OrderError`] where there are too many trees.
pub fn principal_error_coefficients<T: Scalar>(tableau: &Tableau<T>, order: usize) -> Result<Vec<T>, OrderError> {
    let trees = Trees::new(&Grammar::partitioned(tableau.partitions.len()), order)?;
    let mut weights = Weights::new(&trees, tableau, Stages::Solved);
    let coefficient = |tree| weights.residual(tree) * T::ratio(1, trees.symmetry(tree));
    Ok(trees.of_order(order).into_iter().map(coefficient).collect())
}

/// The 2-norm of the principal error coefficients over the trees of order p + 1 of a method of order p, both root colours.
///
/// # Errors
/// [`OrderError`] where there are too many trees.
pub fn principal_error_norm(tableau: &Tableau<f64>, order: usize) -> Result<f64, OrderError> {
    let coefficients = principal_error_coefficients(tableau, order + 1)?;
    Ok(coefficients.iter().map(|coefficient| coefficient * coefficient).sum::<f64>().sqrt())
}
