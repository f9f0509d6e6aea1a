//! B-stability and AN-stability.

use hemiola_tableau::{Butcher, Exact, Method};
use num_traits::Zero;

use crate::error::StabilityError;
use crate::monotonicity::Rows;
use crate::nonlinear::algebraic::{algebraic_stability, largest_change, verdict};
use crate::nonlinear::reducibility::{Reducibility, reducibility};
use crate::nonlinear::stability_form::stability_form;

/// Decides whether a partition, counted from 0, is B-stable: ‖yₙ₊₁ − zₙ₊₁‖ ≤ ‖yₙ − zₙ‖ for any two solutions of a
/// problem with ⟨f(y) − f(z), y − z⟩ ≤ 0 (Butcher 1975).
///
/// Methods without unused and equal stages are B-stable if and only if they are algebraically stable (Hundsdorfer &
/// Spijker 1981); others are reduced first. Holds exactly or to the precision of the coefficients.
///
/// ```
/// use hemiola_stability::nonlinear::is_b_stable;
/// use hemiola_tableau::library::method;
/// assert!(is_b_stable(&method("lobatto-iiic-3")?, 0)?);
/// assert!(!is_b_stable(&method("lobatto-iiia-3")?, 0)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`StabilityError::WrongSize`] if there is no such partition.
pub fn is_b_stable(method: &Method, partition: usize) -> Result<bool, StabilityError> {
    if algebraic_stability(method, partition)?.holds() {
        return Ok(true);
    }
    let Some(subject) = Subject::new(method, partition) else { return Ok(false) };
    let Reducibility { unused, equal } = &subject.reducibility;
    if unused.is_empty() && equal.is_empty() {
        return Ok(false);
    }
    let stages = (0..subject.exact.stages()).filter(|stage| !unused.contains(stage));
    // The first stage of a group represents all of them.
    let first = |stage: usize| equal.iter().find(|group| group.contains(&stage)).map_or(stage, |group| group[0]);
    let groups = grouped(&stages.collect::<Vec<_>>(), |i, j| first(i) == first(j));
    Ok(subject.is_stable_on(&groups))
}

/// Decides whether a partition, counted from 0, is AN-stable: |yₙ₊₁| ≤ |yₙ| for all problems y' = λ(t)y with Re λ ≤ 0
/// (Burrage & Butcher 1979).
///
/// Methods with distinct abscissae are AN-stable if and only if they are algebraically stable. If used stages share an
/// abscissa, algebraic stability remains sufficient. The necessary condition is only that the sums of b and M over such
/// stages are nonnegative and positive semidefinite; if only this condition holds, the result is `None`, undecided.
/// Holds exactly or to the precision of the coefficients.
///
/// ```
/// use hemiola_stability::nonlinear::is_an_stable;
/// use hemiola_tableau::library::method;
/// // The trapezoidal rule is A-stable, but not for λ that jump.
/// assert_eq!(is_an_stable(&method("lobatto-iiia-2")?, 0)?, Some(false));
/// assert_eq!(is_an_stable(&method("implicit-midpoint")?, 0)?, Some(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`StabilityError::WrongSize`] if there is no such partition.
pub fn is_an_stable(method: &Method, partition: usize) -> Result<Option<bool>, StabilityError> {
    if is_b_stable(method, partition)? {
        return Ok(Some(true));
    }
    let Some(subject) = Subject::new(method, partition) else { return Ok(Some(false)) };
    if subject.exact.is_explicit() {
        return Ok(Some(false));
    }
    let used = (0..subject.exact.stages()).filter(|stage| !subject.reducibility.unused.contains(stage));
    let (c, changes) = (&subject.exact.c, &subject.uncertainty.c);
    let agree = |i: usize, j: usize| (c[i].to_f64() - c[j].to_f64()).abs() <= changes[i] + changes[j];
    let groups = grouped(&used.collect::<Vec<_>>(), agree);
    let is_open = groups.iter().any(|group| group.len() > 1) && subject.is_stable_on(&groups);
    Ok(if is_open { None } else { Some(false) })
}

/// A partition by itself.
struct Subject {
    exact: Butcher<Exact>,
    uncertainty: Butcher<f64>,
    reducibility: Reducibility,
}

impl Subject {
    fn new(method: &Method, partition: usize) -> Option<Self> {
        let alone = method.partition_alone(partition)?;
        let exact = alone.exact().partitions.pop()?;
        let uncertainty = alone.uncertainties().partitions.pop()?;
        Some(Self { exact, uncertainty, reducibility: reducibility(&alone) })
    }

