//! Joint stability of an explicit and an implicit partition, for all eigenvalues of the implicit part in a wedge about
//! the negative real axis.

use std::sync::Arc;

use hemiola_tableau::{Butcher, Tableau};
use num_complex::Complex64;

use crate::error::StabilityError;
use crate::map::field::Field;
use crate::schemes::StabilityScheme;

/// Samples along each side of the wedge; the largest values are refined between them.
const SAMPLES: usize = 48;
/// Golden sections around a largest sample: each shortens the interval to 0.62 of its length, all of them to 7·10⁻⁵.
///
/// The error of a maximum is of the order of the square, 4·10⁻⁹ of the variation in the interval.
const SECTIONS: usize = 20;
/// Samples for a rough search for a region.
const FEW: usize = 6;
/// Samples for an exact flow, whose exponentials oscillate along the sides.
const SAMPLES_OF_FLOW: usize = 160;
/// Fraction of the largest sample above which a local maximum is refined: it could exceed all others.
const NEAR: f64 = 0.8;
/// Relative variation of the samples of a curve that rounding explains: the curve is a point to the method, every sample would be
/// a peak, and none is refined.
const FLAT: f64 = 1e-13;
/// |z| that represents infinity: R differs from its limit by the reciprocal.
const FAR: f64 = 1e12;

/// Largest |R(z_E, z_I)| over all z_I with |arg(−z_I)| ≤ θ and |z_I| ≤ ρ, as a field over the plane of z_E.
///
/// The method is jointly stable for all these z_I where the value is at most one. R belongs to the additive problem
/// y' = λ_E y + λ_I y. By the maximum principle the largest value is attained on the boundary of the wedge, if R has no
/// pole inside. A diagonally implicit method has its poles at z_I = 1/a_ii, and the value is infinite if one of them
/// lies in the wedge. Both sides of the wedge, and the arc for finite ρ, are sampled at 49 points each, and the largest
/// samples are refined by golden section search; it misses faster oscillations.
///
/// ```
/// use hemiola_stability::{Field, JointStability};
/// // The IMEX Euler method: R = (1 + z_E)/(1 − z_I), largest at z_I = 0.
/// let euler = hemiola_tableau::library::method("ars-1-1-1")?.to_f64();
/// let joint = JointStability::new(&euler, 90.0, f64::INFINITY)?;
/// assert!((joint.at(-0.5, 0.25) - 0.5f64.hypot(0.25)).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct JointStability {
    function: AdditiveFunction,
    /// Half angle θ in radians.
    angle: f64,
    radius: f64,
    samples: usize,
    sections: usize,
}

/// R(z_E, z_I) of the additive problem.
#[derive(Clone, Debug)]
enum AdditiveFunction {
    /// An explicit and a diagonally implicit partition.
    Pair { explicit: Butcher<f64>, implicit: Butcher<f64> },
    /// A scheme for two components, which has no pole in the left half-plane of the second one.
    Scheme(Arc<dyn StabilityScheme>),
}

impl JointStability {
    /// Creates the joint stability of a scheme for two components: the first one belongs to the plane, the second one
    /// to the wedge. The scheme must not have a pole in the wedge, as is true for the exact flow of a multirate method.
    ///
    /// The sum of both components of y_1' = λ_1 (y_1 + y_2), y_2' = λ_2 (y_1 + y_2) solves the additive problem, so R
    /// is the sum of a column of the scheme's matrix.
    ///
    /// # Errors
    /// Returns [`StabilityError::OutOfRange`] unless 0 ≤ θ ≤ 90 and ρ ≥ 0.
    pub fn of_scheme(scheme: Arc<dyn StabilityScheme>, degrees: f64, radius: f64) -> Result<Self, StabilityError> {
        wedge(degrees, radius)?;
        let (angle, function) = (degrees.to_radians(), AdditiveFunction::Scheme(scheme));
        Ok(Self { function, angle, radius, samples: SAMPLES_OF_FLOW, sections: SECTIONS })
    }

