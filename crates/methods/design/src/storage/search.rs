//! The search of a low-storage design: minima from random starts.

use hemiola_number::{Counter, Progress, parallel};

use crate::storage::descent::{StorageMinimum, minimized};
use crate::storage::equations::StorageEquations;
use crate::storage::feasible::{FAR, solved};
use crate::storage::objective::StorageObjective;
use crate::storage::specification::StorageSpecification;
use crate::storage::start::random_start;

/// Steps after which starts are compared, and the largest number of steps of those that go on.
const PREVIEW: usize = 25;
const MOST_STEPS: usize = 600;
/// The fraction of the starts that goes on, and the fewest.
const FRACTION: usize = 6;
const FEWEST: usize = 8;

/// Returns the minima of the most promising starts that satisfy the equations, the smallest first, and the number of
/// starts that satisfy them. `progress` receives the finished starts; if it breaks, the minima so far are returned.
pub(crate) fn search(
    specification: &StorageSpecification,
    equations: &StorageEquations,
    objective: &StorageObjective,
    progress: &dyn Progress,
) -> (Vec<StorageMinimum>, usize) {
    let starts = specification.starts;
    let counter = Counter::new(progress, "starts", Some(starts));
    let previews = parallel::map(starts, |index| {
        counter
            .run(|| {
                let start = random_start(&equations.coordinates, specification.seed, index);
                Some(minimized(equations, objective, solved(equations, start, FAR)?, PREVIEW))
            })
            .flatten()
    });
    let previews = sorted(previews.into_iter().flatten().collect());
    let solved = previews.len();
    let kept = (solved / FRACTION).max(FEWEST).min(solved);
    let counter = Counter::new(progress, "descents", Some(kept));
    let minima = parallel::map(kept, |index| {
        let start = &previews[index];
        counter.run(|| minimized(equations, objective, start.x.clone(), MOST_STEPS)).unwrap_or_else(|| start.clone())
    });
    (sorted(minima), solved)
}

fn sorted(mut minima: Vec<StorageMinimum>) -> Vec<StorageMinimum> {
    minima.sort_by(|x, y| x.value.total_cmp(&y.value));
    minima
}
