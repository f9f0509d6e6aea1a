//! The search for the largest radius: random starts for each choice of slow stages.

use std::ops::Range;

use hemiola_number::{Counter, Progress, parallel};

use crate::error::DesignError;
use crate::proof::trees::trees;
use crate::ssp::canonical_form::{CanonicalForm, SspEquation};
use crate::ssp::maximize::{LocalMaximum, maximize};
use crate::ssp::specification::SspSpecification;
use crate::ssp::start::random_start;

/// Number of starts that compare the choices of slow stages.
const STARTS_OF_A_CHOICE: usize = 6;
/// Number of choices that are examined with all starts.
const BEST_CHOICES: usize = 3;
/// Largest number of choices of each kind; a larger set is thinned out evenly.
const MOST_CHOICES: usize = 60;
/// Difference up to which radii count as equal.
const EQUAL: f64 = 1e-9;
/// Number of starts in one round; the search may end after each round.
const ROUND: usize = 12;

/// A form with a local maximum.
pub(crate) struct FoundMaximum {
    pub(crate) form: CanonicalForm,
    pub(crate) maximum: LocalMaximum,
}

/// Returns the local maxima of all starts by decreasing radius; among almost equal radii, the sparsest method comes
/// first.
///
/// The search ends early if the radius reaches `bound`. `progress` receives the finished starts. If it stops the
/// search, the maxima so far are returned.
pub(crate) fn search(
    specification: &SspSpecification,
    bound: f64,
    progress: &dyn Progress,
) -> Result<Vec<FoundMaximum>, DesignError> {
    let forms = forms(specification)?;
    let starts = specification.starts;
    let preview = if forms.len() > 1 { STARTS_OF_A_CHOICE.min(starts) } else { 0 };
    let closely = forms.len().min(BEST_CHOICES);
    let counter = Counter::new(progress, "starts", Some(forms.len() * preview + closely * (starts - preview)));
    let run = |choices: &[usize], indices: Range<usize>| {
        let count = indices.len();
        let maxima = parallel::map(choices.len() * count, |k| {
            let (choice, index) = (choices[k / count], indices.start + k % count);
            let form = &forms[choice];
            let maximum = counter.run(|| maximize(form, random_start(form, specification.seed, index))).flatten();
            maximum.map(|maximum| (choice, maximum))
        });
        maxima.into_iter().flatten()
    };
    let all: Vec<usize> = (0..forms.len()).collect();
    let mut found: Vec<(usize, LocalMaximum)> = run(&all, 0..preview).collect();
    rank(&mut found);
    // The choices in the order of their best maxima, followed by those without a maximum.
    let mut chosen: Vec<usize> = Vec::new();
    for choice in found.iter().map(|(choice, _)| *choice).chain(all) {
        if !chosen.contains(&choice) && chosen.len() < closely {
            chosen.push(choice);
        }
    }
    for first in (preview..starts).step_by(ROUND) {
        let has_reached = |(_, maximum): &(usize, LocalMaximum)| maximum.radius() >= bound * (1.0 - EQUAL);
        if counter.is_stopped() || found.first().is_some_and(has_reached) {
            break;
        }
        found.extend(run(&chosen, first..(first + ROUND).min(starts)));
        rank(&mut found);
    }
    Ok(found.into_iter().map(|(choice, maximum)| FoundMaximum { form: forms[choice].clone(), maximum }).collect())
}

/// Sorts by decreasing radius; almost equal radii by decreasing number of zeros, then in the order of the starts.
fn rank(found: &mut [(usize, LocalMaximum)]) {
    let key = |(_, maximum): &(usize, LocalMaximum)| ((maximum.radius() / EQUAL).round(), maximum.zeros());
    found.sort_by(|x, y| {
        let (x, y) = (key(x), key(y));
        y.0.total_cmp(&x.0).then(y.1.cmp(&x.1))
    });
}

/// Returns the form of each choice of the stages of a pair: the slow ones among the fast ones, and one of them alone.
fn forms(specification: &SspSpecification) -> Result<Vec<CanonicalForm>, DesignError> {
    let count = specification.evaluations.len();
    let conditions = trees(count, specification.order)?;
    let form = |evaluated: &[Vec<usize>]| {
        let stages = evaluated.iter().flatten().max().map_or(0, |last| last + 1);
        let mut equations: Vec<SspEquation> = conditions.iter().cloned().map(SspEquation::Order).collect();
        if count == 2 && specification.shared_weights {
            equations.extend((0..stages).map(SspEquation::SharedWeight));
        }
        if count == 2 && specification.shared_abscissae {
            equations.extend((1..stages).map(SspEquation::SharedAbscissa));
        }
        CanonicalForm::new(evaluated, !specification.by_parts, specification.direction(), equations)
    };
    let [slow, fast] = match specification.evaluations[..] {
        [slow, fast] => [slow, fast],
        _ => return Ok(vec![form(&[(0..specification.evaluations[0]).collect()])]),
    };
    let all: Vec<usize> = (0..fast).collect();
    if let Some(stages) = &specification.slow_stages {
        return Ok(vec![form(&[stages.clone(), all])]);
    }
    let among = choices(fast, slow).into_iter().map(|chosen| [chosen, all.clone()]);
    // A stage of its own for a slow evaluation lengthens steps of some sizes; at the first stage both are evaluated.
    let alone = choices(fast + 1, slow).into_iter().flat_map(|chosen| {
        let later: Vec<usize> = chosen.iter().copied().filter(|&stage| stage > 0).collect();
        later.into_iter().map(move |own| [chosen.clone(), (0..=fast).filter(|&stage| stage != own).collect()])
    });
    let spread = |choices: Vec<[Vec<usize>; 2]>| {
        let step = choices.len().div_ceil(MOST_CHOICES).max(1);
        choices.into_iter().step_by(step)
    };
    Ok(spread(among.collect()).chain(spread(alone.collect())).map(|evaluated| form(&evaluated)).collect())
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
