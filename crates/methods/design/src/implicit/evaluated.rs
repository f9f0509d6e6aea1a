//! The stages at which the partition with fewer evaluations is evaluated.

use crate::implicit::specification::{DiagonalStructure, ImplicitSpecification, Role};

/// Largest number of choices that are tried.
const MOST_CHOICES: usize = 8;

/// Returns choices of the evaluated stages of each partition, the most even ones first.
///
/// Explicit partitions, and implicit ones with an explicit first stage, begin at the first stage; stiffly accurate ones
/// end at the last. The second stage is also evaluated if there are enough evaluations; otherwise its limit for stiff
/// terms is bounded only if it coincides with the first stage. Among the remaining choices, those with the most even
/// spacing are tried.
pub(crate) fn choices(specification: &ImplicitSpecification) -> Vec<Vec<Vec<usize>>> {
    let s = specification.stages();
    let Some(few) = (0..specification.partitions.len()).find(|&k| specification.partitions[k].evaluations < s) else {
        return vec![specification.partitions.iter().map(|_| (0..s).collect()).collect()];
    };
    let shape = specification.partitions[few];
    let is_implicit = shape.role == Role::Implicit;
    let is_esdirk = is_implicit && specification.structure == DiagonalStructure::Esdirk;
    let begins = !is_implicit || is_esdirk;
    let continues = is_esdirk && shape.evaluations > 2;
    let ends = is_implicit && specification.stiffly_accurate;
    let fits = |stages: &Vec<usize>| {
        (!begins || stages.first() == Some(&0))
            && (!continues || stages.get(1) == Some(&1))
            && (!ends || stages.last() == Some(&(s - 1)))
    };
    let mut all: Vec<Vec<usize>> = subsets(s, shape.evaluations).into_iter().filter(fits).collect();
    let unevenness = |stages: &Vec<usize>| -> usize { stages.windows(2).map(|w| (w[1] - w[0]).pow(2)).sum() };
    all.sort_by_key(unevenness);
    all.truncate(MOST_CHOICES);
    let with = |stages: Vec<usize>| {
        let part = |k: usize| if k == few { stages.clone() } else { (0..s).collect() };
        (0..specification.partitions.len()).map(part).collect()
    };
    all.into_iter().map(with).collect()
}

/// Returns the subsets of 0, …, n − 1 with a given size, each in increasing order.
fn subsets(n: usize, size: usize) -> Vec<Vec<usize>> {
    (0..n).fold(vec![Vec::new()], |sets: Vec<Vec<usize>>, k| {
        let longer = sets.iter().map(|set| set.iter().copied().chain([k]).collect());
        let mut all: Vec<Vec<usize>> = sets.iter().cloned().chain(longer).collect();
        // Retain the sets that can still reach the size.
        all.retain(|set| set.len() <= size && set.len() + (n - 1 - k) >= size);
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_counted_by_binomials() {
        assert_eq!(subsets(6, 3).len(), 20);
        assert_eq!(subsets(3, 3), [[0, 1, 2]]);
    }
}
