//! Products of Euler steps and two-stage steps.

use dashu::rational::RBig;
use num_complex::Complex64;

use crate::implementation::interval::StabilityInterval;
use crate::implementation::ordering;
use crate::implementation::roots::{Root, roots};
use crate::implementation::stages::Term;

/// Largest number of stages. Roots of degree 300 take seconds if they are not near a known interval, and the time grows
/// with the fourth power.
const MOST_STAGES: usize = 300;

/// Builds the stages of Π (1 − z/r), ordered for `points`; returns `None` if the roots cannot be found.
pub(crate) fn stages(
    beta: &[RBig],
    interval: Option<StabilityInterval>,
    points: &[Complex64],
) -> Option<Vec<Vec<Term>>> {
    if beta.len() > MOST_STAGES + 1 {
        return None;
    }
    let roots = roots(beta, interval)?;
    let logs: Vec<Vec<f64>> = roots.iter().map(|&root| log_factors(root, points)).collect();
    let order = ordering::order(&logs);
    Some(product(order.iter().map(|&i| roots[i])))
}

/// Builds the stages of the factors in the given order.
pub(crate) fn product(roots: impl Iterator<Item = Root>) -> Vec<Vec<Term>> {
    let mut stages = Vec::new();
    for root in roots {
        let j = stages.len();
        match root {
            Root::Real(r) => stages.push(vec![Term::new(j, 1.0, -1.0 / r)]),
            Root::Pair(r) => {
                // Write 1 + az + c²z² as 1 + (a − c)z + cz(1 + cz) with c = 1/|r|: the inner stage and its contribution
                // have the same size, and the form also exists for imaginary roots.
                let c = r.norm().recip();
                let a = -2.0 * r.re * c * c;
                stages.push(vec![Term::new(j, 1.0, c)]);
                stages.push(vec![Term::new(j, 1.0, a - c), Term::new(j + 1, 0.0, c)]);
            }
        }
    }
    stages
}

fn log_factors(root: Root, points: &[Complex64]) -> Vec<f64> {
    let modulus = |z: &Complex64| match root {
        Root::Real(r) => (1.0 - z / r).norm(),
        Root::Pair(r) => ((1.0 - z / r) * (1.0 - z / r.conj())).norm(),
    };
    // Keep the logarithm finite at a root: each term added to a sum is subtracted again later.
    points.iter().map(|z| modulus(z).max(f64::MIN_POSITIVE).ln()).collect()
}
