//! B-stability and AN-stability.

use hemiola_tableau::{Butcher, Exact, Method};
use num_traits::Zero;

use crate::error::StabilityError;
use crate::monotonicity::Rows;
use crate::nonlinear::algebraic::{algebraic_stability, largest_change, verdict};
use crate::nonlinear::reducibility::{Reducibility, equal_stages_at_equal_times, reducibility};
use crate::nonlinear::stability_form::stability_form;

/// Decides whether a partition, counted from 0, is B-stable: ‖yₙ₊₁ − zₙ₊₁‖ ≤ ‖yₙ − zₙ‖ for any two solutions of an
/// autonomous problem with ⟨f(y) − f(z), y − z⟩ ≤ 0 (Butcher 1975).
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
    Ok(subject.is_stable_after_merging(&subject.reducibility.equal))
}

/// Decides whether a partition, counted from 0, is AN-stable: |yₙ₊₁| ≤ |yₙ| for all problems y' = λ(t)y with Re λ ≤ 0
/// (Burrage & Butcher 1979).
///
/// Unused stages are removed, and stages that are equal for every problem are merged if their abscissae are equal, too:
/// others have different λ. Such a method with distinct abscissae is AN-stable if and only if it is algebraically stable.
/// If stages share an abscissa, algebraic stability remains sufficient. The necessary condition is only that the sums of
/// b and M over such stages are nonnegative and positive semidefinite; if only this condition holds, the result is
/// `None`, undecided. Holds exactly or to the precision of the coefficients.
///
///
/// ```
/// use hemiola_stability::nonlinear::is_an_stable;
/// use hemiola_tableau::library::method;
/// // The trapezoidal rule is A-stable, but not for λ that jump.
/// assert_eq!(is_an_stable(&method("lobatto-iiia-2")?, 0)?, Some(false));
/// assert_eq!(is_an_stable(&method("implicit-midpoint")?, 0)?, Some(true));
/// // The two equal stages of Lobatto IIIB evaluate λ at 0 and at h.
/// assert_eq!(is_an_stable(&method("lobatto-iiib-2")?, 0)?, Some(false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`StabilityError::WrongSize`] if there is no such partition.
pub fn is_an_stable(method: &Method, partition: usize) -> Result<Option<bool>, StabilityError> {
    if algebraic_stability(method, partition)?.holds() {
        return Ok(Some(true));
    }
    let Some(subject) = Subject::new(method, partition) else { return Ok(Some(false)) };
    if subject.exact.is_explicit() {
        return Ok(Some(false));
    }
    if subject.is_stable_after_merging(&equal_stages_at_equal_times(&subject.exact)) {
        return Ok(Some(true));
    }
    let groups = subject.groups_at_equal_times();
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

    /// Lists the stages with influence on the step.
    fn used(&self) -> Vec<usize> {
        (0..self.exact.stages()).filter(|stage| !self.reducibility.unused.contains(stage)).collect()
    }

    /// Groups the stages with influence on the step whose abscissae agree to their precision.
    fn groups_at_equal_times(&self) -> Vec<Vec<usize>> {
        let (c, changes) = (&self.exact.c, &self.uncertainty.c);
        grouped(&self.used(), |i, j| (c[i].to_f64() - c[j].to_f64()).abs() <= changes[i] + changes[j])
    }

    /// Decides whether the method without its unused stages, and with one stage for each group of equal ones, is
    /// algebraically stable. Returns false if there is nothing to remove or to merge.
    fn is_stable_after_merging(&self, equal: &[Vec<usize>]) -> bool {
        // The first stage of a group represents all of them.
        let first = |stage: usize| equal.iter().find(|group| group.contains(&stage)).map_or(stage, |group| group[0]);
        let is_reducible = !self.reducibility.unused.is_empty() || !equal.is_empty();
        is_reducible && self.is_stable_on(&grouped(&self.used(), |i, j| first(i) == first(j)))
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
    use std::f64::consts::{FRAC_PI_2, PI};

    use super::*;
    use hemiola_tableau::library;
    use nalgebra::{DMatrix, DVector};
    use num_complex::Complex64;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

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

    #[test]
    fn equal_stages_at_different_times_are_not_merged() {
        // λ(0) = 0 and hλ(1) = −10: |y₁| = |1 − 10/2| = 4.
        let iiib = library::method("lobatto-iiib-2").unwrap();
        assert_eq!(growth(&iiib, 0, &[Complex64::ZERO, Complex64::from(-10.0)]), 4.0);
        for (id, partition) in [("lobatto-iiib-2", 0), ("stormer-verlet", 1), ("lobatto-iiia-iiib-2", 1)] {
            let method = library::method(id).unwrap();
            let verdicts = (is_b_stable(&method, partition), is_an_stable(&method, partition));
            assert_eq!(verdicts, (Ok(true), Ok(Some(false))), "{id}");
        }
        // Without stated abscissae, the row sums apply, and the method is the midpoint rule.
        let midpoint = method(r#"[["1/2", "0"], ["1/2", "0"]]"#, r#"["1/2", "1/2"]"#);
        assert_eq!((is_b_stable(&midpoint, 0), is_an_stable(&midpoint, 0)), (Ok(true), Ok(Some(true))));
    }

    /// Returns |K(Z)|, K = 1 + bᵀZ(I − AZ)⁻¹1, the growth of y' = λ(t)y in one step.
    fn growth(method: &Method, partition: usize, z: &[Complex64]) -> f64 {
        let part = &method.to_f64().partitions[partition];
        let s = part.stages();
        let matrix = DMatrix::from_fn(s, s, |i, j| Complex64::from(f64::from(u8::from(i == j))) - part.a[i][j] * z[j]);
        let Some(stages) = matrix.lu().solve(&DVector::from_element(s, Complex64::ONE)) else { return 1.0 };
        (Complex64::ONE + (0..s).map(|i| stages[i] * z[i] * part.b[i]).sum::<Complex64>()).norm()
    }

    /// Returns a Z in the closed left half-plane with |K(Z)| > 1, where one is indicated by b or by the smallest
    /// eigenvalue of M: stages at equal times have equal entries.
    fn witness(method: &Method, partition: usize) -> Option<Vec<Complex64>> {
        let groups = Subject::new(method, partition)?.groups_at_equal_times();
        let part = &method.to_f64().partitions[partition];
        let spread = |value: &dyn Fn(usize) -> Complex64| {
            let mut z = vec![Complex64::ZERO; part.stages()];
            groups.iter().enumerate().for_each(|(g, group)| group.iter().for_each(|&i| z[i] = value(g)));
            z
        };
        let m = |i: usize, j: usize| part.b[i] * part.a[i][j] + part.b[j] * part.a[j][i] - part.b[i] * part.b[j];
        let entry = |g: usize, h: usize| {
            groups[g].iter().flat_map(|&i| groups[h].iter().map(move |&j| (i, j))).map(|(i, j)| m(i, j)).sum::<f64>()
        };
        let eigen = DMatrix::from_fn(groups.len(), groups.len(), entry).symmetric_eigen();
        let direction = eigen.eigenvectors.column(eigen.eigenvalues.imin());
        let sizes = (0..24).map(|k| 0.5f64.powi(k) * 16.0);
        let mut candidates = sizes.flat_map(|size| {
            let negative = (0..groups.len()).map(move |only| (size, Some(only)));
            negative.chain([(size, None)])
        });
        candidates.find_map(|(size, only)| {
            let z = match only {
                Some(only) => spread(&|g| Complex64::from(if g == only { -size } else { 0.0 })),
                None => spread(&|g| Complex64::new(0.0, size * direction[g])),
            };
            (growth(method, partition, &z) > 1.0 + 1e-12).then_some(z)
        })
    }

    #[test]
    fn verdicts_on_the_library_agree_with_steps_for_variable_coefficients() {
        let mut random = ChaCha8Rng::seed_from_u64(56);
        let (mut stable, mut unstable) = (0, 0);
        for id in library::ids() {
            let method = library::method(id).unwrap();
            for partition in 0..method.partitions().len() {
                let subject = Subject::new(&method, partition).unwrap();
                if subject.exact.is_explicit() {
                    continue;
                }
                match is_an_stable(&method, partition).unwrap() {
                    Some(true) => {
                        stable += 1;
                        let groups = subject.groups_at_equal_times();
                        for _ in 0..200 {
                            let mut z = vec![Complex64::ZERO; method.stages()];
                            for group in &groups {
                                let size = 10f64.powf(4.0 * random.random::<f64>() - 2.0);
                                let angle = FRAC_PI_2 + PI * random.random::<f64>();
                                group.iter().for_each(|&i| z[i] = Complex64::from_polar(size, angle));
                            }
                            let growth = growth(&method, partition, &z);
                            assert!(growth <= 1.0 + 1e-9, "{id} {partition}: {growth} at {z:?}");
                        }
                    }
                    Some(false) => {
                        unstable += 1;
                        assert!(witness(&method, partition).is_some(), "{id} {partition}");
                    }
                    None => println!("undecided: {id} {partition}"),
                }
            }
        }
        assert!(stable > 20 && unstable > 40, "{stable} {unstable}");
    }
}
