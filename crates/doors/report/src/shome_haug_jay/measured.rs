//! Variables for errors, statistics of eigenvalues, and names of figure files.

use hemiola_models::Model;
use num_complex::Complex64;

use crate::papers::SHOME_HAUG_JAY;

/// Position, pitch and velocities of the planar vehicle's chassis, on which errors are measured.
pub(crate) const CHASSIS: [usize; 6] = [0, 1, 2, 7, 8, 9];

/// Returns the indices of position, attitude and velocities of the spatial vehicle's chassis.
pub(crate) fn spatial_chassis(vehicle: &Model) -> Vec<usize> {
    (0..vehicle.variables.len()).filter(|&k| vehicle.variables[k].name.starts_with("chassis")).collect()
}

/// Returns the name of a figure's file.
pub(crate) fn file(figure: &str) -> String {
    format!("{SHOME_HAUG_JAY}-{figure}.svg")
}

/// Returns the largest modulus.
pub(crate) fn largest(values: &[Complex64]) -> f64 {
    values.iter().map(|value| value.norm()).fold(0.0, f64::max)
}

/// Returns the largest real part, or zero if none is positive.
pub(crate) fn growing(values: &[Complex64]) -> f64 {
    values.iter().map(|value| value.re).fold(0.0, f64::max)
}

/// Returns the median of |Im|/|Re| of the oscillatory eigenvalues.
pub(crate) fn imaginary_over_real(values: &[Complex64]) -> f64 {
    let mut ratios: Vec<f64> =
        values.iter().filter(|value| value.im != 0.0).map(|value| (value.im / value.re).abs()).collect();
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN)
}
