//! Cost of linearized methods compared with methods whose stage equations are solved.

use hemiola_figure::Figure;
use hemiola_integrate::{
    AnyStepper, Counted, Implicit, LinearizedStepper, Outcome, Reference, Sample, StepError, cached_runs, fewest_steps,
};
use hemiola_models::{Model, model};
use hemiola_number::Progress;
use hemiola_tableau::library;

use crate::markdown::{digits, table};
use crate::papers::GERDTS as NAME;
use crate::report::{Report, ReportError, next};
use crate::runs::reference;
use hemiola_plot::{PrecisionCurve, precision_figure};

/// Error for which costs are compared.
const WANTED: f64 = 1e-4;
/// Largest number of steps tried.
const MOST_STEPS: u64 = 1 << 14;
const METHODS: [&str; 2] = ["radau-iia-2", "radau-iia-3"];

/// Treatment of the stage equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stages {
    /// A fixed number of Newton iterations from k = f(y), with a new Jacobian in each.
    Linearized(usize),
    /// Newton's method to roundoff, with one Jacobian per step if that converges.
    Solved,
}

const STAGES: [Stages; 3] = [Stages::Linearized(1), Stages::Linearized(2), Stages::Solved];

impl Stages {
    fn label(self) -> String {
        match self {
            Self::Linearized(iterations) => format!("q = {iterations}"),
            Self::Solved => "solved".to_owned(),
        }
    }
}

/// A test problem with its reference solution.
pub(crate) struct Problem {
    model: Model,
    end: f64,
    reference: Reference,
    /// Variables included in the error.
    compared: Vec<usize>,
}

impl Problem {
    /// Creates the van der Pol oscillator up to and including the first jump of its limit cycle.
    pub(crate) fn van_der_pol() -> Result<Self, ReportError> {
        Self::new("van-der-pol", &[("epsilon", 0.01)], 2.0, None)
    }

    pub(crate) fn brusselator() -> Result<Self, ReportError> {
        Self::new("brusselator", &[], 5.0, None)
    }

    /// Creates the planar vehicle, with errors measured on the chassis and the hubs.
    pub(crate) fn vehicle() -> Result<Self, ReportError> {
        Self::new("planar-vehicle", &[], 1.0, Some(0))
    }

    fn new(name: &str, changes: &[(&str, f64)], end: f64, partition: Option<usize>) -> Result<Self, ReportError> {
        let model = model(name, changes)?;
        let (reference, _) = reference(&model, end, end)?;
        let partitions = model.partition();
        let compared = (0..partitions.len()).filter(|&i| partition.is_none_or(|partition| partitions[i] == partition));
        Ok(Self { end, reference, compared: compared.collect(), model })
    }

    fn sampler(&self, id: &str, stages: Stages) -> Result<impl Fn(u64) -> Sample, ReportError> {
        let (method, counted) = (library::method(id)?, Counted::new(&self.model));
        let stepper = match stages {
            Stages::Linearized(q) => AnyStepper::Linearized(Box::new(LinearizedStepper::new(&method, q, &counted)?)),
            Stages::Solved => AnyStepper::Implicit(Box::new(Implicit::new(&method, &counted)?)),
        };
        Ok(move |steps| {
            let comparison = self.model.comparison(self.end, &self.reference, &self.compared);
            comparison.sample(&mut stepper.clone(), steps, &())
        })
    }

    /// Runs a method with the given number of steps.
    pub(crate) fn run(&self, id: &str, stages: Stages, steps: u64) -> Result<Sample, ReportError> {
        Ok(self.sampler(id, stages)?(steps))
    }

    /// Returns the run with the fewest steps whose error is at most `WANTED`.
    pub(crate) fn cheapest(&self, id: &str, stages: Stages) -> Result<Option<Sample>, ReportError> {
        let mut run = cached_runs(self.sampler(id, stages)?);
        Ok(fewest_steps(|steps| run(steps).error, WANTED, MOST_STEPS).map(run))
    }

    /// Returns the number of evaluations of all rates. A Jacobian counts as one evaluation per column.
    pub(crate) fn cost(&self, sample: &Sample) -> u64 {
        let evaluations = sample.evaluations.iter().copied().max().unwrap_or(0);
        evaluations + self.model.initial.len() as u64 * sample.jacobians
    }
}

