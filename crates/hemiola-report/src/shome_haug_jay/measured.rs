//! What errors are measured on, what eigenvalues are described by, and where the figures go.

use hemiola_models::Model;
use num_complex::Complex64;

use crate::papers::SHOME_HAUG_JAY;

/// Position, pitch and velocities of the planar vehicle's chassis, of which errors are measured.
pub(crate) const CHASSIS: [usize; 6] = [0, 1, 2, 7, 8, 9];

/// Position, attitude and velocities of the spatial vehicle's chassis.
pub(crate) fn spatial_chassis(vehicle: &Model) -> Vec<usize> {
    (0..vehicle.variables.len()).filter(|&k| vehicle.variables[k].name.starts_with("chassis")).collect()
}

/// The name of a figure's file.
pub(crate) fn file(figure: &str) -> String {
    format!("{SHOME_HAUG_JAY}-{figure}.svg")
}

/// The largest modulus.
pub(crate) fn largest(values: &[Complex64]) -> f64 {
    values.iter().map(|value| value.norm()).fold(0.0, f64::max)
}

/// The largest real part, zero where none is positive.
pub(crate) fn growing(values: &[Complex64]) -> f64 {
    values.iter().map(|value| value.re).fold(0.0, f64::max)
}

/// The median of |Im|/|Re| of the eigenvalues that oscillate.
pub(crate) fn imaginary_over_real(values: &[Complex64]) -> f64 {
    let mut ratios: Vec<f64> =
        values.iter().filter(|value| value.im != 0.0).map(|value| (value.im / value.re).abs()).collect();
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN)
}
