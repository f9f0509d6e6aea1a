//! Spectral radii ρ(S) of a pair at a list of points.

use hemiola_number::parallel;
use hemiola_number::vector::{Registers, Task, dispatch};
use hemiola_tableau::Tableau;
use num_complex::Complex64;

use super::guard::PrecisionGuard;
use super::plane::Plane;
use super::spectrum::spectral_radius;
use super::stage_equations::{StageEquations, Systems, couplings};
use super::stages::{Scratch, StageRecursion};
use crate::error::StabilityError;
use crate::lanes::{ComplexLanes, LANES};

/// Number of points that a thread processes at a time.
const CHUNK: usize = 4096;
/// Number of points that are checked together for sufficiency of doubles.
const BLOCK: usize = 64;

/// Computes ρ(S) of a pair at `count` points, where `point(k)` = [z_ss, z_ff, w] with w = z_sf z_fs.
///
/// These three numbers determine the eigenvalues of S. The value is infinite at poles and where S overflows. Points are
/// processed eight at a time, on all threads, and with more digits where doubles may not suffice, as in a
/// [`Scan`](super::Scan) of a window.
///
/// ```
/// use hemiola_stability::map::spectral_radii;
/// use num_complex::Complex64;
/// let pair = hemiola_tableau::library::method("shome-haug-jay-2-5")?.to_f64();
/// let z = |k: usize| Complex64::new(-0.01, 0.1) * k as f64;
/// let radii = spectral_radii(&pair, 100, &|k| [0.2 * z(k), z(k), 0.01 * z(k) * z(k)])?;
/// assert_eq!(radii[0], 1.0);
/// assert!(radii[1..30].iter().all(|radius| *radius < 1.0) && radii[99] > 10.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`StabilityError::NotAPair`] if the tableau does not have two partitions.
pub fn spectral_radii(
    tableau: &Tableau<f64>,
    count: usize,
    point: &(dyn Fn(usize) -> [Complex64; 3] + Sync),
) -> Result<Vec<f64>, StabilityError> {
    if tableau.partitions.len() != 2 {
        return Err(StabilityError::NotAPair { found: tableau.partitions.len() });
    }
    // The guard needs a plane, but every point is given explicitly.
    let nowhere = Plane::real(|_, _| [Complex64::ZERO; 3]);
    let guard = PrecisionGuard::new(tableau, &nowhere);
    let stages = StageRecursion::new(tableau);
    let chunk = |k: usize| {
        let points = k * CHUNK..count.min((k + 1) * CHUNK);
        let mut radii = vec![0.0; points.len()];
        let z: Vec<[Complex64; 3]> = points.map(point).collect();
        match &stages {
            Some(stages) => dispatch(StagePointsTask { stages, z: &z, radii: &mut radii }),
            None => dispatch(EquationPointsTask { equations: &StageEquations::new(tableau), z: &z, radii: &mut radii }),
        }
        if let Some(guard) = &guard {
            for (z, radii) in z.chunks(BLOCK).zip(radii.chunks_mut(BLOCK)) {
                guard.correct_radii(z, radii);
            }
        }
        radii
    };
    Ok(parallel::map(count.div_ceil(CHUNK), chunk).concat())
}

/// Task that evaluates S stage by stage.
struct StagePointsTask<'a> {
    stages: &'a StageRecursion,
    z: &'a [[Complex64; 3]],
    radii: &'a mut [f64],
}

impl Task for StagePointsTask<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Registers>(self) {
        let mut scratch = Scratch::default();
        for (z, radii) in self.z.chunks(LANES).zip(self.radii.chunks_mut(LANES)) {
            let found = spectral_radius(&self.stages.entries(in_lanes(z), &mut scratch)).0;
            radii.copy_from_slice(&found[..radii.len()]);
        }
    }
}

/// Task that solves all stage equations at once.
struct EquationPointsTask<'a> {
    equations: &'a StageEquations,
    z: &'a [[Complex64; 3]],
    radii: &'a mut [f64],
}

impl Task for EquationPointsTask<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Registers>(self) {
        let mut systems = Systems::default();
        for (z, radii) in self.z.chunks(LANES).zip(self.radii.chunks_mut(LANES)) {
            let [slow, fast, product] = in_lanes(z);
            let solution = self.equations.solved([slow, fast, couplings(&product)], &mut systems);
            radii.copy_from_slice(&spectral_radius(&solution.entries).0[..radii.len()]);
        }
    }
}

/// Packs up to eight points into lanes.
#[inline(always)]
fn in_lanes(z: &[[Complex64; 3]]) -> [ComplexLanes; 3] {
    let mut lanes = [ComplexLanes::ZERO; 3];
    for (lane, point) in z.iter().enumerate() {
        for (lanes, value) in lanes.iter_mut().zip(point) {
            lanes.set_lane(lane, *value);
        }
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scan, eigenvalues, stability_matrix};
    use hemiola_tableau::library;

    /// Returns points spread over three complex dimensions, some of them far away.
    fn point(k: usize) -> [Complex64; 3] {
        let angle = |factor: f64| Complex64::from_polar(1.0, factor * k as f64);
        let size = if k.is_multiple_of(97) { 300.0 } else { 2.0 };
        [angle(0.7) * size, angle(1.3) * size * 2.0, angle(2.1)]
    }

    #[test]
    fn lists_agree_with_scans_and_with_matrices() {
        for id in ["shome-haug-jay-2-5", "hemiola-4-8", "stormer-verlet", "ars-4-4-3", "lobatto-iiia-iiib-2"] {
            let Ok(method) = library::method(id) else { continue };
            let tableau = method.to_f64();
            let radii = spectral_radii(&tableau, 5000, &point).unwrap();
            let scan = Scan::new(&tableau, Plane::real(|x, _| point(x as usize))).unwrap();
            for k in (0..5000).step_by(7) {
                let [ss, ff, w] = point(k);
                assert_eq!(radii[k], crate::Field::at(&scan, k as f64, 0.0), "{id} {k}");
                let z = [vec![ss, w], vec![Complex64::ONE, ff]];
                let Ok(s) = stability_matrix(&tableau, &z) else { continue };
                let modulus = eigenvalues(&s).unwrap().iter().map(|value| value.norm()).fold(0.0, f64::max);
                let tolerance = 1e-6 * modulus.max(1.0);
                assert!((radii[k] - modulus).abs() <= tolerance, "{id} {k}: {} {modulus}", radii[k]);
            }
        }
    }

    #[test]
    fn what_is_no_pair_or_no_number() {
        let rk4 = library::method("rk4").unwrap().to_f64();
        assert!(matches!(spectral_radii(&rk4, 1, &point), Err(StabilityError::NotAPair { found: 1 })));
        let pair = library::method("shome-haug-jay-2-5").unwrap().to_f64();
        assert_eq!(spectral_radii(&pair, 0, &point).unwrap(), [0.0; 0]);
        let broken = spectral_radii(&pair, 1, &|_| [Complex64::new(f64::NAN, 0.0); 3]).unwrap();
        assert!(broken[0] > 1.0, "not stable");
    }
}
