//! Coupled profiles, as text and as JSON.

use hemiola::stability::{CoupledProfile, ProfileValue};
use serde::Serialize;

use crate::output::text;
use crate::output::text::Column;

/// Limits of both partitions along the damped ray.
#[derive(Serialize)]
pub(super) struct DecoupledLimits {
    damping: f64,
    slow_limit: f64,
    fast_limit: f64,
}

/// Profile at one coupling strength, and the minimizer of the practical one.
#[derive(Serialize)]
pub(super) struct StrengthReport {
    gamma: f64,
    practical: f64,
    strict: f64,
    skew: f64,
    kappa: f64,
    g: f64,
}

impl DecoupledLimits {
    pub(super) fn of(profile: &CoupledProfile) -> Self {
        let &CoupledProfile { damping, slow_limit, fast_limit, .. } = profile;
        Self { damping, slow_limit, fast_limit }
    }
}

impl From<ProfileValue> for StrengthReport {
    fn from(value: ProfileValue) -> Self {
        let ProfileValue { gamma, practical, strict, skew } = value;
        let [practical_value, strict, skew] = [practical, strict, skew].map(|infimum| infimum.value);
        Self { gamma, practical: practical_value, strict, skew, kappa: practical.kappa, g: practical.coupling }
    }
}

/// Formats a profile below its heading.
pub(super) fn profile_page(heading: &str, decoupled: &DecoupledLimits, profile: &[StrengthReport]) -> String {
    let mut text = format!("\n{heading}: least t*/t₀ at damping ζ = {}\n\n", decoupled.damping);
    let row = |at: &StrengthReport| {
        let values = [at.practical, at.strict, at.skew].map(|value| format!("{value:.4}"));
        let kappa = if at.kappa.is_finite() { format!("{:.3}", at.kappa) } else { "∞".to_owned() };
        let place = [kappa, format!("{:.4}", at.g)];
        [vec![at.gamma.to_string()], values.to_vec(), place.to_vec()].concat()
    };
    let columns = ["γ", "Practical", "Strict", "Skew", "κ", "g"].map(|name| (name, Column::Right));
    text += &text::table(&columns, profile.iter().map(row));
    let limit = |value: f64| if value.is_finite() { text::number(value) } else { "∞".to_owned() };
    let limits = [("slow limit", limit(decoupled.slow_limit)), ("fast limit", limit(decoupled.fast_limit))];
    text += &format!("\n{}", text::entries(&limits));
    text
}
