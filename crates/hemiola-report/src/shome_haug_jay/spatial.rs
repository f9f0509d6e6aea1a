//! Figs. 6 and 7 and Table 9: the HMMWV on rigid-ring tires in space.

use hemiola_integrate::{AnyStepper, Counted, Extras, Sample, fewest_steps, largest_stable_step};
use hemiola_models::{Model, Value, model, model_with};
use hemiola_number::bound_text;
use hemiola_tableau::library;
use num_complex::Complex64;
use rayon::prelude::*;

use crate::markdown::{digits, table};
use crate::runs::reference;
use crate::shome_haug_jay::cars::{first_exit, steady};
use crate::shome_haug_jay::measured::{SPATIAL_CHASSIS, file};
use crate::{Report, ReportError, Watcher, block_eigenvalues, eigenvalue_figure, next};

/// The simulation of Figs. 6 and 7, in s.
const DURATION: f64 = 50.0;
/// The runs in which errors are measured, in s: a lane change and its return.
const RUN: f64 = 5.0;
/// Steps in s of Table 9.
const TABLE_9: [(&str, &str, f64); 2] = [("RK2", "heun-2", 0.001), ("2–5", "shome-haug-jay-2-5", 0.003)];
/// Vehicles at the start of the run.
const VEHICLES: [(&str, &[Change]); 6] = [
    ("from rest", &[("speed", Value::Number(0.0))]),
    ("5 m/s", &[("speed", Value::Number(5.0))]),
    ("10 m/s", &[("speed", Value::Number(10.0))]),
    ("20 m/s", &[]),
    ("from rest, light hubs", &[("speed", Value::Number(0.0)), ("hub-inertia", Value::Number(0.0))]),
    ("from rest, heavy hubs", &[("speed", Value::Number(0.0)), ("hub-inertia", Value::Number(4.0))]),
];
type Change = (&'static str, Value<'static>);
/// The methods at equal errors: the paper's and its rival, the best explicit methods with one partition, and ours.
const METHODS: [&str; 9] = [
    "heun-2",
    "shome-haug-jay-2-5",
    "hemiola-2-5-consistent",
    "rk4",
    "tsitouras-5",
    "verner-efficient-6",
    "hemiola-4-8",
    "hemiola-4-10",
    "hemiola-6-8",
];
/// The errors that are asked for.
const WANTED: [f64; 2] = [1e-3, 1e-5];
/// More steps are not made.
const LIMIT: u64 = 1 << 18;

pub(crate) fn part(watcher: &Watcher<'_>) -> Result<Report, ReportError> {
    let vehicle = model("spatial-vehicle", &[])?;
    next(watcher, "eigenvalues of the spatial vehicle")?;
    let blocks = block_eigenvalues(&vehicle, DURATION)?;
    let largest = |values: &[Complex64]| values.iter().map(|value| value.norm()).fold(0.0, f64::max);
    let moving = |values: &[Complex64]| values.iter().filter(|value| value.im != 0.0).copied().collect::<Vec<_>>();
    let rows = VEHICLES.par_iter().map(|(name, changes)| {
        next(watcher, &format!("largest steps of the spatial vehicle {name}"))?;
        Limits::new(changes)
    });
    let limits = rows.collect::<Result<Vec<_>, ReportError>>()?;
    let needs = equal_errors(watcher, &vehicle)?;
    let at = |k: usize| &limits[k];
    let text = format!(
        "\
## Figs. 6 and 7: eigenvalues of the spatial vehicle over 50 s

The HMMWV on rigid-ring tires (`spatial-vehicle`): the machine with ten bodies that have mass, chassis, rack, four uprights and four wheels on massless arms, is slow, 67 variables
(positions and velocities of all joints, of which 15 of either are independent); four rings with six degrees of freedom each, relative to their hubs, longitudinal and
lateral slips, and the powertrain are fast, 58 variables. Fast rates need the motion of the hubs, which follows from the slow variables of the same stage
by the chain of joints up to them: no loop is closed and no acceleration is solved for.

![Eigenvalues of the spatial vehicle]({figure})

The largest slow eigenvalue has modulus {slow} 1/s ({slow_osc} among those that oscillate), the largest fast one {fast} 1/s. As in the plane the largest slow ones that oscillate are those of the wheels' spin against
the sidewalls' torsion.

## Table 9: largest steps on the spatial vehicle

By the step matrix of steady motion and by simulation (as in Table 7), with the error of the chassis (position, attitude and velocities, each relative to the largest
modulus in the run) after {run} s with pulses of torque, a lane change and its return, at the step by simulation, and evaluations of both partitions in a second of motion:

{steps}
The paper prints .001 and .003 s, and 382.08 and 162.74 s of CPU time, whose ratio is 2.35. From rest the ratio of steps is {rest}, at 20 m/s {twenty}; step matrix and simulation agree within {apart} %.
It depends on what turns with the wheels, for which the paper has no data: hubs with 1.5 kg m² beside Project Chrono's rims and shafts here (a run-flat ring and a brake behind a gear), none and 4 kg m² in the last rows.
The ratio of CPU times stands in [timing.md](timing.md). At these steps the error of 2–5 is {times} times that of RK2: stability alone does not tell what a step is worth.

## Table 9 at equal errors

Fewest evaluations in a second of motion for errors of 1e-3 and 1e-5 of the chassis after {run} s at 20 m/s; the reference is accurate to {trust}.

{needs}
An evaluation of the slow partition takes about ten to fourteen times the time of one of the fast partition ([timing.md](timing.md)).
",
        figure = file("spatial-eigenvalues"),
        slow = digits(largest(&blocks[0]), 4),
        slow_osc = digits(largest(&moving(&blocks[0])), 4),
        fast = digits(largest(&blocks[1]), 4),
        run = RUN,
        steps = steps(&limits),
        rest = digits(at(0).ratio(), 3),
        twenty = digits(at(3).ratio(), 3),
        apart = digits(100.0 * limits.iter().map(Limits::apart).fold(0.0, f64::max), 2),
        times = digits(at(0).errors(), 2),
        trust = bound_text(needs.trust, 1),
        needs = needs.table,
    );
    let titles = ["slow: the machine", "fast: rings, slips and powertrain"];
    let figure = eigenvalue_figure(&blocks, &titles);
    Ok(Report { text, figures: vec![(file("spatial-eigenvalues"), figure.into())] })
}

