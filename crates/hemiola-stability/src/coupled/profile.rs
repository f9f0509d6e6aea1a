//! The coupled profile: the fraction of the decoupled step that is left under coupling.

use hemiola_number::parallel;
use hemiola_tableau::{Method, Tableau};
use num_complex::Complex64;

use crate::coupled::pair_steps::PairExcess;
use crate::error::StabilityError;
use crate::function::limit::stability_limit;
use crate::map::field::Field;
use crate::steps::search::{StepSearch, first_exit};

/// Ratios of κ to κ* = L_f/L_s at which both subsystems reach their limits together.
const RATIOS: [f64; 10] = [0.5, 0.7, 0.85, 0.95, 1.0, 1.05, 1.2, 1.5, 2.0, 3.0];
/// ρ(S) may exceed one by this much, the tolerance of the definition.
const TOLERANCE: f64 = 1e-9;
/// The scan extends this far beyond the decoupled step; further stabilization by coupling is of no interest.
const FARTHEST: f64 = 2.0;
/// Samples up to there, and the blocks in which they are taken. Between them a maximum is sought where ρ has one.
const SAMPLES: usize = 4000;
const BLOCKS: usize = 8;

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
/// [`StabilityError::NotAPair`] unless the method has two partitions, [`StabilityError::OutOfRange`] if the damping is
/// not between 0 and 1, or a limit is zero or unbounded.
pub fn coupled_profile(method: &Method, damping: f64, gammas: &[f64]) -> Result<CoupledProfile, StabilityError> {
    let step = CoupledStep::new(method, damping)?;
    let least = parallel::map(gammas.len(), |k| step.least(gammas[k]));
    let values = gammas.iter().copied().zip(least).collect();
    Ok(CoupledProfile { damping, slow_limit: step.slow_limit, fast_limit: step.fast_limit, values })
}

/// The fraction of the decoupled step that is left under a single coupling: t*/t₀ over κ/κ* and the coupling number g,
/// of which the [profile](coupled_profile) is the minimum.
///
/// As a [`Field`] it is t*/t₀ over x = κ/κ* and y = γ with g = γ|γ|: below the axis couplings are negative.
///
/// ```
/// use hemiola_stability::CoupledStep;
/// let method = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
/// let step = CoupledStep::new(&method, 0.05)?;
/// assert!(step.ratio(1.0, 0.01) < 1.0 && (step.ratio(1.0, 0.0) - 1.0).abs() < 1e-6);
/// # Ok::<(), hemiola_stability::StabilityError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CoupledStep {
    tableau: Tableau<f64>,
    /// The direction −ζ + i√(1−ζ²).
    u: Complex64,
    slow_limit: f64,
    fast_limit: f64,
}

impl CoupledStep {
    /// The steps at the damping ratio ζ.
    ///
    /// # Errors
    /// Those of [`coupled_profile`].
    pub fn new(method: &Method, damping: f64) -> Result<Self, StabilityError> {
        if method.partitions().len() != 2 {
            return Err(StabilityError::NotAPair { found: method.partitions().len() });
        }
        if !(0.0..1.0).contains(&damping) {
            return Err(StabilityError::OutOfRange { name: "the damping", value: damping, expected: "0 ≤ ζ < 1" });
        }
        let u = Complex64::new(-damping, (1.0 - damping * damping).sqrt());
        let [slow_limit, fast_limit] = [finite_limit(method, 0, u)?, finite_limit(method, 1, u)?];
        Ok(Self { tableau: method.to_f64(), u, slow_limit, fast_limit })
    }

    /// t*/t₀ at κ = `ratio`·κ* and coupling number g, at most 2.
    #[must_use]
    pub fn ratio(&self, ratio: f64, coupling: f64) -> f64 {
        let kappa = self.kappa(ratio);
        let decoupled = self.slow_limit.min(self.fast_limit / kappa);
        let z = [self.u, kappa * self.u, coupling * kappa * self.u * self.u];
        let search = StepSearch { farthest: FARTHEST * decoupled, samples: SAMPLES, margin: TOLERANCE };
        // Only numbers that are not finite are refused, and there is no step with them.
        let excess = PairExcess::new(&self.tableau, z, TOLERANCE);
        excess.map_or(0.0, |excess| (first_exit(&excess, search, BLOCKS) / decoupled).min(FARTHEST))
    }

