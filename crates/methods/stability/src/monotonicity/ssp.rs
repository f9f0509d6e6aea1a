//! The SSP coefficient of one partition and its optimal Shu–Osher form.

use dashu::rational::RBig;
use hemiola_tableau::{Exact, Method};
use num_traits::Zero;

use crate::error::StabilityError;
use crate::monotonicity::radius::{MonotonicityRadius, certified_radius};
use crate::monotonicity::region::MonotonicityRegion;

/// Computes the SSP coefficient C of a partition, counted from 0: its radius of absolute monotonicity.
///
/// C is the supremum of the r for which (I + rK)⁻¹ exists, rK(I + rK)⁻¹ ≥ 0 and rK(I + rK)⁻¹e ≤ e, K = [A 0; bᵀ 0]
/// (Kraaijevanger 1991; Ferracina & Spijker 2005; Higueras 2005). Bounds are proved in exact arithmetic, with the same
/// treatment of coefficients as in [`MonotonicityRegion`].
///
/// ```
/// use hemiola_stability::monotonicity::{MonotonicityRadius, ssp_coefficient};
/// use hemiola_tableau::library::method;
/// assert_eq!(ssp_coefficient(&method("ssp-rk-4-3")?, 0)?.value(), Some(2.0));
/// assert_eq!(ssp_coefficient(&method("rk4")?, 0)?.value(), Some(0.0));
/// assert_eq!(ssp_coefficient(&method("implicit-euler")?, 0)?, MonotonicityRadius::Unbounded);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`StabilityError::WrongSize`] if there is no such partition.
pub fn ssp_coefficient(method: &Method, partition: usize) -> Result<MonotonicityRadius, StabilityError> {
    MonotonicityRegion::of_partition(method, partition)?.radius_along(&[RBig::ONE])
}

/// Shu–Osher form of one partition: yᵢ = vᵢuₙ + Σⱼ (αᵢⱼyⱼ + hβᵢⱼf(yⱼ)), i = 1, …, s + 1, and uₙ₊₁ = y_{s+1}.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShuOsherForm {
    /// The ratio r = αᵢⱼ/βᵢⱼ of all entries with βᵢⱼ ≠ 0.
    pub radius: Exact,
    /// The factors v of the step's initial value.
    pub v: Vec<Exact>,
    /// The matrix α = r(I + rK)⁻¹K, row by row; its last column is zero.
    pub alpha: Vec<Vec<Exact>>,
    /// The matrix β = (I + rK)⁻¹K, row by row.
    pub beta: Vec<Vec<Exact>>,
}

/// Computes the canonical Shu–Osher form of a partition for r = C, with v, α, β ≥ 0 and v + αe = e (Ferracina &
/// Spijker 2005; Higueras 2005).
///
/// If C is not a simple fraction, r is its lower bound in doubles, so that no entry is negative. Stages without
/// influence on the step are absent. Returns `None` if C is zero or unbounded.
///
/// ```
/// use hemiola_stability::monotonicity::optimal_shu_osher;
/// use hemiola_tableau::{Exact, library};
/// // u₂ = ¾u + ¼(u₁ + hf(u₁)) and ⅓u + ⅔(u₂ + hf(u₂)).
/// let form = optimal_shu_osher(&library::method("ssp-rk-3-3")?, 0)?.ok_or("no form")?;
/// assert_eq!(form.v[2..], [Exact::from_ratio(3, 4), Exact::from_ratio(1, 3)]);
/// assert_eq!(form.alpha[3][2], Exact::from_ratio(2, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`StabilityError::WrongSize`] if there is no such partition.
pub fn optimal_shu_osher(method: &Method, partition: usize) -> Result<Option<ShuOsherForm>, StabilityError> {
    let ray = MonotonicityRegion::of_partition(method, partition)?.ray(&[RBig::ONE])?;
    let radius = certified_radius(&ray);
    let Some(radius) = radius.inside().filter(|radius| !radius.is_zero()) else { return Ok(None) };
    let Some(solution) = ray.solution(&radius) else { return Ok(None) };
    let v = solution.iter().map(|row| row[0].clone()).collect();
    let beta: Vec<Vec<Exact>> = solution.into_iter().map(|row| row[1..].to_vec()).collect();
    let alpha = beta.iter().map(|row| row.iter().map(|x| radius.clone() * x.clone()).collect()).collect();
    Ok(Some(ShuOsherForm { radius, v, alpha, beta }))
}