/// Both methods of Table 9 on a vehicle.
struct Limits([Limit; 2]);

struct Limit {
    exit: f64,
    simulation: f64,
    sample: Sample,
}

impl Limits {
    fn new(changes: &[Change]) -> Result<Self, ReportError> {
        let still = steady("spatial-vehicle", changes)?;
        let vehicle = model_with("spatial-vehicle", changes)?;
        let (reference, _) = reference(&vehicle, RUN, RUN)?;
        let [rk2, pair] = TABLE_9.map(|(_, id, _)| -> Result<Limit, ReportError> {
            let method = library::method(id)?;
            let exit = first_exit(&method, &still)?;
            let stepper = AnyStepper::new(&method, &still, Extras::default())?;
            let simulation = largest_stable_step(&stepper, &still, (0.0, &still.initial), 1.2 * exit);
            let simulation = simulation.unwrap_or(f64::INFINITY);
            let mut stepper = AnyStepper::new(&method, &Counted::new(&vehicle), Extras::default())?;
            let comparison = vehicle.comparison(RUN, &reference, &SPATIAL_CHASSIS);
            let sample = comparison.sample(&mut stepper, (RUN / simulation).ceil() as u64, &|| true);
            Ok(Limit { exit, simulation, sample })
        });
        Ok(Self([rk2?, pair?]))
    }

    /// Of the steps by simulation.
    fn ratio(&self) -> f64 {
        self.0[1].simulation / self.0[0].simulation
    }

    fn errors(&self) -> f64 {
        self.0[1].sample.error / self.0[0].sample.error
    }

    /// How far step matrix and simulation are apart.
    fn apart(&self) -> f64 {
        self.0.iter().map(|limit| (limit.simulation / limit.exit - 1.0).abs()).fold(0.0, f64::max)
    }
}

fn steps(limits: &[Limits]) -> String {
    let rows = VEHICLES.iter().zip(limits).flat_map(|((name, _), limits)| {
        TABLE_9.iter().zip(&limits.0).map(move |((label, _, printed), limit)| {
            let ratio = if *label == "RK2" { String::new() } else { digits(limits.ratio(), 3) };
            let mut cells = vec![(*name).to_owned(), (*label).to_owned()];
            cells.extend([*printed, limit.exit, limit.simulation].map(|step| digits(step, 4)));
            cells.extend([ratio, digits(limit.sample.error, 2)]);
            cells.extend(limit.sample.evaluations.iter().map(|count| digits(*count as f64 / RUN, 4)));
            cells
        })
    });
    let columns = [
        "start",
        "method",
        ">paper, s",
        ">step matrix, s",
        ">simulation, s",
        ">2–5 over RK2 (paper 3)",
        ">error",
        ">slow evaluations",
        ">fast evaluations",
    ];
    table(&columns, rows)
}

struct Needs {
    trust: f64,
    table: String,
}

fn equal_errors(watcher: &Watcher<'_>, vehicle: &Model) -> Result<Needs, ReportError> {
    let (reference, _) = reference(vehicle, RUN, RUN)?;
    let row = |id: &&str| -> Result<Vec<String>, ReportError> {
        next(watcher, id)?;
        let stepper = AnyStepper::new(&library::method(id)?, &Counted::new(vehicle), Extras::default())?;
        let comparison = vehicle.comparison(RUN, &reference, &SPATIAL_CHASSIS);
        let run = |steps: u64| comparison.sample(&mut stepper.clone(), steps, &|| true);
        let cells =
            WANTED.iter().flat_map(|&wanted| match fewest_steps(|steps| run(steps).error, wanted, LIMIT).map(run) {
                Some(sample) => {
                    let counts = sample.evaluations.iter().map(|count| digits(*count as f64 / RUN, 4));
                    std::iter::once(digits(1e3 * RUN / sample.steps as f64, 3)).chain(counts).collect()
                }
                None => vec!["–".to_owned(); 3],
            });
        Ok(std::iter::once(format!("`{id}`")).chain(cells).collect())
    };
    let rows = METHODS.par_iter().map(row).collect::<Result<Vec<_>, _>>()?;
    let columns = ["method", ">1e-3: step, ms", ">slow", ">fast", ">1e-5: step, ms", ">slow", ">fast"];
    Ok(Needs { trust: reference.uncertainty, table: table(&columns, rows) })
}
