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

/// Steps that make a start stable, steps after which starts are compared, and the largest number of steps of those that
/// go on.
const APPROACH: usize = 60;
const PREVIEW: usize = 25;
const MOST_STEPS: usize = 600;
/// Largest number of stages for which all equations are solved at once.
const MOST_AT_ONCE: usize = 10;
/// The fraction of the starts that goes on, and the fewest.
const FRACTION: usize = 6;
const FEWEST: usize = 8;
/// Weights of instability: on the way from a start, in the descent, and at its end.
const UNSTABLE: [f64; 3] = [10.0, 30.0, 1000.0];

/// The programs of a design, one after the other.
pub(crate) struct StorageStages {
    /// All equations.
    pub(crate) equations: StorageEquations,
    /// The order conditions with an objective that makes a polynomial stable, if there is a spectrum.
    approach: Option<(StorageEquations, StorageObjective)>,
    /// The objective, and a last one in which instability weighs more, if the polynomial is not prescribed.
    objective: StorageObjective,
    last: Option<StorageObjective>,
}

impl StorageStages {
    pub(crate) fn new(
        specification: &StorageSpecification,
        equations: StorageEquations,
        target: Option<&StabilityTarget>,
    ) -> Result<Self, OrderError> {
        let [first, middle, end] = UNSTABLE.map(|weight| move || StorageObjective::new(specification, target, weight));
        let is_prescribed = target.is_none_or(|target| !target.polynomial.is_empty());
        let approach = target.map(|_| Ok((equations.without_polynomial(), first()?))).transpose()?;
        let objective = if is_prescribed { StorageObjective::new(specification, target, 0.0)? } else { middle()? };
        let last = (!is_prescribed).then(end).transpose()?;
        Ok(Self { equations, approach, objective, last })
    }

    /// Solves the equations from start number `index`: first the order conditions, then, with a polynomial that is nearly
    /// stable on the spectrum, all equations.
    ///
    /// Steps towards all equations at once rarely succeed with many stages: the polynomials of random methods are off by
    /// orders of magnitude, and most paths from them to the optimal one have folds. With few stages they lead to other
    /// solutions, and every other start takes them.
    fn solved(&self, specification: &StorageSpecification, index: usize) -> Option<Vec<f64>> {
        let start = random_start(&self.equations.coordinates, specification.seed, index);
        let is_direct = self.last.is_none() && index.is_multiple_of(2) && specification.stages <= MOST_AT_ONCE;
        let Some((conditions, stable)) = self.approach.as_ref().filter(|_| !is_direct) else {
            return solved_from_afar(&self.equations, start);
        };
        let x = minimized(conditions, stable, solved_from_afar(conditions, start)?, APPROACH).x;
        if self.last.is_some() { Some(x) } else { solved_on_the_way(&self.equations, x) }
    }

    fn preview(&self, specification: &StorageSpecification, index: usize) -> Option<StorageMinimum> {
        Some(minimized(&self.equations, &self.objective, self.solved(specification, index)?, PREVIEW))
    }

    fn finished(&self, start: &StorageMinimum) -> StorageMinimum {
        let found = minimized(&self.equations, &self.objective, start.x.clone(), MOST_STEPS);
        match &self.last {
            Some(last) => minimized(&self.equations, last, found.x, MOST_STEPS),
            None => found,
        }
    }
}

/// Returns the minima of the most promising starts that satisfy the equations, the smallest first, and the number of
/// starts that satisfy them. `progress` receives the finished starts; if it breaks, the minima so far are returned.
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
        counter.run(|| stages.finished(start)).unwrap_or_else(|| start.clone())
    });
    (sorted(minima), solved)
}

fn sorted(mut minima: Vec<StorageMinimum>) -> Vec<StorageMinimum> {
    minima.sort_by(|x, y| x.value.total_cmp(&y.value));
    minima
}
