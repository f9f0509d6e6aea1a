//! What is found out by running methods with more and more steps.

use std::time::Instant;

use hemiola::integrate::{AnyStepper, Counted, Extras, Outcome, Reference, Sample, fewest_steps, observed_order};
use hemiola::models::Model;
use hemiola::tableau::Scheme;
use rayon::prelude::*;
use serde::Serialize;

use crate::commands::simulate::outcome_text;
use crate::failure::Failure;
use crate::output::progress::Watch;

/// Errors begin to show an order below this part of the scale.
const SHOWS: f64 = 0.1;
/// Errors nearer to the reference's are its errors, too.
const HIDDEN: f64 = 10.0;
/// An observed order below a claimed one by more is a failed claim: orders between two of a pre-asymptotic range come nearer.
const SLACK: f64 = 0.3;

/// What is to be run.
pub(crate) struct Study<'a> {
    pub(crate) model: &'a Model,
    /// The model with its parameters, as it was asked for.
    pub(crate) name: &'a str,
    pub(crate) end: f64,
    pub(crate) variables: Vec<usize>,
    pub(crate) wanted: Option<f64>,
    pub(crate) caps: Caps,
}

/// What a method may take.
#[derive(Clone, Copy)]
pub(crate) struct Caps {
    /// The most runs with errors that show.
    pub(crate) levels: u32,
    /// The most steps of a run.
    pub(crate) most_steps: u64,
    /// The seconds for all runs of one method.
    pub(crate) seconds: f64,
}

/// Why there are no runs with more steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Ended {
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
pub(crate) struct Results<'a> {
    pub(crate) study: Study<'a>,
    pub(crate) reference: Reference,
    pub(crate) rows: Vec<Row>,
    pub(crate) is_interrupted: bool,
}

/// One method.
pub(crate) struct Row {
    pub(crate) label: String,
    pub(crate) claimed: Option<usize>,
    pub(crate) samples: Vec<Sample>,
    pub(crate) order: Option<f64>,
    /// The run with the fewest steps for the error that was asked for.
    pub(crate) wanted: Option<Sample>,
    /// Why there are no more runs, and the steps of the first that is not made.
    pub(crate) ended: Ended,
    pub(crate) next: u64,
}

impl<'a> Study<'a> {
    pub(crate) fn run(self, schemes: &[Scheme]) -> Result<Results<'a>, Failure> {
        let watch = Watch::new((self.caps.levels as usize) * schemes.len() + 1, "run");
        let start = Instant::now();
        let is_up = || start.elapsed().as_secs_f64() > self.caps.seconds;
        let goes_on = || !watch.interrupt().is_requested() && !is_up();
        let reference = watch.unless_interrupted(|| self.model.reference(self.end, self.end, &goes_on));
        let is_interrupted = watch.interrupt().is_requested();
        let reference = reference.filter(|_| !is_interrupted).ok_or(Failure::InterruptedReference)?;
        let no_reference = |outcome| {
            let late = || format!("it takes more than {} s (--time-limit)", self.caps.seconds);
            let outcome = if outcome == Outcome::Stopped { late() } else { outcome_text(outcome, None) };
            Failure::NoReference { model: self.name.to_owned(), outcome }
        };
        let (reference, _) = reference.map_err(no_reference)?;
        let row = |scheme: &Scheme| self.row(scheme, &reference, &watch);
        let rows = schemes.par_iter().map(row).collect::<Result<Vec<_>, _>>()?;
        let is_interrupted = watch.interrupt().is_requested();
        watch.finish();
        Ok(Results { study: self, reference, rows, is_interrupted })
    }

    fn row(&self, scheme: &Scheme, reference: &Reference, watch: &Watch) -> Result<Row, Failure> {
        let stepper = AnyStepper::of_scheme(scheme, &Counted::new(self.model), Extras::default())?;
        let comparison = self.model.comparison(self.end, reference, &self.variables);
        let (caps, start) = (self.caps, Instant::now());
        let is_interrupted = || watch.interrupt().is_requested();
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
                watch.advance(1);
                samples.push(sample);
            }
            steps *= 2;
            if is_hidden {
                break Ended::Hidden;
            }
        };
        watch.advance(caps.levels as usize - samples.len());
        let wanted = self.wanted.and_then(|wanted| fewest_steps(|steps| run(steps).error, wanted, caps.most_steps));
        // What was cut off on the way is not the fewest.
        let wanted = wanted.filter(|_| goes_on());
        Ok(Row {
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

/// Numbers that are not there are `null`.
#[derive(Serialize)]
pub(crate) struct Report<'a> {
    model: &'a str,
    end: f64,
    reference_uncertainty: f64,
    methods: Vec<RowReport<'a>>,
}

#[derive(Serialize)]
struct RowReport<'a> {
    id: &'a str,
    claimed_order: Option<usize>,
    observed_order: Option<f64>,
    runs: Vec<SampleReport<'a>>,
    ended: Ended,
    /// The steps of the first run that was not made.
    next_steps: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    wanted: Option<SampleReport<'a>>,
}

#[derive(Serialize)]
struct SampleReport<'a> {
    steps: u64,
    error: f64,
    evaluations: &'a [u64],
    jacobians: u64,
}

impl<'a> From<&'a Sample> for SampleReport<'a> {
    fn from(sample: &'a Sample) -> Self {
        let Sample { steps, error, ref evaluations, jacobians, .. } = *sample;
        Self { steps, error, evaluations, jacobians }
    }
}

impl<'a> From<&'a Row> for RowReport<'a> {
    fn from(row: &'a Row) -> Self {
        Self {
            id: &row.label,
            claimed_order: row.claimed,
            observed_order: row.order,
            runs: row.samples.iter().map(SampleReport::from).collect(),
            ended: row.ended,
            next_steps: row.next,
            wanted: row.wanted.as_ref().map(SampleReport::from),
        }
    }
}

impl Results<'_> {
    pub(crate) fn report(&self) -> Report<'_> {
        Report {
            model: self.study.name,
            end: self.study.end,
            reference_uncertainty: self.reference.uncertainty,
            methods: self.rows.iter().map(RowReport::from).collect(),
        }
    }

    /// Whether no observed order is clearly below the claimed one.
    pub(crate) fn keeps_its_claims(&self) -> bool {
        let keeps =
            |row: &Row| row.claimed.zip(row.order).is_none_or(|(claimed, order)| order > claimed as f64 - SLACK);
        self.rows.iter().all(keeps)
    }

    /// A line for each run.
    pub(crate) fn csv(&self) -> String {
        let partitions = self.rows.iter().flat_map(|row| &row.samples).map(|sample| sample.evaluations.len()).max();
        let names: String = (1..=partitions.unwrap_or(1)).map(|r| format!(",evaluations {r}")).collect();
        let mut text = format!("method,steps,h,error{names},jacobians\n");
        for (row, sample) in self.rows.iter().flat_map(|row| row.samples.iter().map(move |sample| (row, sample))) {
            let counts: String = sample.evaluations.iter().map(|count| format!(",{count}")).collect();
            let h = self.study.end / sample.steps as f64;
            let (label, steps, error) = (crate::output::data::quoted(&row.label), sample.steps, sample.error);
            text += &format!("{label},{steps},{h},{error}{counts},{}\n", sample.jacobians);
        }
        text
    }
}