    /// Creates the joint stability of a pair for a wedge of θ = `degrees` and ρ = `radius`, which may be infinite.
    ///
    /// The explicit partition belongs to z_E; if both are explicit, the first one does.
    ///
    /// # Errors
    /// Returns [`StabilityError::NotAPair`] for other numbers of partitions; [`StabilityError::OutOfRange`] unless 0 ≤
    /// θ ≤ 90 and ρ ≥ 0, and unless one partition is explicit and the other one diagonally implicit.
    pub fn new(tableau: &Tableau<f64>, degrees: f64, radius: f64) -> Result<Self, StabilityError> {
        let [first, second] = &tableau.partitions[..] else {
            return Err(StabilityError::NotAPair { found: tableau.partitions.len() });
        };
        let (explicit, implicit) = if first.is_explicit() { (first, second) } else { (second, first) };
        wedge(degrees, radius)?;
        let fault = |name, value, expected| Err(StabilityError::OutOfRange { name, value, expected });
        let beyond = |butcher: &Butcher<f64>, from: usize| {
            let above = |(i, row): (usize, &Vec<f64>)| row[(i + from).min(row.len())..].iter().any(|a| *a != 0.0);
            butcher.a.iter().enumerate().filter(|&row| above(row)).count() as f64
        };
        if beyond(explicit, 0) > 0.0 {
            let name = "the number of stages that depend on themselves or on later stages in both partitions";
            return fault(name, beyond(explicit, 0), "zero in one of the partitions");
        }
        if beyond(implicit, 1) > 0.0 {
            let name = "the number of implicit stages that depend on later stages";
            return fault(name, beyond(implicit, 1), "zero, as in diagonally implicit methods");
        }
        Ok(Self {
            function: AdditiveFunction::Pair { explicit: explicit.clone(), implicit: implicit.clone() },
            angle: degrees.to_radians(),
            radius,
            samples: SAMPLES,
            sections: SECTIONS,
        })
    }

    /// Switches to few samples without refinement: a lower bound that shows where regions lie.
    #[must_use]
    pub fn with_few_samples(self) -> Self {
        let samples = match self.function {
            AdditiveFunction::Pair { .. } => FEW,
            // Fewer samples would miss all oscillations.
            AdditiveFunction::Scheme(_) => SAMPLES_OF_FLOW / 8,
        };
        Self { samples, sections: 0, ..self }
    }

    /// Computes R(z_E, z_I) of the additive problem, by forward substitution for a pair; it is not a number at a pole.
    pub(super) fn at_pair(&self, explicit: Complex64, implicit: Complex64) -> Complex64 {
        let (first, second) = match &self.function {
            AdditiveFunction::Pair { explicit, implicit } => (explicit, implicit),
            AdditiveFunction::Scheme(scheme) => {
                let s = scheme.matrix(&[vec![explicit; 2], vec![implicit; 2]]);
                return s.map_or(Complex64::from(f64::NAN), |s| s[0][0] + s[1][0]);
            }
        };
        let mut stages: Vec<Complex64> = Vec::with_capacity(first.b.len());
        for (i, (e, m)) in first.a.iter().zip(&second.a).enumerate() {
            let sum: Complex64 = (0..i).map(|j| (explicit * e[j] + implicit * m[j]) * stages[j]).sum();
            stages.push((sum + 1.0) / (1.0 - implicit * m[i]));
        }
        let weights = first.b.iter().zip(&second.b);
        weights.zip(&stages).map(|((e, m), stage)| (explicit * e + implicit * m) * stage).sum::<Complex64>() + 1.0
    }

    /// Returns the diagonal entries of the implicit partition of a pair.
    pub(super) fn diagonal(&self) -> Option<Vec<f64>> {
        let AdditiveFunction::Pair { implicit, .. } = &self.function else { return None };
        Some((0..implicit.b.len()).map(|i| implicit.a[i][i]).collect())
    }

    /// Returns whether a pole lies in the wedge.
    fn has_pole(&self) -> bool {
        let AdditiveFunction::Pair { implicit, .. } = &self.function else { return false };
        let own = |i: usize| implicit.a[i][i];
        (0..implicit.b.len()).any(|i| own(i) < 0.0 && -1.0 / own(i) <= self.radius)
    }

    /// Computes the largest |R| along a curve with parameter t from 0 to 1.
    fn largest(&self, explicit: Complex64, curve: &dyn Fn(f64) -> Complex64) -> f64 {
        let value = |t: f64| {
            let modulus = self.at_pair(explicit, curve(t)).norm();
            if modulus.is_nan() { f64::INFINITY } else { modulus }
        };
        let place = |k: usize| k as f64 / self.samples as f64;
        let values: Vec<f64> = (0..=self.samples).map(|k| value(place(k))).collect();
        let most = values.iter().copied().fold(0.0, f64::max);
        let least = values.iter().copied().fold(most, f64::min);
        if most - least <= FLAT * most {
            return most;
        }
        let is_peak = |&k: &usize| {
            let [before, after] = [values[k.saturating_sub(1)], values[(k + 1).min(self.samples)]];
            values[k] >= before && values[k] >= after && values[k] > NEAR * most
        };
        let around = |k: usize| [place(k.saturating_sub(1)), place((k + 1).min(self.samples))];
        (0..=self.samples).filter(is_peak).map(|k| golden(&value, around(k), self.sections)).fold(most, f64::max)
    }
}

