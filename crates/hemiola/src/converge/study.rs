//! What is found out by running methods with more and more steps.

use hemiola::integrate::{Counted, Extras, Reference, Sample, fewest_steps, observed_order};
use hemiola::models::Model;
use rayon::prelude::*;
use serde::Serialize;

use crate::failure::Failure;
use crate::progress::Watch;
use crate::scheme::Scheme;
use crate::simulate::outcome_text;

/// Errors begin to show an order below this part of the scale.
const SHOWS: f64 = 0.1;
/// Errors nearer to the reference's are its errors, too.
const HIDDEN: f64 = 10.0;
/// More steps are not tried.
const MOST_STEPS: u64 = 1 << 24;
/// An observed order below a claimed one by more is a failed claim: orders between two of a pre-asymptotic range come nearer.
const SLACK: f64 = 0.3;

/// What is to be run.
pub(super) struct Study<'a> {
    pub(super) model: &'a Model,
    /// The model with its parameters, as it was asked for.
    pub(super) name: &'a str,
    pub(super) end: f64,
    pub(super) variables: Vec<usize>,
    pub(super) levels: u32,
    pub(super) wanted: Option<f64>,
}

/// What came of it.
pub(super) struct Results<'a> {
    pub(super) study: Study<'a>,
    pub(super) reference: Reference,
    pub(super) rows: Vec<Row>,
    pub(super) is_interrupted: bool,
}

/// One method.
pub(super) struct Row {
    pub(super) label: String,
    pub(super) claimed: Option<usize>,
    pub(super) samples: Vec<Sample>,
    pub(super) order: Option<f64>,
    /// The run with the fewest steps for the error that was asked for.
    pub(super) wanted: Option<Sample>,
}

impl<'a> Study<'a> {
    pub(super) fn run(self, schemes: &[Scheme]) -> Result<Results<'a>, Failure> {
        let watch = Watch::new((self.levels as usize) * schemes.len() + 1, "run");
        let goes_on = || !watch.interrupt().is_requested();
        let reference = watch.unless_interrupted(|| self.model.reference(self.end, self.end, &goes_on));
        let reference = reference.filter(|_| goes_on()).ok_or(Failure::InterruptedReference)?;
        let no_reference =
            |outcome| Failure::NoReference { model: self.name.to_owned(), outcome: outcome_text(outcome, None) };
        let (reference, _) = reference.map_err(no_reference)?;
        let row = |scheme: &Scheme| self.row(scheme, &reference, &watch);
        let rows = schemes.par_iter().map(row).collect::<Result<Vec<_>, _>>()?;
        let is_interrupted = watch.interrupt().is_requested();
        watch.finish();
        Ok(Results { study: self, reference, rows, is_interrupted })
    }

    fn row(&self, scheme: &Scheme, reference: &Reference, watch: &Watch) -> Result<Row, Failure> {
        let stepper = scheme.stepper(&Counted::new(self.model), Extras::default())?;
        let comparison = self.model.comparison(self.end, reference, &self.variables);
        let goes_on = || !watch.interrupt().is_requested();
        let run = |steps| comparison.sample(&mut stepper.clone(), steps, &goes_on);
        let mut samples: Vec<Sample> = Vec::new();
        let mut steps = 1;
        while samples.len() < self.levels as usize && steps <= MOST_STEPS && goes_on() {
            let sample = run(steps);
            let is_hidden = sample.error < HIDDEN * reference.uncertainty;
            // A run that was interrupted has an infinite error.
            if sample.error < SHOWS {
                watch.advance(1);
                samples.push(sample);
            }
            if is_hidden {
                break;
            }
            steps *= 2;
        }
        watch.advance(self.levels as usize - samples.len());
        let wanted = self.wanted.and_then(|wanted| fewest_steps(|steps| run(steps).error, wanted, MOST_STEPS));
        Ok(Row {
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
pub(super) struct Report<'a> {
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
            wanted: row.wanted.as_ref().map(SampleReport::from),
        }
    }
}

impl Results<'_> {
    pub(super) fn report(&self) -> Report<'_> {
        Report {
            model: self.study.name,
            end: self.study.end,
            reference_uncertainty: self.reference.uncertainty,
            methods: self.rows.iter().map(RowReport::from).collect(),
        }
    }

    /// Whether no observed order is clearly below the claimed one.
    pub(super) fn keeps_its_claims(&self) -> bool {
        let keeps =
            |row: &Row| row.claimed.zip(row.order).is_none_or(|(claimed, order)| order > claimed as f64 - SLACK);
        self.rows.iter().all(keeps)
    }

    /// A line for each run.
    pub(super) fn csv(&self) -> String {
        let partitions = self.rows.iter().flat_map(|row| &row.samples).map(|sample| sample.evaluations.len()).max();
        let names: String = (1..=partitions.unwrap_or(1)).map(|r| format!(",evaluations {r}")).collect();
        let mut text = format!("method,steps,h,error{names},jacobians\n");
        for (row, sample) in self.rows.iter().flat_map(|row| row.samples.iter().map(move |sample| (row, sample))) {
            let counts: String = sample.evaluations.iter().map(|count| format!(",{count}")).collect();
            let h = self.study.end / sample.steps as f64;
            let (label, steps, error) = (crate::data::quoted(&row.label), sample.steps, sample.error);
            text += &format!("{label},{steps},{h},{error}{counts},{}\n", sample.jacobians);
        }
        text
    }
}
