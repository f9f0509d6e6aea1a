//! Measures the cost of a step relative to its rates on the planar vehicle, and RK4 against the crate `ode_solvers`;
//! then the time for a second of motion at a given error with an expensive slow partition; and RK4 for two variables
//! against a handwritten loop. Prints Markdown tables.
#![allow(clippy::print_stdout, reason = "a bench prints its results")]
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

use hemiola_integrate::{Counted, Explicit, System, equal_steps, fewest_steps};
use hemiola_models::{Model, model};
use hemiola_tableau::library;
use ode_solvers::{Rk4, SVector};

/// Number of variables of the vehicle.
const N: usize = 28;
type State = SVector<f64, N>;

/// Number of steps of a run, stable for all methods.
const STEPS: u64 = 20_000;
const STEP: f64 = 1e-4;
/// Number of runs. The fastest counts, since the others were disturbed.
const RUNS: usize = 15;

fn main() {
    let vehicle = model("planar-vehicle", &[]).unwrap();
    println!("| method | rates in a step | a step | overhead | `ode_solvers` | ratio |");
    println!("|---|--:|--:|--:|--:|--:|");
    for id in ["rk4", "shome-haug-jay-2-5", "hemiola-3-7", "hemiola-4-8", "dormand-prince-5"] {
        let mut times = Times::default();
        // All in turn: a disturbance of the machine affects all of them.
        for _ in 0..RUNS {
            times.step = times.step.min(step(&vehicle, id));
            times.rates = times.rates.min(rates(&vehicle, id));
            if id == "rk4" {
                times.peer = times.peer.min(peer(&vehicle));
            }
        }
        times.print(id);
    }
    println!();
    dear_slow_part(&vehicle);
    println!();
    two_variables();
}

/// Van der Pol's oscillator.
struct Oscillator;

impl System for Oscillator {
    fn sizes(&self) -> &[usize] {
        &[2]
    }

    fn rate(&self, _: usize, _: f64, y: &[f64], rate: &mut [f64]) {
        rate[0] = y[1];
        rate[1] = (1.0 - y[0] * y[0]) * y[1] - y[0];
    }
}

impl ode_solvers::System<f64, SVector<f64, 2>> for Oscillator {
    fn system(&self, t: f64, y: &SVector<f64, 2>, rate: &mut SVector<f64, 2>) {
        self.rate(0, t, y.as_slice(), rate.as_mut_slice());
    }
}

/// Number of steps of RK4 where the rates take hardly any time.
const SHORT_STEPS: u64 = 1_000_000;
const SHORT_STEP: f64 = 1e-3;

/// Compares a step of RK4 for two variables with a handwritten one.
fn two_variables() {
    let rk4 = library::method("rk4").unwrap();
    let span = [0.0, SHORT_STEPS as f64 * SHORT_STEP];
    let start = [2.0, 0.0];
    let mut best = [f64::INFINITY; 3];
    for _ in 0..RUNS {
        let mut y = black_box(start);
        let by_hand = seconds(|| rk4_by_hand(&Oscillator, &mut y));
        let mut stepper = Explicit::new(&rk4, &Oscillator).unwrap();
        let mut z = black_box(start);
        let ours = seconds(|| {
            equal_steps(&mut stepper, &Oscillator, span, SHORT_STEPS, &mut z, &mut |_| ControlFlow::Continue(()));
        });
        assert!(y.iter().zip(z).all(|(y, z)| (y - z).abs() < 1e-9), "{y:?} {z:?}");
        let mut peer = Rk4::new(Oscillator, 0.0, SVector::<f64, 2>::from(black_box(start)), span[1], SHORT_STEP);
        let theirs = seconds(|| {
            peer.integrate().unwrap();
        });
        for (best, time) in best.iter_mut().zip([by_hand, ours, theirs]) {
            *best = best.min(time / SHORT_STEPS as f64);
        }
    }
    println!("| a step of RK4, two variables | time | ratio |");
    println!("|---|--:|--:|");
    for (name, time) in ["by hand", "hemiola", "`ode_solvers`"].into_iter().zip(best) {
        println!("| {name} | {:.1} ns | {:.2} |", 1e9 * time, time / best[0]);
    }
}

