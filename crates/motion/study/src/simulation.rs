//! Runs schemes on a model and compares them with a reference solution.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use hemiola_integrate::{
    Accepted, Counted, Doubling, Embedded, Extras, Integrator, Outcome, Reference, Run, System, Track, equal_steps,
};
use hemiola_models::Model;
use hemiola_multibody::SolverCounts;
use hemiola_number::{Counter, Progress, Update};
use rayon::prelude::*;

use crate::StudyError;
use crate::error::{require, require_positive};

/// Largest number of evaluations in a run with equal steps, which takes minutes.
const MOST_EVALUATIONS: u64 = 10_000_000_000;
/// Largest number of stored doubles: two gigabytes.
const MOST_KEPT: usize = 1 << 28;
/// Number of points of a solution curve, enough for print.
const POINTS: f64 = 2000.0;
/// Number of points of an error curve: each needs its own reference state.
const ERRORS: f64 = 400.0;
/// Parts of a run that are reported; the reference solution counts as one more run.
const PARTS: usize = 100;
/// Size below which variables count as zero in step doubling: in steady motions only rounding moves them.
const LEAST: f64 = 1e-6;
/// First step of step doubling, as a fraction of the interval; it grows quickly.
const FIRST: f64 = 1e-4;

/// The choice of step sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepChoice {
    /// A fixed number of equal steps.
    Equal(u64),
    /// Steps adapted to a tolerance, both relative and absolute.
    Adaptive {
        /// The tolerance.
        tolerance: f64,
        /// Whether steps are adapted by doubling even if the method has embedded weights.
        doubling: bool,
    },
}

/// A simulation to run.
pub struct Simulation<'a> {
    /// The model.
    pub model: &'a Model,
    /// The model with its parameters, as requested.
    pub name: &'a str,
    /// The choice of step sizes.
    pub steps: StepChoice,
    /// The final time.
    pub end: f64,
    /// The requested variables; `None` for the model's own choice.
    pub variables: Option<Vec<usize>>,
    /// Whether to keep the states of all steps instead of only those needed for curves.
    pub keeps_all: bool,
}

/// The results of a simulation.
pub struct SimulationResults<'a> {
    /// The study that was run.
    pub simulation: Simulation<'a>,
    /// The reference solution, if there is one.
    pub reference: Option<(Reference, Track)>,
    /// The run of each scheme.
    pub runs: Vec<SchemeRun>,
    /// Whether the simulation was interrupted.
    pub is_interrupted: bool,
}

/// The run of one scheme.
pub struct SchemeRun {
    /// The scheme.
    pub label: String,
    /// The steps and the outcome.
    pub run: Run,
    /// The number of evaluations of each partition.
    pub evaluations: Vec<u64>,
    /// The number of evaluations of the Jacobian.
    pub jacobians: u64,
    /// The largest error at the end, relative to the size of each variable.
    pub error: Option<f64>,
    /// The gain in energy, relative to the initial energy.
    pub energy: Option<f64>,
    /// Operation counts of the solution for the accelerations of a multibody system.
    pub solved: Option<SolverCounts>,
    /// The run time, if it was measured.
    pub seconds: Option<f64>,
    /// The states during the run.
    pub track: Track,
}

