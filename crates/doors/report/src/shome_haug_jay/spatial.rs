//! Figs. 6 and 7 and Table 9: the HMMWV on rigid-ring tires in space.

use hemiola_integrate::{
    AnyStepper, Counted, Extras, Reference, Sample, cached_runs, fewest_steps_of_order, stable_step_near,
};
use hemiola_models::{Model, Value, model, model_with};
use hemiola_number::Progress;
use hemiola_number::bound_text;
use hemiola_stability::BlockSystem;
use hemiola_tableau::library;
use num_complex::Complex64;
use rayon::prelude::*;

use crate::eigenvalues::{block_eigenvalues, eigenvalue_figure};
use crate::markdown::{digits, table};
use crate::report::{Report, ReportError, next};
use crate::runs::reference_to;
use crate::shome_haug_jay::cars::{first_exit, steady};
use crate::shome_haug_jay::measured::{file, growing, imaginary_over_real, largest, spatial_chassis};

/// Duration of the simulation of Figs. 6 and 7, in s.
const DURATION: f64 = 50.0;
/// Duration of the runs in which errors are measured, in s: a lane change and its return.
const RUN: f64 = 5.0;
/// Step sizes of Table 9 in s.
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
/// Index of the vehicle that is compared at equal errors. Its spins are slow variables; a change makes them fast.
const AT_SPEED: usize = 3;
const FAST_SPINS: &[Change] = &[("spins", Value::Word("fast"))];
/// Methods at equal errors, with the partition of the spins: the paper's method and its competitor, the best explicit
/// methods with one partition, and ours.
const METHODS: [(&str, &str); 21] = [
    ("heun-2", "slow"),
    ("shome-haug-jay-2-5", "slow"),
    ("hemiola-2-5-consistent", "slow"),
    ("rk4", "slow"),
    ("bogacki-shampine-5", "slow"),
    ("verner-7-devtools", "slow"),
    ("hemiola-4-6", "slow"),
    ("hemiola-4-8", "slow"),
    ("hemiola-4-10", "slow"),
    ("hemiola-6-8", "slow"),
    ("hemiola-4-12-vehicle", "slow"),
    ("hemiola-6-12-vehicle", "slow"),
    ("hemiola-4-6", "fast"),
    ("hemiola-4-8", "fast"),
    ("hemiola-4-10", "fast"),
    ("hemiola-6-8", "fast"),
    // Designed for the planar vehicle.
    ("hemiola-3-8-vehicle", "fast"),
    ("hemiola-4-6-vehicle", "fast"),
    ("hemiola-4-8-vehicle", "fast"),
    ("hemiola-4-10-vehicle", "fast"),
    ("hemiola-4-12-vehicle", "fast"),
];
/// Target errors.
const WANTED: [f64; 2] = [1e-3, 1e-5];
/// Gain that would justify a pair.
const ASKED: f64 = 1.8;
/// Tolerance of reference solutions, above the level of rounding errors; no target error is below 1e-5.
const TRUSTED: f64 = 1e-11;
/// Largest number of steps.
const LIMIT: u64 = 1 << 18;

