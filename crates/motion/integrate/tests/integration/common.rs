//! Problems shared by several tests.
#![allow(dead_code, reason = "not every test takes all")]

use hemiola_integrate::System;

/// A nonlinear, non-autonomous problem with two variables in each of two partitions, all coupled to each other: y_q' =
/// α_q + cos(t + q)/4 + 1/(2 + Σ w_qr y_r).
pub(crate) struct Coupled;

pub(crate) const START: [f64; 4] = [0.1, 0.2, 0.3, 0.4];

impl System for Coupled {
    fn sizes(&self) -> &[usize] {
        &[2, 2]
    }

    fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        for (i, rate) in rate.iter_mut().enumerate() {
            let q = 2 * partition + i;
            let weight = |r: usize| ((5 * q + 3 * r + 2 * q * r) % 7) as f64 / 4.0 - 0.5;
            let sum: f64 = (0..4).map(|r| weight(r) * y[r]).sum();
            *rate = (2.0 * q as f64 - 3.0) / 7.0 + 0.25 * (t + q as f64).cos() + 1.0 / (2.0 + sum);
        }
    }
}

/// y' = Λy.
pub(crate) struct Linear(Vec<Vec<f64>>, Vec<usize>);

impl Linear {
    /// Creates a system with one variable in each partition.
    pub(crate) fn new(matrix: &[&[f64]]) -> Self {
        Self::in_blocks(matrix, &vec![1; matrix.len()])
    }

    /// Creates a system with the given numbers of variables in each partition.
    pub(crate) fn in_blocks(matrix: &[&[f64]], sizes: &[usize]) -> Self {
        Self(matrix.iter().map(|row| row.to_vec()).collect(), sizes.to_vec())
    }
}

impl System for Linear {
    fn sizes(&self) -> &[usize] {
        &self.1
    }

    fn rate(&self, partition: usize, _t: f64, y: &[f64], rate: &mut [f64]) {
        let first: usize = self.1[..partition].iter().sum();
        for (rate, row) in rate.iter_mut().zip(&self.0[first..]) {
            *rate = row.iter().zip(y).map(|(a, y)| a * y).sum();
        }
    }

    fn jacobian(&self, _t: f64, _y: &[f64], jacobian: &mut [f64]) {
        jacobian.copy_from_slice(&self.0.concat());
    }
}