impl<'a> Simulation<'a> {
    /// Runs the schemes, concurrently unless run times are measured.
    ///
    /// # Errors
    /// Returns a [`StudyError`] if a scheme does not fit the model or a number is out of its range.
    pub fn run(
        self,
        schemes: &[Integrator],
        compare: bool,
        timed: bool,
        progress: &dyn Progress,
    ) -> Result<SimulationResults<'a>, StudyError> {
        self.check()?;
        schemes.iter().try_for_each(|scheme| self.check_steps(scheme))?;
        let counter = Counter::new(progress, "parts", Some(PARTS * (schemes.len() + usize::from(compare))));
        let reference = || {
            let seen = AtomicUsize::new(0);
            let share = |update: Update<'_>| {
                let reached = update.total.map_or(0, |total| (PARTS * update.done / total.max(1)).min(PARTS));
                counter.advance(reached.saturating_sub(seen.fetch_max(reached, Relaxed)))
            };
            let found = self.model.reference(self.end, self.spacing(), &share).ok();
            // The runs check again whether to continue.
            let _ = counter.advance(PARTS - seen.load(Relaxed));
            found
        };
        let reference = if compare { reference() } else { None };
        let row = |scheme: &Integrator| self.row(scheme, reference.as_ref(), timed, &counter);
        let rows: Result<Vec<SchemeRun>, StudyError> =
            if timed { schemes.iter().map(row).collect() } else { schemes.par_iter().map(row).collect() };
        let is_interrupted = counter.advance(0).is_break();
        Ok(SimulationResults { runs: rows?, reference, is_interrupted, simulation: self })
    }

    fn check(&self) -> Result<(), StudyError> {
        require_positive("the end time", self.end)?;
        match self.steps {
            StepChoice::Equal(steps) => require(steps >= 1, "steps", &steps, "at least 1"),
            StepChoice::Adaptive { tolerance, .. } => require_positive("the tolerance", tolerance),
        }
    }

    /// Returns the time between points of a curve.
    #[must_use]
    pub fn spacing(&self) -> f64 {
        self.end / POINTS
    }

    /// Returns an error if the equal steps take too long or their states need too much memory.
    fn check_steps(&self, scheme: &Integrator) -> Result<(), StudyError> {
        let StepChoice::Equal(steps) = self.steps else { return Ok(()) };
        let most = MOST_EVALUATIONS / scheme.stages().saturating_mul(self.model.initial.len()).max(1) as u64;
        if steps > most {
            return Err(StudyError::TooManySteps { scheme: scheme.label(), steps, most });
        }
        if self.keeps_all && steps >= self.most_states() as u64 {
            return Err(StudyError::TooManyStates { scheme: scheme.label(), most: self.most_states() });
        }
        Ok(())
    }

    /// Returns the largest number of states that are stored.
    fn most_states(&self) -> usize {
        MOST_KEPT / (self.model.initial.len() + 1)
    }

    /// Returns the variables whose errors count.
    fn compared(&self) -> Vec<usize> {
        self.variables.clone().unwrap_or_else(|| (0..self.model.initial.len()).collect())
    }

    fn row(
        &self,
        scheme: &Integrator,
        reference: Option<&(Reference, Track)>,
        timed: bool,
        counter: &Counter<'_>,
    ) -> Result<SchemeRun, StudyError> {
        let model = self.model.renewed();
        let system = Counted::new(&model);
        let mut track = Track::new(if self.keeps_all { 0.0 } else { self.spacing() });
        track.add(0.0, &self.model.initial);
        let mut y = self.model.initial.clone();
        let (start, mut seen) = (Instant::now(), 0);
        let (most, mut is_full) = (self.most_states(), false);
        let mut run = self.integrate(scheme, &system, &mut y, &mut |step| {
            track.add(step.t, step.y);
            let reached = seen.max((step.t / self.end * PARTS as f64) as usize);
            let flow = counter.advance(reached - seen);
            seen = reached;
            is_full = track.times.len() >= most;
            if is_full { ControlFlow::Break(()) } else { flow }
        })?;
        if is_full {
            return Err(StudyError::TooManyStates { scheme: scheme.label(), most });
        }
        let _ = counter.advance(PARTS.saturating_sub(seen));
        let seconds = timed.then(|| start.elapsed().as_secs_f64());
        let is_finished = run.outcome == Outcome::Finished;
        let error = reference.filter(|_| is_finished).map(|(reference, _)| reference.error(&y, &self.compared()));
        run.outcome = error.map_or(run.outcome, |error| run.outcome.judged(error));
        let energy = |t, y: &[f64]| self.model.energy(t, y);
        let energy = energy(0.0, &self.model.initial).zip(energy(run.t, &y)).filter(|_| is_finished);
        Ok(SchemeRun {
            label: scheme.label(),
            run,
            evaluations: system.evaluations(),
            jacobians: system.jacobians(),
            error,
            solved: model.solved(),
            energy: energy.map(|(first, last)| (last - first) / if first == 0.0 { 1.0 } else { first.abs() }),
            seconds,
            track,
        })
    }

    fn integrate<S: System>(
        &self,
        scheme: &Integrator,
        system: &S,
        y: &mut [f64],
        observer: &mut dyn FnMut(&Accepted<'_>) -> ControlFlow<()>,
    ) -> Result<Run, StudyError> {
        let span = [0.0, self.end];
        let (tolerance, doubling) = match self.steps {
            StepChoice::Equal(steps) => {
                let mut stepper = scheme.stepper(system, Extras::default(), None)?;
                return Ok(equal_steps(&mut stepper, system, span, steps, y, observer));
            }
            StepChoice::Adaptive { tolerance, doubling } => (tolerance, doubling),
        };
        if let Some(order) = scheme.estimate_order().filter(|_| !doubling) {
            let extras = Extras { estimate: true, dense: false };
            let mut stepper = scheme.stepper(system, extras, Some([tolerance; 2]))?;
            let control = Embedded { relative: tolerance, absolute: tolerance, ..Embedded::new(order) };
            return Ok(control.run(&mut stepper, system, span, y, observer));
        }
        let order = scheme.order().ok_or_else(|| StudyError::NoClaim { scheme: scheme.label() })?;
        let control = Doubling { tolerance, least: LEAST, ..Doubling::new(order, FIRST * self.end) };
        let mut stepper = scheme.stepper(system, Extras::default(), Some([tolerance; 2]))?;
        Ok(control.run(&mut stepper, system, span, y, observer))
    }
}

