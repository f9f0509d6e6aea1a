//! Scalar conservation laws on a periodic mesh of two widths, with a limiter.

use hemiola_integrate::System;

/// A scalar conservation law with nonnegative speeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Law {
    /// u_t + u_x = 0.
    Advection,
    /// u_t + (u²/2)_x = 0.
    Burgers,
}

/// Finite volumes with linear reconstruction, minmod slopes (van Leer 1979) and the upwind flux.
///
/// The first cells are coarse and make the slow partition, the others are half as wide and make the fast one. Forward
/// Euler steps up to a Courant number of 2/3 do not increase the total variation on uniform meshes (Harten 1983).
pub(crate) struct LimitedLaw {
    law: Law,
    widths: Vec<f64>,
    sizes: [usize; 2],
}

impl LimitedLaw {
    /// Returns the law on `coarse` cells of width 1/(2·coarse) and as much length of fine cells.
    pub(crate) fn two_widths(law: Law, coarse: usize) -> Self {
        let width = 0.5 / coarse as f64;
        let widths = [vec![width; coarse], vec![width / 2.0; 2 * coarse]].concat();
        Self { law, widths, sizes: [coarse, 2 * coarse] }
    }

    /// Returns the law on cells of one width only; both partitions are then alike.
    pub(crate) fn one_width(law: Law, coarse: usize) -> Self {
        let width = 0.5 / coarse as f64;
        Self { law, widths: vec![width; 2 * coarse], sizes: [coarse, coarse] }
    }

    /// Returns the cell averages of a pulse: 1 on a part of the coarse cells, elsewhere 0.2 for Burgers' equation and 0
    /// for advection. Burgers' equation makes a shock and a rarefaction of it.
    pub(crate) fn pulse(&self) -> Vec<f64> {
        let low = if self.law == Law::Burgers { 0.2 } else { 0.0 };
        let inside = self.sizes[0] / 5..self.sizes[0] * 4 / 5;
        (0..self.widths.len()).map(|cell| if inside.contains(&cell) { 1.0 } else { low }).collect()
    }

    fn flux(&self, u: f64) -> f64 {
        match self.law {
            Law::Advection => u,
            Law::Burgers => 0.5 * u * u,
        }
    }

    /// Returns the flux at the right end of a cell.
    fn flux_out(&self, cell: usize, y: &[f64]) -> f64 {
        let n = y.len();
        let [left, right] = [(cell + n - 1) % n, (cell + 1) % n];
        let distance = |other: usize| 0.5 * (self.widths[cell] + self.widths[other]);
        let slopes = [(y[cell] - y[left]) / distance(left), (y[right] - y[cell]) / distance(right)];
        let slope = if slopes[0] * slopes[1] <= 0.0 {
            0.0
        } else if slopes[0].abs() < slopes[1].abs() {
            slopes[0]
        } else {
            slopes[1]
        };
        self.flux(y[cell] + 0.5 * self.widths[cell] * slope)
    }
}

impl System for LimitedLaw {
    fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    fn rate(&self, partition: usize, _t: f64, y: &[f64], rate: &mut [f64]) {
        let first = if partition == 0 { 0 } else { self.sizes[0] };
        let mut inflow = self.flux_out((first + y.len() - 1) % y.len(), y);
        for (k, rate) in rate.iter_mut().enumerate() {
            let outflow = self.flux_out(first + k, y);
            *rate = (inflow - outflow) / self.widths[first + k];
            inflow = outflow;
        }
    }
}

/// Returns the total variation of periodic cell averages.
pub(crate) fn total_variation(y: &[f64]) -> f64 {
    let next = y.iter().cycle().skip(1);
    y.iter().zip(next).map(|(a, b)| (b - a).abs()).sum()
}
