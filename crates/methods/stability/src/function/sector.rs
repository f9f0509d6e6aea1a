//! Sectors of stability, and the stability function at infinity.

use std::ops::{Mul, Neg, Sub};

use dashu::integer::IBig;
use dashu::rational::RBig;
use hemiola_tableau::{Exact, Method};
use num_complex::Complex64;

use crate::eigenvalues::qr::real_eigenvalues;
use crate::error::StabilityError;
use crate::function::exact::ExactStability;
use crate::function::integers::whole_numbers;
use crate::function::limit::Limit;
use crate::function::moments::ExactMoments;
use crate::function::rational::StabilityFunction;

/// Number of halvings of a right angle, down to 1e-10 degrees, and of methods with many stages, down to 0.01 degrees.
const HALVINGS: [usize; 2] = [40, 13];
/// Largest degree up to which poles are excluded from the left half-plane by exact arithmetic. Routh's scheme has integers of
/// as many bits as the square of the degree times those of the coefficients of the tableau.
const HIGHEST_EXACT: usize = 32;

/// Finds the largest α, in degrees, such that |R_r(z)| ≤ 1 in the entire sector |arg(−z)| ≤ α: A(α)-stability, and
/// A-stability for 90.
///
/// Returns `None` if even the negative real axis is unstable, as for explicit methods. By the maximum principle a
/// sector without poles is stable if its two rays are (Hairer & Wanner, Solving Ordinary Differential Equations II,
/// IV.3). Each ray is decided exactly; the angle is accurate to 1e-10 degrees. With more than 32 implicit stages, poles are
/// located in doubles, and the angle is accurate to 0.01 degrees.
///
/// ```
/// use hemiola_stability::sector_angle;
/// let angle = |id| sector_angle(&hemiola_tableau::library::method(id).unwrap(), 0).unwrap();
/// assert_eq!(angle("radau-iia-3"), Some(90.0));
/// assert_eq!(angle("rk4"), None);
/// ```
///
/// # Errors
/// Returns [`StabilityError::WrongSize`] if there is no such partition, [`StabilityError::NoConvergence`] if poles
/// cannot be found.
pub fn sector_angle(method: &Method, partition: usize) -> Result<Option<f64>, StabilityError> {
    ExactStability::new(method, partition)?.sector_angle()
}

