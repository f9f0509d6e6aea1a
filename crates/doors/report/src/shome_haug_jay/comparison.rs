//! The paper's open question: performance of higher-order methods on the same vehicle.

use hemiola_integrate::{AnyStepper, Counted, Extras, Reference, Sample, cached_runs, fewest_steps_of_order};
use hemiola_models::{Model, model};
use hemiola_number::Progress;
use hemiola_number::bound_text;
use hemiola_tableau::{Method, library};
use rayon::prelude::*;

use hemiola_plot::{PrecisionCurve, precision_figure};

use crate::markdown::{digits, table};
use crate::report::{Report, ReportError, next};
use crate::runs::reference;
use crate::shome_haug_jay::cars::first_exit;
use crate::shome_haug_jay::measured::{CHASSIS, file};

/// Methods: the paper's method and its competitor, classical ones, PETSc's, and ours without and with shared abscissae.
const METHODS: [&str; 13] = [
    "shome-haug-jay-2-5",
    "heun-2",
    "rk4",
    "mprk-p3",
    "hemiola-3-7",
    "hemiola-4-6",
    "hemiola-4-8",
    "hemiola-6-8",
    "hemiola-2-5-consistent",
    "hemiola-3-7-consistent",
    "hemiola-3-9-consistent",
    "hemiola-4-10-consistent",
    "hemiola-6-10-consistent",
];
/// Methods drawn; with more of them, curves would hide each other.
const DRAWN: [&str; 7] = [
    "shome-haug-jay-2-5",
    "heun-2",
    "rk4",
    "hemiola-2-5-consistent",
    "hemiola-3-7-consistent",
    "hemiola-4-8",
    "hemiola-6-8",
];
/// Target errors.
const WANTED: [f64; 3] = [1e-2, 1e-4, 1e-6];
/// Cost of a slow evaluation relative to a fast one: a multibody model of a vehicle compared with its tires.
const COST: f64 = 20.0;
/// Largest number of steps.
const LIMIT: u64 = 1 << 23;

/// Results of a method on the vehicle.
struct MethodRow {
    id: &'static str,
    order: usize,
    stable: f64,
    curve: Vec<Sample>,
    /// Run with the fewest steps for each target error.
    fewest: Vec<Option<Sample>>,
}

/// Results of all methods on the vehicle, with its reference solution.
pub(crate) struct Comparisons {
    pub(crate) vehicle: Model,
    pub(crate) reference: Reference,
    rows: Vec<MethodRow>,
}

impl Comparisons {
    pub(crate) fn new(progress: &dyn Progress) -> Result<Self, ReportError> {
        let vehicle = model("planar-vehicle", &[])?;
        next(progress, "work and precision on the planar vehicle")?;
        let (reference, _) = reference(&vehicle, vehicle.duration, vehicle.duration)?;
        let rows = METHODS.par_iter().map(|id| {
            next(progress, id)?;
            row(id, &vehicle, &reference)
        });
        let rows = rows.collect::<Result<Vec<_>, ReportError>>()?;
        Ok(Self { vehicle, reference, rows })
    }

    /// Returns the slow evaluations that a method of [`METHODS`] needs for an error of [`WANTED`], or `None` if there are too many.
    pub(crate) fn slow_evaluations(&self, id: &str, wanted: f64) -> Option<u64> {
        let place = WANTED.iter().position(|&other| other == wanted)?;
        let row = self.rows.iter().find(|row| row.id == id)?;
        row.fewest[place].as_ref().map(|sample| sample.evaluations[0])
    }
}

pub(crate) fn part(comparisons: &Comparisons) -> Report {
    let Comparisons { vehicle, reference, rows } = comparisons;
    let curves: Vec<PrecisionCurve> =
        rows.iter().filter(|row| DRAWN.contains(&row.id)).map(|row| curve(row, vehicle.duration)).collect();
    let label = "slow evaluations in a second of motion";
    let apart = library::method("hemiola-4-8").map_or(f64::NAN, |method| apart(&method));
    let figure = precision_figure(label, &curves, Some(WANTED[1]), "Work and precision on the planar vehicle");
    let slow = |id: &str, k: usize| {
        let row = rows.iter().find(|row| row.id == id);
        row.and_then(|row| slow_evaluations(row, k)).map_or(f64::NAN, |count| count / vehicle.duration)
    };
    let [theirs, own, rk4] = ["shome-haug-jay-2-5", "hemiola-4-8", "rk4"].map(|id| slow(id, 1));
    let finest = fewest(rows, WANTED.len() - 1);
    let text = format!(
        "\
## The open question: higher order

\u{201c}If PRK dual-rate integrators are designed to have a higher order of accuracy, which is within the realm of possibility, the \
computational speedup achieved can be even greater than what is shown in this paper.\u{201d} Ten seconds of the planar vehicle, errors of the chassis \
(position, pitch, velocities) at the end, relative to the largest modulus of each during the run; the reference is accurate to {trust}. Fewest slow evaluations per second of motion, and the largest step in ms, for errors of 1e-2, 1e-4 and 1e-6:

{needs}
![Work and precision]({figure})

For an error of 1e-4 the order-4 pair `hemiola-4-8` needs {gain} the slow evaluations of the paper's 2–5 method,
`hemiola-4-6` {four_six} those of RK4. (The abscissae of the two partitions of
`hemiola-4-8` differ by {apart} at most, although this was not required.) At a percent `hemiola-4-8` takes {own_rough}
slow evaluations per second where RK4 takes {rk4_rough}, at 1e-4 {own} where RK4 takes {rk4}; at 1e-6 `{finest}`, of order
{finest_order}, takes the fewest. In absolute coordinates see above.

The fast polynomials of these pairs have the longest interval, and larger errors than the Taylor polynomial at the same
step. Pairs whose free coefficients are made for the vehicle are compared by `scripts/made-to-measure`.

## With an expensive slow partition

Work per second of motion if an evaluation of the slow partition costs as much as {cost} of the fast partition, in
fast evaluations. The smallest value for each error is bold.

{work}",
        trust = bound_text(reference.uncertainty, 1),
        gain = part_of(own, theirs),
        apart = digits(apart, 1),
        four_six = part_of(slow("hemiola-4-6", 1), rk4),
        finest = finest.0,
        finest_order = finest.1,
        rk4 = digits(rk4, 3),
        own = digits(own, 3),
        rk4_rough = digits(slow("rk4", 0), 3),
        own_rough = digits(slow("hemiola-4-8", 0), 3),
        needs = needs(rows, vehicle.duration),
        figure = file("precision"),
        cost = COST,
        work = work(rows, vehicle.duration),
    );
    Report { text, figures: vec![(file("precision"), figure.into())] }
}

