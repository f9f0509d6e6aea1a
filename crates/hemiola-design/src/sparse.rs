//! Coefficients that are not needed are set to zero.

use crate::descent::{Minimum, minimize, restore};
use crate::equations::Equations;
use crate::pattern::Pattern;
use crate::search::FINAL;

/// Iterations in which the conditions must be satisfied again.
const RESTORE_ITERATIONS: usize = 100;

/// Sets coefficients to zero, the smallest first, as long as the objective grows by no more than the part `price` in all.
pub(crate) fn sparsened(equations: &Equations, minimum: &Minimum, price: f64) -> (Pattern, Minimum) {
    let (mut pattern, mut best) = (equations.pattern.clone(), minimum.clone());
    if price <= 0.0 {
        return (pattern, best);
    }
    let most = minimum.merit * (1.0 + price);
    let mut refused = Vec::new();
    loop {
        let size = |j: &usize| best.x[*j].abs();
        let candidates = (0..best.x.len()).filter(|&j| !refused.contains(&pattern.places()[j]));
        let Some(smallest) = candidates.min_by(|i, j| size(i).total_cmp(&size(j))) else { return (pattern, best) };
        let fewer = pattern.without(smallest);
        let mut x = best.x.clone();
        x.remove(smallest);
        let smaller = equations.with_pattern(fewer.clone());
        let found = restore(&smaller, &x, RESTORE_ITERATIONS).and_then(|x| minimize(&smaller, &x, FINAL));
        match found.filter(|found| found.merit <= most && fewer.is_within(&found.x)) {
            Some(found) => (pattern, best) = (fewer, found),
            None => refused.push(pattern.places()[smallest]),
        }
    }
}
