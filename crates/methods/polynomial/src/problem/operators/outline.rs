//! The star around the origin that a cloud of eigenvalues spans.
//!
//! A step must be stable together with all shorter ones, so a polynomial must be stable at tλ for 0 ≤ t ≤ 1. These points fill a star,
//! and |R| attains its maximum on the boundary: at the farthest eigenvalue in every direction, and along the rays where the
//! boundary is not continuous.

use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;

use num_complex::Complex64;

/// Number of directions between the imaginary and the real axis.
const DIRECTIONS: f64 = 120.0;
/// Angle from the imaginary axis within which directions are spaced in proportion to the angle, and smallest angle that
/// is distinguished. Long waves are damped little.
const NEAR: f64 = 0.05;
const LEAST: f64 = 1e-8;
/// Number of directions per factor of ten in the angle there.
const PER_DECADE: f64 = 8.0;
/// Distance of points along a ray, relative to the extent.
const SPACING: f64 = 0.005;
/// Distance from the origin, relative to the extent, within which eigenvalues are rounding errors.
const ROUNDING: f64 = 1e-9;

/// Returns points on the boundary of the star of eigenvalues in the closed upper left quadrant.
pub(super) fn outline(points: &[Complex64]) -> Vec<Complex64> {
    let extent = points.iter().map(|z| z.norm()).fold(0.0, f64::max);
    let mut farthest: BTreeMap<i64, Complex64> = BTreeMap::new();
    for z in points.iter().filter(|z| z.norm() > ROUNDING * extent) {
        let there = farthest.entry(direction(*z)).or_insert(*z);
        if z.norm() > there.norm() {
            *there = *z;
        }
    }
    let ends: Vec<Complex64> = farthest.into_values().collect();
    let radius = |k: usize| ends.get(k).map(|z| z.norm());
    let mut boundary = Vec::new();
    for (k, z) in ends.iter().enumerate() {
        // Eigenvalues are dense, so the star in the neighboring direction is assumed to cover the ray up to its radius,
        // even where no eigenvalue lies between. There is no direction beyond the imaginary axis.
        let before = k.checked_sub(1).map_or(Some(0.0), radius);
        let covered = [before, radius(k + 1)].into_iter().flatten().fold(z.norm(), f64::min);
        let count = ((z.norm() - covered) / (SPACING * extent)).ceil().max(1.0) as usize;
        let part = |n: usize| 1.0 - (1.0 - covered / z.norm()) * n as f64 / count as f64;
        boundary.extend((0..count).map(|n| z * part(n)));
    }
    boundary
}

/// Returns the number of the direction of a point, from the imaginary axis.
fn direction(z: Complex64) -> i64 {
    let angle = (-z.re).atan2(z.im);
    if angle < LEAST {
        return -1;
    }
    if angle < NEAR {
        return (PER_DECADE * (angle / LEAST).log10()) as i64;
    }
    (PER_DECADE * (NEAR / LEAST).log10()).ceil() as i64 + (DIRECTIONS * (angle - NEAR) / FRAC_PI_2) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_keeps_its_rim() {
        let angle = |k: u32| std::f64::consts::PI * f64::from(k) / 999.0;
        let disk = |r: f64| (0..1000).map(move |k| Complex64::from_polar(r, angle(k)) - 1.0);
        let kept = outline(&disk(1.0).chain(disk(0.5)).collect::<Vec<_>>());
        assert!(kept.len() < 300, "{}", kept.len());
        assert!(kept.iter().all(|z| (z + 1.0).norm() > 0.98));
    }

    #[test]
    fn a_lone_point_has_its_ray() {
        let kept = outline(&[Complex64::new(-2.0, 0.0), Complex64::new(-0.1, 1.0)]);
        assert!(kept.iter().any(|z| z.im == 0.0 && (z.re + 1.5).abs() < 0.01));
        assert!(kept.iter().any(|z| z.im > 0.0 && z.norm() < 0.02));
    }
}
