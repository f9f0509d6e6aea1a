//! Comparison of the requested coupled profile with the reached one.

use hemiola_stability::coupled_profile;
use hemiola_tableau::Method;

use crate::specification::Coupling;

/// The requested and the reached profile at each coupling strength.
#[derive(Clone, Debug)]
pub struct ProfileComparison {
    /// The damping ratio ζ.
    pub damping: f64,
    /// The values at each coupling strength.
    pub strengths: Vec<ProfileAtStrength>,
}

/// The profile at one coupling strength.
#[derive(Clone, Copy, Debug)]
pub struct ProfileAtStrength {
    /// The coupling strength γ.
    pub gamma: f64,
    /// The requested profile.
    pub wished: f64,
    /// The practical profile reached; `None` if a partition has no limit along the damped ray.
    pub reached: Option<f64>,
}

impl ProfileComparison {
    /// Compares the requested profile with the profile of a method.
    #[must_use]
    pub fn new(wish: &Coupling, method: &Method) -> Self {
        let profile = coupled_profile(method, wish.damping, &wish.gammas).ok();
        let reached =
            |k: usize| profile.as_ref().and_then(|profile| profile.values.get(k)).map(|at| at.practical.value);
        let strength = |(k, (gamma, wished)): (usize, (&f64, &f64))| ProfileAtStrength {
            gamma: *gamma,
            wished: *wished,
            reached: reached(k),
        };
        let strengths = wish.gammas.iter().zip(&wish.profile).enumerate().map(strength);
        Self { damping: wish.damping, strengths: strengths.collect() }
    }
}