fn row(id: &'static str, vehicle: &Model, reference: &Reference) -> Result<MethodRow, ReportError> {
    let method: Method = library::method(id)?;
    let order = method.claims().order.unwrap_or(1);
    let stepper = AnyStepper::new(&method, &Counted::new(vehicle), Extras::default())?;
    let comparison = vehicle.comparison(vehicle.duration, reference, &CHASSIS);
    let mut run = cached_runs(|steps| comparison.sample(&mut stepper.clone(), steps, &()));
    let stable = first_exit(&method, vehicle)?;
    let fewest = |&wanted: &f64| fewest_steps_of_order(|steps| run(steps).error, order, wanted, LIMIT).map(&mut run);
    let fewest: Vec<Option<Sample>> = WANTED.iter().map(fewest).collect();
    // The curve ranges from the largest stable step, in factors of √2, to the step for the smallest error.
    let first = (vehicle.duration / stable).ceil();
    let last = fewest.iter().flatten().map(|sample| sample.steps).max().unwrap_or(LIMIT) as f64;
    let curve = (0..60).map(|k| first * 2f64.powf(0.5 * f64::from(k))).take_while(|steps| *steps < 1.5 * last);
    let curve = curve.filter(|_| DRAWN.contains(&id)).map(|steps| run(steps as u64)).collect();
    Ok(MethodRow { id, order, stable, curve, fewest })
}

fn curve(row: &MethodRow, duration: f64) -> PrecisionCurve {
    let points = row.curve.iter().map(|sample| [sample.evaluations[0] as f64 / duration, sample.error]);
    PrecisionCurve { label: row.id.to_owned(), points: points.collect(), order: None }
}

/// Returns the largest difference between the abscissae of the parts of a pair.
fn apart(method: &Method) -> f64 {
    let [slow, fast] = [0, 1].map(|r| method.exact().partitions[r].row_sums());
    slow.into_iter().zip(fast).map(|(slow, fast)| (slow - fast).to_f64().abs()).fold(0.0, f64::max)
}

/// Returns the evaluations of a method as a part or a multiple of those of another.
fn part_of(own: f64, theirs: f64) -> String {
    if own < theirs {
        format!("1/**{}** of", digits(theirs / own, 3))
    } else {
        format!("**{}** times", digits(own / theirs, 3))
    }
}

/// Returns the method with the fewest slow evaluations for the k-th error, and its order.
fn fewest(rows: &[MethodRow], k: usize) -> (&'static str, usize) {
    let counted = rows.iter().filter_map(|row| Some((row, slow_evaluations(row, k)?)));
    let least = counted.min_by(|one, other| one.1.total_cmp(&other.1));
    least.map_or(("", 0), |(row, _)| (row.id, row.order))
}

/// Returns the slow evaluations for the k-th error.
fn slow_evaluations(row: &MethodRow, k: usize) -> Option<f64> {
    row.fewest[k].as_ref().map(|sample| sample.evaluations[0] as f64)
}

fn needs(rows: &[MethodRow], duration: f64) -> String {
    let cells = |row: &MethodRow| {
        let mut cells = vec![format!("`{}`", row.id), row.order.to_string(), digits(1e3 * row.stable, 3)];
        for sample in &row.fewest {
            cells.extend(match sample {
                Some(sample) => {
                    let slow = sample.evaluations[0] as f64 / duration;
                    [digits(slow, 3), digits(1e3 * duration / sample.steps as f64, 3)]
                }
                None => ["–".to_owned(), "–".to_owned()],
            });
        }
        cells
    };
    let columns = ["method", ">order", ">stable, ms", ">1e-2", ">ms", ">1e-4", ">ms", ">1e-6", ">ms"];
    table(&columns, rows.iter().map(cells))
}

fn work(rows: &[MethodRow], duration: f64) -> String {
    let work = |row: &MethodRow, k: usize| {
        let sample = row.fewest[k].as_ref()?;
        Some((COST * sample.evaluations[0] as f64 + sample.evaluations[1] as f64) / duration)
    };
    let least: Vec<f64> =
        (0..WANTED.len()).map(|k| rows.iter().filter_map(|row| work(row, k)).fold(f64::INFINITY, f64::min)).collect();
    let cells = |row: &MethodRow| {
        let cell = |k: usize| match work(row, k) {
            Some(work) if work == least[k] => format!("**{}**", digits(work, 4)),
            Some(work) => digits(work, 4),
            None => "–".to_owned(),
        };
        std::iter::once(format!("`{}`", row.id)).chain((0..WANTED.len()).map(cell)).collect()
    };
    table(&["method", ">1e-2", ">1e-4", ">1e-6"], rows.iter().map(cells))
}
