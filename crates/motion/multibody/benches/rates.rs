//! Benchmarks the accelerations of trees, and steps of vehicles with and without iterative refinement. Prints Markdown
//! tables.
#![allow(clippy::print_stdout, reason = "a bench prints its results")]
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use std::hint::black_box;
use std::time::Instant;

use hemiola_multibody::{
    AccelerationSolver, Body, Joint, Machine, MachineRun, Maneuver, Mechanism, Refinement, ResidualForm,
    solve_positive_definite, vehicles,
};

/// Number of runs for rates. The fastest counts, since the others were disturbed.
const RUNS: usize = 15;
/// Number of runs for steps, of which the median counts.
const PAIRS: usize = 21;

fn main() {
    println!("| tree | velocities | time of the rates | for each velocity |");
    println!("|---|--:|--:|--:|");
    for bodies in [10, 20, 40, 80, 160] {
        row(&format!("chain of {bodies} hinges"), &chain(bodies));
    }
    for machine in [vehicles::hmmwv as fn(&Maneuver) -> Machine, vehicles::sedan, vehicles::truck] {
        let mut machine = machine(&Maneuver::coasting(0.0));
        machine.loops.clear();
        machine.forces = hemiola_multibody::Forces::default();
        machine.initial.clear();
        row(&format!("{} without loops and forces", machine.name), &machine.build().unwrap());
    }
    println!();
    println!(
        "| vehicle | loops | f | rates | h | direct | cholesky | share of the solution | refined | gain | matrix-free | gain | over direct | iterations |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let maneuver = Maneuver::double_lane_change(15.0);
    for vehicle in [vehicles::hmmwv, vehicles::sedan, vehicles::truck, vehicles::truck_on_rods] {
        let machine = vehicle(&maneuver).build().unwrap();
        for h in [0.5e-3, 1e-3, 2e-3, 5e-3] {
            steps(&machine, h);
        }
    }
}

/// Builds a chain of bodies on hinges about x, y and z in turn, as in `scripts/peers/multibody_speed.py`.
fn chain(bodies: usize) -> Mechanism {
    let name = |k: usize| if k == 0 { "ground".to_owned() } else { format!("b{k}") };
    let mut machine = Machine::new("chain");
    for k in 1..=bodies {
        let x = (k - 1) as f64 * 0.3;
        let mut axis = [0.0; 3];
        axis[k % 3] = 1.0;
        machine = machine.body(Body::new(&name(k), 1.0, [x + 0.15, 0.02, 0.01], [0.01, 0.02, 0.03]));
        machine = machine.joint(Joint::revolute(&name(k), [&name(k - 1), &name(k)], [x, 0.0, 0.0], axis));
    }
    machine.build().unwrap()
}

fn row(name: &str, machine: &Mechanism) {
    let n = machine.velocities();
    let time = (0..RUNS).map(|_| rates(machine)).fold(f64::INFINITY, f64::min);
    println!("| {name} | {n} | {:.2} µs | {:.0} ns |", 1e6 * time, 1e9 * time / n as f64);
}

fn rates(machine: &Mechanism) -> f64 {
    const EVALUATIONS: u32 = 2000;
    let (mut y, mut rate, mut workspace) =
        (machine.initial().to_vec(), machine.initial().to_vec(), machine.workspace::<f64>());
    let start = Instant::now();
    for _ in 0..EVALUATIONS {
        machine.rates(0.0, black_box(&y), &mut rate, &mut workspace).unwrap();
        // Makes each evaluation depend on the previous one.
        y[0] += 1e-12 * black_box(&rate)[0];
    }
    start.elapsed().as_secs_f64() / f64::from(EVALUATIONS)
}

/// Prints medians of interleaved runs over 0.2 s of motion.
fn steps(machine: &Mechanism, h: f64) {
    let refined = |residual| AccelerationSolver::Refined(Refinement::new(1e-3, residual));
    let solvers = [
        AccelerationSolver::Direct,
        AccelerationSolver::Cholesky,
        refined(ResidualForm::Assembled),
        refined(ResidualForm::MatrixFree),
    ];
    let count = (0.2 / h).round() as u32;
    let (mut times, mut iterations) = ([const { Vec::new() }; 4], 0.0);
    let (mut solutions, system) = (Vec::new(), Equations::new(machine.degrees_of_freedom()));
    for _ in 0..PAIRS {
        solutions.push(4.0 * system.solution());
        for (solver, times) in solvers.into_iter().zip(&mut times) {
            let (mut run, mut y) = (MachineRun::new(machine, solver), machine.initial().to_vec());
            let start = Instant::now();
            for k in 0..count {
                run.step(f64::from(k) * h, h, &mut y).unwrap();
            }
            times.push(start.elapsed().as_secs_f64() / f64::from(count));
            if run.counts().refined > 0 {
                iterations = run.counts().iterations as f64 / run.counts().refined as f64;
            }
        }
    }
    // Ratios of adjacent runs: a disturbance affects both.
    let gain = |k: usize, over: usize| {
        100.0 * (1.0 - median(times[k].iter().zip(&times[over]).map(|(time, full)| time / full)))
    };
    let gains = [gain(2, 1), gain(3, 1), gain(3, 0)];
    // A step has four factorizations and solutions.
    let share = 100.0 * median(solutions.iter().zip(&times[1]).map(|(solution, full)| solution / full));
    let [direct, full, printed, free] = times.map(|times| 1e6 * median(times.into_iter()));
    let time = 1e6 * (0..RUNS).map(|_| rates(machine)).fold(f64::INFINITY, f64::min);
    println!(
        "| {} | {} | {} | {time:.1} µs | {:.1} ms | {direct:.1} µs | {full:.1} µs | {share:.1} % | {printed:.1} µs | {:.1} % | {free:.1} µs | {:.1} % | {:.1} % | {iterations:.2} |",
        machine.name(),
        machine.constraints(),
        machine.degrees_of_freedom(),
        1e3 * h,
        gains[0],
        gains[1],
        gains[2],
    );
}

/// A positive definite matrix of the size of the independents' equations, with a right-hand side.
struct Equations {
    matrix: Vec<f64>,
    right: Vec<f64>,
}

impl Equations {
    fn new(f: usize) -> Self {
        let entry = |k: usize| if k / f == k % f { 2.0 } else { (k as f64).sin() / f as f64 };
        Self { matrix: (0..f * f).map(entry).collect(), right: vec![1.0; f] }
    }

    /// Measures the time of one factorization and solution.
    fn solution(&self) -> f64 {
        const SOLUTIONS: u32 = 500;
        let (mut matrix, mut right) = (self.matrix.clone(), self.right.clone());
        let start = Instant::now();
        for _ in 0..SOLUTIONS {
            matrix.copy_from_slice(&self.matrix);
            right.copy_from_slice(&self.right);
            assert!(solve_positive_definite(black_box(&mut matrix), black_box(&mut right)));
        }
        start.elapsed().as_secs_f64() / f64::from(SOLUTIONS)
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