pub(crate) fn part(progress: &dyn Progress) -> Result<Report, ReportError> {
    let vehicle = model("spatial-vehicle", &[])?;
    next(progress, "eigenvalues of the spatial vehicle")?;
    let (blocks, solved) = rayon::join(|| block_eigenvalues(&vehicle, DURATION), || all_solved(progress));
    let (blocks, solved) = (blocks?, solved?);
    let (limits, needs) = rayon::join(|| all_limits(progress, &solved), || equal_errors(progress, &solved));
    let (limits, needs) = (limits?, needs?);
    let moving = |values: &[Complex64]| {
        values.iter().filter(|value| value.im.abs() > 0.1 * value.re.abs()).copied().collect::<Vec<_>>()
    };
    let whole = BlockSystem::new(&vehicle.jacobian_at(0.0, &vehicle.initial), vec![0; vehicle.variables.len()])?;
    let whole = largest(&whole.block_eigenvalues(0)?);
    let (gain_rough, [pair_rough, single_rough]) = needs.gain(0);
    let (gain_fine, [pair_fine, single_fine]) = needs.gain(1);
    let (longest_pair, longest) = needs.longest_step(0);
    let at = |k: usize| &limits[k];
    let text = format!(
        "\
## Figs. 6 and 7: eigenvalues of the spatial vehicle over 50 s

The HMMWV on rigid-ring tires (`spatial-vehicle`): the machine with ten bodies that have mass, chassis, rack, four uprights and four wheels on massless arms, is slow, 67 variables
(positions and velocities of all joints, of which 15 of either are independent); four rings with six degrees of freedom each, relative to their hubs, longitudinal and
lateral slips, and the powertrain are fast, 58 variables. Fast rates need the motion of the hubs, which follows from the slow variables of the same stage
by the chain of joints up to them: no loop is closed and no acceleration is solved for.

![Eigenvalues of the spatial vehicle]({figure})

The largest slow eigenvalue has modulus {slow} 1/s ({slow_osc} among those that oscillate), the largest fast one {fast} 1/s. Of those that oscillate imaginary parts are {fast_ratio} times
real parts in the median in the fast block, {slow_ratio} times in the slow one. Alone, the slow part grows as in the plane: its rightmost eigenvalue is {growth} 1/s at most, and the coupling holds it. Places and angles of the rings off their hubs are
fast variables, so that no spring between hub and ring is in the slow block: it has the suspension, the steering and dampers. The hub's motion on the sidewalls is in the whole system only, whose largest
eigenvalue has modulus {whole} 1/s at the start: as in the plane the blocks alone promise more than the coupled vehicle keeps.

## Table 9: largest steps on the spatial vehicle

By the step matrix of steady motion and by simulation (as in Table 7), with the error of the chassis (position, attitude and velocities, each relative to the largest
modulus in the run) after {run} s with pulses of torque, a lane change and its return, at the step by simulation, and evaluations of both partitions in a second of motion:

{steps}
The paper prints .001 and .003 s, and 382.08 and 162.74 s of CPU time, whose ratio is 2.35. From rest the ratio of steps is {rest}, at 20 m/s {twenty}; step matrix and simulation agree within {apart} %.
It depends on what turns with the wheels, for which the paper has no data: hubs with 1.5 kg m² beside Project Chrono's rims and shafts here (a run-flat ring and a brake behind a gear), none and 4 kg m² in the last rows.
The 1.5 kg m² were chosen after these ratios were seen, and are the nearer to the paper's for it: the last rows tell what the choice is worth.
The ratio of CPU times depends on the machine and is measured by `scripts/timing`. At these steps the error of 2–5 is between {times_least} and {times_most} times that of RK2 ({times} times from rest): stability alone does not tell what a step is worth.

## Table 9 at equal errors

Fewest evaluations in a second of motion for errors of 1e-3 and 1e-5 of the chassis after {run} s at 20 m/s; the reference is accurate to {trust}.

{needs}
An evaluation of the slow partition is counted as {price} of the fast one, the ratio of their times measured by `scripts/timing` on an AMD EPYC. At 1e-3 the cheapest pair takes {gain_rough} times less
than the cheapest method with one partition at this price, {pair_rough} against {single_rough}; at 1e-5 {gain_fine} times, {pair_fine} against {single_fine}. The gain stays small since this vehicle has no wide gap: its rings are heavier
than what is left of the wheels, so that hubs, which are slow, take part in its fastest motions, and RK4's step at 1e-3 is already within a factor of two of what the slow partition allows. At 1e-5 no method is limited by stability, and {verdict_fine}.

For a gain of {asked} at 1e-3 and this price a pair with four slow and eight fast evaluations would need steps of {enough} ms; the longest of any pair here are {longest} ms,
by {longest_pair}, which evaluates the slow partition {longest_slow} times in each.
",
        figure = file("spatial-eigenvalues"),
        slow = digits(largest(&blocks[0]), 4),
        slow_osc = digits(largest(&moving(&blocks[0])), 4),
        fast = digits(largest(&blocks[1]), 4),
        fast_ratio = digits(imaginary_over_real(&blocks[1]), 2),
        slow_ratio = digits(imaginary_over_real(&blocks[0]), 2),
        growth = digits(growing(&blocks[0]), 2),
        run = RUN,
        steps = steps(&limits),
        rest = digits(at(0).ratio(), 3),
        twenty = digits(at(3).ratio(), 3),
        apart = digits(100.0 * limits.iter().map(Limits::apart).fold(0.0, f64::max), 2),
        times = digits(at(0).errors(), 2),
        times_least = digits(limits.iter().map(Limits::errors).fold(f64::INFINITY, f64::min), 2),
        times_most = digits(limits.iter().map(Limits::errors).fold(0.0, f64::max), 2),
        verdict_fine = verdict(gain_fine),
        trust = bound_text(needs.trust, 1),
        needs = needs.table(),
        whole = digits(whole, 4),
        gain_rough = digits(gain_rough, 3),
        gain_fine = digits(gain_fine, 3),
        price = PRICE,
        asked = ASKED,
        enough = digits(needs.step_for(ASKED, [4, 8]), 2),
        longest = digits(longest.step, 2),
        longest_slow = longest.slow,
    );
    let titles = ["slow: the machine", "fast: rings, slips and powertrain"];
    let figure = eigenvalue_figure(&blocks, &titles);
    Ok(Report { text, figures: vec![(file("spatial-eigenvalues"), figure.into())] })
}