impl Field for JointStability {
    fn at(&self, x: f64, y: f64) -> f64 {
        if self.has_pole() {
            return f64::INFINITY;
        }
        let explicit = Complex64::new(x, y);
        // Parametrize a side by t/(1 − t), up to the radius or to the representative of infinity.
        let end = if self.radius < FAR { self.radius / (1.0 + self.radius) } else { FAR / (1.0 + FAR) };
        let along = |sign: f64| {
            let direction = -Complex64::from_polar(1.0, sign * self.angle);
            move |t: f64| direction * (end * t / (1.0 - end * t))
        };
        let sides: &[f64] = if self.angle > 0.0 { &[1.0, -1.0] } else { &[1.0] };
        let largest = sides.iter().map(|&sign| self.largest(explicit, &along(sign))).fold(0.0, f64::max);
        if self.radius >= FAR || self.radius == 0.0 || self.angle == 0.0 {
            return largest;
        }
        let arc = |t: f64| -Complex64::from_polar(self.radius, (2.0 * t - 1.0) * self.angle);
        largest.max(self.largest(explicit, &arc))
    }
}

/// Returns an error unless the angle and the radius define a wedge.
fn wedge(degrees: f64, radius: f64) -> Result<(), StabilityError> {
    let fault = |name, value, expected| Err(StabilityError::OutOfRange { name, value, expected });
    if !(0.0..=90.0).contains(&degrees) {
        return fault("the wedge's angle", degrees, "0 to 90 degrees");
    }
    if radius.is_nan() || radius < 0.0 {
        return fault("the wedge's radius", radius, "a number of at least 0");
    }
    Ok(())
}