impl ExactStability {
    /// Finds the largest α of a stable sector, in degrees; see [`sector_angle`].
    ///
    /// # Errors
    /// Returns [`StabilityError::NoConvergence`] if poles cannot be found.
    pub fn sector_angle(&self) -> Result<Option<f64>, StabilityError> {
        let is_stable = |angle: f64| -> Result<bool, StabilityError> {
            // For a right angle use the exact imaginary axis, not a neighboring double.
            let direction = if angle == 90.0 {
                Complex64::I
            } else {
                let (sine, cosine) = angle.to_radians().sin_cos();
                Complex64::new(-cosine, sine)
            };
            Ok(self.limit(direction)? == Limit::Unbounded)
        };
        if !is_stable(0.0)? {
            return Ok(None);
        }
        let mut high = self.pole_angle()?;
        if is_stable(high)? {
            return Ok(Some(high));
        }
        let mut low = 0.0;
        for _ in 0..HALVINGS[usize::from(self.has_many_stages())] {
            let middle = f64::midpoint(low, high);
            if is_stable(middle)? {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(Some(low))
    }

    fn has_many_stages(&self) -> bool {
        self.function.denominator.len() > HIGHEST_EXACT + 1
    }

    /// Computes the angle between the negative real axis and the nearest pole of R in the left half-plane.
    fn pole_angle(&self) -> Result<f64, StabilityError> {
        if !self.has_many_stages() {
            return pole_angle(&self.unscaled());
        }
        // The poles are among the reciprocals of the eigenvalues of A.
        let ExactMoments { butcher, scale, .. } = self.elements();
        let unit = Exact::from(RBig::ONE / scale);
        let double = |row: &Vec<Exact>| row.iter().map(|x| (x.clone() * unit.clone()).to_f64()).collect::<Vec<f64>>();
        let eigenvalues = real_eigenvalues(&butcher.a.iter().map(double).collect::<Vec<_>>())?;
        let largest = eigenvalues.iter().map(|value| value.norm()).fold(0.0, f64::max);
        // Eigenvalues of zero, which rounding moves, are no poles.
        let poles =
            eigenvalues.into_iter().filter(|value| value.re <= 0.0 && value.norm() > f64::EPSILON.sqrt() * largest);
        Ok(poles.map(|value| (-value).arg().abs().to_degrees()).fold(90.0, f64::min))
    }
}

/// Computes |R_r(∞)| of an implicit method exactly; returns `None` if R has no limit, as for explicit methods.
///
/// Leading coefficients of N and D that are zero to the precision of the tableau count as zero, and moduli that are
/// equal to this precision as equal.
///
/// ```
/// use hemiola_stability::modulus_at_infinity;
/// let modulus = |id| modulus_at_infinity(&hemiola_tableau::library::method(id).unwrap(), 0).unwrap();
/// assert_eq!(modulus("gauss-2").unwrap().to_f64(), 1.0);
/// assert_eq!(modulus("radau-iia-2").unwrap().to_f64(), 0.0);
/// assert_eq!(modulus("rk4"), None);
/// ```
///
/// # Errors
/// Returns [`StabilityError::WrongSize`] if there is no such partition.
pub fn modulus_at_infinity(method: &Method, partition: usize) -> Result<Option<Exact>, StabilityError> {
    Ok(ExactStability::new(method, partition)?.modulus_at_infinity())
}

/// Computes the angle, in degrees, between the negative real axis and the nearest pole of R in the left half-plane; 90
/// if there is none.
fn pole_angle(function: &StabilityFunction<Exact>) -> Result<f64, StabilityError> {
    if has_roots_on_the_right(&function.denominator) {
        return Ok(90.0);
    }
    let doubles = |p: &[Exact]| p.iter().map(Exact::to_f64).collect::<Vec<f64>>();
    let (n, d) = (doubles(&function.numerator), doubles(&function.denominator));
    let angle = |inverse: Complex64| (-inverse).arg().abs().to_degrees();
    // Common zeros of N and D are not poles.
    let is_pole = |inverse: &Complex64| {
        let z = inverse.inv();
        let terms = n.iter().enumerate().map(|(k, c)| z.powi(k as i32) * c);
        let (value, size) =
            terms.fold((Complex64::ZERO, 0.0), |(value, size), term| (value + term, size + term.norm()));
        value.norm() > size * f64::EPSILON.sqrt()
    };
    let poles = inverse_roots(&d)?.into_iter().filter(|inverse| inverse.re <= 0.0 && *inverse != Complex64::ZERO);
    Ok(poles.filter(is_pole).map(angle).fold(90.0, f64::min))
}

/// Computes the reciprocals of the roots of a polynomial with p(0) = 1 as eigenvalues of its companion matrix.
pub(crate) fn inverse_roots(p: &[f64]) -> Result<Vec<Complex64>, StabilityError> {
    let n = p.len() - 1;
    let row = |i: usize| -> Vec<f64> {
        if i == 0 {
            p[1..].iter().map(|c| -c).collect()
        } else {
            (0..n).map(|j| f64::from(u8::from(j + 1 == i))).collect()
        }
    };
    real_eigenvalues(&(0..n).map(row).collect::<Vec<_>>())
}

/// Returns whether all roots of p lie in the open right half-plane, by Routh's scheme for p(−z) in exact arithmetic;
/// p(0) > 0.
fn has_roots_on_the_right(p: &[Exact]) -> bool {
    match p.iter().map(Exact::as_rational).collect::<Option<Vec<_>>>() {
        Some(p) => is_routh_positive(whole_numbers(&p).0, |value| *value > IBig::ZERO, |x, by| Some(x / by)),
        None => is_routh_positive(p.to_vec(), |value| value.sign().is_gt(), |x, by| x / by.clone()),
    }
}

/// Applies Routh's scheme to p(−z) without fractions.
///
/// The leading entry of a row is a minor of the Hurwitz matrix; the leading entry two rows earlier divides the
/// combinations of two rows (Jeltsch 1979).
fn is_routh_positive<T: Clone + Neg<Output = T> + Mul<Output = T> + Sub<Output = T>>(
    p: Vec<T>,
    is_positive: impl Fn(&T) -> bool,
    divide: impl Fn(T, &T) -> Option<T>,
) -> bool {
    let reflected = |(k, c): (usize, T)| if k % 2 == 0 { c } else { -c };
    let coefficients: Vec<T> = p.into_iter().enumerate().map(reflected).rev().collect();
    let every_other = |first: usize| coefficients.iter().skip(first).step_by(2).cloned().collect::<Vec<T>>();
    let (mut upper, mut lower) = (every_other(0), every_other(1));
    // Leading entry of the row above `upper`; the first two rows have no divisor.
    let (mut rows, mut divisor) = (2, None::<T>);
    while let (Some(a), Some(b)) = (upper.first(), lower.first()) {
        if !is_positive(a) || !is_positive(b) {
            return false;
        }
        let entry = |k: usize| {
            let above = b.clone() * upper[k].clone();
            let value = match lower.get(k) {
                Some(below) => above - a.clone() * below.clone(),
                None => above,
            };
            match &divisor {
                Some(divisor) => divide(value, divisor),
                None => Some(value),
            }
        };
        let Some(next) = (1..upper.len()).map(entry).collect::<Option<Vec<T>>>() else { return false };
        rows += 1;
        divisor = (rows > 3).then(|| a.clone());
        upper = std::mem::replace(&mut lower, next);
    }
    upper.first().is_none_or(is_positive)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    fn angle(id: &str, partition: usize) -> Option<f64> {
        sector_angle(&library::method(id).unwrap(), partition).unwrap()
    }

    #[test]
    fn fractions_decide_exactly() {
        // |R(∞)| = (1 − θ)/θ of the theta method: A-stable from θ = 1/2 on, however little is missing.
        let theta = |theta: &str, angle: Option<bool>| {
            let text = format!(
                r#"{{"format": "hemiola-method/1", "id": "theta", "name": "Theta",
                    "partitions": [{{"name": "all", "a": [["{theta}"]], "b": ["1"]}}]}}"#
            );
            let method = Method::from_json(text.as_bytes(), "theta").unwrap();
            let found = sector_angle(&method, 0).unwrap();
            assert_eq!(found.map(|found| found == 90.0), angle, "{theta}");
        };
        theta("1/2", Some(true));
        theta("50000000000001/100000000000000", Some(true));
        theta("49999999999999/100000000000000", None);
        // Fourteen decimals are not the last digits of a double.
        theta("0.49999999999999", None);
        theta("0.50000000000001", Some(true));
        // Half a unit of the last digit reaches 1/2.
        theta("0.4999999999999999", Some(true));
    }