/// A vehicle with the reference solution at the end of its run.
struct VehicleReference {
    vehicle: Model,
    reference: Reference,
}

/// Computes the references of all vehicles, followed by the one with fast spins.
fn all_solved(progress: &dyn Progress) -> Result<Vec<VehicleReference>, ReportError> {
    next(progress, "references of the spatial vehicle")?;
    let changes = VEHICLES.par_iter().map(|(_, changes)| *changes).chain(rayon::iter::once(FAST_SPINS));
    let solved = changes.map(|changes| {
        let vehicle = model_with("spatial-vehicle", changes)?;
        let reference = reference_to(TRUSTED, &vehicle, RUN)?;
        Ok(VehicleReference { vehicle, reference })
    });
    solved.collect()
}

fn all_limits(progress: &dyn Progress, solved: &[VehicleReference]) -> Result<Vec<Limits>, ReportError> {
    let limits = VEHICLES.par_iter().zip(solved).map(|((name, changes), solved)| {
        next(progress, &format!("largest steps of the spatial vehicle {name}"))?;
        Limits::new(changes, solved)
    });
    limits.collect()
}

/// Limits of both methods of Table 9 on a vehicle.
struct Limits([Limit; 2]);

struct Limit {
    exit: f64,
    simulation: f64,
    sample: Sample,
}

impl Limits {
    fn new(
        changes: &[Change],
        VehicleReference { vehicle, reference }: &VehicleReference,
    ) -> Result<Self, ReportError> {
        let still = steady("spatial-vehicle", changes)?;
        let [rk2, pair] = TABLE_9.map(|(_, id, _)| -> Result<Limit, ReportError> {
            let method = library::method(id)?;
            let exit = first_exit(&method, &still)?;
            let stepper = AnyStepper::new(&method, &still, Extras::default())?;
            let simulation = stable_step_near(&stepper, &still, (0.0, &still.initial), exit);
            let mut stepper = AnyStepper::new(&method, &Counted::new(vehicle), Extras::default())?;
            let chassis = spatial_chassis(vehicle);
            let comparison = vehicle.comparison(RUN, reference, &chassis);
            let sample = comparison.sample(&mut stepper, (RUN / simulation).ceil() as u64, &());
            Ok(Limit { exit, simulation, sample })
        });
        Ok(Self([rk2?, pair?]))
    }

    /// Returns the ratio of the largest step sizes by simulation.
    fn ratio(&self) -> f64 {
        self.0[1].simulation / self.0[0].simulation
    }

    fn errors(&self) -> f64 {
        self.0[1].sample.error / self.0[0].sample.error
    }

    /// Returns the largest relative difference between the limits by step matrix and by simulation.
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

/// Cost of a slow evaluation relative to a fast one: 4.88 µs and 0.66 µs, measured by `scripts/timing`.
const PRICE: f64 = 7.4;
/// Relative difference of costs below which two methods are equally cheap.
const EQUAL: f64 = 0.05;

/// Compares the cheapest pair with the cheapest method with one partition, which costs `gain` times as much.
fn verdict(gain: f64) -> &'static str {
    if gain > 1.0 + EQUAL {
        "a pair is cheaper than the best order with one partition"
    } else if gain < 1.0 - EQUAL {
        "higher orders with one partition are cheaper than all pairs"
    } else {
        "higher orders with one partition are as cheap as our pairs of orders four and five"
    }
}

struct EqualErrorRuns {
    trust: f64,
    /// Cheapest runs for each error, by method.
    rows: Vec<Vec<Option<Sample>>>,
}

