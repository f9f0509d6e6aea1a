//! Utilities for the tests of all models.

use hemiola_integrate::System;

use crate::equations::{self, Equations};
use crate::model::Model;

/// Evaluates the rates of all partitions.
pub(crate) fn rates(model: &Model, t: f64, y: &[f64]) -> Vec<f64> {
    let mut rate = vec![0.0; y.len()];
    let mut rest = rate.as_mut_slice();
    for (partition, &size) in model.sizes().iter().enumerate() {
        let (part, others) = rest.split_at_mut(size);
        model.rate(partition, t, y, part);
        rest = others;
    }
    rate
}

/// Relative step of a central difference, near the cube root of ε, where truncation and rounding are of similar size.
const SPAN: f64 = 6e-6;

/// Approximates ∂f/∂y by central differences.
pub(crate) fn differences(model: &Model, t: f64, y: &[f64]) -> Vec<Vec<f64>> {
    let n = y.len();
    let mut jacobian = vec![vec![0.0; n]; n];
    for column in 0..n {
        let (mut left, mut right) = (y.to_vec(), y.to_vec());
        left[column] -= SPAN * scale(y[column]);
        right[column] += SPAN * scale(y[column]);
        let (f, g) = (rates(model, t, &left), rates(model, t, &right));
        for row in 0..n {
            jacobian[row][column] = (g[row] - f[row]) / (right[column] - left[column]);
        }
    }
    jacobian
}

fn scale(value: f64) -> f64 {
    value.abs().max(1e-2)
}

/// Bounds the error of a difference in column `column`. Rounding leaves ε/SPAN = 4e-11 of the row's terms relative to
/// the scale of the variable. Truncation is SPAN² times the third derivative: 4e-9 if the scales of friction and road
/// are a tenth of the variables' own.
pub(crate) fn difference_tolerance(row: &[f64], y: &[f64], column: usize) -> f64 {
    let terms: f64 = row.iter().zip(y).map(|(slope, y)| slope.abs() * scale(*y)).sum();
    4e-9 * (terms + 1.0) / scale(y[column])
}

/// Integrates by the classical method of order four and passes each state to `look`.
pub(crate) fn rk4(model: &Model, step: f64, steps: usize, mut look: impl FnMut(f64, &[f64])) -> Vec<f64> {
    let mut y = model.initial.clone();
    let moved = |y: &[f64], k: &[f64], h: f64| -> Vec<f64> { y.iter().zip(k).map(|(y, k)| y + h * k).collect() };
    for n in 0..steps {
        let t = n as f64 * step;
        look(t, &y);
        let k1 = rates(model, t, &y);
        let k2 = rates(model, t + step / 2.0, &moved(&y, &k1, step / 2.0));
        let k3 = rates(model, t + step / 2.0, &moved(&y, &k2, step / 2.0));
        let k4 = rates(model, t + step, &moved(&y, &k3, step));
        for i in 0..y.len() {
            y[i] += step / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
    }
    look(steps as f64 * step, &y);
    y
}

/// Computes dE/dt along equations that have an energy.
pub(crate) fn energy_rate<E: Equations>(equations: &E, sizes: &[usize], t: f64, y: &[f64]) -> f64 {
    equations::energy_rate(equations, sizes, t, y).unwrap()
}

/// Perturbs a state by a fixed pattern.
pub(crate) fn shaken(y: &[f64], size: f64) -> Vec<f64> {
    y.iter().enumerate().map(|(k, y)| y + size * (2.3 * k as f64 + 0.7).sin()).collect()
}

/// Returns the largest error at `duration` with a number of steps of [`rk4`].
pub(crate) fn error_of_rk4(model: &Model, duration: f64, steps: usize) -> f64 {
    let found = rk4(model, duration / steps as f64, steps, |_, _| {});
    let exact = model.exact(duration).unwrap();
    found.iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Returns the order observed by halving the step.
pub(crate) fn observed_order(model: &Model, duration: f64, steps: usize) -> f64 {
    (error_of_rk4(model, duration, steps) / error_of_rk4(model, duration, 2 * steps)).log2()
}
