//! A proved extent of the joint region of an explicit and an L-stable diagonally implicit partition.

use std::f64::consts::PI;

use hemiola_tableau::Tableau;
use num_complex::Complex64;

use crate::error::StabilityError;
use crate::map::joint::JointStability;

/// Largest |R| of the region.
const LEVEL: f64 = 1.001;
/// Grid points for each degree: the bound between them exceeds the largest value on the grid by 2·10⁻⁴.
const PER_DEGREE: usize = 160;
/// Grid points for each degree in the search; its result is then proved on the fine grid.
const ROUGH: usize = 24;
/// Steps of the search, from hundredth to hundredth.
const HUNDREDTHS: u32 = 100;

/// Finds the largest r, a multiple of 1/100, for which |R(z_E, z_I)| ≤ 1.001 is proved for all z_I in the left half-plane and
/// all z_E in the disk |z_E + r/2| ≤ r/2; `None` if the diagonal entries differ or no r up to `most` could be proved.
///
/// R belongs to y' = λ_E y + λ_I y; the implicit partition must be bounded as z_I → ∞ and have one diagonal entry γ > 0, or
/// zeros. By the maximum principle |R| is largest for z_E on the circle and z_I on the imaginary axis. With
/// z_E = r/2 (e^{iθ} − 1) and z_I = i tan(φ/2)/γ it is a polynomial in e^{iθ} and e^{iφ}, so that |R|² is a trigonometric
/// polynomial: on a grid of N points, one of degree d is at most its largest value there divided by cos(πd/N) (Ehlich & Zeller,
/// Math. Z. 86, 1964).
///
/// ```
/// use hemiola_stability::joint_extent;
/// // The IMEX Euler method: R = (1 + z_E)/(1 − z_I), whose disk has the diameter 2.
/// let euler = hemiola_tableau::library::method("ars-1-1-1")?.to_f64();
/// assert_eq!(joint_extent(&euler, 10.0)?, Some(2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns the errors of [`JointStability::new`].
pub fn joint_extent(tableau: &Tableau<f64>, most: f64) -> Result<Option<f64>, StabilityError> {
    let joint = JointStability::new(tableau, 90.0, f64::INFINITY)?;
    let Some(torus) = Torus::new(&joint) else { return Ok(None) };
    let highest = (most.clamp(0.0, 1e3) * f64::from(HUNDREDTHS)).floor() as u32;
    let (mut stable, mut unstable) = (0, highest + 1);
    // The disks are nested.
    while unstable - stable > 1 {
        let middle = stable.midpoint(unstable);
        let is_stable = torus.largest(extent(middle), ROUGH) <= LEVEL;
        *(if is_stable { &mut stable } else { &mut unstable }) = middle;
    }
    let mut candidates = (1..=stable).rev().take(HUNDREDTHS as usize).map(extent);
    Ok(candidates.find(|&r| torus.bound(r) <= LEVEL))
}

fn extent(hundredths: u32) -> f64 {
    f64::from(hundredths) / f64::from(HUNDREDTHS)
}

/// R on the circle of z_E and the imaginary axis of z_I.
struct Torus<'a> {
    joint: &'a JointStability,
    gamma: f64,
    /// The degrees of R in z_E and in 1/(1 − γz_I).
    degrees: [usize; 2],
}

impl<'a> Torus<'a> {
    fn new(joint: &'a JointStability) -> Option<Self> {
        let diagonal = joint.diagonal()?;
        let implicit: Vec<f64> = diagonal.iter().copied().filter(|entry| *entry != 0.0).collect();
        let gamma = *implicit.first().filter(|gamma| **gamma > 0.0)?;
        let is_one = implicit.iter().all(|entry| *entry == gamma);
        is_one.then_some(Self { joint, gamma, degrees: [diagonal.len(), implicit.len()] })
    }

    /// Computes the largest |R| on a grid; conjugate points have conjugate values.
    fn largest(&self, r: f64, per_degree: usize) -> f64 {
        let [first, second] = self.degrees.map(|degree| per_degree * degree);
        let mut largest: f64 = 0.0;
        for j in 0..=first / 2 {
            let explicit = 0.5 * r * (Complex64::from_polar(1.0, 2.0 * PI * j as f64 / first as f64) - 1.0);
            for k in 0..second {
                // Half a step from φ = π, where z_I is infinite: the number of points is even.
                let phi = PI * (2 * k + 1) as f64 / second as f64;
                let implicit = Complex64::new(0.0, (0.5 * phi).tan() / self.gamma);
                let modulus = self.joint.at_pair(explicit, implicit).norm();
                largest = if modulus.is_nan() { f64::INFINITY } else { largest.max(modulus) };
            }
        }
        largest
    }

    /// Computes an upper bound of |R|.
    fn bound(&self, r: f64) -> f64 {
        let between: f64 = self.degrees.map(|_| (PI / PER_DEGREE as f64).cos()).iter().product();
        self.largest(r, PER_DEGREE) / between.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use hemiola_tableau::library;

    use super::*;
    use crate::map::field::Field;

    /// Compares with the refined samples of [`JointStability`] on a circle: below the extent nothing exceeds the level, and
    /// slightly beyond it something does.
    #[test]
    fn extents_separate_stable_from_unstable_disks() {
        for id in ["hemiola-imex-3-order-2", "hemiola-imex-4-order-3", "kennedy-carpenter-ark-4-3-6"] {
            let tableau = library::method(id).unwrap().to_f64();
            let found = joint_extent(&tableau, 10.0).unwrap();
            let joint = JointStability::new(&tableau, 90.0, f64::INFINITY).unwrap();
            let largest = |r: f64| {
                let at = |k: u32| {
                    let z = 0.5 * r * (Complex64::from_polar(1.0, f64::from(k) * PI / 720.0) - 1.0);
                    joint.at(z.re, z.im)
                };
                (0..=720).map(at).fold(0.0, f64::max)
            };
            let r = found.unwrap_or_default();
            assert!(largest(r) <= LEVEL, "{id}: {r}");
            assert!(largest(r + 0.03) > LEVEL - 4e-4, "{id}: {r}");
        }
    }

    #[test]
    fn different_diagonal_entries_have_no_bound() {
        let mut tableau = library::method("ars-2-3-3").unwrap().to_f64();
        assert!(joint_extent(&tableau, 10.0).unwrap().is_some_and(|extent| extent > 1.0));
        let implicit = tableau.partitions.iter_mut().find(|part| !part.is_explicit()).unwrap();
        implicit.a[1][1] *= 1.1;
        assert!(joint_extent(&tableau, 10.0).unwrap().is_none());
        assert!(joint_extent(&library::method("rk4").unwrap().to_f64(), 1.0).is_err());
    }
}