    fn kappa(&self, ratio: f64) -> f64 {
        ratio * self.fast_limit / self.slow_limit
    }

    /// The least ratio over all frequency ratios and both signs of the coupling.
    fn least(&self, gamma: f64) -> f64 {
        profile_cases(-self.u.re, [self.slow_limit, self.fast_limit], gamma)
            .into_iter()
            .map(|(ratio, coupling)| self.ratio(ratio, coupling))
            .fold(f64::INFINITY, f64::min)
    }
}

impl Field for CoupledStep {
    fn at(&self, x: f64, y: f64) -> f64 {
        // Of frequency ratios that are negative or no numbers there is no decoupled step.
        if x >= 0.0 && y.is_finite() { self.ratio(x, y * y.abs()) } else { f64::INFINITY }
    }
}

/// The cases over which the [profile](coupled_profile) at γ is the minimum: κ/κ* with the coupling number g = ±γ²,
/// except those whose exact problem is damped less than ζ/2. `limits` are L_s and L_f along z = t(−ζ + i√(1−ζ²)).
///
/// ```
/// use hemiola_stability::profile_cases;
/// // Ten ratios with two signs.
/// assert_eq!(profile_cases(0.05, [0.8, 4.0], 0.1).len(), 20);
/// // Near κ = 1 a negative coupling number takes the damping away.
/// let resonant = profile_cases(0.05, [4.0, 4.0], 0.1);
/// assert!(resonant.len() == 15 && resonant.iter().all(|(ratio, g)| *g > 0.0 || (ratio - 1.0).abs() > 0.2));
/// ```
#[must_use]
pub fn profile_cases(damping: f64, [slow_limit, fast_limit]: [f64; 2], gamma: f64) -> Vec<(f64, f64)> {
    let u = Complex64::new(-damping, (1.0 - damping * damping).sqrt());
    let couplings = [gamma * gamma, -gamma * gamma];
    let cases = RATIOS.iter().flat_map(|&ratio| couplings.map(|coupling| (ratio, coupling)));
    let is_counted = |&(ratio, coupling): &(f64, f64)| {
        let kappa = ratio * fast_limit / slow_limit;
        is_damped(u, kappa, coupling, damping / 2.0)
    };
    cases.filter(is_counted).collect()
}

/// The first exit of one partition, where there is one.
fn finite_limit(method: &Method, partition: usize, u: Complex64) -> Result<f64, StabilityError> {
    let limit = stability_limit(method, partition, u)?.value();
    if limit > 0.0 && limit.is_finite() {
        return Ok(limit);
    }
    Err(StabilityError::OutOfRange {
        name: "a partition's limit",
        value: limit,
        expected: "a positive finite limit along the damped ray",
    })
}

/// Whether both roots of λ² − (1+κ)uλ + κu²(1−g) are damped at least by `ratio`.
fn is_damped(u: Complex64, kappa: f64, coupling: f64, ratio: f64) -> bool {
    let discriminant = Complex64::from((1.0 - kappa).powi(2) + 4.0 * kappa * coupling).sqrt();
    [discriminant, -discriminant].into_iter().all(|root| {
        let lambda = u * (1.0 + kappa + root) * 0.5;
        -lambda.re >= ratio * lambda.norm()
    })
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
    fn where_there_is_no_decoupled_step_the_field_is_infinite() {
        let step = CoupledStep::new(&library::method("mprk-p2").unwrap(), 0.05).unwrap();
        for (x, y) in [(-1.0, 0.1), (f64::NAN, 0.1), (1.0, f64::NAN)] {
            assert_eq!(step.at(x, y), f64::INFINITY);
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
