//! The search of a low-storage design: minima from random starts.

use hemiola_number::{Counter, Progress, parallel};
use hemiola_order::OrderError;

use crate::storage::descent::{StorageMinimum, minimized};
use crate::storage::equations::StorageEquations;
use crate::storage::feasible::{solved_from_afar, solved_on_the_way};
use crate::storage::objective::StorageObjective;
use crate::storage::specification::StorageSpecification;
use crate::storage::start::random_start;
use crate::storage::target::StabilityTarget;

/// Numbers of steps that make a start stable, of steps before starts are compared, and of steps of the starts that
/// continue.
const APPROACH: usize = 60;
const PREVIEW: usize = 25;
const MOST_STEPS: usize = 600;
/// Largest number of stages for which all equations are solved at once.
const MOST_AT_ONCE: usize = 10;
/// One in this number of starts continues, and at least the given number.
const FRACTION: usize = 6;
const FEWEST: usize = 8;
/// Weights of instability: in the approach from a start, in the descent, and at its end.
const UNSTABLE: [f64; 3] = [10.0, 30.0, 300.0];

/// The successive programs of a design.
pub(crate) struct StorageStages {
    /// The equations of the method.
    pub(crate) equations: StorageEquations,
    /// The order conditions with an objective that makes a polynomial stable, if there is a spectrum.
    approach: Option<(StorageEquations, StorageObjective)>,
    /// The successive programs. If the polynomial may differ from the optimal one, the first program prescribes the
    /// optimal polynomial, provided that the form has enough coefficients, and the others penalize instability.
    programs: Vec<(StorageEquations, StorageObjective)>,
}

impl StorageStages {
    /// Sets up the programs from the equations with the optimal polynomial, if there is a spectrum.
    pub(crate) fn new(
        specification: &StorageSpecification,
        all: StorageEquations,
        target: Option<&StabilityTarget>,
    ) -> Result<Self, OrderError> {
        let conditions = all.without_polynomial();
        let with = |equations: &StorageEquations, unstable: f64| {
            StorageObjective::new(specification, target, unstable).map(|objective| (equations.clone(), objective))
        };
        let approach = target.map(|_| with(&conditions, UNSTABLE[0])).transpose()?;
        if target.is_none_or(|target| target.is_prescribed) {
            return Ok(Self { programs: vec![with(&all, 0.0)?], equations: all, approach });
        }
        let mut programs = vec![with(&conditions, UNSTABLE[1])?, with(&conditions, UNSTABLE[2])?];
        if all.count() <= all.coordinates.count() {
            programs.insert(0, with(&all, 0.0)?);
        }
        Ok(Self { equations: conditions, approach, programs })
    }

    /// Descends from start number `index` until it can be compared with others.
    ///
    /// Before the first program the order conditions are solved and, with a spectrum, the polynomial is made nearly
    /// stable on it. Steps towards all equations at once rarely succeed with many stages: the polynomials of random
    /// methods are off by orders of magnitude, and most paths from them to the optimal one have folds. With few stages
    /// such steps lead to further solutions, so every other start uses them.
    fn preview(&self, specification: &StorageSpecification, index: usize) -> Option<StorageMinimum> {
        let (equations, objective) = self.programs.first()?;
        let start = random_start(&equations.coordinates, specification.seed, index);
        let is_direct = index.is_multiple_of(2) && specification.stages <= MOST_AT_ONCE;
        let solved = match self.approach.as_ref().filter(|_| !is_direct) {
            None => solved_from_afar(equations, start)?,
            Some((conditions, stable)) => {
                let near = minimized(conditions, stable, solved_from_afar(conditions, start)?, APPROACH).x;
                solved_on_the_way(equations, near)?
            }
        };
        Some(minimized(equations, objective, solved, PREVIEW))
    }

    /// Descends through all programs.
    fn finished(&self, start: StorageMinimum) -> StorageMinimum {
        self.programs.iter().fold(start, |at, (equations, objective)| minimized(equations, objective, at.x, MOST_STEPS))
    }
}

/// Returns the minima of the most promising starts that satisfy the equations, smallest first, and the number of starts
/// that satisfy them. `progress` receives the finished starts. If it stops the search, the minima so far are returned.
pub(crate) fn search(
    specification: &StorageSpecification,
    stages: &StorageStages,
    progress: &dyn Progress,
) -> (Vec<StorageMinimum>, usize) {
    let starts = specification.starts;
    let counter = Counter::new(progress, "starts", Some(starts));
    let previews = parallel::map(starts, |index| counter.run(|| stages.preview(specification, index)).flatten());
    let previews = sorted(previews.into_iter().flatten().collect());
    let solved = previews.len();
    let kept = (solved / FRACTION).max(FEWEST).min(solved);
    let counter = Counter::new(progress, "descents", Some(kept));
    let minima = parallel::map(kept, |index| {
        let start = &previews[index];
        counter.run(|| stages.finished(start.clone())).unwrap_or_else(|| start.clone())
    });
    (sorted(minima), solved)
}

fn sorted(mut minima: Vec<StorageMinimum>) -> Vec<StorageMinimum> {
    minima.sort_by(|x, y| x.value.total_cmp(&y.value));
    minima
}
