//! Influence of the coordinates of the rings: both formulations of the same vehicle.

use hemiola_integrate::{AnyStepper, Counted, Extras, Outcome, Reference, cached_runs, fewest_steps_of_order};
use hemiola_models::{Model, model_with};
use hemiola_number::Progress;
use hemiola_tableau::library;
use rayon::prelude::*;

use crate::markdown::{digits, table};
use crate::report::{Report, ReportError, next};
use crate::runs::reference;
use crate::shome_haug_jay::comparison::Comparisons;
use crate::shome_haug_jay::measured::CHASSIS;

/// Methods compared.
const METHODS: [&str; 7] =
    ["heun-2", "shome-haug-jay-2-5", "hemiola-2-5-consistent", "rk4", "hemiola-4-6", "hemiola-4-8", "hemiola-6-8"];
/// Step size of the paper's 2–5 method, in s.
const STEP: f64 = 0.002;
/// Target errors.
const WANTED: [f64; 2] = [1e-2, 1e-4];
/// Largest number of steps.
const LIMIT: u64 = 1 << 23;

/// Results of a method on one formulation of the vehicle.
pub(crate) struct MethodOutcome {
    /// Error at the paper's step size, if the run finishes.
    error: Option<f64>,
    /// Slow evaluations for each target error.
    slow: [Option<u64>; 2],
}

impl MethodOutcome {
    fn cells(&self) -> Vec<String> {
        let error = self.error.map_or_else(|| "not finite".to_owned(), |error| digits(error, 2));
        let slow = self.slow.iter().map(|slow| slow.map_or_else(|| "–".to_owned(), |slow| slow.to_string()));
        std::iter::once(error).chain(slow).collect()
    }
}

/// Returns the ratio of slow evaluations of two methods for one of the errors, in both formulations.
fn ratios(outcomes: &[[MethodOutcome; 2]], [over, under]: [&str; 2], wanted: usize) -> [String; 2] {
    let row = |id| METHODS.iter().position(|method| *method == id);
    [0, 1].map(|form| {
        let slow = |id| Some(outcomes[row(id)?][form].slow[wanted]? as f64);
        let ratio = slow(over).zip(slow(under)).map(|(over, under)| over / under);
        ratio.map_or_else(|| "–".to_owned(), |ratio| digits(ratio, 2))
    })
}

/// Runs all methods in absolute coordinates.
pub(crate) fn absolute(progress: &dyn Progress) -> Result<Vec<MethodOutcome>, ReportError> {
    next(progress, "coordinates of the rings")?;
    let vehicle = model_with("planar-vehicle", &[("rings", "absolute".into())])?;
    let (reference, _) = reference(&vehicle, vehicle.duration, vehicle.duration)?;
    let outcome = |id: &&str| -> Result<MethodOutcome, ReportError> {
        next(progress, id)?;
        let method = library::method(id)?;
        let (order, stepper) =
            (method.claims().order.unwrap_or(1), AnyStepper::new(&method, &Counted::new(&vehicle), Extras::default())?);
        let comparison = vehicle.comparison(vehicle.duration, &reference, &CHASSIS);
        let mut run = cached_runs(|steps| comparison.sample(&mut stepper.clone(), steps, &()));
        let slow = |wanted| {
            let steps = fewest_steps_of_order(|steps| run(steps).error, order, wanted, LIMIT)?;
            Some(run(steps).evaluations[0])
        };
        Ok(MethodOutcome { error: error_at_step(id, &vehicle, &reference)?, slow: WANTED.map(slow) })
    };
    METHODS.par_iter().map(outcome).collect()
}

/// Returns the error at the paper's step size, or `None` if the run does not finish.
fn error_at_step(id: &str, vehicle: &Model, reference: &Reference) -> Result<Option<f64>, ReportError> {
    let mut stepper = AnyStepper::new(&library::method(id)?, &Counted::new(vehicle), Extras::default())?;
    let comparison = vehicle.comparison(vehicle.duration, reference, &CHASSIS);
    let sample = comparison.sample(&mut stepper, (vehicle.duration / STEP).round() as u64, &());
    Ok((sample.outcome == Outcome::Finished).then_some(sample.error))
}

/// Compares both formulations: the absolute results, and the relative results of the comparison.
pub(crate) fn part(absolute: Vec<MethodOutcome>, comparisons: &Comparisons) -> Result<Report, ReportError> {
    let relative = |id: &str| -> Result<MethodOutcome, ReportError> {
        let error = error_at_step(id, &comparisons.vehicle, &comparisons.reference)?;
        Ok(MethodOutcome { error, slow: WANTED.map(|wanted| comparisons.slow_evaluations(id, wanted)) })
    };
    let outcomes = METHODS.iter().zip(absolute).map(|(id, absolute)| Ok([absolute, relative(id)?]));
    let outcomes = outcomes.collect::<Result<Vec<_>, ReportError>>()?;
    let row = |(id, [absolute, relative]): (&&str, &[MethodOutcome; 2])| {
        [vec![format!("`{id}`")], absolute.cells(), relative.cells()].concat()
    };
    let rows: Vec<_> = METHODS.iter().zip(&outcomes).map(row).collect();
    let [paper_absolute, paper_relative] = ratios(&outcomes, ["shome-haug-jay-2-5", "heun-2"], 0);
    let [ours_absolute, ours_relative] = ratios(&outcomes, ["hemiola-4-8", "rk4"], 1);
    let columns = [
        "method",
        ">absolute: error at .002 s",
        ">slow evaluations for 1e-2",
        ">for 1e-4",
        ">relative: error at .002 s",
        ">slow evaluations for 1e-2",
        ">for 1e-4",
    ];
    let text = format!(
        "\
## Coordinates decide

A ring is connected to its hub by a stiff sidewall. Where the abscissae of the partitions differ at a stage, the stage sees hub and ring at
different times: in space they are moved against each other by (cˢ − cᶠ)hv and turned by (cˢ − cᶠ)hω, and the sidewall responds with forces that do
not exist, thousands of N m for a few hundredths of a radian at 20 m/s. They cancel only to the order of the method. Written with the ring's place
*relative to its hub*, u = x_ring − x_hub with u̇ = v_ring − v_hub and ring speeds as before (`rings=relative`, three lines of the model), nothing of
that is left, since what differs between stages is an acceleration and not a speed. Ten seconds at 20 m/s, errors of the chassis at the end, in both
forms of the same vehicle:

{}
Of the slow evaluations of RK2 at a percent the paper's 2–5 method needs {paper_absolute} times as many in absolute coordinates and
{paper_relative} times in relative ones; of those of RK4 at 1e-4 `hemiola-4-8` needs {ours_absolute} times as many in absolute coordinates and
{ours_relative} in relative ones. The paper does not print its equations; relative coordinates are the rule in its field. Everything else in this report
is computed in relative coordinates unless it says otherwise.
",
        table(&columns, rows),
    );
    Ok(Report { text, figures: Vec::new() })
}
