//! The coupled profile: how much of the decoupled step coupling leaves.

use hemiola_tableau::Method;
use num_complex::Complex64;

use crate::error::StabilityError;
use crate::limit::stability_limit;
use crate::region::CoupledRay;

/// Ratios of κ to κ* = L_f/L_s at which both subsystems reach their limits together.
const RATIOS: [f64; 10] = [0.5, 0.7, 0.85, 0.95, 1.0, 1.05, 1.2, 1.5, 2.0, 3.0];
/// ρ(S) may exceed one by this much: the definition's tolerance.
const TOLERANCE: f64 = 1e-9;
/// The scan goes this far beyond the decoupled step; coupling that stabilises further is not of interest.
const FARTHEST: f64 = 2.0;
/// Points of the scan between zero and the decoupled step. Between two of them a maximum is sought where ρ has one.
const POINTS: usize = 2000;

/// The profile of a pair at one damping ratio.
#[derive(Clone, Debug, PartialEq)]
pub struct CoupledProfile {
    /// The damping ratio ζ of both subsystems: z = t(−ζ + i√(1−ζ²)).
    pub damping: f64,
    /// L_s, the first exit of |R_s| along that ray.
    pub slow_limit: f64,
    /// L_f, the first exit of |R_f|.
    pub fast_limit: f64,
    /// Pairs of γ and the profile there: the smallest ratio of the coupled to the decoupled step over all κ and g = ±γ².
    pub values: Vec<(f64, f64)>,
}

/// The coupled profile of a pair for coupling strengths `gammas`.
///
/// For z_ss = tu, z_ff = κtu and coupling number g = ±γ², t* is the first t with ρ(S) > 1 + 1e-9 and t₀ = min(L_s, L_f/κ)
/// the decoupled limit; the profile is the least t*/t₀ over κ/κ* from 0.5 to 3, κ* = L_f/L_s. Pairs (κ, g) whose exact
/// problem is damped less than ζ/2 are left out.
///
/// ```
/// let method = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
/// let profile = hemiola_stability::coupled_profile(&method, 0.05, &[0.1]).unwrap();
/// assert!((profile.values[0].1 - 0.923).abs() < 0.005);
/// ```
///
/// # Errors
/// [`StabilityError::NotAPair`] where the method has not two partitions, [`StabilityError::OutOfRange`] where the damping
/// is not between 0 and 1 or a limit is zero or unbounded, so that there is nothing to compare with.
pub fn coupled_profile(method: &Method, damping: f64, gammas: &[f64]) -> Result<CoupledProfile, StabilityError> {
    if method.partitions().len() != 2 {
        return Err(StabilityError::NotAPair { found: method.partitions().len() });
    }
    if !(0.0..1.0).contains(&damping) {
        return Err(StabilityError::OutOfRange { name: "the damping", value: damping, expected: "0 ≤ ζ < 1" });
    }
    let u = Complex64::new(-damping, (1.0 - damping * damping).sqrt());
    let mut limits = [0.0; 2];
    for (partition, limit) in limits.iter_mut().enumerate() {
        *limit = stability_limit(method, partition, u)?.value();
        if *limit == 0.0 || limit.is_infinite() {
            return Err(StabilityError::OutOfRange {
                name: "a partition's limit",
                value: *limit,
                expected: "a positive finite limit along the damped ray",
            });
        }
    }
    let [slow_limit, fast_limit] = limits;
    let tableau = method.to_f64();
    let mut values = Vec::with_capacity(gammas.len());
    for &gamma in gammas {
        let mut least = f64::INFINITY;
        for ratio in RATIOS {
            let kappa = ratio * fast_limit / slow_limit;
            let decoupled = slow_limit.min(fast_limit / kappa);
            for coupling in [gamma * gamma, -gamma * gamma] {
                if is_damped(u, kappa, coupling, damping / 2.0) {
                    let ray = CoupledRay::new(&tableau, kappa, coupling)?;
                    least = least.min(first_exit(|t| ray.spectral_radius(u * t), decoupled) / decoupled);
                }
            }
        }
        values.push((gamma, least));
    }
    Ok(CoupledProfile { damping, slow_limit, fast_limit, values })
}