pub(crate) fn section(progress: &dyn Progress) -> Result<Report, ReportError> {
    let (oscillator, rod, vehicle) = (Problem::van_der_pol()?, Problem::brusselator()?, Problem::vehicle()?);
    let mut rows = Vec::new();
    for (name, problem) in [("van der Pol", &oscillator), ("Brusselator", &rod), ("planar vehicle", &vehicle)] {
        next(progress, name)?;
        rows.extend(cost_rows(name, problem)?);
    }
    let columns = ["", "", "stages", ">steps", ">f", ">Jacobians", ">f + n Jacobians", ">error"];
    let text = TEXT.replace("{cost}", &table(&columns, rows)).replace("{few}", &few_table(&oscillator, &rod)?);
    next(progress, "errors over cost")?;
    let figures = vec![
        (format!("{NAME}-van-der-pol.svg"), figure(&oscillator, 8..13, "van der Pol's oscillator")?.into()),
        (format!("{NAME}-planar-vehicle.svg"), figure(&vehicle, 4..11, "the planar vehicle")?.into()),
    ];
    Ok(Report { text, figures })
}

fn cost_rows(name: &str, problem: &Problem) -> Result<Vec<Vec<String>>, ReportError> {
    let mut rows = Vec::new();
    for id in METHODS {
        for stages in STAGES {
            let mut row = vec![name.to_owned(), id.to_owned(), stages.label()];
            row.extend(problem.cheapest(id, stages)?.map_or(vec!["–".to_owned(); 5], |sample| {
                let evaluations = sample.evaluations.iter().max().copied().unwrap_or(0);
                let counts = [sample.steps, evaluations, sample.jacobians, problem.cost(&sample)];
                counts.iter().map(u64::to_string).chain([digits(sample.error, 2)]).collect()
            }));
            rows.push(row);
        }
    }
    Ok(rows)
}

/// Tabulates the outcome of runs with too few steps.
fn few_table(oscillator: &Problem, rod: &Problem) -> Result<String, ReportError> {
    let cases = [
        ("Brusselator", rod, 4),
        ("Brusselator", rod, 16),
        ("van der Pol", oscillator, 64),
        ("van der Pol", oscillator, 256),
    ];
    let mut rows = Vec::new();
    for (name, problem, steps) in cases {
        let mut row = vec![name.to_owned(), steps.to_string()];
        for stages in STAGES {
            let sample = problem.run("radau-iia-2", stages, steps)?;
            row.push(match sample.outcome {
                Outcome::Finished => format!("error {}", digits(sample.error, 2)),
                Outcome::Failed(StepError::NotFinite { .. }) => "not finite".to_owned(),
                Outcome::Failed(StepError::Singular { .. }) => "matrix singular".to_owned(),
                Outcome::Failed(StepError::NotConverged { .. }) => "stages not found".to_owned(),
                outcome => format!("{outcome:?}"),
            });
        }
        rows.push(row);
    }
    Ok(table(&["", ">steps", ">q = 1", ">q = 2", ">solved"], rows))
}

fn figure(problem: &Problem, levels: std::ops::Range<u32>, name: &str) -> Result<Figure, ReportError> {
    let shown = [
        ("radau-iia-2", Stages::Linearized(1)),
        ("radau-iia-2", Stages::Solved),
        ("radau-iia-3", Stages::Linearized(1)),
        ("radau-iia-3", Stages::Linearized(2)),
        ("radau-iia-3", Stages::Solved),
    ];
    let mut curves = Vec::new();
    for (id, stages) in shown {
        let run = problem.sampler(id, stages)?;
        let samples = levels.clone().map(|k| run(1 << k)).filter(|sample| sample.error.is_finite());
        let points = samples.map(|sample| [problem.cost(&sample) as f64, sample.error]).collect();
        curves.push(PrecisionCurve { label: format!("{id}, {}", stages.label()), points, order: None });
    }
    let description = format!("Errors of {name} over evaluations, a Jacobian for as many as it has columns");
    Ok(precision_figure("evaluations of *f*", &curves, None, &description))
}

