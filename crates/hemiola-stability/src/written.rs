//! The stability function of a partition as its table has it, and how far its digits leave it open.

use dashu::rational::RBig;
use hemiola_tableau::{Butcher, Exact, Method};
use num_complex::Complex64;
use num_traits::Zero;

use crate::error::StabilityError;
use crate::function::{StabilityFunction, squared_modulus};
use crate::integral::over_common_denominator;
use crate::ray::Ray;
use crate::sensitivity::{Sensitivity, leading_uncertainties};

/// R of one partition, from its exact coefficients.
///
/// N and D are polynomials in z/`scale`: with the common denominator of A and b for a scale their coefficients are integers.
pub(crate) struct Written {
    pub(crate) function: StabilityFunction<Exact>,
    pub(crate) scale: RBig,
    /// `None` where all coefficients are exact, so that nothing is open.
    sensitivity: Option<Sensitivity>,
}

impl Written {
    pub(crate) fn new(method: &Method, partition: usize) -> Result<Self, StabilityError> {
        let (exact, uncertainties) = (method.exact(), method.uncertainties());
        let (Some(butcher), Some(uncertainty)) =
            (exact.partitions.get(partition), uncertainties.partitions.get(partition))
        else {
            return Err(StabilityError::WrongSize { found: partition + 1, expected: exact.partitions.len() });
        };
        let (butcher, scale) = over_common_denominator(butcher);
        let mut function = StabilityFunction::new(&butcher);
        let is_exact = uncertainty.a.iter().flatten().chain(&uncertainty.b).all(|delta| *delta == 0.0);
        let sensitivity = (!is_exact).then(|| {
            drop_leading(&mut function, &butcher, uncertainty, &scale);
            Sensitivity::new(method.to_f64().partitions[partition].clone(), uncertainty.clone())
        });
        Ok(Self { function, scale, sensitivity })
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
        let squares =
            [&self.function.numerator, &self.function.denominator].map(|p| squared_modulus(p, &(x.clone(), y.clone())));
        Ok(Ray::new(squares, &self.scale, direction, self.sensitivity.as_ref()))
    }
}

/// Leading coefficients of N and D that the precision of the table explains are zero: taken literally, a numerator of too
/// high a degree by 10⁻¹⁷ would end every stability at 10¹⁷. Explicit methods keep theirs, which are products of coefficients.
fn drop_leading(
    function: &mut StabilityFunction<Exact>,
    butcher: &Butcher<Exact>,
    uncertainty: &Butcher<f64>,
    scale: &RBig,
) {
    if butcher.is_explicit() {
        return;
    }
    let [above, below] = leading_uncertainties(butcher, uncertainty, scale);
    for (p, explained) in [(&mut function.numerator, above), (&mut function.denominator, below)] {
        while let Some(last) = p.last()
            && p.len() > 1
            && (last.is_zero() || !exceeds(last, &explained[p.len() - 1]))
        {
            p.pop();
        }
    }
}

fn exceeds(value: &Exact, explained: &Exact) -> bool {
    (value.abs() - explained.clone()).sign().is_gt()
}
