//! The coefficients by which each partition of a system advances, reduced to those needed.

use std::ops::Range;

use hemiola_tableau::Method;

use crate::error::MethodMismatch;
use crate::problem::system::ranges;
use crate::stages::partition_tableaus::{Extras, PartitionTableau, partition_tableaus};

/// One partition's coefficients and where its variables are.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) part: PartitionTableau,
    pub(crate) range: Range<usize>,
    /// The stages at which the rates are needed.
    pub(crate) is_evaluated: Vec<bool>,
}

impl Placed {
    pub(crate) fn a(&self, i: usize, j: usize) -> f64 {
        self.part.butcher.a[i][j]
    }
}

/// The coefficients for each partition of a system, without unused ones.
pub(crate) fn placed(method: &Method, sizes: &[usize], extras: Extras) -> Result<Vec<Placed>, MethodMismatch> {
    let mut parts = partition_tableaus(method, sizes.len())?;
    extras.expect(method, &parts)?;
    for part in &mut parts {
        part.difference = part.difference.take().filter(|_| extras.estimate);
        part.dense = part.dense.take().filter(|_| extras.dense);
    }
    let needed = needed(&parts);
    let placed = parts.into_iter().zip(ranges(sizes)).zip(needed);
    Ok(placed.map(|((part, range), is_evaluated)| Placed { part, range, is_evaluated }).collect())
}

/// Which evaluations the results depend on, for each partition and stage: those in the weights, and those in the stages of
/// others.
fn needed(parts: &[PartitionTableau]) -> Vec<Vec<bool>> {
    let s = parts.first().map_or(0, |part| part.butcher.stages());
    let is_weighted = |part: &PartitionTableau, j: usize| {
        let has = |weights: &Vec<f64>| weights[j] != 0.0;
        let is_dense = part.dense.as_ref().is_some_and(|rows| rows[j].iter().any(|d| *d != 0.0));
        has(&part.butcher.b) || part.difference.as_ref().is_some_and(has) || is_dense
    };
    let mut needed: Vec<Vec<bool>> = parts.iter().map(|part| (0..s).map(|j| is_weighted(part, j)).collect()).collect();
    // Each sweep that changes anything adds an evaluation.
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