impl EqualErrorRuns {
    fn table(&self) -> String {
        let rows = METHODS.iter().zip(&self.rows).map(|((id, spins), samples)| {
            let cells = samples.iter().flat_map(|sample| match sample {
                Some(sample) => {
                    let counts = sample.evaluations.iter().map(|count| digits(*count as f64 / RUN, 4));
                    std::iter::once(digits(1e3 * RUN / sample.steps as f64, 3)).chain(counts).collect()
                }
                None => vec!["–".to_owned(); 3],
            });
            [format!("`{id}`"), (*spins).to_owned()].into_iter().chain(cells).collect()
        });
        let columns = ["method", "spins", ">1e-3: step, ms", ">slow", ">fast", ">1e-5: step, ms", ">slow", ">fast"];
        table(&columns, rows)
    }

    /// Returns the runs that reach an error, either of pairs or of methods with one partition.
    fn runs(&self, k: usize, pairs: bool) -> impl Iterator<Item = (&'static str, &Sample)> {
        let runs = METHODS.iter().zip(&self.rows).filter_map(move |((id, _), row)| Some((*id, row[k].as_ref()?)));
        runs.filter(move |(_, sample)| (sample.evaluations[0] != sample.evaluations[1]) == pairs)
    }

    /// Returns the cheapest of these methods and the cost of its run.
    fn cheapest(&self, k: usize, pairs: bool) -> (&'static str, f64) {
        let cost = |sample: &Sample| PRICE * sample.evaluations[0] as f64 + sample.evaluations[1] as f64;
        let costs = self.runs(k, pairs).map(|(id, sample)| (id, cost(sample)));
        costs.min_by(|x, y| x.1.total_cmp(&y.1)).unwrap_or(("", f64::NAN))
    }

    /// Returns the ratio of the costs of the cheapest method with one partition and the cheapest pair, and the names of
    /// the pair and of the method.
    fn gain(&self, k: usize) -> (f64, [String; 2]) {
        let (pair, single) = (self.cheapest(k, true), self.cheapest(k, false));
        (single.1 / pair.1, [pair.0, single.0].map(|id| format!("`{id}`")))
    }

    /// Returns the step size in ms at which a pair with these evaluations is cheaper by the factor `gain` than the
    /// cheapest method with one partition at 1e-3.
    fn step_for(&self, gain: f64, evaluations: [usize; 2]) -> f64 {
        let step_cost = PRICE * evaluations[0] as f64 + evaluations[1] as f64;
        1e3 * RUN * gain * step_cost / self.cheapest(0, false).1
    }

    /// Returns the pair with the largest step.
    fn longest_step(&self, k: usize) -> (String, LongestStep) {
        let longest = self.runs(k, true).min_by_key(|(_, sample)| sample.steps);
        longest.map_or((String::new(), LongestStep { step: f64::NAN, slow: 0 }), |(id, sample)| {
            let step = 1e3 * RUN / sample.steps as f64;
            (format!("`{id}`"), LongestStep { step, slow: sample.evaluations[0].div_ceil(sample.steps) })
        })
    }
}

/// Largest step of a pair, in ms, and its slow evaluations per step.
struct LongestStep {
    step: f64,
    slow: u64,
}

fn equal_errors(progress: &dyn Progress, solved: &[VehicleReference]) -> Result<EqualErrorRuns, ReportError> {
    let (slow, fast) = (&solved[AT_SPEED], &solved[VEHICLES.len()]);
    let row = |(id, spins): &(&str, &str)| -> Result<Vec<Option<Sample>>, ReportError> {
        next(progress, id)?;
        let VehicleReference { vehicle, reference } = if *spins == "slow" { slow } else { fast };
        let chassis = spatial_chassis(vehicle);
        let method = library::method(id)?;
        let order = method.claims().order.unwrap_or(1);
        let stepper = AnyStepper::new(&method, &Counted::new(vehicle), Extras::default())?;
        let comparison = vehicle.comparison(RUN, reference, &chassis);
        let mut run = cached_runs(|steps| comparison.sample(&mut stepper.clone(), steps, &()));
        let fewest =
            |&wanted: &f64| fewest_steps_of_order(|steps| run(steps).error, order, wanted, LIMIT).map(&mut run);
        Ok(WANTED.iter().map(fewest).collect())
    };
    let rows = METHODS.par_iter().map(row).collect::<Result<Vec<_>, _>>()?;
    Ok(EqualErrorRuns { trust: slow.reference.uncertainty.max(fast.reference.uncertainty), rows })
}
