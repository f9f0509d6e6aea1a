//! Rust counterpart of the work that `scripts/compare-python` runs with the Python package.
//!
//! Prints `name,method,seconds`, where the time is the least of several runs.
#![allow(clippy::print_stdout, reason = "a bench prints its results")]
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

use hemiola::integrate::{AnyStepper, Extras, System, equal_steps};
use hemiola::stability::map::spectral_radii;
use hemiola::tableau::library;
use num_complex::Complex64;

/// Number of points at which ρ(S) is computed.
const POINTS: usize = 1_000_000;
/// Number of steps of a run.
const STEPS: u64 = 200_000;
/// Number of runs, the fastest of which counts.
const RUNS: usize = 7;

fn main() {
    for id in ["shome-haug-jay-2-5", "hemiola-4-8"] {
        println!("radii,{id},{:e}", radii(id));
    }
    for id in ["rk4", "hemiola-4-8"] {
        println!("integrate,{id},{:e}", integrate(id));
    }
}

fn least(mut work: impl FnMut()) -> f64 {
    let run = |_| {
        let begun = Instant::now();
        work();
        begun.elapsed().as_secs_f64()
    };
    (0..RUNS).map(run).fold(f64::INFINITY, f64::min)
}

/// Returns the points of the script: on a curve through all dimensions, with moduli from 0.5 to 1.5.
fn points() -> [Vec<Complex64>; 4] {
    [0.7, 1.3, 2.1, 2.9].map(|frequency| {
        (0..POINTS).map(|k| Complex64::from_polar(1.0 + 0.5 * (0.1 * k as f64).sin(), frequency * k as f64)).collect()
    })
}

fn radii(id: &str) -> f64 {
    let pair = library::method(id).unwrap().to_f64();
    let [ss, sf, fs, ff] = points();
    let point = |k: usize| [ss[k], ff[k], sf[k] * fs[k]];
    least(|| {
        black_box(spectral_radii(&pair, POINTS, &point).unwrap());
    })
}

/// The antenna of the example `integrate_your_own_system`.
struct Antenna;

impl System for Antenna {
    fn sizes(&self) -> &[usize] {
        &[2, 2]
    }

    fn rate(&self, partition: usize, _t: f64, y: &[f64], rate: &mut [f64]) {
        let torque = 1600.0 * (y[0] - y[2]) + 4.0 * (y[1] - y[3]);
        if partition == 0 {
            rate[0] = y[1];
            rate[1] = -y[0].sin() - 1e-3 * torque;
        } else {
            rate[0] = y[3];
            rate[1] = torque;
        }
    }
}

/// Measures a run that stores all states, as the Python package does.
fn integrate(id: &str) -> f64 {
    let method = library::method(id).unwrap();
    least(|| {
        let mut stepper = AnyStepper::new(&method, &Antenna, Extras::default()).unwrap();
        let (mut times, mut states) = (Vec::new(), Vec::new());
        let mut y = [1.0, 0.0, 1.0, 0.0];
        let run = equal_steps(&mut stepper, &Antenna, [0.0, 1000.0], STEPS, &mut y, &mut |accepted| {
            times.push(accepted.t);
            states.extend_from_slice(accepted.y);
            ControlFlow::Continue(())
        });
        black_box((run, times, states));
    })
}