const TEXT: &str = "\
## Cost

> “Table 1 shows that the LIRK method in average only needs 10 % CPU time when compared to the BDF method. A
> comparison of the accuracies of the respective solutions reveals that the quality of the LIRK solution is as good as
> the BDF solution.”

**The tenfold speed-up is not reproduced.** The times of Table 1 are those of a whole optimization, which a section below repeats; the times
of both methods in one shooting code are measured by `scripts/lane-change`. What is
compared here, with equal steps, is the paper's method, the linearized two-stage Radau IIA, and the three-stage one, with
the same methods when the Newton iterations continue down to rounding: on van der Pol's oscillator (ε = 0.01, through
the first jump, t = 2), on the Brusselator with diffusion (48 variables, t = 5), both stiff, and on a nonstiff vehicle
model, `planar-vehicle` (28 variables, 1 s, errors of chassis and hubs). The fewest steps for a relative error of
10⁻⁴:

{cost}
A linearized step always takes 1 + qs evaluations and qs Jacobians; a solved one as many evaluations as
Newton's method needs, and usually one Jacobian. The last column but one counts a Jacobian as n evaluations, as by
differences. A system of sn linear equations is solved q times, or factorized once.

![van der Pol's oscillator: errors over cost](gerdts-2003-van-der-pol.svg)

![planar vehicle: errors over cost](gerdts-2003-planar-vehicle.svg)

- **Accuracy**: with q = 1 the two-stage method, of order 3, takes as many steps as the solved one and has the same
  errors, on the oscillator and the vehicle; on the Brusselator, some more. With three stages, order 5, one iteration
  costs more steps if the problem is nonlinear, and a second one makes it as good as solved. On the vehicle one is
  enough: its stage equations are nearly linear, and for linear ones the methods coincide, as the paper remarks.
- **Cost**: with q = 1 a quarter to three quarters of the evaluations are saved at the price of one Jacobian per
  stage. Whether that pays depends on the cost of a Jacobian. Counted as n evaluations, it does for the small
  oscillator; on the larger systems it breaks even with three stages, and with two stages the solved method, which
  converges with one or two Jacobians per step, costs less.
- **What is lost** is the warning. If steps are too long, the Newton iterations do not converge, and the step fails
  with an error. The linearized step notices at most a singular matrix or an overflow, and its start, k = f(y), is
  that of an explicit method:

{few}
A linearized method needs an error estimate, or a second run with half the step, more than others do.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linearized_step_costs_the_same_always() {
        let vehicle = Problem::vehicle().unwrap();
        for (id, stages) in [("radau-iia-2", 2), ("radau-iia-3", 3)] {
            for q in 1..3 {
                let run = vehicle.run(id, Stages::Linearized(q), 32).unwrap();
                let (evaluations, jacobians) = (32 * (1 + q as u64 * stages), 32 * q as u64 * stages);
                assert_eq!((run.evaluations, run.jacobians), (vec![evaluations; 2], jacobians));
            }
        }
    }

    #[test]
    fn two_stages_lose_no_accuracy_and_save_evaluations() {
        for problem in [Problem::van_der_pol().unwrap(), Problem::vehicle().unwrap()] {
            let [linearized, solved] =
                [STAGES[0], STAGES[2]].map(|stages| problem.cheapest("radau-iia-2", stages).unwrap().unwrap());
            assert!((linearized.steps as f64 / solved.steps as f64 - 1.0).abs() < 0.02);
            assert!(10 * linearized.evaluations[0] < 6 * solved.evaluations[0]);
            assert!(linearized.jacobians > solved.jacobians);
        }
    }

    #[test]
    fn only_the_solved_method_says_that_a_step_is_too_long() {
        let oscillator = Problem::van_der_pol().unwrap();
        let run = |stages| oscillator.run("radau-iia-2", stages, 64).unwrap();
        assert!(run(Stages::Linearized(1)).outcome == Outcome::Finished && run(Stages::Linearized(1)).error > 1.0);
        assert!(matches!(run(Stages::Solved).outcome, Outcome::Failed(StepError::NotConverged { .. })));
    }
}