/// Whether both roots of λ² − (1+κ)uλ + κu²(1−g) are damped at least by `ratio`.
fn is_damped(u: Complex64, kappa: f64, coupling: f64, ratio: f64) -> bool {
    let discriminant = Complex64::from((1.0 - kappa).powi(2) + 4.0 * kappa * coupling).sqrt();
    [discriminant, -discriminant].into_iter().all(|root| {
        let lambda = u * (1.0 + kappa + root) * 0.5;
        -lambda.re >= ratio * lambda.norm()
    })
}

/// The first t at which ρ exceeds 1 + [`TOLERANCE`], scanned up to [`FARTHEST`] · `scale`.
fn first_exit(radius: impl Fn(f64) -> f64, scale: f64) -> f64 {
    let step = scale / POINTS as f64;
    let exceeds = |t: f64| radius(t) > 1.0 + TOLERANCE;
    let (mut before, mut last) = (f64::INFINITY, radius(0.0));
    for i in 1..=(FARTHEST * POINTS as f64) as usize {
        let t = step * i as f64;
        let value = radius(t);
        if value > 1.0 + TOLERANCE {
            return bisect(exceeds, t - step, t);
        }
        if before < last && value < last {
            // A peak between the neighbours may stick out where the points do not.
            let peak = maximum(&radius, t - 2.0 * step, t);
            if exceeds(peak) {
                return bisect(exceeds, t - 2.0 * step, peak);
            }
        }
        (before, last) = (last, value);
    }
    FARTHEST * scale
}

fn bisect(exceeds: impl Fn(f64) -> bool, mut low: f64, mut high: f64) -> f64 {
    // Fifty halvings of a step reach the resolution of doubles.
    for _ in 0..50 {
        let middle = f64::midpoint(low, high);
        if exceeds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

/// The place of a maximum, by golden section.
fn maximum(f: &impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    for _ in 0..40 {
        let (left, right) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
        if f(left) > f(right) {
            high = right;
        } else {
            low = left;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    const GAMMAS: [f64; 5] = [0.01, 0.05, 0.1, 0.2, 0.4];

    #[test]
    fn profiles_of_published_pairs() {
        // Reference values to about 0.005.
        for (id, slow, fast, expected) in [
            ("shome-haug-jay-2-5", 0.802, 4.042, [0.991, 0.960, 0.923, 0.860, 0.757]),
            ("mprk-p3", 2.80, 5.60, [0.999, 0.996, 0.987, 0.954, 0.868]),
            ("perk-4-9-5", 2.99, 4.79, [1.0, 0.993, 0.959, 0.468, 0.490]),
        ] {
            let profile = coupled_profile(&library::method(id).unwrap(), 0.05, &GAMMAS).unwrap();
            assert!((profile.slow_limit - slow).abs() < 0.006, "{id}: {}", profile.slow_limit);
            assert!((profile.fast_limit - fast).abs() < 0.006, "{id}: {}", profile.fast_limit);
            for ((gamma, value), expected) in profile.values.iter().zip(expected) {
                assert!((value - expected).abs() < 0.006, "{id} at {gamma}: {value}, expected {expected}");
            }
        }
    }

    #[test]
    fn pairs_without_a_finite_limit_have_no_profile() {
        let midpoint = library::method("lobatto-iiia-iiib-2").unwrap();
        assert!(matches!(coupled_profile(&midpoint, 0.05, &GAMMAS), Err(StabilityError::OutOfRange { .. })));
        let rk4 = library::method("rk4").unwrap();
        assert!(matches!(coupled_profile(&rk4, 0.05, &GAMMAS), Err(StabilityError::NotAPair { found: 1 })));
        let pair = library::method("mprk-p2").unwrap();
        assert!(matches!(coupled_profile(&pair, 1.5, &GAMMAS), Err(StabilityError::OutOfRange { .. })));
    }
}
