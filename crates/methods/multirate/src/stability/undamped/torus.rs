//! Suprema of functions of independent phases.

use std::f64::consts::TAU;

/// Largest number of cells, and cells in each direction at first.
const MOST_CELLS: usize = 100_000;
const FIRST_CELLS: usize = 12;
/// Largest number of phases; more would exceed the number of cells at once.
const MOST_PHASES: usize = 4;
/// Difference of the bound from the largest value at which the search ends.
const TOLERANCE: f64 = 1e-9;

/// A largest value, and a bound of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TorusSupremum {
    pub(super) value: f64,
    pub(super) bound: f64,
}

impl TorusSupremum {
    /// Bounds a function of phases with period 2π; `curvature` bounds the sum of the moduli of its second derivatives by
    /// each phase. There is no bound for more than four phases.
    ///
    /// In a cubic cell the function exceeds its largest value at the corners by at most an eighth of the curvature times
    /// the square of the width, the error of multilinear interpolation.
    pub(super) fn new(dimension: usize, curvature: f64, function: impl Fn(&[f64]) -> f64) -> Self {
        let mut best = f64::NEG_INFINITY;
        if dimension > MOST_PHASES {
            return Self { value: best, bound: f64::INFINITY };
        }
        let mut width = TAU / FIRST_CELLS as f64;
        let corner = |cell: &[f64], width: f64, bits: usize| -> Vec<f64> {
            (0..dimension).map(|k| cell[k] + if bits >> k & 1 == 1 { width } else { 0.0 }).collect()
        };
        let corners = 0..1usize << dimension;
        let first = |index: usize| -> Vec<f64> {
            (0..dimension).map(|k| width * (index / FIRST_CELLS.pow(k as u32) % FIRST_CELLS) as f64).collect()
        };
        let mut cells: Vec<Vec<f64>> = (0..FIRST_CELLS.pow(dimension as u32)).map(first).collect();
        let mut used = 0;
        loop {
            let largest = |cell: &Vec<f64>| {
                let values = corners.clone().map(|bits| function(&corner(cell, width, bits)));
                values.fold(f64::NEG_INFINITY, f64::max)
            };
            let values: Vec<f64> = cells.iter().map(largest).collect();
            used += cells.len();
            best = values.iter().copied().fold(best, f64::max);
            let excess = 0.125 * curvature * width * width;
            let open = cells.iter().zip(&values).filter(|(_, value)| **value + excess > best + TOLERANCE);
            let half = 0.5 * width;
            let next: Vec<Vec<f64>> =
                open.flat_map(|(cell, _)| corners.clone().map(|bits| corner(cell, half, bits))).collect();
            if next.is_empty() {
                return Self { value: best, bound: best + TOLERANCE };
            }
            if used + next.len() > MOST_CELLS {
                return Self { value: best, bound: best + excess };
            }
            (cells, width) = (next, half);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suprema_of_cosines_are_enclosed() {
        let function = |x: &[f64]| x[0].cos() + 0.5 * (x[1] - x[0] - 0.3).cos() - 0.25 * x[1].sin();
        let found = TorusSupremum::new(2, 1.0 + 0.5 + 0.5 + 0.25, function);
        let brute =
            (0..200 * 200).map(|k| function(&[TAU * f64::from(k / 200) / 200.0, TAU * f64::from(k % 200) / 200.0]));
        let brute = brute.fold(f64::NEG_INFINITY, f64::max);
        assert!(brute <= found.bound && found.value <= found.bound && found.bound < brute + 1e-3, "{found:?} {brute}");
        assert_eq!(TorusSupremum::new(5, 1.0, |_| 0.0).bound, f64::INFINITY);
    }
}
