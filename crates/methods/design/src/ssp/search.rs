//! The search for the largest radius: random starts for each choice of slow stages.

use hemiola_number::{Counter, Progress, parallel};

use crate::error::DesignError;
use crate::proof::trees::trees;
use crate::ssp::canonical_form::{CanonicalForm, SspEquation};
use crate::ssp::maximize::{LocalMaximum, maximize};
use crate::ssp::specification::SspSpecification;
use crate::ssp::start::random_start;

/// Starts that compare the choices of slow stages.
const STARTS_OF_A_CHOICE: usize = 6;
/// Choices that are examined with all starts.
const BEST_CHOICES: usize = 3;
/// Largest number of choices; further ones are left out evenly.
const MOST_CHOICES: usize = 60;
/// Relative difference up to which radii count as equal.
const EQUAL: f64 = 1e-9;
/// Starts of one round; after each, the search may end.
const ROUND: usize = 12;

/// A form with a local maximum.
pub(crate) struct FoundMaximum {
    pub(crate) form: CanonicalForm,
    pub(crate) maximum: LocalMaximum,
}

/// Returns local maxima, the largest radius first, at most one of each choice of slow stages.
///
/// The search ends early if the radius reaches `bound`. `progress` receives the finished starts. If it breaks, the best maxima so far are returned.
pub(crate) fn search(
    specification: &SspSpecification,
    bound: f64,
    progress: &dyn Progress,
) -> Result<Vec<FoundMaximum>, DesignError> {
    let forms = forms(specification)?;
    let preview = if forms.len() > 1 { STARTS_OF_A_CHOICE.min(specification.starts) } else { 0 };
    let closely = forms.len().min(BEST_CHOICES);
    let total = forms.len() * preview + closely * (specification.starts - preview);
    let counter = Counter::new(progress, "starts", Some(total));
    let mut found: Vec<(usize, Option<LocalMaximum>)> = (0..forms.len()).map(|k| (k, None)).collect();
    let run = |tasks: &[(usize, usize)]| {
        parallel::map(tasks.len(), |k| {
            let (choice, index) = tasks[k];
            let form = &forms[choice];
            counter.run(|| maximize(form, random_start(form, specification.seed, index))).flatten()
        })
    };
    let tasks: Vec<(usize, usize)> =
        (0..forms.len()).flat_map(|choice| (0..preview).map(move |index| (choice, index))).collect();
    for ((choice, _), maximum) in tasks.iter().zip(run(&tasks)) {
        improve(&mut found[*choice].1, maximum);
    }
    rank(&mut found);
    for first in (preview..specification.starts).step_by(ROUND) {
        let last = (first + ROUND).min(specification.starts);
        let tasks: Vec<(usize, usize)> =
            (0..closely).flat_map(|place| (first..last).map(move |index| (place, index))).collect();
        let chosen: Vec<(usize, usize)> = tasks.iter().map(|&(place, index)| (found[place].0, index)).collect();
        for ((place, _), maximum) in tasks.iter().zip(run(&chosen)) {
            improve(&mut found[*place].1, maximum);
        }
        let has_reached = |maximum: &LocalMaximum| maximum.radius() >= bound * (1.0 - EQUAL);
        if counter.is_stopped() || found.iter().filter_map(|found| found.1.as_ref()).any(has_reached) {
            break;
        }
    }
    rank(&mut found);
    let with_form = |(choice, maximum): (usize, Option<LocalMaximum>)| {
        Some(FoundMaximum { form: forms[choice].clone(), maximum: maximum? })
    };
    Ok(found.into_iter().filter_map(with_form).collect())
}

/// Keeps the larger radius; of almost equal ones the sparser, then the first.
fn improve(best: &mut Option<LocalMaximum>, other: Option<LocalMaximum>) {
    let Some(other) = other else { return };
    let is_better = best.as_ref().is_none_or(|best| {
        let gain = other.radius() - best.radius();
        gain > EQUAL * best.radius() || gain > -EQUAL * best.radius() && other.zeros() > best.zeros()
    });
    if is_better {
        *best = Some(other);
    }
}

fn rank(found: &mut [(usize, Option<LocalMaximum>)]) {
    let radius = |found: &(usize, Option<LocalMaximum>)| found.1.as_ref().map_or(-1.0, LocalMaximum::radius);
    // Stable: equal radii keep the order of the choices.
    found.sort_by(|x, y| radius(y).total_cmp(&radius(x)));
}

/// Returns the form of each choice of slow stages.
fn forms(specification: &SspSpecification) -> Result<Vec<CanonicalForm>, DesignError> {
    let count = specification.evaluations.len();
    let stages = specification.evaluations[count - 1];
    let mut equations: Vec<SspEquation> =
        trees(count, specification.order)?.into_iter().map(SspEquation::Order).collect();
    if count == 2 && specification.shared_weights {
        equations.extend((0..stages).map(SspEquation::SharedWeight));
    }
    if count == 2 && specification.shared_abscissae {
        equations.extend((1..stages).map(SspEquation::SharedAbscissa));
    }
    let all: Vec<usize> = (0..stages).collect();
    let form = |evaluated: &[Vec<usize>]| {
        CanonicalForm::new(evaluated, !specification.by_parts, specification.direction(), equations.clone())
    };
    if count == 1 {
        return Ok(vec![form(&[all])]);
    }
    let choices = match &specification.slow_stages {
        Some(stages) => vec![stages.clone()],
        None => choices(stages, specification.evaluations[0]),
    };
    let step = choices.len().div_ceil(MOST_CHOICES);
    Ok(choices.into_iter().step_by(step).map(|slow| form(&[slow, all.clone()])).collect())
}

/// Returns all subsets of a size, those spread most evenly first.
fn choices(stages: usize, size: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..size {
        let longer = |chosen: &Vec<usize>| {
            let first = chosen.last().map_or(0, |last| last + 1);
            let chosen = chosen.clone();
            (first..stages).map(move |next| [chosen.clone(), vec![next]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    let unevenness = |chosen: &Vec<usize>| -> usize {
        // Squares of the gaps, with the ends of the step.
        let ends = [chosen.first().copied().unwrap_or_default(), stages - chosen.last().copied().unwrap_or_default()];
        chosen.windows(2).map(|pair| (pair[1] - pair[0]).pow(2)).chain(ends.map(|gap| gap * gap)).sum()
    };
    all.sort_by_key(unevenness);
    all
}
