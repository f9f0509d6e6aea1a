//! What is found out by running methods on a model.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::time::Instant;

use hemiola::figures::Series;
use hemiola::integrate::{Accepted, Counted, Doubling, Embedded, Extras, Outcome, Reference, Run, System, equal_steps};
use hemiola::models::Model;
use rayon::prelude::*;
use serde::Serialize;

use crate::data::quoted;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Watch;
use crate::scheme::Scheme;
use crate::simulate::outcome_text;

/// Points of a curve: what print can show.
const POINTS: f64 = 2000.0;
/// The first step of step doubling, in parts of the span: it grows fast.
const FIRST: f64 = 1e-4;

/// How steps are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Steps {
    Equal(u64),
    Adaptive { tolerance: f64, doubling: bool },
}

/// What is to be run.
pub(super) struct Study<'a> {
    pub(super) model: &'a Model,
    /// The model with its parameters, as it was asked for.
    pub(super) name: &'a str,
    pub(super) steps: Steps,
    pub(super) end: f64,
    /// The variables that were asked for.
    pub(super) variables: Option<Vec<usize>>,
    /// Whether all steps are kept, or what curves need.
    pub(super) keeps_all: bool,
}

/// What came of it.
pub(super) struct Results<'a> {
    pub(super) study: Study<'a>,
    pub(super) reference: Option<(Reference, Track)>,
    pub(super) rows: Vec<Row>,
    pub(super) is_interrupted: bool,
}

/// One method's run.
pub(super) struct Row {
    pub(super) label: String,
    pub(super) run: Run,
    pub(super) evaluations: Vec<u64>,
    pub(super) jacobians: u64,
    pub(super) error: Option<f64>,
    /// How much of the energy at first was won.
    pub(super) energy: Option<f64>,
    pub(super) seconds: Option<f64>,
    track: Track,
}

/// States on the way.
#[derive(Clone, Debug, Default)]
pub(super) struct Track {
    times: Vec<f64>,
    states: Vec<Vec<f64>>,
}

impl Track {
    /// Adds the end of a step where it is so long after the last one.
    fn add(&mut self, t: f64, y: &[f64], spacing: f64) {
        let is_due = self.times.last().is_none_or(|last| t - last >= spacing);
        if is_due {
            self.times.push(t);
            self.states.push(y.to_vec());
        }
    }

    /// Some variables as curves, with points no nearer than `spacing`.
    fn series(&self, label: &str, variables: &[usize], spacing: f64) -> Series {
        let mut thin = Self::default();
        for (&t, state) in self.times.iter().zip(&self.states) {
            thin.add(t, state, spacing);
        }
        let values = variables.iter().map(|&i| thin.states.iter().map(|state| state[i]).collect());
        Series { label: label.to_owned(), values: values.collect(), times: thin.times }
    }
}

impl<'a> Study<'a> {
    /// Runs the schemes, at the same time unless times are to be measured.
    pub(super) fn run(self, schemes: &[Scheme], compare: bool, timed: bool) -> Result<Results<'a>, Failure> {
        let watch = Watch::new(schemes.len() + usize::from(compare), "run");
        let reference =
            if compare { watch.unless_interrupted(|| self.reference(watch.interrupt())).flatten() } else { None };
        // Runs that had not begun when Ctrl-C came are left out.
        let row = |scheme: &Scheme| {
            watch.unless_interrupted(|| self.row(scheme, reference.as_ref(), timed, watch.interrupt()))
        };
        let rows: Result<Vec<Row>, Failure> =
            if timed { schemes.iter().filter_map(row).collect() } else { schemes.par_iter().filter_map(row).collect() };
        let is_interrupted = watch.interrupt().is_requested();
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

