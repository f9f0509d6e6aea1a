//! That a solution lies beside the written decimals.

use dashu::rational::RBig;
use nalgebra::DMatrix;

use crate::interval::bounds::{Bounds, upwards};
use crate::polish::equations::Equations;
use crate::proof::krawczyk::deviation;

/// What is proved of the written decimals (Krawczyk's operator with exact residuals and outward rounded derivatives).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enclosed {
    /// The number of independent equations that hold exactly at a point within the radius.
    pub equations: usize,
    /// The unknowns that are held fixed, as many as the family has parameters.
    pub fixed: usize,
    /// A bound on the distance of each unknown from its decimals.
    pub radius: f64,
    /// A bound on what those equations miss at the decimals.
    pub residual: f64,
    /// A bound on the contraction, at most a half.
    pub contraction: f64,
    /// The number of further equations, which depend on them to first order, …
    pub others: usize,
    /// … and how far these can be from holding at that point.
    pub others_within: f64,
}

/// Proves a solution of the chosen equations near the table, with unknowns that are free held fixed.
pub(crate) fn enclose(equations: &Equations, chosen: &[usize], x: &[RBig]) -> Option<Enclosed> {
    let residuals = equations.residuals(x);
    let size = |k: usize| upwards(residuals[k].to_f64().abs());
    let residual = chosen.iter().map(|&k| size(k)).fold(f64::MIN_POSITIVE, f64::max);
    let moving = moving(&equations.jacobian(x), chosen)?;
    let select = |rows: &[Vec<Bounds>]| -> Vec<Vec<Bounds>> {
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
    let proof =
        Enclosed { equations: chosen.len(), fixed, radius, residual, contraction, others: others.len(), others_within };
    (contraction <= 0.5 && radius.is_finite()).then_some(proof)
}

/// As many unknowns as equations, whose columns are the most independent.
fn moving(jacobian: &DMatrix<f64>, chosen: &[usize]) -> Option<Vec<usize>> {
    let rows = jacobian.select_rows(chosen);
    let mut order: DMatrix<f64> = DMatrix::from_fn(1, rows.ncols(), |_, j| j as f64);
    rows.clone().col_piv_qr().p().permute_columns(&mut order);
    (rows.ncols() >= chosen.len()).then(|| order.iter().take(chosen.len()).map(|j| *j as usize).collect())
}
