//! What is found out by running methods on a model.

use std::ops::ControlFlow;
use std::time::Instant;

use hemiola::integrate::{
    Accepted, AnyStepper, Counted, Doubling, Embedded, Extras, Outcome, Reference, Run, System, Track, equal_steps,
};
use hemiola::models::Model;
use hemiola::plot::Series;
use hemiola::tableau::Scheme;
use rayon::prelude::*;
use serde::Serialize;

use crate::commands::simulate::outcome_text;
use crate::failure::Failure;
use crate::output::data::quoted;
use crate::output::progress::Watch;

/// Points of a curve: what print can show.
const POINTS: f64 = 2000.0;
/// Parts of a run that are counted while it goes on.
const PARTS: usize = 100;
/// The first step of step doubling, in parts of the span: it grows fast.
const FIRST: f64 = 1e-4;

/// How steps are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Steps {
    Equal(u64),
    Adaptive { tolerance: f64, doubling: bool },
}

/// What is to be run.
pub(crate) struct Study<'a> {
    pub(crate) model: &'a Model,
    /// The model with its parameters, as it was asked for.
    pub(crate) name: &'a str,
    pub(crate) steps: Steps,
    pub(crate) end: f64,
    /// The variables that were asked for.
    pub(crate) variables: Option<Vec<usize>>,
    /// Whether all steps are kept, or what curves need.
    pub(crate) keeps_all: bool,
}

/// What came of it.
pub(crate) struct Results<'a> {
    pub(crate) study: Study<'a>,
    pub(crate) reference: Option<(Reference, Track)>,
    pub(crate) rows: Vec<Row>,
    pub(crate) is_interrupted: bool,
}

/// One method's run.
pub(crate) struct Row {
    pub(crate) label: String,
    pub(crate) run: Run,
    pub(crate) evaluations: Vec<u64>,
    pub(crate) jacobians: u64,
    pub(crate) error: Option<f64>,
    /// How much of the energy at first was won.
    pub(crate) energy: Option<f64>,
    pub(crate) seconds: Option<f64>,
    track: Track,
}

