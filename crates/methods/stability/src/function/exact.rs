//! Stability function of a partition as tabulated, and its uncertainty due to rounded digits.

use std::cmp::Ordering;
use std::sync::{Arc, OnceLock};

use dashu::integer::UBig;
use dashu::rational::RBig;
use hemiola_tableau::{Exact, Method};
use num_complex::Complex64;
use num_traits::{One, Zero};

use crate::error::StabilityError;
use crate::function::moments::ExactMoments;
use crate::function::rational::{StabilityFunction, exact_squared_modulus};
use crate::function::ray::ModulusRay;
use crate::function::sensitivity::{Sensitivity, leading_uncertainties};

/// Stability function of one partition in exact arithmetic.
///
/// It is prepared for several computations: [limits](Self::limit) along rays, [damping](Self::damped_ray) on them,
/// [sectors](Self::sector_angle) and [infinity](Self::modulus_at_infinity).
///
/// ```
/// use hemiola_stability::ExactStability;
/// use num_complex::Complex64;
/// let rk4 = ExactStability::new(&hemiola_tableau::library::method("rk4")?, 0)?;
/// assert_eq!(rk4.limit(Complex64::I)?.value(), 8f64.sqrt());
/// assert_eq!((rk4.sector_angle()?, rk4.modulus_at_infinity()), (None, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// N and D are polynomials in z/`scale`: with the common denominator of A and b as the scale their coefficients are
/// integers.
pub struct ExactStability {
    /// N and D without leading coefficients that are zero to the precision of the tableau.
    pub(crate) function: StabilityFunction<Exact>,
    elements: ExactMoments,
    /// Sensitivity to the coefficients; `None` if all of them are exact.
    sensitivity: Option<Arc<Sensitivity>>,
    /// Uncertainties of the leading coefficients of N and D.
    leading: [Exact; 2],
    /// The imaginary and the negative real axis with their exits, which several computations use.
    axes: [OnceLock<(Arc<ModulusRay>, Option<f64>)>; 2],
}

impl ExactStability {
    /// Prepares the stability function of partition `partition`, counted from 0.
    ///
    /// # Errors
    /// Returns [`StabilityError::WrongSize`] if there is no such partition.
    pub fn new(method: &Method, partition: usize) -> Result<Self, StabilityError> {
        let (exact, uncertainties) = (method.exact(), method.uncertainties());
        let (Some(butcher), Some(uncertainty)) =
            (exact.partitions.get(partition), uncertainties.partitions.get(partition))
        else {
            return Err(StabilityError::WrongSize { found: partition + 1, expected: exact.partitions.len() });
        };
        let elements = ExactMoments::new(butcher);
        let butcher = &elements.butcher;
        let mut function = StabilityFunction::from_moments(elements.denominator.clone(), &elements.moments);
        let is_exact = uncertainty.a.iter().flatten().chain(&uncertainty.b).all(|delta| *delta == 0.0);
        let mut leading = [Exact::zero(), Exact::zero()];
        let sensitivity = (!is_exact).then(|| {
            // Leading coefficients of explicit methods are products of coefficients, and D = 1.
            if !butcher.is_explicit() {
                let explained = leading_uncertainties(butcher, uncertainty, &elements.scale);
                leading = drop_leading(&mut function, &explained);
            }
            let rounding = method.rounding();
            // Only tables with the digits of doubles may owe their last ones to the arithmetic.
            let slack = match rounding.has_digits_of_doubles() {
                true => method.tableau(|coefficient| rounding.slack(coefficient)),
                false => uncertainties.clone(),
            };
            let [nearest, slack] = [method.to_f64(), slack].map(|tableau| tableau.partitions[partition].clone());
            Arc::new(Sensitivity::new(nearest, uncertainty.clone(), slack))
        });
        Ok(Self { function, elements, sensitivity, leading, axes: [OnceLock::new(), OnceLock::new()] })
    }

    /// Computes |R(∞)|; see [`modulus_at_infinity`](crate::modulus_at_infinity()).
    #[must_use]
    pub fn modulus_at_infinity(&self) -> Option<Exact> {
        let StabilityFunction { numerator, denominator } = &self.function;
        match numerator.len().cmp(&denominator.len()) {
            Ordering::Less => Some(Exact::zero()),
            Ordering::Equal => {
                let [n, d] = [numerator, denominator].map(|p| p[p.len() - 1].abs());
                // |N| = |D| if the difference is within their uncertainties.
                let [open_n, open_d] = self.leading.clone();
                if exceeds(&(n.clone() - d.clone()), &(open_n + open_d)) { n / d } else { Some(Exact::one()) }
            }
            Ordering::Greater => None,
        }
    }

