//! The sets of slow stages that a search tries.
//!
//! The slow nodes of good pairs hardly depend on the number of fast stages. At order three the second and the third
//! lie between .25 and .6 and beyond .6, and the first stage is slow; at order four, so is the last. Few sets of stages
//! have such nodes.

use hemiola_polynomial::Axis;

/// Largest number of sets that are all tried.
const FEW: usize = 20;
/// Largest number of stages that are tried for one node.
const FOR_EACH: usize = 4;
/// Largest number of sets with five and more nodes.
const MOST: usize = 24;

/// Returns the sets of slow stages, counted from 0, for numbers of slow and fast evaluations and the axis of the fast
/// polynomial.
pub(crate) fn slow_places([slow, fast]: [usize; 2], order: usize, axis: Axis) -> Vec<Vec<usize>> {
    let begins = order > 2;
    let inner = subsets(fast - usize::from(begins), slow - usize::from(begins), FEW + 1);
    if inner.len() <= FEW {
        let from_all = |set: Vec<usize>| {
            let rest = set.into_iter().map(|stage| stage + usize::from(begins));
            begins.then_some(0).into_iter().chain(rest).collect()
        };
        return inner.into_iter().map(from_all).collect();
    }
    let c: Vec<f64> = (0..fast).map(|j| abscissa(j, fast, order, axis)).collect();
    let near = |[low, high]: [f64; 2]| -> Vec<usize> {
        thinned((1..fast).filter(|&j| (low..=high).contains(&c[j])).collect(), FOR_EACH)
    };
    let mut sets: Vec<Vec<usize>> = vec![if begins { vec![0] } else { Vec::new() }];
    for window in windows(slow, order) {
        let stages = near(window);
        let later = |set: &Vec<usize>| {
            let last = set.last().copied();
            let set = set.clone();
            let stages = stages.clone().into_iter().filter(move |stage| last.is_none_or(|last| *stage > last));
            stages.map(move |stage| [set.clone(), vec![stage]].concat()).collect::<Vec<_>>()
        };
        sets = sets.iter().flat_map(later).collect();
    }
    if order > 3 {
        sets.retain(|set| set.last().is_some_and(|last| last + 1 < fast));
        sets.iter_mut().for_each(|set| set.push(fast - 1));
    }
    thinned(sets, MOST)
}

/// Returns the first `most` subsets of 0 … n−1 with k members, in lexicographic order.
pub(crate) fn subsets(n: usize, k: usize, most: usize) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    let mut current: Vec<usize> = (0..k).collect();
    while found.len() < most {
        found.push(current.clone());
        let Some(i) = (0..k).rev().find(|&i| current[i] < n - k + i) else { break };
        current[i] += 1;
        for j in i + 1..k {
            current[j] = current[j - 1] + 1;
        }
    }
    found
}

/// Returns the number of starts for each set: small pairs of order four have many minima.
pub(crate) fn starts_for_each(order: usize, fast: usize) -> usize {
    match (order, fast) {
        (4.., ..=8) => 32,
        (4.., ..=11) => 6,
        (4.., ..=16) => 2,
        (_, ..=6) => 4,
        _ => 1,
    }
}

/// Returns the abscissa with which a search starts, about that of the recurrence of the polynomial.
fn abscissa(stage: usize, fast: usize, order: usize, axis: Axis) -> f64 {
    /// The limit of the optimal polynomial over the square of its degree, for orders 1 to 4.
    const REAL_LIMIT: [f64; 4] = [2.0, 0.65, 0.48, 0.35];
    let (j, s) = (stage as f64, fast as f64);
    match axis {
        Axis::Imaginary => (j / (s - order as f64 + 1.0)).min(1.0),
        Axis::Real => ((j * j - 1.0).max(0.0) / (1.5 * REAL_LIMIT[order - 1] * s * s)).min(0.98),
    }
}

/// Returns the ranges of the nodes that are searched.
fn windows(slow: usize, order: usize) -> Vec<[f64; 2]> {
    match (order, slow) {
        (_, 1) => vec![[0.2, 0.8]],
        (..=2, 2) => vec![[0.05, 0.45], [0.5, 0.9]],
        (3, 3) => vec![[0.25, 0.6], [0.6, 1.0]],
        (4.., 4) => vec![[0.2, 0.5], [0.45, 0.8]],
        _ => {
            // Even nodes, by half a distance to both sides.
            let (first, last) = (usize::from(order > 2), usize::from(order > 3));
            let parts = (slow - last) as f64;
            let node = |k: usize| [(k as f64 - 0.4) / parts, (k as f64 + 0.4) / parts];
            (first..slow - last).map(|k| if first == 0 { node(k).map(|c| c + 0.4 / parts) } else { node(k) }).collect()
        }
    }
}

/// Returns at most a number of members, evenly distributed.
fn thinned<T: Clone>(all: Vec<T>, most: usize) -> Vec<T> {
    if all.len() <= most {
        return all;
    }
    let mut kept: Vec<usize> = (0..most).map(|k| (2 * k * (all.len() - 1) + most - 1) / (2 * (most - 1))).collect();
    kept.dedup();
    kept.into_iter().map(|k| all[k].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specification::order_barriers::highest_order;

    fn places(slow: usize, fast: usize, axis: Axis) -> Vec<Vec<usize>> {
        slow_places([slow, fast], highest_order(slow), axis)
    }

    #[test]
    fn few_sets_are_tried_at_every_size() {
        for axis in [Axis::Imaginary, Axis::Real] {
            for slow in 1..=5 {
                for fast in slow + 1..=24 {
                    let sets = places(slow, fast, axis);
                    assert!((1..=MOST).contains(&sets.len()), "{slow}–{fast}: {}", sets.len());
                    let fits = |set: &Vec<usize>| {
                        set.len() == slow && set.windows(2).all(|pair| pair[0] < pair[1]) && set[slow - 1] < fast
                    };
                    assert!(sets.iter().all(fits), "{slow}–{fast}: {sets:?}");
                }
            }
        }
    }

    #[test]
    fn small_pairs_try_all_sets() {
        assert_eq!(places(2, 5, Axis::Imaginary).len(), 10);
        assert_eq!(places(4, 6, Axis::Real).len(), 10);
        assert!(places(3, 6, Axis::Imaginary).iter().all(|set| set[0] == 0));
    }
}
