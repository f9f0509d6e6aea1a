//! Coefficients of each partition of a system, without unused ones.

use std::ops::Range;

use hemiola_tableau::Method;

use crate::error::MethodMismatch;
use crate::problem::system::ranges;
use crate::stages::partition_tableaus::{Extras, PartitionTableau, partition_tableaus};

/// The coefficients of one partition and the range of its variables.
#[derive(Clone, Debug)]
pub(crate) struct PartitionCoefficients {
    pub(crate) part: PartitionTableau,
    pub(crate) range: Range<usize>,
    /// Whether the rates are needed, for each stage.
    pub(crate) is_evaluated: Vec<bool>,
}

impl PartitionCoefficients {
    pub(crate) fn a(&self, i: usize, j: usize) -> f64 {
        self.part.butcher.a[i][j]
    }
}

/// Assigns coefficients and variables to each partition of a system, and drops unused coefficients.
pub(crate) fn partition_coefficients(
    method: &Method,
    sizes: &[usize],
    extras: Extras,
) -> Result<Vec<PartitionCoefficients>, MethodMismatch> {
    let mut parts = partition_tableaus(method, sizes.len())?;
    extras.expect(method, &parts)?;
    for part in &mut parts {
        part.difference = part.difference.take().filter(|_| extras.estimate);
        part.dense = part.dense.take().filter(|_| extras.dense);
    }
    let needed = needed(&parts);
    let placed = parts.into_iter().zip(ranges(sizes)).zip(needed);
    Ok(placed.map(|((part, range), is_evaluated)| PartitionCoefficients { part, range, is_evaluated }).collect())
}

/// Marks, for each partition and stage, the evaluations that the results depend on: those with nonzero weights, and
/// those that enter stages evaluated by any partition.
fn needed(parts: &[PartitionTableau]) -> Vec<Vec<bool>> {
    let s = parts.first().map_or(0, |part| part.butcher.stages());
    let is_weighted = |part: &PartitionTableau, j: usize| {
        let has = |weights: &Vec<f64>| weights[j] != 0.0;
        let is_dense = part.dense.as_ref().is_some_and(|rows| rows[j].iter().any(|d| *d != 0.0));
        has(&part.butcher.b) || part.difference.as_ref().is_some_and(has) || is_dense
    };
    let mut needed: Vec<Vec<bool>> = parts.iter().map(|part| (0..s).map(|j| is_weighted(part, j)).collect()).collect();
    // Each sweep with a change adds an evaluation, so that the loop ends.
    loop {
        let formed: Vec<bool> = (0..s).map(|i| needed.iter().any(|stages| stages[i])).collect();
        let before = needed.clone();
        for (part, stages) in parts.iter().zip(&mut needed) {
            for (j, is_needed) in stages.iter_mut().enumerate() {
                *is_needed |= (0..s).any(|i| formed[i] && part.butcher.a[i][j] != 0.0);
            }
        }
        if needed == before {
            return needed;
        }
    }
}
