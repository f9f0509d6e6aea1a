//! Defects of an error estimate y − ŷ: classes of problems on which it vanishes, and weights that are exchanged.

use std::fmt;

use hemiola_tableau::{Claims, Exact, Method, Scalar, Tableau, dot};
use num_traits::Zero;

use crate::verdict::equations::{EquationJudge, Equations};
use crate::verdict::midpoint_radius::MidpointRadius;

/// A class of problems on which the error estimate vanishes whatever the error, so that solvers accept every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EstimateGap {
    /// Linear problems y' = λy: both weights have the same stability function, (b − b̂)ᵀAᵏ1 = 0 for all k.
    Linear,
    /// Quadrature y' = f(t): (b − b̂)ᵀcᵏ = 0 for all k, as in the pairs of Fehlberg.
    Quadrature,
}

impl fmt::Display for EstimateGap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Linear => "vanishes on linear problems y' = λy: b and b̂ have the same stability function",
            Self::Quadrature => "vanishes on quadrature y' = f(t): (b − b̂)ᵀcᵏ = 0 for all k",
        })
    }
}

/// Returns the classes of problems on which the error estimate of a partition, counted from 0, vanishes. Returns none if
/// there are no embedded weights, or if they equal the weights of the step.
///
/// The conditions hold for all k if they hold for k < s: s powers of A, and the powers of at most s distinct abscissae, span
/// all others.
///
/// ```
/// use hemiola_order::{EstimateGap, estimate_gaps};
/// let gaps = |id| estimate_gaps(&hemiola_tableau::library::method(id).unwrap(), 0);
/// assert_eq!(gaps("fehlberg-8-7"), [EstimateGap::Quadrature]);
/// assert_eq!(gaps("dormand-prince-5"), []);
/// ```
#[must_use]
pub fn estimate_gaps(method: &Method, partition: usize) -> Vec<EstimateGap> {
    let Some(alone) = method.partition_alone(partition) else { return Vec::new() };
    let Some(embedded) = alone.embedded() else { return Vec::new() };
    let rounding = alone.rounding();
    let uncertain = |method: &Method| method.tableau(|coefficient| MidpointRadius::new(coefficient, rounding));
    let exact = difference(alone.exact(), &embedded.exact());
    if exact.partitions[0].b.iter().all(Exact::is_zero) {
        return Vec::new();
    }
    let judge = EquationJudge::of(exact, difference(uncertain(&alone), &uncertain(&embedded)), rounding, None);
    let gaps = [EstimateGap::Linear, EstimateGap::Quadrature];
    gaps.into_iter().filter(|gap| judge.verdict(gap).holds()).collect()
}

/// Returns the tableau with the weights b − b̂.
fn difference<T: Scalar>(mut tableau: Tableau<T>, embedded: &Tableau<T>) -> Tableau<T> {
    for (own, embedded) in tableau.partitions.iter_mut().zip(&embedded.partitions) {
        own.b = own.b.iter().zip(&embedded.b).map(|(b, b_hat)| b.clone() - b_hat.clone()).collect();
    }
    tableau
}

impl Equations for EstimateGap {
    fn residuals<T: Scalar>(&self, tableau: &Tableau<T>) -> Vec<T> {
        let own = &tableau.partitions[0];
        let mut vector = vec![T::one(); own.stages()];
        let mut residuals = Vec::with_capacity(own.stages());
        for _ in 0..own.stages() {
            residuals.push(dot(&own.b, &vector));
            vector = match self {
                Self::Linear => own.times(&vector),
                Self::Quadrature => vector.into_iter().zip(&own.c).map(|(power, c)| power * c.clone()).collect(),
            };
        }
        residuals
    }
}

/// Returns whether the weights of the step and the embedded weights are exchanged with respect to the claims: each has the
/// order that is claimed for the other.
///
/// ```
/// use hemiola_tableau::Claims;
/// let claims = Claims { order: Some(2), embedded_order: Some(1), ..Claims::default() };
/// assert!(hemiola_order::has_exchanged_weights(claims, 1, Some(2)));
/// assert!(!hemiola_order::has_exchanged_weights(claims, 2, Some(1)));
/// ```
#[must_use]
pub fn has_exchanged_weights(claims: Claims, order: usize, embedded_order: Option<usize>) -> bool {
    let claimed = claims.order.zip(claims.embedded_order);
    claimed.is_some_and(|(own, embedded)| own != embedded && (embedded, Some(own)) == (order, embedded_order))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    #[test]
    fn few_estimates_of_the_library_have_gaps() {
        let mut found = Vec::new();
        for method in library::ids().map(|id| library::method(id).unwrap()) {
            for partition in 0..method.partitions().len() {
                let gaps = estimate_gaps(&method, partition);
                found.extend(gaps.into_iter().map(|gap| (method.id().to_owned(), partition, gap)));
            }
        }
        let of = |id: &str| (id.to_owned(), 0, EstimateGap::Quadrature);
        assert_eq!(found, [of("fehlberg-8-7"), of("sayfy-aburub-4-3"), of("soderlind-4-3")]);
    }

    #[test]
    fn rounded_weights_have_the_same_gaps() {
        // Stages at c = 0, 1/3, 1/3, 2/3: b and b̂ differ at the two with c = 1/3.
        let gaps = |b_hat: &str| {
            let text = format!(
                r#"{{"format": "hemiola-method/1", "id": "gap", "name": "Gap", "partitions": [{{"name": "all",
                "a": [["0","0","0","0"],["0.3333333333","0","0","0"],["0.1666666667","0.1666666666","0","0"],
                      ["0","0.3333333333","0.3333333334","0"]], "b": ["0.25","0","0","0.75"], "b_hat": {b_hat}}}]}}"#
            );
            estimate_gaps(&Method::from_json(text.as_bytes(), "gap").unwrap(), 0)
        };
        assert_eq!(gaps(r#"["0.25","0.1","-0.1","0.75"]"#), [EstimateGap::Quadrature]);
        assert_eq!(gaps(r#"["0.25","0.1","0","0.65"]"#), []);
        assert_eq!(gaps(r#"["0.25","0","0","0.75"]"#), []);
    }
}
