//! Coupled profile: the fraction of the decoupled step that remains under coupling.
//!
//! On z_ss = X L_s u, z_ff = Y L_f u, z_sf z_fs = g z_ss z_ff with u = −ζ + i√(1−ζ²) the step without coupling is
//! stable for max(X, Y) ≤ 1. A step t with frequency ratio κ lies at X = t/L_s, Y = κt/L_f, and t/t₀ = max(X, Y) for
//! the decoupled step t₀ = min(L_s, L_f/κ). The infimum of t*/t₀ over κ and g is therefore the smallest max(X, Y) of
//! all unstable points. This is one minimum over a box (`infimum`); no first exit has to be followed. `radius` computes
//! ρ(S) at the points of the box, and `step` the first exit for a single coupling, along which S of explicit pairs is a
//! `polynomial`.

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
use couplings::CouplingSign;
pub use growth::{Growth, Infimum};
use infimum::infima;
use radius::CoupledRadius;
pub use step::CoupledStep;

/// Profile of a pair at one damping ratio.
#[derive(Clone, Debug, PartialEq)]
pub struct CoupledProfile {
    /// Damping ratio ζ of both subsystems: z = t(−ζ + i√(1−ζ²)).
    pub damping: f64,
    /// Limit L_s, the first exit of |R_s| along that ray.
    pub slow_limit: f64,
    /// Limit L_f, the first exit of |R_f|.
    pub fast_limit: f64,
    /// Profile at each coupling strength.
    pub values: Vec<ProfileValue>,
}

/// Profile at one coupling strength γ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProfileValue {
    /// Coupling strength γ.
    pub gamma: f64,
    /// Infimum over symmetric couplings, 0 ≤ g ≤ γ², with [practical](Growth::Practical) growth.
    pub practical: Infimum,
    /// Infimum over symmetric couplings with [strict](Growth::Strict) growth.
    pub strict: Infimum,
    /// Infimum over skew couplings, −γ² ≤ g ≤ 0, with practical growth.
    pub skew: Infimum,
}

/// Maximum number of profiles times stages; each unit takes some milliseconds.
const MOST_WORK: usize = 4000;

/// Returns an error if the coupled profiles of all pairs of a method's partitions would take minutes.
///
/// ```
/// let pair = hemiola_tableau::library::method("mprk-p3").unwrap();
/// assert!(hemiola_stability::check_profiles(&pair, 5).is_ok());
/// assert!(hemiola_stability::check_profiles(&pair, 1_000_000).is_err());
/// ```
///
/// # Errors
/// Returns [`StabilityError::TooManyProfiles`] if there are too many pairs or strengths.
pub fn check_profiles(method: &Method, strengths: usize) -> Result<(), StabilityError> {
    let (partitions, stages) = (method.partitions().len(), method.stages());
    let (pairs, most) = (partitions * (partitions - 1) / 2, MOST_WORK / stages.max(1));
    if pairs.saturating_mul(strengths) <= most {
        return Ok(());
    }
    Err(StabilityError::TooManyProfiles { pairs, strengths, stages, most })
}

/// Computes the coupled profile of a pair for coupling strengths 0 ≤ γ < 1.
///
/// With z_ss = tu, z_ff = κtu, z_sf z_fs = g z_ss z_ff, t* the first t at which ρ(S) exceeds its [bound](Growth) and t₀
/// = min(L_s, L_f/κ) the decoupled limit, the profile is the infimum of t*/t₀ over κ from κ*/10 to 10κ*, κ* = L_f/L_s,
/// and all g
///
/// - from 0 to γ² (symmetric, as from springs between bodies). The exact eigenvalues are positive multiples of u. The
///   exact problem is therefore damped by ζ, and the profile shows the effect of the method alone;
/// - from −γ² to 0 with 4|g|κ ≤ (1 − κ)² (skew: friction, follower forces), for which the same is true.
///
/// All are infima over sets that grow with γ, so no profile increases with γ. The search samples a grid, starts further
/// searches from its peaks and from resonances, R_s = R_f, and refines the infima to 1e-7.
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
/// Returns [`StabilityError::NotAPair`] unless the method has two partitions, [`StabilityError::OutOfRange`] if the
/// damping or a coupling strength is not between 0 and 1, or a limit is zero or unbounded.
pub fn coupled_profile(method: &Method, damping: f64, gammas: &[f64]) -> Result<CoupledProfile, StabilityError> {
    let radius = CoupledRadius::new(method, damping)?;
    for &value in gammas {
        if !(0.0..1.0).contains(&value) {
            return Err(StabilityError::OutOfRange { name: "a coupling strength", value, expected: "0 ≤ γ < 1" });
        }
    }
    let symmetric = infima(&radius, CouplingSign::Symmetric, gammas, &[Growth::Practical, Growth::Strict]);
    let skew = infima(&radius, CouplingSign::Skew, gammas, &[Growth::Practical]);
    let value = |(k, &gamma): (usize, &f64)| ProfileValue {
        gamma,
        practical: symmetric[k][0],
        strict: symmetric[k][1],
        skew: skew[k][0],
    };
    let [slow_limit, fast_limit] = radius.limits();
    Ok(CoupledProfile { damping, slow_limit, fast_limit, values: gammas.iter().enumerate().map(value).collect() })
}
