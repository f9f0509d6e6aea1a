//! Nonlinear coupled problem, and one step of it computed from the tableau in doubles.
//!
//! Partition r = 1, …, N has two unknowns x, y: x' = t y − s x + r, y' = r x s − t with s = Σ x_q y_q over all
//! partitions. It consists of sums and products only, so that every language computes the same doubles.

use hemiola::tableau::{Butcher, Coefficient, Exact, Method};

pub(crate) const T: f64 = 0.25;
pub(crate) const H: f64 = 0.1;

/// Result of one step.
pub(crate) struct Step {
    pub(crate) solution: Vec<[f64; 2]>,
    /// Error estimate of the embedded weights; empty without them.
    pub(crate) error: Vec<[f64; 2]>,
    /// Number of evaluations of each right-hand side.
    pub(crate) evaluations: Vec<usize>,
    /// Largest deviation due to a different order of sums and products.
    pub(crate) tolerance: f64,
}

pub(crate) fn start(r: usize) -> [f64; 2] {
    let r = r as f64;
    [0.5 + 0.25 * r, 1.0 - 0.125 * r]
}

/// Evaluates the right-hand side of partition r, counted from 1, whose own state is `own`.
fn derivative(r: usize, t: f64, own: [f64; 2], all: &[[f64; 2]]) -> [f64; 2] {
    let s = all.iter().fold(0.0, |s, state| s + state[0] * state[1]);
    let r = r as f64;
    [t * own[1] - s * own[0] + r, r * own[0] * s - t]
}

struct Tableaus {
    partitions: Vec<Butcher<f64>>,
    /// Differences b − b̂ of each partition, rounded once.
    differences: Vec<Vec<f64>>,
}

impl Tableaus {
    fn new(method: &Method) -> Self {
        let difference = |(b, hat): (&Coefficient, &Coefficient)| (b.value().clone() - hat.value().clone()).to_f64();
        let hats = method.partitions().iter().filter_map(|p| Some(p.b.iter().zip(p.b_hat.as_ref()?)));
        let differences = hats.map(|pairs| pairs.map(difference).collect()).collect();
        // The abscissae are rounded once, also if they are row sums.
        let partitions = method.exact().partitions.iter().map(rounded).collect();
        Self { partitions, differences }
    }

    /// Returns the stages at which a partition is evaluated, for the result or for the error.
    fn evaluated(&self, r: usize) -> Vec<usize> {
        let butcher = &self.partitions[r];
        let in_error = |j: usize| self.differences.get(r).is_some_and(|row| row[j] != 0.0);
        let stages = 0..butcher.stages();
        stages.filter(|j| butcher.evaluated_stages().contains(j) || in_error(*j)).collect()
    }
}

fn rounded(exact: &Butcher<Exact>) -> Butcher<f64> {
    let vector = |numbers: &[Exact]| numbers.iter().map(Exact::to_f64).collect::<Vec<f64>>();
    Butcher { a: exact.a.iter().map(|row| vector(row)).collect(), b: vector(&exact.b), c: vector(&exact.c) }
}

/// Computes start + h Σ factors · derivatives and records the magnitude of the terms in `size`.
fn sum(start: [f64; 2], factors: &[f64], derivatives: &[[f64; 2]], size: &mut f64) -> [f64; 2] {
    let mut state = start;
    for i in 0..2 {
        let products = factors.iter().zip(derivatives).map(|(factor, k)| factor * k[i]);
        state[i] += H * products.clone().sum::<f64>();
        *size = size.max(start[i].abs() + H * products.map(f64::abs).sum::<f64>());
    }
    state
}

/// Takes one step of an explicit method with any number of partitions.
pub(crate) fn explicit_step(method: &Method) -> Step {
    let tableaus = Tableaus::new(method);
    let (count, stages) = (tableaus.partitions.len(), method.stages());
    let starts: Vec<[f64; 2]> = (1..=count).map(start).collect();
    let mut k = vec![vec![[0.0; 2]; stages]; count];
    let mut size = 0.0;
    for i in 0..stages {
        let states: Vec<[f64; 2]> =
            (0..count).map(|r| sum(starts[r], &tableaus.partitions[r].a[i], &k[r], &mut size)).collect();
        for r in (0..count).filter(|&r| tableaus.evaluated(r).contains(&i)) {
            k[r][i] = derivative(r + 1, T + tableaus.partitions[r].c[i] * H, states[r], &states);
        }
    }
    let solution = (0..count).map(|r| sum(starts[r], &tableaus.partitions[r].b, &k[r], &mut size)).collect();
    let errors = tableaus.differences.iter().enumerate();
    let error = errors.map(|(r, row)| sum([0.0; 2], row, &k[r], &mut size)).collect();
    let evaluations = (0..count).map(|r| tableaus.evaluated(r).len()).collect();
    Step { solution, error, evaluations, tolerance: rounding(stages, size) }
}

/// Takes one step of y' = Σ f_r(t, y) from the first state, with stages by fixed-point iteration.
pub(crate) fn additive_step(method: &Method) -> Step {
    let tableaus = Tableaus::new(method);
    let (count, stages) = (tableaus.partitions.len(), method.stages());
    let mut k = vec![vec![[0.0; 2]; stages]; count];
    let mut size = 0.0;
    for i in 0..stages {
        for _ in 0..100 {
            let state = (0..count).fold(start(1), |y, r| sum(y, &tableaus.partitions[r].a[i], &k[r], &mut size));
            for r in 0..count {
                k[r][i] = derivative(r + 1, T + tableaus.partitions[r].c[i] * H, state, &[state]);
            }
        }
    }
    let total = |start: [f64; 2], rows: &[&[f64]], size: &mut f64| {
        rows.iter().zip(&k).fold(start, |y, (row, k)| sum(y, row, k, size))
    };
    let weights: Vec<&[f64]> = tableaus.partitions.iter().map(|butcher| &butcher.b[..]).collect();
    let differences: Vec<&[f64]> = tableaus.differences.iter().map(|row| &row[..]).collect();
    let solution = vec![total(start(1), &weights, &mut size)];
    let error = if differences.is_empty() { Vec::new() } else { vec![total([0.0; 2], &differences, &mut size)] };
    // Derivatives obtained from solved stages contain their rounding errors divided by h times the diagonal: some
    // additional units.
    Step { solution, error, evaluations: Vec::new(), tolerance: 8.0 * rounding(stages, size) }
}

/// Bounds rounding errors: each of s stages adds up to s terms of this size, and the step is so short that errors
/// hardly grow.
fn rounding(stages: usize, size: f64) -> f64 {
    4.0 * stages as f64 * f64::EPSILON * size
}

impl Step {
    /// Compares with the printed numbers of the drivers: solution, error, evaluations.
    pub(crate) fn assert_printed(&self, printed: &[f64], what: &str) {
        let values: Vec<f64> = self.solution.iter().chain(&self.error).flatten().copied().collect();
        assert_eq!(printed.len(), values.len() + self.evaluations.len(), "{what}: {printed:?}");
        for (found, expected) in printed.iter().zip(&values) {
            assert!((found - expected).abs() <= self.tolerance, "{what}: {found} instead of {expected}");
        }
        let evaluations: Vec<f64> = self.evaluations.iter().map(|&count| count as f64).collect();
        assert_eq!(printed[values.len()..], evaluations, "{what}: evaluations");
    }
}