impl<'a> Study<'a> {
    /// Runs the schemes, at the same time unless times are to be measured.
    pub(crate) fn run(self, schemes: &[Scheme], compare: bool, timed: bool) -> Result<Results<'a>, Failure> {
        let watch = Watch::new(PARTS * (schemes.len() + usize::from(compare)), "part");
        let goes_on = || !watch.interrupt().is_requested();
        // None where there is none to be found.
        let reference = || {
            let found = self.model.reference(self.end, self.spacing(), &goes_on).ok();
            watch.advance(PARTS);
            found
        };
        let reference = if compare { reference() } else { None };
        let row = |scheme: &Scheme| self.row(scheme, reference.as_ref(), timed, &watch);
        let rows: Result<Vec<Row>, Failure> =
            if timed { schemes.iter().map(row).collect() } else { schemes.par_iter().map(row).collect() };
        let is_interrupted = !goes_on();
        watch.finish();
        Ok(Results { rows: rows?, reference, is_interrupted, study: self })
    }

    /// What curves need.
    fn spacing(&self) -> f64 {
        self.end / POINTS
    }

    /// The variables that errors are about.
    fn compared(&self) -> Vec<usize> {
        self.variables.clone().unwrap_or_else(|| (0..self.model.initial.len()).collect())
    }

    fn row(
        &self,
        scheme: &Scheme,
        reference: Option<&(Reference, Track)>,
        timed: bool,
        watch: &Watch,
    ) -> Result<Row, Failure> {
        let system = Counted::new(self.model);
        let mut track = Track::new(if self.keeps_all { 0.0 } else { self.spacing() });
        track.add(0.0, &self.model.initial);
        let mut y = self.model.initial.clone();
        let (start, mut seen) = (Instant::now(), 0);
        let run = self.integrate(scheme, &system, &mut y, &mut |step| {
            track.add(step.t, step.y);
            let reached = (step.t / self.end * PARTS as f64) as usize;
            if reached > seen {
                watch.advance(reached - seen);
                seen = reached;
            }
            if watch.interrupt().is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        watch.advance(PARTS.saturating_sub(seen));
        let seconds = timed.then(|| start.elapsed().as_secs_f64());
        let is_finished = run.outcome == Outcome::Finished;
        let error = reference.filter(|_| is_finished).map(|(reference, _)| reference.error(&y, &self.compared()));
        let energy = |t, y: &[f64]| self.model.energy(t, y);
        let energy = energy(0.0, &self.model.initial).zip(energy(run.t, &y)).filter(|_| is_finished);
        Ok(Row {
            label: scheme.label(),
            run,
            evaluations: system.evaluations(),
            jacobians: system.jacobians(),
            error,
            energy: energy.map(|(first, last)| (last - first) / if first == 0.0 { 1.0 } else { first.abs() }),
            seconds,
            track,
        })
    }

    fn integrate<S: System>(
        &self,
        scheme: &Scheme,
        system: &S,
        y: &mut [f64],
        observer: &mut dyn FnMut(&Accepted<'_>) -> ControlFlow<()>,
    ) -> Result<Run, Failure> {
        let span = [0.0, self.end];
        let (tolerance, doubling) = match self.steps {
            Steps::Equal(steps) => {
                let mut stepper = AnyStepper::of_scheme(scheme, system, Extras::default())?;
                return Ok(equal_steps(&mut stepper, system, span, steps, y, observer));
            }
            Steps::Adaptive { tolerance, doubling } => (tolerance, doubling),
        };
        if let Some(order) = scheme.estimate_order().filter(|_| !doubling) {
            let mut stepper = AnyStepper::of_scheme(scheme, system, Extras { estimate: true, dense: false })?;
            let control = Embedded { relative: tolerance, absolute: tolerance, ..Embedded::new(order) };
            return Ok(control.run(&mut stepper, system, span, y, observer));
        }
        let order = scheme.order().ok_or_else(|| Failure::NoClaim { id: scheme.label() })?;
        let control = Doubling { tolerance, ..Doubling::new(order, FIRST * self.end) };
        Ok(control.run(&mut AnyStepper::of_scheme(scheme, system, Extras::default())?, system, span, y, observer))
    }
}

/// Numbers that are not there are `null`.
#[derive(Serialize)]
pub(crate) struct Report<'a> {
    model: &'a str,
    end: f64,
    reference_uncertainty: Option<f64>,
    methods: Vec<RowReport<'a>>,
}

#[derive(Serialize)]
struct RowReport<'a> {
    id: &'a str,
    outcome: String,
    t: f64,
    steps: u64,
    rejected: u64,
    evaluations: &'a [u64],
    jacobians: u64,
    error: Option<f64>,
    energy_change: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

impl<'a> From<&'a Row> for RowReport<'a> {
    fn from(row: &'a Row) -> Self {
        Self {
            id: &row.label,
            outcome: outcome_text(row.run.outcome, Some(row.run.t)),
            t: row.run.t,
            steps: row.run.steps,
            rejected: row.run.rejected,
            evaluations: &row.evaluations,
            jacobians: row.jacobians,
            error: row.error,
            energy_change: row.energy,
            seconds: row.seconds,
        }
    }
}

impl Results<'_> {
    /// The variables that are drawn.
    fn drawn(&self) -> &[usize] {
        self.study.variables.as_deref().unwrap_or(&self.study.model.drawn)
    }

    /// The names of what is drawn, with units.
    pub(crate) fn labels(&self) -> Vec<String> {
        let label = |&i: &usize| {
            let variable = &self.study.model.variables[i];
            let has_unit = !matches!(variable.unit, "" | "1");
            if has_unit { format!("{} in {}", variable.name, variable.unit) } else { variable.name.clone() }
        };
        self.drawn().iter().map(label).collect()
    }

    /// The solution to trust first, then the methods'.
    pub(crate) fn series(&self) -> Vec<Series> {
        let spacing = self.study.spacing();
        let series = |label: &str, track: &Track| Series::new(label, &track.thinned(spacing), self.drawn());
        let reference = self.reference.iter().map(|(_, track)| series("reference", track));
        reference.chain(self.rows.iter().map(|row| series(&row.label, &row.track))).collect()
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.rows.iter().all(|row| row.run.outcome == Outcome::Finished)
    }

    pub(crate) fn report(&self) -> Report<'_> {
        Report {
            model: self.study.name,
            end: self.study.end,
            reference_uncertainty: self.reference.as_ref().map(|(reference, _)| reference.uncertainty),
            methods: self.rows.iter().map(RowReport::from).collect(),
        }
    }

    /// A line for each step of the first method: the time and all variables.
    pub(crate) fn csv(&self) -> String {
        let names = self.study.model.variables.iter().map(|variable| format!(",{}", quoted(&variable.name)));
        let mut text = format!("t{}\n", names.collect::<String>());
        for (t, state) in self.rows.iter().take(1).flat_map(|row| row.track.times.iter().zip(&row.track.states)) {
            let values: String = state.iter().map(|value| format!(",{value}")).collect();
            text += &format!("{t}{values}\n");
        }
        text
    }
}