    /// The solution, known or computed; none where it cannot be.
    fn reference(&self, interrupt: &Interrupt) -> Option<(Reference, Track)> {
        let (model, span) = (self.model, [0.0, self.end]);
        let mut track = Track::default();
        if model.exact(0.0).is_some() {
            let solution = |t| model.exact(t).unwrap_or_default();
            for k in 0..=POINTS as u32 {
                let t = self.end * f64::from(k) / POINTS;
                track.add(t, &solution(t), 0.0);
            }
            return Some((Reference::exact(solution, span, POINTS as u32), track));
        }
        track.add(0.0, &model.initial, 0.0);
        let reference = Reference::computed(model, span, &model.initial, &mut |step| {
            track.add(step.t, step.y, self.spacing());
            if interrupt.is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        reference.ok().map(|reference| (reference, track))
    }

    fn row(
        &self,
        scheme: &Scheme,
        reference: Option<&(Reference, Track)>,
        timed: bool,
        interrupt: &Interrupt,
    ) -> Result<Row, Failure> {
        let system = Counted::new(self.model);
        let track = RefCell::new(Track::default());
        track.borrow_mut().add(0.0, &self.model.initial, 0.0);
        let mut y = self.model.initial.clone();
        let start = Instant::now();
        let run = self.integrate(scheme, &system, &mut y, &mut |step| {
            track.borrow_mut().add(step.t, step.y, if self.keeps_all { 0.0 } else { self.spacing() });
            if interrupt.is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
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
            track: track.into_inner(),
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
                let mut stepper = scheme.stepper(system, Extras::default())?;
                return Ok(equal_steps(&mut stepper, system, span, steps, y, observer));
            }
            Steps::Adaptive { tolerance, doubling } => (tolerance, doubling),
        };
        if let Some(order) = scheme.estimate_order().filter(|_| !doubling) {
            let mut stepper = scheme.stepper(system, Extras { estimate: true, dense: false })?;
            let control = Embedded { relative: tolerance, absolute: tolerance, ..Embedded::new(order) };
            return Ok(control.run(&mut stepper, system, span, y, observer));
        }
        let order = scheme.order().ok_or_else(|| Failure::NoClaim { id: scheme.label() })?;
        let control = Doubling { tolerance, ..Doubling::new(order, FIRST * self.end) };
        Ok(control.run(&mut scheme.stepper(system, Extras::default())?, system, span, y, observer))
    }
}

/// Numbers that are not there are `null`.
#[derive(Serialize)]
pub(super) struct Report<'a> {
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
    pub(super) fn labels(&self) -> Vec<String> {
        let label = |&i: &usize| {
            let variable = &self.study.model.variables[i];
            let has_unit = !matches!(variable.unit, "" | "1");
            if has_unit { format!("{} in {}", variable.name, variable.unit) } else { variable.name.clone() }
        };
        self.drawn().iter().map(label).collect()
    }

    /// The solution to trust first, then the methods'.
    pub(super) fn series(&self) -> Vec<Series> {
        let series = |label: &str, track: &Track| track.series(label, self.drawn(), self.study.spacing());
        let reference = self.reference.iter().map(|(_, track)| series("reference", track));
        reference.chain(self.rows.iter().map(|row| series(&row.label, &row.track))).collect()
    }

    pub(super) fn is_finished(&self) -> bool {
        self.rows.iter().all(|row| row.run.outcome == Outcome::Finished)
    }

    pub(super) fn report(&self) -> Report<'_> {
        Report {
            model: self.study.name,
            end: self.study.end,
            reference_uncertainty: self.reference.as_ref().map(|(reference, _)| reference.uncertainty),
            methods: self.rows.iter().map(RowReport::from).collect(),
        }
    }

    /// A line for each step of the first method: the time and all variables.
    pub(super) fn csv(&self) -> String {
        let names = self.study.model.variables.iter().map(|variable| format!(",{}", quoted(&variable.name)));
        let mut text = format!("t{}\n", names.collect::<String>());
        for (t, state) in self.rows.iter().take(1).flat_map(|row| row.track.times.iter().zip(&row.track.states)) {
            let values: String = state.iter().map(|value| format!(",{value}")).collect();
            text += &format!("{t}{values}\n");
        }
        text
    }
}
