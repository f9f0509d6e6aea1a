//! Runs schemes with more and more steps: observed orders and the cost of accuracy.

use std::ops::ControlFlow;
use std::time::Instant;

use hemiola_integrate::{
    Counted, Extras, Integrator, OrderFit, Outcome, Reference, Sample, cached_runs, fewest_steps, fitted_order,
};
use hemiola_models::Model;
use hemiola_number::{Counter, Progress, Update};
use rayon::prelude::*;

use crate::StudyError;
use crate::error::{require, require_positive};

/// Relative error below which runs are used for the observed order.
const SHOWS: f64 = 0.1;
/// Ratio of error to reference uncertainty below which the reference affects the error.
const HIDDEN: f64 = 10.0;
/// Largest amount by which an observed order may fall short of the claimed one; pre-asymptotic orders come closer.
const SLACK: f64 = 0.3;

/// Largest accepted number of steps: more would take days, and rounding errors prevail.
const MOST_STEPS: u64 = 1 << 40;

/// A convergence study to run.
pub struct Convergence<'a> {
    /// The model.
    pub model: &'a Model,
    /// The model with its parameters, as requested.
    pub name: &'a str,
    /// The final time.
    pub end: f64,
    /// The variables whose errors count.
    pub variables: Vec<usize>,
    /// The error for which the fewest steps are determined.
    pub wanted: Option<f64>,
    /// Limits on the runs of a scheme.
    pub caps: RunLimits,
}

/// Limits on the runs of a method.
#[derive(Clone, Copy)]
pub struct RunLimits {
    /// The maximum number of runs with visible errors.
    pub levels: u32,
    /// The maximum number of steps in a run.
    pub most_steps: u64,
    /// The time limit in seconds for all runs of one method.
    pub seconds: f64,
}

/// The reason why a series of runs ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The maximum number of runs was reached.
    Levels,
    /// Smaller errors are hidden by rounding or by the error of the reference.
    Hidden,
    /// The next run would have more steps than allowed.
    MostSteps,
    /// The time limit was reached.
    TimeLimit,
    /// The study was interrupted, as by Ctrl-C.
    Interrupted,
}

/// The results of a convergence study.
pub struct ConvergenceResults<'a> {
    /// The study that was run.
    pub convergence: Convergence<'a>,
    /// The reference solution.
    pub reference: Reference,
    /// The runs of each scheme.
    pub ladders: Vec<ConvergenceSeries>,
    /// Whether the study was interrupted.
    pub is_interrupted: bool,
}

/// The runs of one scheme.
pub struct ConvergenceSeries {
    /// The scheme.
    pub label: String,
    /// The claimed order of the scheme.
    pub claimed: Option<usize>,
    /// The runs whose errors show an order.
    pub samples: Vec<Sample>,
    /// The observed order over the asymptotic range.
    pub order: Option<f64>,
    /// The runs that the order is fitted to.
    pub fit: Option<OrderFit>,
    /// The last run if none had a visible order and its result is not finite or no solution.
    pub unstable: Option<Sample>,
    /// The run with the fewest steps that reaches the requested error.
    pub wanted: Option<Sample>,
    /// The reason why the series ended.
    pub ended: StopReason,
    /// The number of steps of the first skipped run.
    pub next: u64,
}

