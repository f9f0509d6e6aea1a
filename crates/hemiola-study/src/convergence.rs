//! Schemes run with more and more steps: observed orders, and what errors cost.

use std::time::Instant;

use hemiola_integrate::{AnyStepper, Counted, Extras, Outcome, Reference, Sample, fewest_steps, observed_order};
use hemiola_models::Model;
use hemiola_tableau::Scheme;
use rayon::prelude::*;

use crate::{Progress, StudyError};

/// Errors begin to show an order below this part of the scale.
const SHOWS: f64 = 0.1;
/// Errors nearer to the reference's are its errors, too.
const HIDDEN: f64 = 10.0;
/// An observed order below a claimed one by more is a failed claim: orders between two of a pre-asymptotic range come nearer.
const SLACK: f64 = 0.3;

/// What is to be run.
pub struct Convergence<'a> {
    /// The model.
    pub model: &'a Model,
    /// The model with its parameters, as it was asked for.
    pub name: &'a str,
    /// When runs end.
    pub end: f64,
    /// The variables that errors are about.
    pub variables: Vec<usize>,
    /// An error for which the fewest steps are looked for.
    pub wanted: Option<f64>,
    /// What a scheme may take.
    pub caps: Caps,
}

/// What a method may take.
#[derive(Clone, Copy)]
pub struct Caps {
    /// The most runs with errors that show.
    pub levels: u32,
    /// The most steps of a run.
    pub most_steps: u64,
    /// The seconds for all runs of one method.
    pub seconds: f64,
}

/// Why there are no runs with more steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// As many runs were made as were asked for.
    Levels,
    /// Rounding, or the reference, hides smaller errors.
    Hidden,
    /// The next run would have more steps than allowed.
    MostSteps,
    /// The time was up.
    TimeLimit,
    /// Ctrl-C.
    Interrupted,
}

/// What came of it.
pub struct Converged<'a> {
    /// What was run.
    pub convergence: Convergence<'a>,
    /// The solution to compare with.
    pub reference: Reference,
    /// The runs of each scheme.
    pub ladders: Vec<Ladder>,
    /// Whether it was interrupted.
    pub is_interrupted: bool,
}

/// The runs of one scheme.
pub struct Ladder {
    /// The scheme.
    pub label: String,
    /// The order that it claims.
    pub claimed: Option<usize>,
    /// Runs whose errors show an order.
    pub samples: Vec<Sample>,
    /// The observed order.
    pub order: Option<f64>,
    /// The run with the fewest steps for the error that was asked for.
    pub wanted: Option<Sample>,
    /// Why there are no more runs.
    pub ended: Ended,
    /// The steps of the first run that is not made.
    pub next: u64,
}

impl<'a> Convergence<'a> {
    /// Runs the schemes. A [`Progress`] is told of one task for the solution to compare with, and of `levels` for each scheme.
    ///
    /// # Errors
    /// [`StudyError`] where a scheme does not fit the model, or there is no solution to compare with.
    pub fn run(self, schemes: &[Scheme], progress: &dyn Progress) -> Result<Converged<'a>, StudyError> {
        let start = Instant::now();
        let is_up = || start.elapsed().as_secs_f64() > self.caps.seconds;
        let goes_on = || !progress.is_interrupted() && !is_up();
        if progress.is_interrupted() {
            return Err(StudyError::InterruptedReference);
        }
        let reference = self.model.reference(self.end, self.end, &goes_on);
        progress.advance(1);
        if progress.is_interrupted() {
            return Err(StudyError::InterruptedReference);
        }
        let (reference, _) = reference.map_err(|outcome| StudyError::NoReference { outcome })?;
        let row = |scheme: &Scheme| self.row(scheme, &reference, progress);
        let rows = schemes.par_iter().map(row).collect::<Result<Vec<_>, _>>()?;
        let is_interrupted = progress.is_interrupted();
        Ok(Converged { convergence: self, reference, ladders: rows, is_interrupted })
    }

    fn row(&self, scheme: &Scheme, reference: &Reference, progress: &dyn Progress) -> Result<Ladder, StudyError> {
        let stepper = AnyStepper::of_scheme(scheme, &Counted::new(self.model), Extras::default())?;
        let comparison = self.model.comparison(self.end, reference, &self.variables);
        let (caps, start) = (self.caps, Instant::now());
        let is_interrupted = || progress.is_interrupted();
        let is_up = || start.elapsed().as_secs_f64() > caps.seconds;
        let goes_on = || !is_interrupted() && !is_up();
        let run = |steps| comparison.sample(&mut stepper.clone(), steps, &goes_on);
        let mut samples: Vec<Sample> = Vec::new();
        let mut steps = 1;
        let ended = loop {
            if samples.len() >= caps.levels as usize {
                break Ended::Levels;
            }
            if steps > caps.most_steps {
                break Ended::MostSteps;
            }
            let sample = run(steps);
            // A run that was cut off has an infinite error.
            if sample.outcome == Outcome::Stopped {
                break if is_interrupted() { Ended::Interrupted } else { Ended::TimeLimit };
            }
            let is_hidden = sample.error < HIDDEN * reference.uncertainty;
            if sample.error < SHOWS {
                progress.advance(1);
                samples.push(sample);
            }
            steps *= 2;
            if is_hidden {
                break Ended::Hidden;
            }
        };
        progress.advance(caps.levels as usize - samples.len());
        let wanted = self.wanted.and_then(|wanted| fewest_steps(|steps| run(steps).error, wanted, caps.most_steps));
        // What was cut off on the way is not the fewest.
        let wanted = wanted.filter(|_| goes_on());
        Ok(Ladder {
            ended,
            next: steps,
            label: scheme.label(),
            claimed: scheme.order(),
            order: observed_order(&samples, reference.uncertainty),
            wanted: wanted.map(run),
            samples,
        })
    }
}

impl Converged<'_> {
    /// Whether no observed order is clearly below the claimed one.
    #[must_use]
    pub fn keeps_its_claims(&self) -> bool {
        let keeps =
            |row: &Ladder| row.claimed.zip(row.order).is_none_or(|(claimed, order)| order > claimed as f64 - SLACK);
        self.ladders.iter().all(keeps)
    }
}
