//! Compares times of the singular-perturbation scheme and of ode45's pair on the pendulum with a particle (Gil,
//! Sanfelice & Nikravesh 2013). Prints a Markdown table.
#![allow(clippy::print_stdout, reason = "a bench prints its results")]
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

use hemiola_integrate::{Embedded, Explicit, Extras, Outcome, SingularPerturbationStepper, equal_steps};
use hemiola_models::{Model, model};
use hemiola_tableau::library;

/// Number of interleaved runs, of which the median counts.
const RUNS: usize = 21;
/// Duration of the swing in the paper's figures, in s.
const END: f64 = 5.0;

/// Integrator of the pendulum.
#[derive(Clone, Copy)]
enum BenchIntegrator {
    /// The scheme in equal steps of this size.
    Scheme(f64),
    /// The pair of ode45 with relative and absolute tolerances.
    Pair([f64; 2]),
}

/// The paper's step and a longer one; the pair with ode45's default tolerances and with tighter ones.
const WAYS: [(&str, BenchIntegrator); 4] = [
    ("scheme, h = 0.005", BenchIntegrator::Scheme(0.005)),
    ("scheme, h = 0.02", BenchIntegrator::Scheme(0.02)),
    ("ode45's pair, tolerance 0.001", BenchIntegrator::Pair([1e-3, 1e-6])),
    ("ode45's pair, tolerance 1e-6", BenchIntegrator::Pair([1e-6, 1e-9])),
];
/// Index of the integrator to which times are related.
const RIVAL: usize = 2;

fn main() {
    let pendulum = model("pendulum-particle", &[]).unwrap();
    let mut times = WAYS.map(|_| Vec::new());
    for _ in 0..RUNS {
        for ((_, way), times) in WAYS.iter().zip(&mut times) {
            times.push(run(&pendulum, *way));
        }
    }
    println!("| | time, ms | of that of ode45's pair |");
    println!("|---|--:|--:|");
    for ((name, _), own) in WAYS.iter().zip(&times) {
        // Ratios of adjacent runs: a disturbance affects both.
        let part = 100.0 * median(own.iter().zip(&times[RIVAL]).map(|(own, rival)| own / rival).collect());
        println!("| {name} | {:.2} | {part:.0} % |", 1e3 * median(own.clone()));
    }
}

/// Measures a run, in seconds.
fn run(pendulum: &Model, way: BenchIntegrator) -> f64 {
    let (mut y, mut look) = (pendulum.initial.clone(), |_: &hemiola_integrate::Accepted<'_>| ControlFlow::Continue(()));
    let start = Instant::now();
    let run = match way {
        BenchIntegrator::Scheme(h) => {
            let mut scheme = SingularPerturbationStepper::new(pendulum).unwrap();
            equal_steps(&mut scheme, pendulum, [0.0, END], (END / h).round() as u64, black_box(&mut y), &mut look)
        }
        BenchIntegrator::Pair([relative, absolute]) => {
            let pair = library::method("dormand-prince-5").unwrap();
            let control = Embedded { relative, absolute, largest: END / 10.0, ..Embedded::new(4) };
            let mut stepper = Explicit::with(&pair, pendulum, Extras { estimate: true, dense: false }).unwrap();
            control.run(&mut stepper, pendulum, [0.0, END], black_box(&mut y), &mut look)
        }
    };
    assert_eq!(run.outcome, Outcome::Finished);
    start.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