    /// Decides whether Gᵀb ≥ 0 and GᵀMG is positive semidefinite for the matrix G that repeats a value on each group of
    /// stages. For groups of equal stages these are b and M of the reduced method.
    fn is_stable_on(&self, groups: &[Vec<usize>]) -> bool {
        let matrix = stability_form(std::slice::from_ref(&self.exact));
        let sum = |terms: &mut dyn Iterator<Item = &Exact>| terms.fold(Exact::zero(), |sum, x| sum + x.clone());
        let weights: Vec<Exact> =
            groups.iter().map(|group| sum(&mut group.iter().map(|&i| &self.exact.b[i]))).collect();
        let changes: Vec<f64> = groups.iter().map(|group| group.iter().map(|&i| self.uncertainty.b[i]).sum()).collect();
        let entry = |rows: &Vec<usize>, columns: &Vec<usize>| {
            sum(&mut rows.iter().flat_map(|&i| columns.iter().map(move |&j| (i, j))).map(|(i, j)| &matrix[i][j]))
        };
        let form: Rows<Exact> =
            groups.iter().map(|rows| groups.iter().map(|columns| entry(rows, columns)).collect()).collect();
        // A row of GᵀMG is the sum of as many rows of MG as its group has stages.
        let largest = groups.iter().map(Vec::len).max().unwrap_or(0) as f64;
        let change =
            largest * largest_change(std::slice::from_ref(&self.exact), std::slice::from_ref(&self.uncertainty));
        verdict(&weights, &changes, form, change).holds()
    }
}

/// Collects stages that agree with the first of their group.
fn grouped(stages: &[usize], agree: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for &stage in stages {
        match groups.iter_mut().find(|group| agree(group[0], stage)) {
            Some(group) => group.push(stage),
            None => groups.push(vec![stage]),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    fn method(a: &str, b: &str) -> Method {
        let text = format!(
            r#"{{"format": "hemiola-method/1", "id": "test", "name": "Test",
                "partitions": [{{"name": "all", "a": {a}, "b": {b}}}]}}"#
        );
        Method::from_json(text.as_bytes(), "test").unwrap()
    }

    #[test]
    fn known_families_are_stable_for_variable_coefficients_or_not() {
        for id in ["gauss-2", "radau-ia-2", "radau-iia-3", "lobatto-iiic-4", "implicit-euler"] {
            let method = library::method(id).unwrap();
            assert_eq!((is_b_stable(&method, 0), is_an_stable(&method, 0)), (Ok(true), Ok(Some(true))), "{id}");
        }
        for id in ["lobatto-iiia-2", "lobatto-iiia-3", "lobatto-iiib-3", "rk4", "explicit-euler", "crouzeix-3"] {
            let method = library::method(id).unwrap();
            let expected = id == "crouzeix-3";
            // Crouzeix 1979: the two-stage SDIRK method of order 3 is B-stable.
            assert_eq!((is_b_stable(&method, 0), is_an_stable(&method, 0)), (Ok(expected), Ok(Some(expected))), "{id}");
        }
        let rk4 = library::method("rk4").unwrap();
        assert_eq!(is_b_stable(&rk4, 1), Err(StabilityError::WrongSize { found: 2, expected: 1 }));
    }

    #[test]
    fn reducible_methods_are_reduced_first() {
        // The midpoint rule in two equal stages, with a negative weight: not algebraically stable, but B-stable.
        let midpoint = method(r#"[["1", "-1/2"], ["1", "-1/2"]]"#, r#"["2", "-1"]"#);
        assert!(!algebraic_stability(&midpoint, 0).unwrap().holds());
        assert_eq!((is_b_stable(&midpoint, 0), is_an_stable(&midpoint, 0)), (Ok(true), Ok(Some(true))));
        // The same for the explicit Euler method.
        let euler = method(r#"[["0", "0"], ["0", "0"]]"#, r#"["2", "-1"]"#);
        assert_eq!(is_b_stable(&euler, 0), Ok(false));
    }

    #[test]
    fn methods_with_equal_abscissae_may_stay_undecided() {
        // Radau IIA with its first stage split into two stages with this mean: equal λ do not distinguish them,
        // different λ do.
        let open = method(
            r#"[["29/24", "5/24", "-13/12"], ["-19/24", "5/24", "11/12"], ["3/8", "3/8", "1/4"]]"#,
            r#"["3/8", "3/8", "1/4"]"#,
        );
        assert!(!reducibility(&open).is_hs_reducible());
        assert_eq!((is_b_stable(&open, 0), is_an_stable(&open, 0)), (Ok(false), Ok(None)));
        // The trapezoidal rule, split in the same way.
        let closed =
            method(r#"[["0", "0", "0"], ["3/4", "1/4", "0"], ["1/4", "1/4", "1/2"]]"#, r#"["1/2", "1/4", "1/4"]"#);
        assert_eq!(is_an_stable(&closed, 0), Ok(Some(false)));
    }
}
