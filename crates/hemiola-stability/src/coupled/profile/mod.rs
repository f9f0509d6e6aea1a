//! The coupled profile: the fraction of the decoupled step that is left under coupling.
//!
//! On z_ss = X L_s u, z_ff = Y L_f u, z_sf z_fs = g z_ss z_ff with u = −ζ + i√(1−ζ²) the step is stable without coupling
//! where max(X, Y) ≤ 1. A step t with frequency ratio κ lies at X = t/L_s, Y = κt/L_f, and t/t₀ = max(X, Y) for the
//! decoupled step t₀ = min(L_s, L_f/κ). So the infimum of t*/t₀ over κ and g is the least max(X, Y) of all unstable
//! points: no first exit has to be followed, and what is sought is one minimum over a box (`infimum`). `radius` has ρ(S)
//! at its points, `step` the first exit for a single coupling, along which S of explicit pairs is a `polynomial`.

mod couplings;
mod descent;
mod growth;
mod infimum;
mod polynomial;
mod radius;
mod step;
#[cfg(test)]
mod tests;

use hemiola_tableau::Method;

use crate::error::StabilityError;
use couplings::Sign;
pub use growth::{Growth, Infimum};
use infimum::infima;
use radius::CoupledRadius;
pub use step::CoupledStep;

/// The profile of a pair at one damping ratio.
#[derive(Clone, Debug, PartialEq)]
pub struct CoupledProfile {
    /// The damping ratio ζ of both subsystems: z = t(−ζ + i√(1−ζ²)).
    pub damping: f64,
    /// L_s, the first exit of |R_s| along that ray.
    pub slow_limit: f64,
    /// L_f, the first exit of |R_f|.
    pub fast_limit: f64,
    /// The profile at each coupling strength.
    pub values: Vec<ProfileValue>,
}

/// The profile at one coupling strength γ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProfileValue {
    /// γ.
    pub gamma: f64,
    /// Symmetric couplings, 0 ≤ g ≤ γ², with [practical](Growth::Practical) growth.
    pub practical: Infimum,
    /// Symmetric couplings with [strict](Growth::Strict) growth.
    pub strict: Infimum,
    /// Skew couplings, −γ² ≤ g ≤ 0, with practical growth.
    pub skew: Infimum,
}

/// Profiles times stages; each takes some milliseconds.
const MOST_WORK: usize = 4000;

/// Refuses the coupled profiles of all pairs of a method's partitions where they would take minutes.
///
/// ```
/// let pair = hemiola_tableau::library::method("mprk-p3").unwrap();
/// assert!(hemiola_stability::check_profiles(&pair, 5).is_ok());
/// assert!(hemiola_stability::check_profiles(&pair, 1_000_000).is_err());
/// ```
///
/// # Errors
/// [`StabilityError::TooManyProfiles`].
pub fn check_profiles(method: &Method, strengths: usize) -> Result<(), StabilityError> {
    let (partitions, stages) = (method.partitions().len(), method.stages());
    let (pairs, most) = (partitions * (partitions - 1) / 2, MOST_WORK / stages.max(1));
    if pairs.saturating_mul(strengths) <= most {
        return Ok(());
    }
    Err(StabilityError::TooManyProfiles { pairs, strengths, stages, most })
}

/// The coupled profile of a pair for coupling strengths 0 ≤ γ < 1.
///
/// With z_ss = tu, z_ff = κtu, z_sf z_fs = g z_ss z_ff, t* the first t at which ρ(S) exceeds its [bound](Growth) and t₀ =
/// min(L_s, L_f/κ) the decoupled limit, the profile is the infimum of t*/t₀ over κ from κ*/10 to 10κ*, κ* = L_f/L_s,
/// and all g
///
/// - from 0 to γ² (symmetric: what springs between bodies make). The exact eigenvalues are real positive multiples of
///   u, so the exact problem is damped by ζ, and the method alone is judged;
/// - from −γ² to 0 where 4|g|κ ≤ (1 − κ)² (skew: friction, follower forces), where the same is true.
///
/// All are infima over sets that grow with γ, so that no profile rises with γ. Found by a search over a grid, from whose
/// peaks and resonances, R_s = R_f, others are sought; refined to 1e-7.
///
/// ```
/// let method = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
/// let profile = hemiola_stability::coupled_profile(&method, 0.05, &[0.1, 0.2])?;
/// let [weak, strong] = profile.values[..] else { unreachable!() };
/// assert!((weak.practical.value - 0.9286).abs() < 1e-4 && strong.practical.value < weak.practical.value);
/// assert!(weak.strict.value <= weak.practical.value && weak.practical.coupling <= 0.1 * 0.1);
/// # Ok::<(), hemiola_stability::StabilityError>(())
/// ```
///
/// # Errors
/// [`StabilityError::NotAPair`] unless the method has two partitions, [`StabilityError::OutOfRange`] if the damping or a
/// coupling strength is not between 0 and 1, or a limit is zero or unbounded.
pub fn coupled_profile(method: &Method, damping: f64, gammas: &[f64]) -> Result<CoupledProfile, StabilityError> {
    let radius = CoupledRadius::new(method, damping)?;
    for &value in gammas {
        if !(0.0..1.0).contains(&value) {
            return Err(StabilityError::OutOfRange { name: "a coupling strength", value, expected: "0 ≤ γ < 1" });
        }
    }
    let symmetric = infima(&radius, Sign::Symmetric, gammas, &[Growth::Practical, Growth::Strict]);
    let skew = infima(&radius, Sign::Skew, gammas, &[Growth::Practical]);
    let value = |(k, &gamma): (usize, &f64)| ProfileValue {
        gamma,
        practical: symmetric[k][0],
        strict: symmetric[k][1],
        skew: skew[k][0],
    };
    let [slow_limit, fast_limit] = radius.limits();
    Ok(CoupledProfile { damping, slow_limit, fast_limit, values: gammas.iter().enumerate().map(value).collect() })
}
