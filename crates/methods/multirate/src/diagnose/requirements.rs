//! The equations that a correct reading must satisfy.

use hemiola_order::{Grammar, TreeId, Trees};
use num_dual::Dual64;

use crate::error::MultirateError;
use crate::method::InfinitesimalMethod;
use crate::stage::InfinitesimalStage;
use crate::weights::{MultirateWeights, RowKind};

/// Order conditions of the step and of the embedded row, and sums of internal consistency.
pub(super) struct Requirements {
    trees: Trees,
    conditions: Vec<(TreeId, RowKind)>,
    stages: usize,
    /// Whether the sums of internal consistency are equations as well.
    is_consistent: bool,
}

impl Requirements {
    /// Collects the equations up to the orders of the step and of the embedded row.
    pub(super) fn new(method: &InfinitesimalMethod, orders: [usize; 2]) -> Result<Self, MultirateError> {
        let trees = Trees::new(&Grammar::partitioned(method.partitions().len()), orders[0].max(orders[1]).max(1))?;
        let of = |order: usize, row: RowKind| {
            let ids: Vec<TreeId> = (1..=order).flat_map(|order| trees.of_order(order)).collect();
            ids.into_iter().map(move |id| (id, row))
        };
        let conditions = of(orders[0], RowKind::Step).chain(of(orders[1], RowKind::Embedded)).collect();
        // A single wrong coefficient violates the sums of at most one stage, or of all stages by an interval.
        let stages = method.stages().len();
        let partitions = 1..method.partitions().len();
        let mut wrong: Vec<usize> = partitions
            .flat_map(|partition| method.inconsistencies(partition))
            .filter(|sum| !sum.verdict.holds())
            .map(|sum| sum.stage)
            .collect();
        wrong.sort_unstable();
        wrong.dedup();
        let is_simple = method.exact_rows().iter().all(InfinitesimalStage::is_simple);
        Ok(Self { trees, conditions, stages, is_consistent: is_simple && wrong.len() <= 1 && stages > 1 })
    }

    /// Computes all residuals.
    pub(super) fn residuals(&self, rows: &[InfinitesimalStage<Dual64>]) -> Vec<Dual64> {
        let mut weights = MultirateWeights::new(&self.trees, rows.to_vec(), self.stages);
        let condition = |&(tree, row): &(TreeId, RowKind)| {
            weights.weight(tree, row) - Dual64::from_re(1.0 / self.trees.density(tree) as f64)
        };
        let mut residuals: Vec<Dual64> = self.conditions.iter().map(condition).collect();
        if self.is_consistent {
            residuals.extend(rows[..self.stages].iter().flat_map(sums));
        }
        residuals
    }
}

/// Returns the sums Σ_j γ⁰ⱼ + Γⱼ − Δ and Σ_j γᵏⱼ of all slow partitions.
fn sums(row: &InfinitesimalStage<Dual64>) -> Vec<Dual64> {
    let zero = Dual64::from_re(0.0);
    let of = |slow: usize| {
        let powers = &row.forcing[slow];
        let sum = move |power: usize| {
            let forcing = powers.get(power).into_iter().flatten().fold(zero, |sum, x| sum + *x);
            match power {
                0 => row.correction[slow].iter().fold(forcing - row.interval, |sum, x| sum + *x),
                _ => forcing,
            }
        };
        (0..powers.len().max(1)).map(sum)
    };
    (0..row.forcing.len()).flat_map(of).collect()
}