    /// Returns the coefficients of R as a function of z, taken literally.
    ///
    /// ```
    /// use hemiola_stability::{ExactStability, StabilityFunction};
    /// let gauss = hemiola_tableau::library::method("gauss-2")?;
    /// let function = ExactStability::new(&gauss, 0)?.literal_function();
    /// assert!(function == StabilityFunction::exact(&gauss.exact().partitions[0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn literal_function(&self) -> StabilityFunction<Exact> {
        StabilityFunction::unscaled(&self.elements)
    }

    /// Returns R as a function of z itself.
    pub(crate) fn unscaled(&self) -> StabilityFunction<Exact> {
        let StabilityFunction { numerator, denominator } = &self.function;
        let [numerator, denominator] = [numerator, denominator].map(|p| self.elements.unscaled(p));
        StabilityFunction { numerator, denominator }
    }

    /// Returns the moments and the determinant from which R is computed.
    pub(crate) fn elements(&self) -> &ExactMoments {
        &self.elements
    }

    /// Computes |R| along t·`direction`, t ≥ 0, and its [first exit](ModulusRay::first_exit).
    pub(crate) fn exit_along(&self, direction: Complex64) -> Result<(Arc<ModulusRay>, Option<f64>), StabilityError> {
        let found = |ray: ModulusRay| {
            let exit = ray.first_exit();
            (Arc::new(ray), exit)
        };
        let axes = [Complex64::I, -Complex64::ONE];
        match axes.iter().position(|axis| *axis == direction) {
            Some(axis) => {
                let ray = self.modulus_along(axes[axis])?;
                Ok(self.axes[axis].get_or_init(|| found(ray)).clone())
            }
            None => Ok(found(self.modulus_along(direction)?)),
        }
    }

    /// Computes |R| along t·`direction`, t ≥ 0.
    fn modulus_along(&self, direction: Complex64) -> Result<ModulusRay, StabilityError> {
        let (Some(x), Some(y)) = (Exact::from_f64(direction.re), Exact::from_f64(direction.im)) else {
            return Err(StabilityError::OutOfRange {
                name: "the direction",
                value: direction.norm(),
                expected: "a finite number",
            });
        };
        if direction == Complex64::ZERO {
            return Err(StabilityError::OutOfRange {
                name: "the direction",
                value: 0.0,
                expected: "a number other than 0",
            });
        }
        // Multiplied by its power of two, the direction is a Gaussian integer.
        let power = [&x, &y].into_iter().filter_map(Exact::as_rational).map(RBig::denominator).max().cloned();
        let power = RBig::from(power.unwrap_or(UBig::ONE));
        let [x, y] = [x, y].map(|x| x * Exact::from(power.clone()));
        let squares = [&self.function.numerator, &self.function.denominator]
            .map(|p| exact_squared_modulus(p, &(x.clone(), y.clone())));
        Ok(ModulusRay::new(squares, &self.elements.scale * power, direction, self.sensitivity.clone()))
    }
}

/// Drops leading coefficients of N and D that are zero to the precision of the tableau; returns the uncertainties of
/// the remaining leading coefficients.
///
/// Taken as exact, a coefficient of 10⁻¹⁷ in a numerator whose degree is too high would end all stability at 10¹⁷.
fn drop_leading(function: &mut StabilityFunction<Exact>, explained: &[Vec<Exact>; 2]) -> [Exact; 2] {
    let mut remaining = [Exact::zero(), Exact::zero()];
    let polynomials = [&mut function.numerator, &mut function.denominator];
    for ((p, explained), open) in polynomials.into_iter().zip(explained).zip(&mut remaining) {
        while p.len() > 1 && !exceeds(&p[p.len() - 1], &explained[p.len() - 1]) {
            p.pop();
        }
        *open = explained[p.len() - 1].clone();
    }
    remaining
}

fn exceeds(value: &Exact, explained: &Exact) -> bool {
    (value.abs() - explained.clone()).sign().is_gt()
}
