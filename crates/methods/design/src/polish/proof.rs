//! Proof of a solution near the written decimals.

use dashu::rational::RBig;
use nalgebra::DMatrix;

use crate::interval::bounds::{RealInterval, upwards};
use crate::polish::equations::PolishEquations;
use crate::proof::krawczyk::deviation;

/// A proven enclosure near the written decimals, by Krawczyk's operator with exact residuals and outward rounded
/// derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolishEnclosure {
    /// The number of independent equations that hold exactly at a point within the radius.
    pub equations: usize,
    /// The number of unknowns held fixed, equal to the number of parameters of the family.
    pub fixed: usize,
    /// A bound on the distance of each unknown from its decimals.
    pub radius: f64,
    /// A bound on the residuals of those equations at the decimals.
    pub residual: f64,
    /// A bound on the contraction, at most 1/2.
    pub contraction: f64,
    /// The number of further equations, which depend on the independent ones to first order.
    pub others: usize,
    /// A bound on the residuals of the further equations at that point.
    pub others_within: f64,
}

/// Proves that the chosen equations have a solution near the table; free unknowns are held fixed.
pub(crate) fn enclose(equations: &PolishEquations, chosen: &[usize], x: &[RBig]) -> Option<PolishEnclosure> {
    let residuals = equations.residuals(x);
    let size = |k: usize| upwards(residuals[k].to_f64().abs());
    let residual = chosen.iter().map(|&k| size(k)).fold(f64::MIN_POSITIVE, f64::max);
    let moving = moving(&equations.jacobian(x), chosen)?;
    let select = |rows: &[Vec<RealInterval>]| -> Vec<Vec<RealInterval>> {
        chosen.iter().map(|&k| moving.iter().map(|&j| rows[k][j]).collect()).collect()
    };
    let at = select(&equations.enclosed_jacobian(x, 0.0));
    let inverse = DMatrix::from_fn(at.len(), at.len(), |i, j| at[i][j].middle()).try_inverse()?;
    let reach = inverse.row_iter().map(|row| row.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max);
    let radius = upwards(upwards(upwards(reach) * 2.0) * residual);
    let around = equations.enclosed_jacobian(x, radius);
    let contraction = deviation(&select(&around), &inverse);
    let others: Vec<usize> = (0..residuals.len()).filter(|k| !chosen.contains(k)).collect();
    let slope = |k: usize| upwards(moving.iter().map(|&j| around[k][j].size()).sum::<f64>());
    let others_within = others.iter().map(|&k| upwards(size(k) + upwards(slope(k) * radius))).fold(0.0, f64::max);
    let fixed = x.len() - moving.len();
    let proof = PolishEnclosure {
        equations: chosen.len(),
        fixed,
        radius,
        residual,
        contraction,
        others: others.len(),
        others_within,
    };
    (contraction <= 0.5 && radius.is_finite()).then_some(proof)
}

/// Chooses as many unknowns as equations, those with the most independent columns.
fn moving(jacobian: &DMatrix<f64>, chosen: &[usize]) -> Option<Vec<usize>> {
    let rows = jacobian.select_rows(chosen);
    let mut order: DMatrix<f64> = DMatrix::from_fn(1, rows.ncols(), |_, j| j as f64);
    rows.clone().col_piv_qr().p().permute_columns(&mut order);
    (rows.ncols() >= chosen.len()).then(|| order.iter().take(chosen.len()).map(|j| *j as usize).collect())
}
