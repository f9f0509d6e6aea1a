//! Stability function R(z) = 1 + z bᵀ(I − zA)⁻¹𝟙 = N(z)/D(z) of one partition.

use std::ops::{AddAssign, Mul, Sub};

use dashu::integer::IBig;
use dashu::rational::RBig;
use hemiola_tableau::{Butcher, Exact, Scalar};
use num_complex::Complex64;
use num_traits::{One, Zero};

use crate::function::determinant::{denominator, trimmed};
use crate::function::integers::whole_numbers;
use crate::function::moments::{ExactMoments, moments};

/// Stability function R = N/D with coefficients from the constant upwards; D(0) = 1, and D = 1 for explicit methods.
///
/// ```
/// use hemiola_stability::StabilityFunction;
/// let rk4 = hemiola_tableau::library::method("rk4").unwrap().exact();
/// let r = StabilityFunction::new(&rk4.partitions[0]);
/// let texts: Vec<String> = r.numerator.iter().map(ToString::to_string).collect();
/// assert_eq!(texts, ["1", "1", "1/2", "1/6", "1/24"]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct StabilityFunction<T> {
    /// Coefficients of N.
    pub numerator: Vec<T>,
    /// Coefficients of D = det(I − zA).
    pub denominator: Vec<T>,
}

impl<T: Scalar> StabilityFunction<T> {
    /// Computes the stability function of a tableau.
    #[must_use]
    pub fn new(butcher: &Butcher<T>) -> Self {
        Self::from_moments(denominator(butcher), &moments(butcher))
    }

    /// Computes the stability function with given D and moments bᵀAᵏ⁻¹𝟙 (1 for k = 0), k ≤ s.
    ///
    /// N = D·Σ m_k zᵏ: the terms beyond degree s cancel.
    pub(crate) fn from_moments(denominator: Vec<T>, moments: &[T]) -> Self {
        let numerator = (0..moments.len())
            .map(|k| {
                let terms = denominator.iter().take(k + 1).enumerate();
                terms.fold(T::zero(), |sum, (j, d)| sum + d.clone() * moments[k - j].clone())
            })
            .collect();
        Self { numerator: trimmed(numerator), denominator }
    }

    /// Computes |N(tu)|² − |D(tu)|² as a polynomial in t, which is positive exactly where |R(tu)| > 1.
    #[cfg(test)]
    pub(crate) fn excess(&self, u: &(T, T)) -> Vec<T> {
        difference(&[&self.numerator, &self.denominator].map(|p| squared_modulus(p, u)))
    }
}

/// Computes n − d.
fn difference<T: Scalar>([n, d]: &[Vec<T>; 2]) -> Vec<T> {
    let at = |p: &Vec<T>, k: usize| p.get(k).cloned().unwrap_or_else(T::zero);
    (0..n.len().max(d.len())).map(|k| at(n, k) - at(d, k)).collect()
}

impl StabilityFunction<Exact> {
    /// Computes the stability function like [`new`](Self::new), faster for decimal coefficients.
    ///
    /// ```
    /// use hemiola_stability::StabilityFunction;
    /// let lobatto = hemiola_tableau::library::method("lobatto-iiic-3").unwrap().exact();
    /// assert!(StabilityFunction::exact(&lobatto.partitions[0]) == StabilityFunction::new(&lobatto.partitions[0]));
    /// ```
    #[must_use]
    pub fn exact(butcher: &Butcher<Exact>) -> Self {
        Self::unscaled(&ExactMoments::new(butcher))
    }
}

impl StabilityFunction<Exact> {
    /// Computes |N(iy)|² − |D(iy)|² and |D(iy)|² as polynomials in y.
    pub(crate) fn on_imaginary_axis(&self) -> [Vec<Exact>; 2] {
        let imaginary = (Exact::zero(), Exact::one());
        let squares = [&self.numerator, &self.denominator].map(|p| exact_squared_modulus(p, &imaginary));
        let excess = difference(&squares);
        let [_, denominator] = squares;
        [excess, denominator]
    }

    /// Computes R as a function of z itself.
    pub(crate) fn unscaled(elements: &ExactMoments) -> Self {
        let Self { numerator, denominator } = Self::from_moments(elements.denominator.clone(), &elements.moments);
        Self { numerator: elements.unscaled(&numerator), denominator: elements.unscaled(&denominator) }
    }
}