    #[test]
    fn roots_on_the_right_are_told_from_others() {
        // Factors 1 − xz + yz² with roots of real part x/2y, or real ones of the same sign; degrees 2 to 12, with
        // fractions and with a surd.
        let times = |p: &[Exact], factor: &[Exact]| -> Vec<Exact> {
            let mut product = vec![Exact::from(0); p.len() + factor.len() - 1];
            for (i, x) in p.iter().enumerate() {
                for (j, y) in factor.iter().enumerate() {
                    product[i + j] = product[i + j].clone() + x.clone() * y.clone();
                }
            }
            product
        };
        let factor = |x: Exact, k: i64| vec![Exact::from(1), -x, Exact::from_ratio(2 * k + 1, 3)];
        for surd in [Exact::from(1), Exact::from(2).sqrt().unwrap()] {
            let mut p = vec![Exact::from(1)];
            for k in 0..6 {
                p = times(&p, &factor(surd.clone() * Exact::from_ratio(1, 7 * k as u64 + 1), k));
                assert!(has_roots_on_the_right(&p), "{k}");
                assert!(has_roots_on_the_right(&times(&p, &[Exact::from(1), Exact::from_ratio(-1, 1_000_000)])));
                assert!(!has_roots_on_the_right(&times(&p, &[Exact::from(1), Exact::from_ratio(1, 1_000_000)])));
                let slightly = factor(surd.clone() * Exact::from_ratio(-1, 1_000_000_000), k);
                assert!(!has_roots_on_the_right(&times(&p, &slightly)), "{k}");
                // Roots on the imaginary axis.
                assert!(!has_roots_on_the_right(&times(&p, &factor(Exact::from(0), k))), "{k}");
            }
        }
    }

    #[test]
    fn methods_that_are_a_stable() {
        for id in [
            "implicit-euler",
            "implicit-midpoint",
            "gauss-1",
            "gauss-2",
            "gauss-3",
            "gauss-4",
            "radau-ia-2",
            "radau-ia-3",
            "radau-iia-2",
            "radau-iia-3",
            "lobatto-iiia-3",
            "lobatto-iiib-4",
            "lobatto-iiic-2",
            "lobatto-iiic-3",
            "lobatto-iiic-4",
            "lobatto-iiid-3",
            "tr-bdf2",
            "crouzeix-3",
            "hairer-wanner-sdirk-4",
            "sdirk-2",
            "kvaerno-3-2-4",
            "cash-4-3-5",
        ] {
            assert_eq!(angle(id, 0), Some(90.0), "{id}");
        }
        for id in ["explicit-euler", "rk4", "lobatto-iiic-star-3", "shome-haug-jay-2-5"] {
            assert_eq!(angle(id, 0), None, "{id}");
        }
    }