fn rk4_by_hand(system: &impl System, y: &mut [f64; 2]) {
    let (h, mut k) = (SHORT_STEP, [[0.0; 2]; 4]);
    let moved = |y: &[f64; 2], h: f64, k: &[f64; 2]| [y[0] + h * k[0], y[1] + h * k[1]];
    for step in 0..SHORT_STEPS {
        let t = step as f64 * h;
        system.rate(0, t, y, &mut k[0]);
        system.rate(0, t + 0.5 * h, &moved(y, 0.5 * h, &k[0]), &mut k[1]);
        system.rate(0, t + 0.5 * h, &moved(y, 0.5 * h, &k[1]), &mut k[2]);
        system.rate(0, t + h, &moved(y, h, &k[2]), &mut k[3]);
        for (l, y) in y.iter_mut().enumerate() {
            *y += h / 6.0 * (k[0][l] + 2.0 * (k[1][l] + k[2][l]) + k[3][l]);
        }
    }
}

fn seconds(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

/// Cost of an evaluation of an expensive slow partition, in evaluations of the fast partition.
const COST: f64 = 20.0;
/// Target error of the chassis after ten seconds.
const WANTED: f64 = 1e-4;
/// Variables of the chassis: position, pitch and velocities.
const CHASSIS: [usize; 6] = [0, 1, 2, 7, 8, 9];

/// Measures the time for a second of motion with the fewest steps for an error.
fn dear_slow_part(vehicle: &Model) {
    let [slow, fast] = [0, 1].map(|r| (0..RUNS).map(|_| rate(vehicle, r)).fold(f64::INFINITY, f64::min));
    let expensive = Expensive { vehicle, times: (COST * fast / slow).round() as usize };
    let span = [0.0, vehicle.duration];
    let (reference, _) = vehicle.reference(vehicle.duration, vehicle.duration, &()).unwrap();
    println!("| method | order | steps in a second | slow evaluations | fast evaluations | time |");
    println!("|---|--:|--:|--:|--:|--:|");
    for id in ["heun-2", "rk4", "hemiola-2-5-consistent", "hemiola-3-7-consistent", "hemiola-4-8", "hemiola-6-8"] {
        let method = library::method(id).unwrap();
        let stepper = Explicit::new(&method, vehicle).unwrap();
        let comparison = vehicle.comparison(vehicle.duration, &reference, &CHASSIS);
        let run = |steps| comparison.sample(&mut stepper.clone(), steps, &());
        let steps = fewest_steps(|steps| run(steps).error, WANTED, 1 << 22).unwrap();
        let start = Instant::now();
        equal_steps(&mut stepper.clone(), &expensive, span, steps, &mut vehicle.initial.clone(), &mut |_| {
            ControlFlow::Continue(())
        });
        let time = start.elapsed().as_secs_f64() / vehicle.duration;
        let a_second = |count: u64| (count as f64 / vehicle.duration).round();
        let counts = run(steps).evaluations;
        let [slow, fast] = [counts[0], counts[1]].map(a_second);
        let order = method.claims().order.unwrap();
        println!("| {id} | {order} | {} | {slow} | {fast} | {:.2} ms |", a_second(steps), 1e3 * time);
    }
}

/// Measures successive evaluations of the rates of a partition, in seconds.
fn rate(vehicle: &Model, r: usize) -> f64 {
    let (mut y, mut rate) = (vehicle.initial.clone(), [0.0; N]);
    let size = vehicle.sizes()[r];
    seconds_a_step(|| {
        for k in 0..STEPS {
            vehicle.rate(r, black_box(k as f64 * STEP), &y, &mut rate[..size]);
            y[2] += 1e-15 * black_box(rate)[size - 1];
        }
    })
}

/// Times of a step, in seconds.
struct Times {
    step: f64,
    rates: f64,
    peer: f64,
}

impl Default for Times {
    fn default() -> Self {
        Self { step: f64::INFINITY, rates: f64::INFINITY, peer: f64::INFINITY }
    }
}

impl Times {
    fn print(&self, id: &str) {
        let nanoseconds = |time: f64| format!("{:.0} ns", 1e9 * time);
        let overhead = 100.0 * (self.step / self.rates - 1.0);
        let has_peer = self.peer.is_finite();
        let peer = if has_peer { nanoseconds(self.peer) } else { "–".to_owned() };
        let ratio = if has_peer { format!("{:.2}", self.peer / self.step) } else { "–".to_owned() };
        let [rates, step] = [self.rates, self.step].map(nanoseconds);
        println!("| {id} | {rates} | {step} | {overhead:.0} % | {peer} | {ratio} |");
    }
}

fn seconds_a_step(run: impl FnOnce()) -> f64 {
    seconds(run) / STEPS as f64
}

fn step(vehicle: &Model, id: &str) -> f64 {
    let mut stepper = Explicit::new(&library::method(id).unwrap(), vehicle).unwrap();
    let mut y = vehicle.initial.clone();
    let span = [0.0, STEPS as f64 * STEP];
    let seconds = seconds_a_step(|| {
        equal_steps(&mut stepper, vehicle, span, STEPS, &mut y, &mut |_| ControlFlow::Continue(()));
    });
    black_box(y);
    seconds
}

/// Measures the rates of a step alone: the same number for each partition as in the method, each at a state that
/// depends on the previous rates. A processor would overlap independent evaluations.
fn rates(vehicle: &Model, id: &str) -> f64 {
    let counted = Counted::new(vehicle);
    let mut stepper = Explicit::new(&library::method(id).unwrap(), &counted).unwrap();
    let mut y = vehicle.initial.clone();
    equal_steps(&mut stepper, &counted, [0.0, 100.0 * STEP], 100, &mut y, &mut |_| ControlFlow::Continue(()));
    let counts: Vec<u64> = counted.evaluations().iter().map(|count| count.div_ceil(100)).collect();
    let mut rate = [0.0; N];
    seconds_a_step(|| {
        for k in 0..STEPS {
            let t = k as f64 * STEP;
            for (r, &count) in counts.iter().enumerate() {
                for _ in 0..count {
                    let size = vehicle.sizes()[r];
                    vehicle.rate(r, black_box(t), &y, &mut rate[..size]);
                    // All rates depend on the pitch.
                    y[2] += 1e-15 * black_box(rate)[size - 1];
                }
            }
        }
    })
}

/// The whole vehicle as a system of `ode_solvers`.
struct Whole<'a>(&'a Model);

impl ode_solvers::System<f64, State> for Whole<'_> {
    fn system(&self, t: f64, y: &State, rate: &mut State) {
        let slow = self.0.sizes()[0];
        let (first, second) = rate.as_mut_slice().split_at_mut(slow);
        self.0.rate(0, t, y.as_slice(), first);
        self.0.rate(1, t, y.as_slice(), second);
    }
}

fn peer(vehicle: &Model) -> f64 {
    let start = State::from_column_slice(&vehicle.initial);
    let mut stepper = Rk4::new(Whole(vehicle), 0.0, start, STEPS as f64 * STEP, STEP);
    let seconds = seconds_a_step(|| {
        stepper.integrate().unwrap();
    });
    black_box(stepper.y_out().last());
    seconds
}

/// A vehicle with a slow partition as expensive as that of a multibody model: its rates are evaluated repeatedly.
struct Expensive<'a> {
    vehicle: &'a Model,
    times: usize,
}

impl System for Expensive<'_> {
    fn sizes(&self) -> &[usize] {
        self.vehicle.sizes()
    }

    fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        let times = if partition == 0 { self.times } else { 1 };
        for _ in 0..times {
            self.vehicle.rate(partition, black_box(t), black_box(y), rate);
        }
    }
}