/// Computes |p(t(x + iy))|² as a polynomial in t, with integers over one denominator if x and y are integers.
pub(crate) fn exact_squared_modulus(p: &[Exact], direction: &(Exact, Exact)) -> Vec<Exact> {
    let integer = |value: &Exact| value.as_rational().filter(|x| x.is_int()).map(|x| x.numerator().clone());
    let rationals = p.iter().map(Exact::as_rational).collect::<Option<Vec<&RBig>>>();
    let (Some(p), Some(x), Some(y)) = (&rationals, integer(&direction.0), integer(&direction.1)) else {
        return squared_modulus(p, direction);
    };
    let (over_common, common) = whole_numbers(p);
    let square = common.sqr();
    let fraction = |value: IBig| Exact::from(RBig::from_parts(value, square.clone()));
    squared_modulus(&over_common, &(x, y)).into_iter().map(fraction).collect()
}

impl StabilityFunction<f64> {
    /// Evaluates R at a complex number.
    #[must_use]
    pub fn at(&self, z: Complex64) -> Complex64 {
        let horner = |p: &[f64]| p.iter().rev().fold(Complex64::ZERO, |value, &coefficient| value * z + coefficient);
        // For implicit methods and large |z|, N and D overflow long before their quotient: use 1/z instead.
        if self.denominator.len() > 1 && z.norm_sqr() > 1.0 {
            let inverse = z.inv();
            let reversed = |p: &[f64]| p.iter().fold(Complex64::ZERO, |value, &c| value * inverse + c);
            let degrees = self.numerator.len() as i32 - self.denominator.len() as i32;
            return reversed(&self.numerator) / reversed(&self.denominator) * z.powi(degrees);
        }
        horner(&self.numerator) / horner(&self.denominator)
    }
}

/// Computes |p(tu)|² as a polynomial in t, for numbers of any ring.
pub(crate) fn squared_modulus<T>(p: &[T], (x, y): &(T, T)) -> Vec<T>
where
    T: Clone + Zero + One + AddAssign + Mul<Output = T> + Sub<Output = T>,
{
    let mut real = Vec::with_capacity(p.len());
    let mut imaginary = Vec::with_capacity(p.len());
    let (mut re, mut im) = (T::one(), T::zero());
    for coefficient in p {
        real.push(coefficient.clone() * re.clone());
        imaginary.push(coefficient.clone() * im.clone());
        let next = re.clone() * x.clone() - im.clone() * y.clone();
        im = re * y.clone() + im * x.clone();
        re = next;
    }
    let mut square = vec![T::zero(); 2 * p.len() - 1];
    for part in [&real, &imaginary] {
        for (j, a) in part.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
            square[2 * j] += a.clone() * a.clone();
            for (k, b) in part.iter().enumerate().skip(j + 1).filter(|(_, b)| !b.is_zero()) {
                let product = a.clone() * b.clone();
                square[j + k] += product.clone();
                square[j + k] += product;
            }
        }
    }
    square
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    fn function(id: &str) -> StabilityFunction<f64> {
        StabilityFunction::new(&library::method(id).unwrap().to_f64().partitions[0])
    }

    #[test]
    fn known_rational_functions() {
        // Padé approximants: Gauss (s, s), Radau IIA (s−1, s), Lobatto IIIC (s−2, s) (Hairer & Wanner 1996, §IV.5).
        let gauss = function("gauss-2");
        let expected = [1.0, 0.5, 1.0 / 12.0];
        for (k, expected) in expected.iter().enumerate() {
            assert!((gauss.numerator[k] - expected).abs() < 1e-15);
            assert!((gauss.denominator[k] - expected * (-1f64).powi(k as i32)).abs() < 1e-15);
        }
        let exact = library::method("radau-iia-2").unwrap().exact();
        let radau = StabilityFunction::new(&exact.partitions[0]);
        let texts = |p: &[Exact]| p.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(texts(&radau.numerator), ["1", "1/3"]);
        assert_eq!(texts(&radau.denominator), ["1", "-2/3", "1/6"]);
    }

    #[test]
    fn large_arguments_do_not_overflow() {
        let gauss = function("gauss-3");
        let value = gauss.at(Complex64::new(0.0, 1e120));
        assert!((value.norm() - 1.0).abs() < 1e-12, "{value}");
        // R vanishes at infinity; rounding leaves a leading coefficient of N of a few units in the last place.
        assert!(function("radau-iia-3").at(Complex64::new(-1e200, 0.0)).norm() < 1e-13);
    }
}
