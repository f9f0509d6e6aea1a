//! The stability function of a partition as tabulated, and its uncertainty due to rounded digits.

use std::cmp::Ordering;

use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use hemiola_tableau::{Exact, Method};
use num_complex::Complex64;
use num_traits::{One, Zero};

use crate::error::StabilityError;
use crate::function::moments::over_common_denominator;
use crate::function::rational::{StabilityFunction, squared_modulus};
use crate::function::ray::Ray;
use crate::function::sensitivity::{Sensitivity, leading_uncertainties};

/// The stability function of one partition in exact arithmetic, prepared for several computations:
/// [limits](Self::limit) along rays, [damping](Self::damped_ray) on them, [sectors](Self::sector_angle) and
/// [infinity](Self::modulus_at_infinity).
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
/// N and D are polynomials in z/`scale`: with the common denominator of A and b for a scale their coefficients are integers.
pub struct ExactStability {
    pub(crate) function: StabilityFunction<Exact>,
    scale: RBig,
    /// `None` if all coefficients are exact.
    sensitivity: Option<Sensitivity>,
    /// How much the leading coefficients of N and of D can change.
    leading: [Exact; 2],
}

impl ExactStability {
    /// The stability function of partition `partition`, counted from 0.
    ///
    /// # Errors
    /// [`StabilityError::WrongSize`] if there is no such partition.
    pub fn new(method: &Method, partition: usize) -> Result<Self, StabilityError> {
        let (exact, uncertainties) = (method.exact(), method.uncertainties());
        let (Some(butcher), Some(uncertainty)) =
            (exact.partitions.get(partition), uncertainties.partitions.get(partition))
        else {
            return Err(StabilityError::WrongSize { found: partition + 1, expected: exact.partitions.len() });
        };
        let (butcher, scale) = over_common_denominator(butcher);
        let mut function = StabilityFunction::new(&butcher);
        let is_exact = uncertainty.a.iter().flatten().chain(&uncertainty.b).all(|delta| *delta == 0.0);
        let mut leading = [Exact::zero(), Exact::zero()];
        let sensitivity = (!is_exact).then(|| {
            // Those of explicit methods are products of coefficients, and D = 1.
            if !butcher.is_explicit() {
                let explained = leading_uncertainties(&butcher, uncertainty, &scale);
                leading = drop_leading(&mut function, &explained);
            }
            let rounding = method.rounding();
            let slack = method.tableau(|coefficient| rounding.slack(coefficient));
            let [nearest, slack] = [method.to_f64(), slack].map(|tableau| tableau.partitions[partition].clone());
            Sensitivity::new(nearest, uncertainty.clone(), slack)
        });
        Ok(Self { function, scale, sensitivity, leading })
    }

    /// |R(∞)|; see [`modulus_at_infinity`](crate::modulus_at_infinity()).
    #[must_use]
    pub fn modulus_at_infinity(&self) -> Option<Exact> {
        let StabilityFunction { numerator, denominator } = &self.function;
        match numerator.len().cmp(&denominator.len()) {
            Ordering::Less => Some(Exact::zero()),
            Ordering::Equal => {
                let [n, d] = [numerator, denominator].map(|p| p[p.len() - 1].abs());
                // Whether |N| = |D| is a change within their uncertainties.
                let [open_n, open_d] = self.leading.clone();
                if exceeds(&(n.clone() - d.clone()), &(open_n + open_d)) { n / d } else { Some(Exact::one()) }
            }
            Ordering::Greater => None,
        }
    }

    /// R as a function of z itself.
    pub(crate) fn unscaled(&self) -> StabilityFunction<Exact> {
        let inverse = Exact::from(RBig::ONE / &self.scale);
        let powers = std::iter::successors(Some(Exact::one()), |power| Some(power.clone() * inverse.clone()));
        let unscaled = |p: &[Exact]| p.iter().zip(powers.clone()).map(|(c, power)| c.clone() * power).collect();
        let StabilityFunction { numerator, denominator } = &self.function;
        StabilityFunction { numerator: unscaled(numerator), denominator: unscaled(denominator) }
    }

    /// |R| along t·`direction`, t ≥ 0.
    pub(crate) fn along(&self, direction: Complex64) -> Result<Ray<'_>, StabilityError> {
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
        // Over its power of two the direction is a Gaussian integer.
        let power = [&x, &y].into_iter().filter_map(Exact::as_rational).map(RBig::denominator).max().cloned();
        let power = RBig::from(power.unwrap_or(UBig::ONE));
        let [x, y] = [x, y].map(|x| x * Exact::from(power.clone()));
        let squares = [&self.function.numerator, &self.function.denominator].map(|p| squares(p, &x, &y));
        Ok(Ray::new(squares, &self.scale * power, direction, self.sensitivity.as_ref()))
    }
}

/// |p(t(x + iy))|² as a polynomial in t, with integers where all are.
fn squares(p: &[Exact], x: &Exact, y: &Exact) -> Vec<Exact> {
    let integer =
        |value: &Exact| value.as_rational().filter(|value| value.is_int()).map(|value| value.numerator().clone());
    let integers = p.iter().map(integer).collect::<Option<Vec<IBig>>>();
    match (integers, integer(x), integer(y)) {
        (Some(p), Some(x), Some(y)) => {
            squared_modulus(&p, &(x, y)).into_iter().map(|value| Exact::from(RBig::from(value))).collect()
        }
        _ => squared_modulus(p, &(x.clone(), y.clone())),
    }
}

/// Leading coefficients of N and D that the precision of the table explains are zero: taken literally, a numerator
/// whose degree is too high by 10⁻¹⁷ would end all stability at 10¹⁷. Returns the uncertainty of those that remain.
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