impl<'a> Convergence<'a> {
    /// Runs the schemes.
    ///
    /// `progress` counts the runs: one for the reference solution and `levels` for each scheme.
    ///
    /// # Errors
    /// Returns a [`StudyError`] if a scheme does not fit the model, a number is out of its range or there is no
    /// reference solution.
    pub fn run(self, schemes: &[Integrator], progress: &dyn Progress) -> Result<ConvergenceResults<'a>, StudyError> {
        self.check()?;
        let start = Instant::now();
        let runs = (self.caps.levels as usize).saturating_mul(schemes.len()).saturating_add(1);
        let counter = Counter::new(progress, "runs", Some(runs));
        if counter.advance(0).is_break() {
            return Err(StudyError::InterruptedReference);
        }
        let reference = self.model.reference(self.end, self.end, &self.limited(start, &counter));
        if counter.advance(1).is_break() {
            return Err(StudyError::InterruptedReference);
        }
        let (reference, _) = reference.map_err(|outcome| StudyError::NoReference { outcome })?;
        let row = |scheme: &Integrator| self.row(scheme, &reference, &counter);
        let rows = schemes.par_iter().map(row).collect::<Result<Vec<_>, _>>()?;
        let is_interrupted = counter.advance(0).is_break();
        Ok(ConvergenceResults { convergence: self, reference, ladders: rows, is_interrupted })
    }

    fn check(&self) -> Result<(), StudyError> {
        let RunLimits { levels, most_steps, seconds } = self.caps;
        require_positive("the end time", self.end)?;
        require((2..=40).contains(&levels), "levels", &levels, "2 to 40")?;
        require((1..=MOST_STEPS).contains(&most_steps), "most_steps", &most_steps, "1 to 2^40")?;
        require_positive("the time limit", seconds)?;
        self.wanted.map_or(Ok(()), |wanted| require_positive("the wanted error", wanted))
    }

    /// Returns progress that also stops at the time limit.
    fn limited(&self, start: Instant, progress: &dyn Progress) -> impl Progress {
        move |update: Update<'_>| {
            let is_up = start.elapsed().as_secs_f64() > self.caps.seconds;
            if is_up { ControlFlow::Break(()) } else { progress.report(update) }
        }
    }

    fn row(
        &self,
        scheme: &Integrator,
        reference: &Reference,
        counter: &Counter<'_>,
    ) -> Result<ConvergenceSeries, StudyError> {
        let model = self.model.renewed();
        let stepper = scheme.stepper(&Counted::new(&model), Extras::default(), None)?;
        let comparison = model.comparison(self.end, reference, &self.variables);
        let (caps, limited) = (self.caps, self.limited(Instant::now(), counter));
        let mut run = cached_runs(|steps| comparison.sample(&mut stepper.clone(), steps, &limited));
        let mut samples: Vec<Sample> = Vec::new();
        let (mut steps, mut unstable) = (1, None);
        let ended = loop {
            if samples.len() >= caps.levels as usize {
                break StopReason::Levels;
            }
            if steps > caps.most_steps {
                break StopReason::MostSteps;
            }
            let sample = run(steps);
            // A run that was stopped has an infinite error.
            if sample.outcome == Outcome::Stopped {
                break if counter.is_stopped() { StopReason::Interrupted } else { StopReason::TimeLimit };
            }
            let outcome = sample.outcome.judged(sample.error);
            unstable = (outcome != Outcome::Finished).then(|| Sample { outcome, ..sample.clone() });
            let is_hidden = sample.error < HIDDEN * reference.uncertainty;
            if sample.error < SHOWS {
                // The next run checks again whether to continue.
                let _ = counter.advance(1);
                samples.push(sample);
            }
            steps *= 2;
            if is_hidden {
                break StopReason::Hidden;
            }
        };
        let _ = counter.advance(caps.levels as usize - samples.len());
        let wanted = self.wanted.and_then(|wanted| fewest_steps(|steps| run(steps).error, wanted, caps.most_steps));
        // An interrupted search does not determine the fewest steps.
        let wanted = wanted.filter(|_| limited.report(Update::default()).is_continue());
        let fit = fitted_order(&samples, reference.uncertainty);
        Ok(ConvergenceSeries {
            ended,
            unstable: unstable.filter(|_| samples.is_empty()),
            next: steps,
            label: scheme.label(),
            claimed: scheme.order(),
            order: fit.as_ref().map(|fit| fit.order),
            fit,
            wanted: wanted.map(run),
            samples,
        })
    }
}

impl ConvergenceResults<'_> {
    /// Returns whether some scheme has only runs whose results are not finite or no solutions.
    #[must_use]
    pub fn has_unstable(&self) -> bool {
        self.ladders.iter().any(|row| row.unstable.is_some())
    }

    /// Returns whether every observed order agrees with the claimed one within the slack.
    #[must_use]
    pub fn orders_match_claims(&self) -> bool {
        let keeps = |row: &ConvergenceSeries| {
            row.claimed.zip(row.order).is_none_or(|(claimed, order)| order > claimed as f64 - SLACK)
        };
        self.ladders.iter().all(keeps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_out_of_range_are_refused_before_a_run() {
        let model = hemiola_models::model("kepler", &[]).unwrap();
        let good = RunLimits { levels: 2, most_steps: 1, seconds: 60.0 };
        let refused = |caps, wanted| {
            let study = Convergence { model: &model, name: "kepler", end: 0.1, variables: vec![0], wanted, caps };
            match study.run(&[], &()) {
                Err(StudyError::OutOfRange { name, .. }) => Some(name),
                _ => None,
            }
        };
        assert_eq!(refused(good, Some(1e-3)), None);
        assert_eq!(refused(RunLimits { levels: 1, ..good }, None), Some("levels"));
        assert_eq!(refused(RunLimits { levels: u32::MAX, ..good }, None), Some("levels"));
        assert_eq!(refused(RunLimits { most_steps: 0, ..good }, None), Some("most_steps"));
        assert_eq!(refused(RunLimits { seconds: f64::NAN, ..good }, None), Some("the time limit"));
        assert_eq!(refused(good, Some(-1.0)), Some("the wanted error"));
    }
}