    #[test]
    fn at_infinity() {
        let modulus = |id: &str| {
            let value = modulus_at_infinity(&library::method(id).unwrap(), 0).unwrap();
            value.map(|value| value.to_f64())
        };
        for id in
            ["implicit-euler", "radau-ia-3", "lobatto-iiic-4", "hairer-wanner-sdirk-4", "tr-bdf2", "kvaerno-3-2-4"]
        {
            assert_eq!(modulus(id), Some(0.0), "{id}");
        }
        for id in ["gauss-3", "lobatto-iiia-3", "lobatto-iiib-2", "implicit-midpoint"] {
            assert_eq!(modulus(id), Some(1.0), "{id}");
        }
        // R(∞) = 1 − √3 of the third-order SDIRK method with γ = (3 + √3)/6.
        assert!((modulus("crouzeix-3").unwrap() - (3f64.sqrt() - 1.0)).abs() < 1e-15);
        // Fourteen decimals, taken literally; reference values from the stage equations at z = −1e40 with 200 digits.
        assert_eq!(modulus("alamri-ketcheson-6-5-8"), Some(0.0));
        assert!((modulus("alamri-ketcheson-7-5-10").unwrap() - 0.010_633_768_531_5).abs() < 1e-13);
        assert!((modulus("alamri-ketcheson-8-6-14").unwrap() - 0.918_552_443_93).abs() < 1e-11);
        assert_eq!(modulus("rk4"), None);
    }

    #[test]
    fn routh_s_scheme_tells_the_half_planes() {
        let right = |p: &[i32]| has_roots_on_the_right(&p.iter().map(|&c| Exact::from(c)).collect::<Vec<_>>());
        assert!(right(&[1]) && right(&[1, -1]) && right(&[2, -3, 1]) && right(&[1, -1, 1]));
        assert!(!right(&[1, 1]) && !right(&[1, 0, 1]) && !right(&[2, -1, -1]));
        // (1 − z)(1 + z²/4 − z/8) has all roots on the right, (1 − z)(1 + z/8 + z²/4) does not.
        assert!(right(&[8, -9, 3, -2]) && !right(&[8, -7, 1, -2]));
    }

    /// Constructs the method with A = L + 𝟙bᵀ, b = βe_s, and the entries `below` on the subdiagonal of L.
    ///
    /// It has R = 1/D with D = 1 − βz(1 + l_{s,s−1}z(1 + l_{s−1,s−2}z(…))).
    fn with_constant_numerator(beta: &str, below: &[&str]) -> Method {
        let s = below.len() + 1;
        let entry = |i: usize, j: usize| match j {
            _ if j + 1 == s => beta,
            _ if j + 1 == i => below[j],
            _ => "0",
        };
        let a: Vec<Vec<&str>> = (0..s).map(|i| (0..s).map(|j| entry(i, j)).collect()).collect();
        let b: Vec<&str> = (0..s).map(|j| entry(s, j)).collect();
        let text = format!(
            r#"{{"format": "hemiola-method/1", "id": "test", "name": "Test", "partitions": [{{"name": "all", "a": {a:?}, "b": {b:?}}}]}}"#
        );
        Method::from_json(text.as_bytes(), "test").unwrap()
    }

    #[test]
    fn sectors_smaller_than_the_half_plane() {
        // Padé approximants (0, 3) and (0, 4): A(88.23°) and A(83.98°); references by polynomial roots with 40 digits.
        // The third function has poles at 60° from the negative real axis, and both axes are stable.
        for (beta, below, poles, expected) in [
            ("1", &["-1/3", "-1/2"][..], 90.0, 88.230_152_007_181_96),
            ("1", &["-1/4", "-1/3", "-1/2"], 90.0, 83.984_108_926_677_1),
            ("9/10", &["1/9", "1/10"], 60.0, 56.801_885_640_760_4),
        ] {
            let method = with_constant_numerator(beta, below);
            let found = sector_angle(&method, 0).unwrap().unwrap();
            assert!((found - expected).abs() < 2e-10, "{found} {expected}");
            let function = StabilityFunction::exact(&method.exact().partitions[0]);
            assert!((pole_angle(&function).unwrap() - poles).abs() < 1e-10);
            let on_axis = ExactStability::new(&method, 0).unwrap().limit(Complex64::I).unwrap();
            assert_eq!(on_axis == Limit::Unbounded, poles == 60.0);
            // Independent check by points on many rays.
            let nearest = StabilityFunction::new(&method.to_f64().partitions[0]);
            let exceeds = |degrees: f64| {
                let u = Complex64::from_polar(1.0, std::f64::consts::PI - degrees.to_radians());
                (1..20_000).any(|k| nearest.at(u * (f64::from(k) * 1e-3)).norm() > 1.0 + 1e-12)
            };
            let rays = (0..=89).map(f64::from);
            assert!(
                rays.filter(|degrees| (degrees - found).abs() > 0.1)
                    .all(|degrees| exceeds(degrees) == (degrees > found) || degrees > poles)
            );
        }
    }
}
