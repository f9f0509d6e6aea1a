//! Descents with our own solver, or with one of argmin's.

use argmin::core::{Error, Executor, IterState, Solver, State};
use argmin::solver::gaussnewton::GaussNewtonLS;
use argmin::solver::linesearch::BacktrackingLineSearch;
use argmin::solver::linesearch::condition::ArmijoCondition;
use argmin::solver::quasinewton::LBFGS;
use argmin::solver::trustregion::{Steihaug, TrustRegion};
use nalgebra::{DMatrix, DVector};

use crate::optimize::chart::DesignChart;
use crate::optimize::descent::{Minimum, descend};
use crate::optimize::model::FeasiblePoint;
use crate::optimize::problem::Problem;
use crate::specification::solver::DescentSolver;

/// Largest number of iterations in a chart; the next one begins at the best point of this one.
const IN_CHART: u64 = 100;
/// Pairs of steps and gradient changes that L-BFGS remembers (Nocedal & Wright 2006, §7.2: 3 to 20).
const MEMORY: usize = 10;
/// Sufficient decrease of Armijo's condition (Nocedal & Wright 2006, §3.1).
const SUFFICIENT: f64 = 1e-4;
/// First and largest radius of the trust region; coefficients are of size one.
const RADII: [f64; 2] = [0.1, 2.0];

/// Minimizes the objective among the points that satisfy the constraints, with the solver of the specification.
///
/// Takes at most the given number of steps, and ends if the gain of a step is a smaller fraction of the objective than
/// given. Returns `None` if our own solver breaks down.
pub(crate) fn minimize(problem: &Problem, start: &[f64], effort: (usize, f64)) -> Option<Minimum> {
    match problem.solver() {
        DescentSolver::Newton => descend(problem, start, effort),
        other => Some(minimize_in_charts(problem, start, other, effort)),
    }
}

/// Minimizes the objective with a solver of argmin, in one chart of the constraints after the other.
///
/// Ends after the given number of iterations, or if a chart lowers the objective by less than a fraction.
fn minimize_in_charts(
    problem: &Problem,
    start: &[f64],
    solver: DescentSolver,
    (steps, tolerance): (usize, f64),
) -> Minimum {
    let mut at = FeasiblePoint::new(problem, DVector::from_column_slice(start));
    let (mut left, mut converged) = (steps as u64, false);
    while left > 0 && !converged {
        let chart = DesignChart::new(problem.with_unknowns(problem.unknowns().clone()), at.x.clone());
        let limit = left.min(IN_CHART);
        let iterations = if chart.dimension() == 0 { Some(0) } else { run(&chart, solver, limit) };
        let better = chart.into_best();
        let is_small = at.value - better.value <= tolerance * at.value;
        at = better;
        left -= iterations.unwrap_or(0).clamp(1, left);
        match iterations {
            // The next chart would fail at the same point.
            None if is_small => break,
            None => {}
            // A run that ends at its iteration limit says nothing about the gain of further iterations.
            Some(iterations) => converged = is_small && (iterations < limit || limit == IN_CHART),
        }
    }
    let merit = problem.merit(at.x.as_slice());
    Minimum { x: at.x.as_slice().to_vec(), merit, converged }
}

/// Runs a solver from the origin of a chart and returns the number of its iterations; `None` if it fails, for example
/// at singular normal equations. The chart retains the best point.
fn run(chart: &DesignChart<'_>, solver: DescentSolver, limit: u64) -> Option<u64> {
    let ended = match solver {
        DescentSolver::Newton => Ok(0),
        DescentSolver::LBfgs => {
            line_search().and_then(|search| iterations::<_, (), ()>(chart, LBFGS::new(search, MEMORY), limit))
        }
        DescentSolver::TrustRegion => {
            trust_region().and_then(|region| iterations::<_, (), DMatrix<f64>>(chart, region, limit))
        }
        DescentSolver::GaussNewton => {
            line_search().and_then(|search| iterations::<_, DMatrix<f64>, ()>(chart, GaussNewtonLS::new(search), limit))
        }
    };
    ended.ok()
}

type LineSearch = BacktrackingLineSearch<DVector<f64>, DVector<f64>, ArmijoCondition<f64>, f64>;

fn line_search() -> Result<LineSearch, Error> {
    BacktrackingLineSearch::new(ArmijoCondition::new(SUFFICIENT)?).rho(0.5)
}

fn trust_region() -> Result<TrustRegion<Steihaug<DVector<f64>, f64>, f64>, Error> {
    let [first, largest] = RADII;
    TrustRegion::new(Steihaug::new()).with_radius(first)?.with_max_radius(largest)
}

/// Counts the iterations of a solver whose state has Jacobians J and Hessians H.
fn iterations<'a, S, J, H>(chart: &'a DesignChart<'a>, solver: S, limit: u64) -> Result<u64, Error>
where
    S: Solver<&'a DesignChart<'a>, ChartState<J, H>>,
    ChartState<J, H>: State<Param = DVector<f64>, Float = f64>,
{
    let origin = DVector::zeros(chart.dimension());
    let run =
        Executor::new(chart, solver).configure(|state| state.param(origin).max_iters(limit)).timer(false).run()?;
    Ok(run.state.get_iter())
}

type ChartState<J, H> = IterState<DVector<f64>, DVector<f64>, J, H, (), f64>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Search, Specification};

    /// Returns the minima that all solvers reach from the first start with a solution.
    fn ends(slow: usize, fast: usize) -> [Minimum; 4] {
        DescentSolver::ALL.map(|solver| {
            let specification = Specification { solver, ..Specification::new(slow, fast, None).unwrap() };
            let search = Search::new(&specification, Vec::new()).unwrap();
            let start = (0..9).map(|number| search.start(number)).find(|start| start.solution.is_some()).unwrap();
            search.descent(&start, 1000, 1e-10).unwrap()
        })
    }

    #[test]
    fn solvers_end_at_the_same_minimum() {
        let [newton, l_bfgs, trust_region, gauss_newton] = ends(2, 5);
        for other in [l_bfgs, trust_region] {
            assert!((other.merit / newton.merit - 1.0).abs() < 1e-4, "{} {}", other.merit, newton.merit);
        }
        // There are fewer errors than free directions, so only rounding makes the normal equations of Gauss–Newton
        // steps regular.
        assert!(gauss_newton.merit > newton.merit * (1.0 - 1e-9), "{} {}", gauss_newton.merit, newton.merit);
    }

    #[test]
    fn gauss_newton_steps_need_as_many_errors_as_free_directions() {
        let [newton, _, _, gauss_newton] = ends(3, 4);
        assert!((gauss_newton.merit / newton.merit - 1.0).abs() < 1e-4, "{} {}", gauss_newton.merit, newton.merit);
    }
}
