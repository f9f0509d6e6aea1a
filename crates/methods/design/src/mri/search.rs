//! The search for small errors: random starts, and descents from the best of them.

use hemiola_number::{Counter, Progress, parallel};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::mri::descent::{descend, solve};
use crate::mri::form::MriForm;
use crate::mri::problem::{MriProblem, TermWeights};
use crate::mri::specification::MriSpecification;

/// Attempts of each start to satisfy the conditions, and Newton steps of each attempt.
const TRIES: usize = 6;
const NEWTON_STEPS: usize = 60;
/// Steps of the first descent, and of each later one.
const FIRST_STEPS: usize = 40;
const LATER_STEPS: usize = 150;
/// Weights of violations in the later descents, relative to that of the error.
const VIOLATIONS: [f64; 4] = [10.0, 40.0, 200.0, 1000.0];
/// One in this number of starts is followed to a minimum, and at least the given number.
const FOLLOWED: usize = 8;
const FEWEST_FOLLOWED: usize = 4;
/// Largest sum of squared violations that counts as zero.
const KEPT: f64 = 1e-9;

/// A solution of the conditions near a minimum of the error.
#[derive(Clone, Debug)]
pub(crate) struct FoundMinimum {
    pub(crate) x: Vec<f64>,
    pub(crate) error: f64,
    pub(crate) violation: f64,
}

impl FoundMinimum {
    fn new(problem: &MriProblem, x: Vec<f64>) -> Self {
        let (error, violation) = (problem.error_norm(&x), problem.violation(&x));
        Self { x, error, violation }
    }

    /// Ranks minima that satisfy all inequalities before others.
    fn rank(&self) -> f64 {
        let rank =
            self.error.ln() + if self.violation > KEPT { 30.0 * (1.0 + self.violation).ln() + 10.0 } else { 0.0 };
        if rank.is_nan() { f64::INFINITY } else { rank }
    }
}

/// Returns the minima, best first, and the number of starts that satisfied the conditions.
pub(crate) fn search(
    specification: &MriSpecification,
    problem: &MriProblem,
    progress: &dyn Progress,
) -> (Vec<FoundMinimum>, usize) {
    let starts = specification.starts;
    let followed = (starts / FOLLOWED).max(FEWEST_FOLLOWED).min(starts);
    let counter = Counter::new(progress, "starts", Some(starts + followed));
    let first =
        parallel::map(starts, |index| counter.run(|| first_descent(problem, specification.seed, index)).flatten());
    let mut found: Vec<FoundMinimum> = first.into_iter().flatten().collect();
    let solved = found.len();
    let score = |found: &FoundMinimum| found.error.ln() + (1.0 + 100.0 * found.violation).ln();
    found.sort_by(|x, y| score(x).total_cmp(&score(y)));
    found.truncate(followed);
    let later = parallel::map(found.len(), |k| counter.run(|| later_descents(problem, &found[k])));
    let mut minima: Vec<FoundMinimum> = later.into_iter().flatten().collect();
    minima.sort_by(|x, y| x.rank().total_cmp(&y.rank()));
    (minima, solved)
}

fn first_descent(problem: &MriProblem, seed: u64, index: usize) -> Option<FoundMinimum> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(index as u64);
    let solution = (0..TRIES).find_map(|_| {
        let x = solve(problem, random_start(&problem.form, &mut random), NEWTON_STEPS)?;
        x.iter().all(|x| x.abs() < 50.0).then_some(x)
    })?;
    let weights = TermWeights { error: 1.0 / problem.error_norm(&solution).max(1e-12), violation: 1.0 };
    Some(FoundMinimum::new(problem, descend(problem, solution, weights, FIRST_STEPS)))
}

/// Repeats the descent with the error scaled by its current value and with increasing weights of violations. Relative
/// errors decrease the logarithm of the error.
fn later_descents(problem: &MriProblem, from: &FoundMinimum) -> FoundMinimum {
    let mut x = from.x.clone();
    for violation in VIOLATIONS {
        let weights = TermWeights { error: 1.0 / problem.error_norm(&x).max(1e-12), violation };
        x = descend(problem, x, weights, LATER_STEPS);
    }
    FoundMinimum::new(problem, x)
}

/// Returns random abscissae, increasing unless stages restart, diagonal entries from 0.1 to 0.6, and other coefficients
/// from −1 to 1.
fn random_start(form: &MriForm, random: &mut ChaCha8Rng) -> Vec<f64> {
    let c: Vec<f64> = if form.restarts {
        (0..form.abscissae()).map(|_| 0.05 + 0.95 * random.random::<f64>()).collect()
    } else {
        let lengths: Vec<f64> = (0..form.stages).map(|_| 0.2 + random.random::<f64>()).collect();
        let step: f64 = lengths.iter().sum();
        let ends = lengths[..form.abscissae()].iter().scan(0.0, |sum, length| {
            *sum += length / step;
            Some(*sum)
        });
        ends.collect()
    };
    let forcing = (form.abscissae()..form.unknowns()).map(|_| 2.0 * random.random::<f64>() - 1.0);
    let mut x: Vec<f64> = c.into_iter().chain(forcing).collect();
    for k in form.diagonals() {
        x[k] = 0.1 + 0.25 * (1.0 + x[k]);
    }
    x
}
