//! Sets unnecessary coefficients to zero.

use crate::optimize::descent::{FINAL, Minimum};
use crate::optimize::problem::Problem;
use crate::optimize::restore::restore;
use crate::optimize::solver::minimize;
use crate::unknowns::free_entries::Unknowns;

/// Largest number of iterations in which the conditions must be restored.
const ITERATIONS: usize = 100;

/// Sets coefficients to zero, smallest first, as long as the objective grows by at most the fraction `price` in
/// total.
pub(crate) fn sparsified(problem: &Problem, minimum: &Minimum, price: f64) -> (Unknowns, Minimum) {
    let (mut unknowns, mut best) = (problem.unknowns().clone(), minimum.clone());
    if price <= 0.0 {
        return (unknowns, best);
    }
    // The merit of a minimum may be that of its reached profile, which descents do not evaluate.
    let most = problem.merit(&minimum.x) * (1.0 + price);
    let mut refused = Vec::new();
    loop {
        let size = |j: &usize| best.x[*j].abs();
        let candidates = (0..best.x.len()).filter(|&j| !refused.contains(&unknowns.places()[j]));
        let Some(smallest) = candidates.min_by(|i, j| size(i).total_cmp(&size(j))) else { return (unknowns, best) };
        let fewer = unknowns.without(smallest);
        let mut x = best.x.clone();
        x.remove(smallest);
        let smaller = problem.with_unknowns(fewer.clone());
        let found = restore(&smaller.equations, &x, ITERATIONS).and_then(|x| minimize(&smaller, &x, FINAL));
        match found.filter(|found| found.merit <= most && fewer.is_within(&found.x)) {
            Some(found) => (unknowns, best) = (fewer, found),
            None => refused.push(unknowns.places()[smallest]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Specification;
    use crate::optimize::problem::Formulation;

    use crate::optimize::problem::IN_FULL;
    use crate::unknowns::start::random_start;

    #[test]
    fn the_price_is_one_of_the_objective() {
        let specification = Specification::new(2, 4, None).unwrap();
        let formulation = Formulation::new(&specification).unwrap();
        let unknowns = Unknowns::new(4, &[0, 3], &specification.structure);
        let problem = formulation.problem(unknowns.clone(), IN_FULL);
        let descend = |start| {
            minimize(&problem, &restore(&problem.equations, &random_start(&unknowns, 2, 1, start), 1000)?, FINAL)
        };
        let minimum = (0..9).filter_map(descend).find(|minimum| unknowns.is_within(&minimum.x)).unwrap();
        let merit = problem.merit(&minimum.x);
        // The merit is as large as for a missed profile.
        let (fewer, sparse) = sparsified(&problem, &Minimum { merit: 9.0 * merit, ..minimum }, 0.1);
        assert!(fewer.places().len() < unknowns.places().len());
        assert!(sparse.merit <= 1.1 * merit, "{} {merit}", sparse.merit);
    }
}
