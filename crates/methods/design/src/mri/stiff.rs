//! Stability of the implicit slow partition alone: R(∞), and |R| on the imaginary axis.

use hemiola_multirate::{InfinitesimalMethod, InfinitesimalStage, slow_tableau};
use hemiola_stability::sector_angle;
use hemiola_tableau::Scalar;
use num_complex::Complex64;

use crate::error::DesignError;
use crate::implicit::{AxisPoint, axis_points, scaled_stage_limits};
use crate::mri::form::MriForm;
use crate::mri::sectors::{FixedFast, Violation};
use crate::mri::specification::SlowStability;
use crate::pair::decimals::NOTHING;

/// Margin of the scaled |R(iy)|² below one at the samples, more than the search neglects, so that the stability can be
/// proved.
const MARGIN: f64 = 1e-4;

/// Computes R(∞) of a stiffly accurate partition with an explicit first stage, times the product of its diagonal entries.
pub(crate) fn scaled_limit_at_infinity<T: Scalar>(rows: &[InfinitesimalStage<T>], part: usize) -> T {
    let a = slow_tableau(rows, part);
    let stages: Vec<usize> = (0..a.len()).collect();
    scaled_stage_limits(&a, &stages, true).pop().unwrap_or_else(T::one)
}

/// The stability of the implicit slow partition of a multirate method alone: without the fast part and the other partition.
#[derive(Clone, Debug, PartialEq)]
pub struct StiffStability {
    /// The largest α in degrees such that the partition is A(α)-stable, proved in exact arithmetic for the coefficients as
    /// written: 90 for A-stability; `None` if there is none.
    pub angle: Option<f64>,
    /// |R(∞)|; exactly zero if it vanishes to the written decimals.
    pub at_infinity: f64,
}

impl StiffStability {
    /// Determines the stability; `None` without an implicit partition.
    pub(crate) fn new(method: &InfinitesimalMethod, form: &MriForm) -> Result<Option<Self>, DesignError> {
        let Some(part) = form.implicit_part() else { return Ok(None) };
        let angle = sector_angle(&method.slow_method()?, part)?;
        let rows = method.exact_rows();
        let rows = &rows[..form.stages];
        let scaled = scaled_limit_at_infinity(rows, part).to_f64();
        let diagonal = rows[0].correction[part][1].to_f64();
        let at_infinity = if scaled.abs() < NOTHING { 0.0 } else { (scaled / diagonal.powi(form.stages as i32)).abs() };
        Ok(Some(Self { angle, at_infinity }))
    }

    /// Returns the strongest requirement that holds.
    #[must_use]
    pub fn class(&self) -> SlowStability {
        match (self.angle, self.at_infinity) {
            (Some(90.0), 0.0) => SlowStability::LStable,
            (Some(90.0), _) => SlowStability::AStable,
            _ => SlowStability::Any,
        }
    }
}

/// The samples of the imaginary axis at which the implicit partition is stable.
pub(crate) struct AxisSamples {
    points: Vec<AxisPoint>,
}

impl AxisSamples {
    pub(crate) fn new(order: usize, stability: SlowStability) -> Self {
        Self { points: if stability == SlowStability::Any { Vec::new() } else { axis_points(order) } }
    }

    /// Finds all samples with |R(iy)|² > 1 less the margin.
    pub(crate) fn violations(
        &self,
        form: &MriForm,
        rows: &[InfinitesimalStage<f64>],
        with_gradient: bool,
    ) -> Vec<Violation> {
        let Some(part) = form.implicit_part() else { return Vec::new() };
        let alone = FixedFast::new(Complex64::ZERO, rows, part);
        let violation = |point: &AxisPoint| {
            let slow = Complex64::new(0.0, point.y);
            alone.violation(form, rows, slow, with_gradient).scaled(point.scale, MARGIN)
        };
        self.points.iter().map(violation).filter(Violation::is_positive).collect()
    }
}

#[cfg(test)]
mod tests {
    use hemiola_multirate::library;
    use hemiola_stability::modulus_at_infinity;

    use super::*;

    /// Compares with `modulus_at_infinity`, which knows nothing of stiff accuracy.
    #[test]
    fn the_scaled_limit_is_that_of_the_stability_function() {
        for (id, diagonal, part) in [("mri-gark-esdirk34a", 0.435_866_521_508_459_f64, 0), ("imex-mri-sr43", 0.25, 1)] {
            let method = library::method(id).unwrap();
            let rows = method.exact_rows();
            // Without the implicit stages, nothing is limited.
            let rows = &rows[..method.stages().len()];
            let a = slow_tableau(rows, part);
            let implicit: Vec<usize> = (1..a.len()).filter(|&k| a[k][k].to_f64() != 0.0).collect();
            assert!(implicit.iter().all(|&k| (a[k][k].to_f64() - diagonal).abs() < 1e-12), "{id}");
            let stages: Vec<usize> = std::iter::once(0).chain(implicit).collect();
            let limit = scaled_stage_limits(&a, &stages, true).pop().unwrap().to_f64();
            let found = limit.abs() / diagonal.powi(stages.len() as i32 - 1);
            let expected = modulus_at_infinity(&method.slow_method().unwrap(), part).unwrap().unwrap().to_f64();
            assert!((found - expected).abs() < 1e-12, "{id}: {found} {expected}");
        }
    }
}
