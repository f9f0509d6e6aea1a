//! Coupled profile with the fast part solved exactly: its limit L_f is infinite, so that t₀ = L_s.

mod columns;
mod descent;
mod radius;
mod search;
mod task;

use hemiola_stability::{CoupledProfile, ProfileValue, StabilityError, stability_limit};
use num_complex::Complex64;

use self::radius::FlowRadius;
use self::search::ProfileGrid;
use super::coupled::CoupledFlow;
use crate::error::MultirateError;
use crate::method::InfinitesimalMethod;

/// Computes the coupled profile of a method with one slow partition for coupling strengths 0 ≤ γ < 1.
///
/// As for [pairs](hemiola_stability::coupled_profile), z_ss = tu, z_ff = κtu and z_sf z_fs = g z_ss z_ff with u = −ζ +
/// i√(1−ζ²), and t* is the first t at which ρ(S) exceeds its [bound](hemiola_stability::Growth). An exact fast part has the limit L_f = ∞,
/// so that the decoupled limit t₀ = min(L_s, L_f/κ) is L_s, and κ* = L_f/L_s cannot be the center of a range. The
/// profile is therefore the infimum of t*/L_s over all κ ≥ 1, κ → ∞ included, and the couplings g of each kind. Without
/// damping (ζ = 0) the flow e^{iκt} has no limit, and κt ≤ 400. The infimum at most equals the practical or strict
/// limit of the slow part alone, over L_s. κ = ∞ denotes a limit. With a start or a drift the fast part is not exact;
/// if it alone grows at some frequency, the infimum is almost zero.
///
/// ```
/// let method = hemiola_multirate::library::method("mri-gark-erk33a")?;
/// let profile = hemiola_multirate::flow_profile(&method, 0.05, &[0.1])?;
/// assert!(profile.fast_limit.is_infinite() && profile.values[0].practical.value < 1.01);
/// # Ok::<(), hemiola_multirate::MultirateError>(())
/// ```
///
/// # Errors
/// Returns [`MultirateError::Coupled`] for a method with coupled stages; [`StabilityError::NotAPair`] for several slow
/// partitions, [`StabilityError::OutOfRange`] if the damping or a strength is not in [0, 1), or L_s is zero or
/// unbounded.
pub fn flow_profile(
    method: &InfinitesimalMethod,
    damping: f64,
    gammas: &[f64],
) -> Result<CoupledProfile, MultirateError> {
    let flow = CoupledFlow::new(method)?;
    if flow.partitions() != 2 {
        return Err(StabilityError::NotAPair { found: flow.partitions() }.into());
    }
    let named = std::iter::once(("the damping", &damping));
    for (name, &value) in named.chain(gammas.iter().map(|gamma| ("a coupling strength", gamma))) {
        if !(0.0..1.0).contains(&value) {
            return Err(StabilityError::OutOfRange { name, value, expected: "a number ≥ 0 and < 1" }.into());
        }
    }
    let u = Complex64::new(-damping, (1.0 - damping * damping).sqrt());
    let slow_limit = stability_limit(&method.slow_method()?, 0, u)?.value();
    if !(slow_limit > 0.0 && slow_limit.is_finite()) {
        let expected = "a positive finite limit along the damped ray";
        return Err(StabilityError::OutOfRange { name: "the slow limit", value: slow_limit, expected }.into());
    }
    let radius = FlowRadius::new(flow, u, slow_limit);
    let infima = ProfileGrid::new(&radius).infima(gammas);
    let pairs = gammas.iter().zip(infima);
    let values =
        pairs.map(|(&gamma, [practical, strict, skew])| ProfileValue { gamma, practical, strict, skew }).collect();
    Ok(CoupledProfile { damping, slow_limit, fast_limit: f64::INFINITY, values })
}
