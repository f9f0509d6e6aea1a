//! Measures the spatial vehicle on rigid-ring tires: its rates, runs at the largest stable steps (Shome, Haug & Jay
//! 2004, Table 9), and the cheapest runs at equal errors. Prints Markdown tables.
//!
//! With method ids as arguments, only the last table is printed, for these methods.
#![allow(clippy::print_stdout, reason = "a bench prints its results")]
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

use hemiola_integrate::{Explicit, Outcome, Reference, System, equal_steps, fewest_steps, largest_stable_step};
use hemiola_models::{Model, model, model_with};
use hemiola_tableau::library;

/// Number of timed evaluations.
const EVALUATIONS: u32 = 20_000;
/// Number of interleaved runs, of which the median counts.
const RUNS: usize = 21;
/// Number of runs at equal errors, which take longer.
const FEW: usize = 5;
/// Returns the variables of the chassis: position, attitude and velocities.
fn chassis(vehicle: &Model) -> Vec<usize> {
    (0..vehicle.variables.len()).filter(|&k| vehicle.variables[k].name.starts_with("chassis")).collect()
}

fn main() {
    let vehicle = model_with("spatial-vehicle", &[("spins", "fast".into())]).unwrap();
    let [slow, fast] = [0, 1].map(|r| median((0..RUNS).map(|_| rate(&vehicle, r)).collect()));
    println!(
        "An evaluation of the slow partition takes {:.2} µs, one of the fast partition {:.2} µs.",
        1e6 * slow,
        1e6 * fast
    );
    println!();
    let chosen: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    if chosen.is_empty() {
        table_9();
    }
    equal_errors(&vehicle, &chosen);
}

/// Measures the rates of a partition, in seconds. Each state depends on the previous rates.
fn rate(vehicle: &Model, r: usize) -> f64 {
    let mut y = vehicle.initial.clone();
    let mut rate = vec![0.0; vehicle.sizes()[r]];
    let start = Instant::now();
    for _ in 0..EVALUATIONS {
        vehicle.rate(r, black_box(0.0), &y, &mut rate);
        y[2] += 1e-15 * black_box(&rate)[6];
    }
    start.elapsed().as_secs_f64() / f64::from(EVALUATIONS)
}

/// Runs equal steps and returns the time in s and the error.
fn run(vehicle: &Model, stepper: &Explicit, end: f64, steps: u64, reference: &Reference) -> (f64, f64) {
    let mut y = vehicle.initial.clone();
    let start = Instant::now();
    let run = equal_steps(&mut stepper.clone(), vehicle, [0.0, end], steps, &mut y, &mut |_| ControlFlow::Continue(()));
    let time = start.elapsed().as_secs_f64();
    (time, if run.outcome == Outcome::Finished { reference.error(&y, &chassis(vehicle)) } else { f64::INFINITY })
}

/// Compares RK2 and 2–5 at their largest stable steps.
fn table_9() {
    println!(
        "| start | RK2: step | time of a second | error | 2–5: step | time of a second | error | ratio of steps | ratio of times |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    for speed in [0.0, 5.0, 10.0, 20.0] {
        let vehicle = model("spatial-vehicle", &[("speed", speed)]).unwrap();
        let still =
            model("spatial-vehicle", &[("speed", speed), ("torque-pulse", 0.0), ("road-amplitude", 0.0)]).unwrap();
        let end = 5.0;
        let (reference, _) = vehicle.reference(end, end, &()).unwrap();
        let methods =
            ["heun-2", "shome-haug-jay-2-5"].map(|id| Explicit::new(&library::method(id).unwrap(), &vehicle).unwrap());
        let steps = methods.each_ref().map(|method| {
            let step = largest_stable_step(method, &still, (0.0, &still.initial), 8e-3).unwrap_or(8e-3);
            (step, (end / step).ceil() as u64)
        });
        let (mut times, mut errors) = ([const { Vec::new() }; 2], [0.0; 2]);
        for _ in 0..RUNS {
            for k in 0..2 {
                let (time, error) = run(&vehicle, &methods[k], end, steps[k].1, &reference);
                times[k].push(time / end);
                errors[k] = error;
            }
        }
        let ratio = median(times[0].iter().zip(&times[1]).map(|(rk2, pair)| rk2 / pair).collect());
        let [rk2, pair] = times.map(median);
        println!(
            "| {speed} m/s | {:.3} ms | {:.1} ms | {:.1e} | {:.3} ms | {:.1} ms | {:.1e} | {:.2} | {ratio:.2} |",
            1e3 * steps[0].0,
            1e3 * rk2,
            errors[0],
            1e3 * steps[1].0,
            1e3 * pair,
            errors[1],
            steps[1].0 / steps[0].0,
        );
    }
    println!();
}

/// Compares the cheapest runs at given errors.
fn equal_errors(vehicle: &Model, chosen: &[String]) {
    const PAIRS: [&str; 3] = ["hemiola-4-6", "hemiola-4-8", "hemiola-6-8"];
    const SINGLE: [&str; 3] = ["rk4", "bogacki-shampine-5", "verner-7-devtools"];
    let end = 5.0;
    let (reference, _) = vehicle.reference(end, end, &()).unwrap();
    println!("| method | 1e-3: steps | time of a second | 1e-5: steps | time of a second |");
    println!("|---|--:|--:|--:|--:|");
    let default: Vec<String> = PAIRS.iter().chain(&SINGLE).map(|id| (*id).to_owned()).collect();
    let ids = if chosen.is_empty() { &default } else { chosen };
    for id in ids {
        let Ok(stepper) = Explicit::new(&library::method(id).unwrap(), vehicle) else { continue };
        let cells = [1e-3, 1e-5].map(|wanted| {
            let steps = fewest_steps(|steps| run(vehicle, &stepper, end, steps, &reference).1, wanted, 1 << 18);
            steps.map_or_else(
                || "– | –".to_owned(),
                |steps| {
                    let times = (0..FEW).map(|_| run(vehicle, &stepper, end, steps, &reference).0 / end).collect();
                    format!("{steps} | {:.2} ms", 1e3 * median(times))
                },
            )
        });
        println!("| {id} | {} | {} |", cells[0], cells[1]);
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
