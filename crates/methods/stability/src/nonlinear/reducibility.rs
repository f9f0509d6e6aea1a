//! Reducibility in the senses of Dahlquist & Jeltsch and of Hundsdorfer & Spijker.

use std::cmp::Ordering;

use hemiola_tableau::{Butcher, Exact, Method, influential_stages};
use num_traits::Zero;

/// Stages that a method does not need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reducibility {
    /// Stages without influence on the step, counted from 0.
    pub unused: Vec<usize>,
    /// Groups of at least two of the other stages that are equal for every problem, counted from 0.
    pub equal: Vec<Vec<usize>>,
}

impl Reducibility {
    /// Returns whether the method is DJ-reducible: a stage has no influence on the step (Dahlquist & Jeltsch 1979).
    #[must_use]
    pub fn is_dj_reducible(&self) -> bool {
        !self.unused.is_empty()
    }

    /// Returns whether the method without its unused stages is HS-reducible: stages are equal for every problem
    /// (Hundsdorfer & Spijker 1981).
    #[must_use]
    pub fn is_hs_reducible(&self) -> bool {
        !self.equal.is_empty()
    }
}

/// Finds stages without influence and stages that are equal for every problem. Coefficients are taken as written.
///
/// A stage has influence if the step depends on it through any partition. Stages i and j are equal if, for a grouping
/// of all stages, the sums of aᵢₖ and of aⱼₖ over each group agree within every group and for every partition (Hairer &
/// Wanner 1996, §IV.12).
///
/// ```
/// use hemiola_stability::nonlinear::reducibility;
/// let gauss = reducibility(&hemiola_tableau::library::method("gauss-2")?);
/// assert!(!gauss.is_dj_reducible() && !gauss.is_hs_reducible());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn reducibility(method: &Method) -> Reducibility {
    let partitions = method.exact().partitions;
    let influential = influential_stages(&partitions);
    let unused = (0..method.stages()).filter(|stage| !influential.contains(stage)).collect();
    Reducibility { unused, equal: equal_stages(&partitions, vec![influential]) }
}

/// Finds stages of a partition that are equal for every problem y' = f(t, y): those of [`reducibility`] with the same
/// abscissae. Groups have at least two stages.
pub(super) fn equal_stages_at_equal_times(butcher: &Butcher<Exact>) -> Vec<Vec<usize>> {
    let partition = std::slice::from_ref(butcher);
    let by_time = split(&influential_stages(partition), &|stage| vec![butcher.c[stage].clone()]);
    equal_stages(partition, by_time)
}

/// Refines a grouping of the stages until the sums over the groups agree within each group, and returns its groups of
/// several stages. The result is the coarsest such refinement.
fn equal_stages(partitions: &[Butcher<Exact>], mut groups: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    loop {
        let sums = |stage: usize| -> Vec<Exact> {
            let rows = partitions.iter().map(|partition| &partition.a[stage]);
            rows.flat_map(|row| groups.iter().map(|group| sum(group.iter().map(|&k| &row[k])))).collect()
        };
        let refined: Vec<Vec<usize>> = groups.iter().flat_map(|group| split(group, &sums)).collect();
        if refined.len() == groups.len() {
            return groups.into_iter().filter(|group| group.len() > 1).collect();
        }
        groups = refined;
    }
}

/// Splits a group into parts with equal sums.
fn split(group: &[usize], sums: &impl Fn(usize) -> Vec<Exact>) -> Vec<Vec<usize>> {
    let mut parts: Vec<(Vec<Exact>, Vec<usize>)> = Vec::new();
    for &stage in group {
        let sums = sums(stage);
        match parts.iter_mut().find(|(known, _)| are_equal(known, &sums)) {
            Some((_, part)) => part.push(stage),
            None => parts.push((sums, vec![stage])),
        }
    }
    parts.into_iter().map(|(_, part)| part).collect()
}

fn sum<'a>(terms: impl Iterator<Item = &'a Exact>) -> Exact {
    terms.fold(Exact::zero(), |sum, term| sum + term.clone())
}

fn are_equal(x: &[Exact], y: &[Exact]) -> bool {
    x.iter().zip(y).all(|(x, y)| (x.clone() - y.clone()).sign() == Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    fn found(a: &str, b: &str) -> Reducibility {
        let text = format!(
            r#"{{"format": "hemiola-method/1", "id": "test", "name": "Test",
                "partitions": [{{"name": "all", "a": {a}, "b": {b}}}]}}"#
        );
        reducibility(&Method::from_json(text.as_bytes(), "test").unwrap())
    }

    #[test]
    fn stages_without_influence_are_found() {
        // The third stage uses the second, but nothing uses the third.
        let dj = found(r#"[["0","0","0"],["1","0","0"],["0","1","0"]]"#, r#"["1/2","1/2","0"]"#);
        assert_eq!((&dj.unused[..], dj.is_dj_reducible(), dj.is_hs_reducible()), (&[2][..], true, false));
        let chain = found(r#"[["0","0","0"],["1","0","0"],["0","1","0"]]"#, r#"["0","0","1"]"#);
        assert!(!chain.is_dj_reducible());
    }

    #[test]
    fn equal_stages_are_found() {
        // Stages 2 and 3 differ in their entries, but not in the sum over themselves.
        let hs = found(r#"[["0","0","0"],["1/2","1/4","1/4"],["1/2","1/2","0"]]"#, r#"["1/2","1/4","1/4"]"#);
        assert_eq!(hs.equal, [[1, 2]]);
        for id in ["gauss-3", "lobatto-iiic-4", "rk4", "lobatto-iiia-3"] {
            assert!(!reducibility(&library::method(id).unwrap()).is_hs_reducible(), "{id}");
        }
    }
}