/// Finds the largest value in an interval by golden section search.
fn golden(value: &dyn Fn(f64) -> f64, [mut low, mut high]: [f64; 2], sections: usize) -> f64 {
    let part = 0.5 * (5f64.sqrt() - 1.0);
    let (mut left, mut right) = (high - part * (high - low), low + part * (high - low));
    let (mut at_left, mut at_right) = (value(left), value(right));
    for _ in 0..sections {
        if at_left > at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - part * (high - low);
            at_left = value(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + part * (high - low);
            at_right = value(right);
        }
    }
    at_left.max(at_right)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::stability_matrix;
    use hemiola_tableau::library;
    use rand::{RngExt, SeedableRng};

    fn joint(id: &str, degrees: f64, radius: f64) -> JointStability {
        JointStability::new(&library::method(id).unwrap().to_f64(), degrees, radius).unwrap()
    }

    #[test]
    fn r_is_the_trace_of_the_additive_problem_s_matrix() {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(4);
        for id in ["ars-2-3-3", "ars-4-4-3", "kennedy-carpenter-ark-4-3-6", "imex-ssp3-433"] {
            let method = library::method(id).unwrap().to_f64();
            let field = joint(id, 90.0, 1.0);
            for _ in 0..20 {
                let mut z = || Complex64::new(random.random_range(-5.0..1.0), random.random_range(-5.0..5.0));
                let (e, m) = (z(), z());
                let s = stability_matrix(&method, &[vec![e, e], vec![m, m]]).unwrap();
                let expected = s[0][0] + s[1][1] - 1.0;
                let found = field.at_pair(e, m);
                assert!((found - expected).norm() < 1e-11 * (1.0 + expected.norm()), "{id} {found} {expected}");
            }
        }
    }

    /// A tableau is also a scheme, and both computations agree.
    #[test]
    fn schemes_have_the_joint_stability_of_their_tableau() {
        for id in ["ars-2-2-2", "ars-4-4-3"] {
            let tableau = library::method(id).unwrap().to_f64();
            let explicit_first = tableau.partitions[0].is_explicit();
            let ordered = if explicit_first {
                tableau.clone()
            } else {
                Tableau { partitions: tableau.partitions.iter().rev().cloned().collect() }
            };
            for (degrees, radius) in [(90.0, f64::INFINITY), (60.0, 5.0), (0.0, 20.0)] {
                let expected = JointStability::new(&tableau, degrees, radius).unwrap();
                let found = JointStability::of_scheme(Arc::new(ordered.clone()), degrees, radius).unwrap();
                for (x, y) in [(-0.4, 0.7), (-1.3, -0.2), (-2.5, 1.0)] {
                    let (expected, found) = (expected.at(x, y), found.at(x, y));
                    assert!((expected - found).abs() < 1e-6 * expected, "{id} {degrees}: {expected} {found}");
                }
            }
        }
    }

    /// A tableau that counts its evaluations.
    #[derive(Debug)]
    struct Counting(Tableau<f64>, AtomicUsize);

    impl StabilityScheme for Counting {
        fn matrix(&self, z: &[Vec<Complex64>]) -> Result<crate::Matrix, StabilityError> {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.matrix(z)
        }
    }

    #[test]
    fn a_radius_of_nearly_zero_needs_no_refinement() {
        let tableau = library::method("ars-2-2-2").unwrap().to_f64();
        for radius in [0.0, 1e-320, 1e-30] {
            let scheme = Arc::new(Counting(tableau.clone(), AtomicUsize::new(0)));
            let field =
                JointStability::of_scheme(Arc::clone(&scheme) as Arc<dyn StabilityScheme>, 90.0, radius).unwrap();
            let at_zero = field.at_pair(Complex64::new(-0.5, 0.5), Complex64::ZERO).norm();
            assert!((field.at(-0.5, 0.5) - at_zero).abs() < 1e-12);
            assert!(scheme.1.load(Ordering::Relaxed) <= 3 * (SAMPLES_OF_FLOW + 1) + 1, "{radius}");
        }
    }

    #[test]
    fn nothing_inside_the_wedge_is_larger() {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(7);
        for id in ["ars-2-2-2", "ars-4-4-3", "kennedy-carpenter-ark-3-2-4", "imex-ssp3-433"] {
            for (degrees, radius) in
                [(90.0, f64::INFINITY), (90.0, 3.0), (60.0, f64::INFINITY), (10.0, 1e3), (0.0, 20.0)]
            {
                let field = joint(id, degrees, radius);
                for _ in 0..12 {
                    let [x, y] = [random.random_range(-2.0..0.3), random.random_range(-2.0..2.0)];
                    let found = field.at(x, y);
                    let far = if radius.is_finite() { radius } else { 1e4 };
                    let inside = |k: usize, l: usize| {
                        // Evenly spaced, and by decades.
                        let part = k as f64 / 160.0;
                        let turn = (2.0 * l as f64 / 24.0 - 1.0) * degrees.to_radians();
                        let at =
                            |size: f64| field.at_pair(Complex64::new(x, y), -Complex64::from_polar(size, turn)).norm();
                        at(far * part).max(at(far * 10f64.powf(-8.0 * part)))
                    };
                    let grid = (0..=160).flat_map(|k| (0..=24).map(move |l| (k, l)));
                    let brute = grid.map(|(k, l)| inside(k, l)).fold(0.0, f64::max);
                    assert!(brute <= found * (1.0 + 1e-9), "{id} {degrees} {radius} {x} {y}: {brute} {found}");
                    // The grid comes close to the largest value.
                    assert!(found < 1.05 * brute, "{id} {degrees} {radius} {x} {y}: {brute} {found}");
                }
            }
        }
    }

    #[test]
    fn wedges_are_nested_and_a_point_is_the_explicit_method() {
        let [all, half, point] =
            [(90.0, f64::INFINITY), (45.0, f64::INFINITY), (45.0, 0.0)].map(|(a, r)| joint("ars-4-4-3", a, r));
        for (x, y) in [(-0.3, 0.6), (-1.0, 1.0), (-1.5, 0.1), (-0.01, -1.2)] {
            let rough = all.clone().with_few_samples().at(x, y);
            assert!(rough <= all.at(x, y) && rough > 0.5 * all.at(x, y));
            assert!(all.at(x, y) >= half.at(x, y) && half.at(x, y) >= point.at(x, y));
            assert_eq!(point.at(x, y), point.at_pair(Complex64::new(x, y), Complex64::ZERO).norm());
            assert!((all.at(x, y) - all.at(x, -y)).abs() < 1e-9 * all.at(x, y), "real coefficients");
        }
    }

    #[test]
    fn what_is_no_wedge_or_no_imex_method_is_named() {
        let fault = |id: &str, degrees: f64, radius: f64| {
            let method = library::method(id).unwrap().to_f64();
            JointStability::new(&method, degrees, radius).err().map(|error| error.to_string())
        };
        let angle = Some("the wedge's angle is 90.5; expected 0 to 90 degrees".to_owned());
        assert_eq!(fault("ars-2-3-3", 90.5, 1.0), angle);
        assert!(fault("ars-2-3-3", f64::NAN, 1.0).is_some() && fault("ars-2-3-3", 10.0, f64::NAN).is_some());
        let radius = Some("the wedge's radius is -1; expected a number of at least 0".to_owned());
        assert_eq!(fault("ars-2-3-3", 10.0, -1.0), radius);
        assert_eq!(fault("rk4", 10.0, 1.0), Some("found 1 partition; expected 2".to_owned()));
        assert!(fault("lobatto-iiia-iiib-2", 10.0, 1.0).is_none_or(|text| text.contains("depend on")));
    }
}
