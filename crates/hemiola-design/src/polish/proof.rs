//! That a solution lies beside the written decimals.

use dashu::rational::RBig;
use hemiola_order::Tree;
use hemiola_tableau::Tableau;
use nalgebra::DMatrix;
use num_traits::Zero;

use crate::interval::bounds::{Bounds, upwards};
use crate::polish::assumption::Component;
use crate::polish::equation::Equation;
use crate::polish::equations::{Equations, moved_root};
use crate::proof::assumption::{Assumption, Vector};
use crate::proof::krawczyk::deviation;
use crate::proof::relations::Relations;
use crate::proof::trees::trees;

/// The relations among more conditions than these take too long: order eight has 200 of them, order five of two partitions 286.
const MOST_CONDITIONS: usize = 300;

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
    /// Whether it is proved that they hold there exactly, because they follow from those that do.
    pub others_follow: bool,
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
    let at = select(&equations.enclosed_jacobian(&equations.ball(x, 0.0)));
    let inverse = DMatrix::from_fn(at.len(), at.len(), |i, j| at[i][j].middle()).try_inverse()?;
    let reach = inverse.row_iter().map(|row| row.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max);
    let radius = upwards(upwards(upwards(reach) * 2.0) * residual);
    let ball = equations.ball(x, radius);
    let around = equations.enclosed_jacobian(&ball);
    let contraction = deviation(&select(&around), &inverse);
    let others: Vec<usize> = (0..residuals.len()).filter(|k| !chosen.contains(k)).collect();
    let slope = |k: usize| upwards(moving.iter().map(|&j| around[k][j].size()).sum::<f64>());
    let others_within = others.iter().map(|&k| upwards(size(k) + upwards(slope(k) * radius))).fold(0.0, f64::max);
    if !(contraction <= 0.5 && radius.is_finite()) {
        return None;
    }
    // What no unknown enters is zero wherever it is zero at the table.
    let is_constant = |k: &usize| residuals[*k].is_zero() && around[*k].iter().all(Bounds::is_zero);
    let holding: Vec<usize> = (0..residuals.len()).filter(|k| chosen.contains(k) || is_constant(k)).collect();
    let others_follow = others.is_empty() || all_follow(equations, &holding, &ball);
    let (fixed, others) = (x.len() - moving.len(), others.len());
    Some(Enclosed { equations: chosen.len(), fixed, radius, residual, contraction, others, others_within, others_follow })
}

/// Whether all conditions are zero wherever in a ball the given equations are.
fn all_follow(equations: &Equations, holding: &[usize], ball: &Tableau<Bounds>) -> bool {
    let holding: Vec<&Equation> = holding.iter().map(|&k| &equations.all[k]).collect();
    let of_weights = |order: usize, embedded: bool| {
        let Ok(trees) = trees(equations.partitions, order) else { return false };
        if trees.len() > MOST_CONDITIONS {
            return false;
        }
        let tableau = equations.with_weights(ball, embedded);
        let assumptions = assumptions(equations, &holding, &tableau, embedded);
        let holds = |tree: &&Tree| {
            let tree = if embedded { moved_root(tree, equations.partitions) } else { (*tree).clone() };
            holding.iter().any(|equation| matches!(equation, Equation::Order(other) if *other == tree))
        };
        let conditions: Vec<Tree> = trees.iter().filter(holds).cloned().collect();
        Relations::new(&tableau, order, &trees, &assumptions).determine_all(&conditions)
    };
    of_weights(equations.order, false) && equations.embedded.is_none_or(|order| of_weights(order, true))
}

/// The assumptions about the matrices and, unless others are embedded, the weights, with the stages at which they are imposed.
fn assumptions(
    equations: &Equations,
    holding: &[&Equation],
    tableau: &Tableau<Bounds>,
    embedded: bool,
) -> Vec<Assumption> {
    let mut all: Vec<Assumption> = Vec::new();
    for component @ Component { vector, stage, .. } in &equations.vanishing {
        let is_imposed = holding.iter().any(|equation| matches!(equation, Equation::Assumed(other) if other == component));
        let is_of_weights = matches!(vector, Vector::Weights { .. });
        // Where one of stages follows from smaller trees, no relation says so.
        let is_left_out = if is_of_weights { embedded } else { !is_imposed };
        if is_left_out || component.value(tableau).is_zero() {
            continue;
        }
        if all.last().is_none_or(|last| last.vector != *vector) {
            all.push(Assumption { vector: vector.clone(), stages: Vec::new(), imposed: Vec::new() });
        }
        if let Some(last) = all.last_mut() {
            last.stages.push(*stage);
            last.imposed.extend(is_imposed.then_some(*stage));
        }
    }
    all
}

/// As many unknowns as equations, whose columns are the most independent.
fn moving(jacobian: &DMatrix<f64>, chosen: &[usize]) -> Option<Vec<usize>> {
    let rows = jacobian.select_rows(chosen);
    let mut order: DMatrix<f64> = DMatrix::from_fn(1, rows.ncols(), |_, j| j as f64);
    rows.clone().col_piv_qr().p().permute_columns(&mut order);
    (rows.ncols() >= chosen.len()).then(|| order.iter().take(chosen.len()).map(|j| *j as usize).collect())
}