impl SimulationResults<'_> {
    /// Returns times and errors during a run: the largest error of the compared variables, each relative to its
    /// size as at the end.
    ///
    /// The reference is the exact solution if it is known, otherwise integrated from the last reference state
    /// before each time. Empty without a reference.
    #[must_use]
    pub fn errors(&self, run: &SchemeRun) -> Vec<(f64, f64)> {
        let Some((reference, track)) = &self.reference else { return Vec::new() };
        let compared = self.simulation.compared();
        let thin = run.track.thinned(self.simulation.end / ERRORS);
        let error = |(&t, y): (&f64, &Vec<f64>)| {
            let end = self.reference_state(track, t)?;
            Some((t, Reference { end, ..reference.clone() }.error(y, &compared)))
        };
        thin.times.par_iter().zip(&thin.states).filter_map(error).collect()
    }

    /// Returns the reference solution at a time.
    fn reference_state(&self, track: &Track, t: f64) -> Option<Vec<f64>> {
        let model = self.simulation.model;
        if let Some(exact) = model.exact(t) {
            return Some(exact);
        }
        let last = track.times.partition_point(|&time| time <= t).checked_sub(1)?;
        let (from, state) = (track.times[last], &track.states[last]);
        if from == t {
            return Some(state.clone());
        }
        let (found, _) = Reference::computed(model, [from, t], state, f64::INFINITY, &()).ok()?;
        Some(found.end)
    }

    /// Returns the variables to draw.
    #[must_use]
    pub fn drawn(&self) -> &[usize] {
        self.simulation.variables.as_deref().unwrap_or(&self.simulation.model.drawn)
    }

    /// Returns whether all runs reached the end with a result that is a solution.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.runs.iter().all(|row| row.run.outcome == Outcome::Finished)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    fn simulated(name: &str, id: &str, steps: u64) -> (Vec<(f64, f64)>, f64) {
        let model = hemiola_models::model(name, &[]).unwrap();
        let schemes = [library::method(id).unwrap().into()];
        let steps = StepChoice::Equal(steps);
        let study = Simulation { model: &model, name, steps, end: 1.0, variables: None, keeps_all: true };
        let simulated = study.run(&schemes, true, false, &()).unwrap();
        (simulated.errors(&simulated.runs[0]), simulated.runs[0].error.unwrap())
    }

    #[test]
    fn numbers_out_of_range_are_refused_before_a_run() {
        let model = hemiola_models::model("kepler", &[]).unwrap();
        let euler = [library::method("explicit-euler").unwrap().into()];
        let refused = |steps, end, keeps_all| {
            let study = Simulation { model: &model, name: "kepler", steps, end, variables: None, keeps_all };
            study.run(&euler, false, false, &()).err().map(|error| error.to_string()).unwrap_or_default()
        };
        let adaptive = |tolerance| StepChoice::Adaptive { tolerance, doubling: true };
        assert_eq!(refused(StepChoice::Equal(1), 1.0, true) + &refused(adaptive(1e-3), 1.0, false), "");
        assert!(refused(StepChoice::Equal(0), 1.0, false).starts_with("found steps 0"));
        assert!(refused(StepChoice::Equal(u64::MAX), 1.0, false).contains("equal steps of explicit-euler"));
        // Five doubles a step make 40 GB.
        assert!(refused(StepChoice::Equal(1_000_000_000), 1.0, true).contains("states to keep"));
        for number in [0.0, -1.0, f64::NAN, f64::INFINITY, 5e-324] {
            assert!(refused(adaptive(number), 1.0, false).starts_with("found the tolerance"), "{number}");
            assert!(refused(StepChoice::Equal(1), number, false).starts_with("found the end time"), "{number}");
        }
    }

    #[test]
    fn the_reference_reports_its_parts() {
        let model = hemiola_models::model("quarter-car", &[]).unwrap();
        let schemes = [library::method("rk4").unwrap().into()];
        let steps = StepChoice::Equal(100);
        let study =
            Simulation { model: &model, name: "quarter-car", steps, end: 1.0, variables: None, keeps_all: false };
        let seen = std::sync::Mutex::new(Vec::new());
        let progress = |update: Update<'_>| {
            seen.lock().unwrap().push(update.done);
            ControlFlow::Continue(())
        };
        study.run(&schemes, true, false, &progress).unwrap();
        let seen = seen.into_inner().unwrap();
        // Both solutions of the reference take the first hundred parts, in many steps.
        let during: std::collections::BTreeSet<usize> =
            seen.iter().copied().filter(|done| (1..PARTS).contains(done)).collect();
        assert!(during.len() > 30 && during.iter().any(|done| *done > PARTS / 2), "{during:?}");
        assert_eq!(seen.iter().max(), Some(&(2 * PARTS)));
    }

    #[test]
    fn errors_begin_at_zero_and_end_with_the_run_s() {
        // A computed reference at times between its own steps: h = 1/300, and the reference has another step size.
        let (errors, last) = simulated("quarter-car", "rk4", 300);
        assert_eq!((errors.len(), errors[0]), (301, (0.0, 0.0)));
        let end = errors[300];
        assert!((end.0 - 1.0).abs() < 1e-12 && (end.1 / last - 1.0).abs() < 1e-3, "{end:?} {last}");
        // Halving the step divides the error by sixteen during the whole run, hence the reference is accurate
        // between its states, too.
        let (fine, _) = simulated("quarter-car", "rk4", 600);
        let ratios: Vec<f64> = (30..300)
            .map(|k| errors[k].1 / fine.iter().find(|(t, _)| (t - errors[k].0).abs() < 1e-9).map_or(f64::NAN, |e| e.1))
            .filter(|r| r.is_finite())
            .collect();
        let inside = ratios.iter().filter(|ratio| (8.0..32.0).contains(*ratio)).count();
        assert!(ratios.len() > 100 && inside * 10 > ratios.len() * 9, "{} of {}", inside, ratios.len());
    }

    #[test]
    fn more_steps_than_can_be_waited_for_are_refused() {
        let model = hemiola_models::model("kepler", &[]).unwrap();
        let schemes = [library::method("rk4").unwrap().into()];
        let refused = |count: u64| {
            let steps = StepChoice::Equal(count);
            let study =
                Simulation { model: &model, name: "kepler", steps, end: 1.0, variables: None, keeps_all: false };
            matches!(study.run(&schemes, false, false, &()), Err(StudyError::TooManySteps { steps, .. }) if steps == count)
        };
        assert!(refused(1_000_000_000_000) && refused(u64::MAX) && !refused(10));
    }

    #[test]
    fn an_accurate_method_shows_no_error_of_the_reference_between_its_states() {
        let (errors, _) = simulated("kepler", "dormand-prince-8", 200);
        assert!(errors.iter().all(|(_, error)| *error < 1e-10), "{errors:?}");
    }
}
