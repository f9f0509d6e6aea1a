//! Test systems and measurements on them.

use hemiola_integrate::{Stepper, System};
use hemiola_tableau::{Method, Tableau, library};
use num_complex::Complex64;

pub(crate) fn method(id: &str) -> Method {
    library::method(id).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the tableau, with a single partition repeated for each partition of a system.
pub(crate) fn tableau(method: &Method, partitions: usize) -> Tableau<f64> {
    let mut tableau = method.to_f64();
    if let [part] = &tableau.partitions[..] {
        tableau.partitions = vec![part.clone(); partitions];
    }
    tableau
}

/// y' = Λy.
pub(crate) struct Linear {
    sizes: Vec<usize>,
    matrix: Vec<f64>,
}

impl Linear {
    /// Creates a real system with two variables per partition from a complex matrix with one variable per partition.
    pub(crate) fn complex(z: &[Vec<Complex64>]) -> Self {
        let row = |row: &Vec<Complex64>| {
            let real = row.iter().flat_map(|z| [z.re, -z.im]);
            real.chain(row.iter().flat_map(|z| [z.im, z.re])).collect::<Vec<f64>>()
        };
        Self { sizes: vec![2; z.len()], matrix: z.iter().flat_map(row).collect() }
    }
}

impl System for Linear {
    fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    fn rate(&self, partition: usize, _t: f64, y: &[f64], rate: &mut [f64]) {
        let start: usize = self.sizes[..partition].iter().sum();
        for (row, rate) in self.matrix.chunks(y.len()).skip(start).zip(rate) {
            *rate = row.iter().zip(y).map(|(entry, y)| entry * y).sum();
        }
    }

    fn jacobian(&self, _t: f64, _y: &[f64], jacobian: &mut [f64]) {
        jacobian.copy_from_slice(&self.matrix);
    }
}

/// Returns the matrix of a step of length one on q' = Zq.
pub(crate) fn step_matrix(stepper: &mut impl Stepper<Linear>, z: &[Vec<Complex64>]) -> Vec<Complex64> {
    let system = Linear::complex(z);
    let columns: Vec<Vec<f64>> = (0..z.len()).map(|column| image(stepper, &system, column)).collect();
    (0..z.len()).flat_map(|row| columns.iter().map(move |y| Complex64::new(y[2 * row], y[2 * row + 1]))).collect()
}

fn image(stepper: &mut impl Stepper<Linear>, system: &Linear, column: usize) -> Vec<f64> {
    let mut y = vec![0.0; 2 * system.sizes.len()];
    y[2 * column] = 1.0;
    stepper.step(system, 0.0, 1.0, &mut y).unwrap_or_else(|error| panic!("{error}"));
    y
}

/// Returns the largest difference of entries, relative to the largest entry or one.
pub(crate) fn distance(x: &[Complex64], y: &[Complex64]) -> f64 {
    let size = y.iter().map(|y| y.norm()).fold(1.0, f64::max);
    x.iter().zip(y).map(|(x, y)| (x - y).norm()).fold(0.0, f64::max) / size
}

/// y_q' = cos(t + q) + 1/(2 + Σ w_qr y_r), whose derivatives are all nonzero.
pub(crate) struct Coupled(pub(crate) Vec<usize>);

impl Coupled {
    fn weight(q: usize, r: usize) -> f64 {
        ((5 * q + 3 * r + 2 * q * r) % 7) as f64 / 4.0 - 0.5
    }

    fn reciprocal(q: usize, y: &[f64]) -> f64 {
        1.0 / (2.0 + y.iter().enumerate().map(|(r, y)| Self::weight(q, r) * y).sum::<f64>())
    }

    pub(crate) fn start(&self) -> Vec<f64> {
        (0..self.0.iter().sum()).map(|q| (q + 1) as f64 / 9.0).collect()
    }
}

impl System for Coupled {
    fn sizes(&self) -> &[usize] {
        &self.0
    }

    fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        let start: usize = self.0[..partition].iter().sum();
        for (i, rate) in rate.iter_mut().enumerate() {
            *rate = (t + (start + i) as f64).cos() + Self::reciprocal(start + i, y);
        }
    }

    fn jacobian(&self, _t: f64, y: &[f64], jacobian: &mut [f64]) {
        let n = y.len();
        for (q, row) in jacobian.chunks_mut(n).enumerate() {
            let factor = -Self::reciprocal(q, y).powi(2);
            row.iter_mut().enumerate().for_each(|(r, entry)| *entry = factor * Self::weight(q, r));
        }
    }
}

/// A system in a single partition, with time as its last variable.
pub(crate) struct Autonomous<S>(pub(crate) S, pub(crate) [usize; 1]);

impl<S: System> System for Autonomous<S> {
    fn sizes(&self) -> &[usize] {
        &self.1
    }

    fn rate(&self, _partition: usize, _t: f64, y: &[f64], rate: &mut [f64]) {
        let (y, t) = (&y[..y.len() - 1], y[y.len() - 1]);
        let mut start = 0;
        for (partition, size) in self.0.sizes().iter().enumerate() {
            self.0.rate(partition, t, y, &mut rate[start..start + size]);
            start += size;
        }
        rate[start] = 1.0;
    }
}

/// Integrates in equal steps from 0 over a length.
pub(crate) fn integrate<S: System>(
    stepper: &mut impl Stepper<S>,
    system: &S,
    start: &[f64],
    length: f64,
    steps: usize,
) -> Vec<f64> {
    let (mut y, h) = (start.to_vec(), length / steps as f64);
    for step in 0..steps {
        stepper.step(system, h * step as f64, h, &mut y).unwrap_or_else(|error| panic!("{error}"));
    }
    y
}

/// Computes the solution at t = 1 to rounding, by a method of order nine in steps of 1/200 written out here.
pub(crate) fn solution(system: &impl System, start: &[f64]) -> Vec<f64> {
    let butcher = &method("verner-efficient-9").to_f64().partitions[0];
    let (mut y, h, n) = (start.to_vec(), 0.005, start.len());
    for step in 0..200 {
        let mut slopes: Vec<Vec<f64>> = Vec::new();
        for (row, c) in butcher.a.iter().zip(&butcher.c) {
            let sum = |q: usize| slopes.iter().zip(row).map(|(slope, a)| a * slope[q]).sum::<f64>();
            let stage: Vec<f64> = (0..n).map(|q| y[q] + h * sum(q)).collect();
            let (mut slope, mut first) = (vec![0.0; n], 0);
            for (partition, &size) in system.sizes().iter().enumerate() {
                system.rate(partition, h * (step as f64 + c), &stage, &mut slope[first..first + size]);
                first += size;
            }
            slopes.push(slope);
        }
        for q in 0..n {
            y[q] += h * slopes.iter().zip(&butcher.b).map(|(slope, b)| b * slope[q]).sum::<f64>();
        }
    }
    y
}

pub(crate) fn largest_difference(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// Returns the order observed by halving steps over [0, 1], while errors are well above rounding: the median of the
/// last three.
pub(crate) fn observed_order<S: System, T: Stepper<S>>(system: &S, start: &[f64], stepper: impl Fn() -> T) -> f64 {
    let exact = solution(system, start);
    let error = |steps: usize| largest_difference(&integrate(&mut stepper(), system, start, 1.0, steps), &exact);
    let errors: Vec<f64> = (2..9).map(|k| error(1 << k)).take_while(|error| *error > 2e-13).collect();
    let mut orders: Vec<f64> = errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).rev().take(3).collect();
    orders.sort_by(f64::total_cmp);
    orders[orders.len() / 2]
}
