//! Elementary weights by plain recursion over one tree, without anything shared.

use hemiola_multirate::InfinitesimalStage;
use hemiola_order::{NodeKind, Tree};
use hemiola_tableau::Exact;

/// Computes the weight of a tree for the last of some rows.
pub(crate) fn weight(rows: &[InfinitesimalStage<Exact>], tree: &Tree) -> Exact {
    value(rows, rows.len() + 1, tree)
}

/// Computes Y_i[t].
fn value(rows: &[InfinitesimalStage<Exact>], stage: usize, tree: &Tree) -> Exact {
    let Some(e) = stage.checked_sub(2) else { return Exact::from(0) };
    let (NodeKind::Partition(color) | NodeKind::Time(color)) = tree.kind();
    let mut sum = along(rows, stage, tree).into_iter().fold(Exact::from(0), |sum, coefficient| sum + coefficient);
    if let Some(slow) = color.checked_sub(1) {
        for (j, coefficient) in rows[e].correction[slow].iter().enumerate() {
            sum += coefficient.clone() * product(rows, j + 1, tree);
        }
    }
    sum
}

/// Computes Π Y_j[u] over the subtrees.
fn product(rows: &[InfinitesimalStage<Exact>], stage: usize, tree: &Tree) -> Exact {
    tree.children().iter().fold(Exact::from(1), |product, child| product * value(rows, stage, child))
}

/// Computes the polynomial V_i(τ)[t].
fn along(rows: &[InfinitesimalStage<Exact>], stage: usize, tree: &Tree) -> Vec<Exact> {
    let row = &rows[stage - 2];
    let (NodeKind::Partition(color) | NodeKind::Time(color)) = tree.kind();
    let slope: Vec<Exact> = match color.checked_sub(1) {
        None => tree.children().iter().fold(vec![row.interval.clone()], |slope, child| {
            let factor = along(rows, stage, child);
            let mut product = vec![Exact::from(0); slope.len() + factor.len() - 1];
            for (i, x) in slope.iter().enumerate() {
                for (j, y) in factor.iter().enumerate() {
                    product[i + j] = product[i + j].clone() + x.clone() * y.clone();
                }
            }
            product
        }),
        Some(slow) => {
            let terms = |columns: &Vec<Exact>| {
                columns.iter().enumerate().fold(Exact::from(0), |sum, (j, coefficient)| {
                    sum + coefficient.clone() * product(rows, j + 1, tree)
                })
            };
            row.forcing[slow].iter().map(terms).collect()
        }
    };
    let combined = |columns: &[Exact]| {
        let terms = columns.iter().enumerate();
        terms.fold(Exact::from(0), |sum, (j, coefficient)| sum + coefficient.clone() * value(rows, j + 1, tree))
    };
    let mut slope = slope;
    if slope.is_empty() {
        slope.push(Exact::from(0));
    }
    slope[0] = slope[0].clone() + combined(&row.drift);
    let integral =
        slope.into_iter().enumerate().map(|(k, coefficient)| coefficient * Exact::from_ratio(1, k as u64 + 1));
    std::iter::once(value(rows, row.from, tree) + combined(&row.start)).chain(integral).collect()
}
