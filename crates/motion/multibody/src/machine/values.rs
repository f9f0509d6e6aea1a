//! Checks of the values in a description.

use crate::error::MachineError;

fn value(place: &str, found: impl std::fmt::Debug, expected: &'static str) -> MachineError {
    MachineError::Value { place: place.to_owned(), found: format!("{found:?}"), expected }
}

pub(crate) fn finite(place: &str, values: &[f64]) -> Result<(), MachineError> {
    let fault = values.iter().find(|entry| !entry.is_finite());
    fault.map_or(Ok(()), |entry| Err(value(place, entry, "a finite number")))
}

pub(crate) fn not_negative(place: &str, found: f64) -> Result<(), MachineError> {
    if found.is_finite() && found >= 0.0 { Ok(()) } else { Err(value(place, found, "a finite number ≥ 0")) }
}

pub(crate) fn positive(place: &str, found: f64) -> Result<(), MachineError> {
    if found.is_finite() && found > 0.0 { Ok(()) } else { Err(value(place, found, "a finite number > 0")) }
}

/// Normalizes an axis.
pub(crate) fn direction(place: &str, axis: [f64; 3]) -> Result<[f64; 3], MachineError> {
    finite(place, &axis)?;
    // Scale first: the squares of tiny or huge entries are out of range.
    let largest = axis.iter().fold(0.0f64, |largest, entry| largest.max(entry.abs()));
    if largest == 0.0 {
        return Err(value(place, axis, "a nonzero axis"));
    }
    let scaled = axis.map(|entry| entry / largest);
    let length = scaled.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
    Ok(scaled.map(|entry| entry / length))
}

/// Checks that a tensor of inertia has no negative eigenvalue: its principal minors must not be negative beyond the
/// rounding of its digits.
pub(crate) fn inertia(place: &str, tensor: &[f64; 6]) -> Result<(), MachineError> {
    finite(place, tensor)?;
    let [xx, yy, zz, xy, xz, yz] = *tensor;
    let size = tensor.iter().fold(0.0f64, |size, entry| size.max(entry.abs()));
    let rounding = 1e-12;
    let minors = [xx * yy - xy * xy, xx * zz - xz * xz, yy * zz - yz * yz];
    let determinant = xx * minors[2] - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    let definite = [xx, yy, zz].iter().all(|entry| *entry >= 0.0)
        && minors.iter().all(|minor| *minor >= -rounding * size * size)
        && determinant >= -rounding * size.powi(3);
    if definite { Ok(()) } else { Err(value(place, tensor, "a tensor of inertia without negative eigenvalues")) }
}
