//! Stability functions, limits and the coupled profile: `hemiola stability`.

use hemiola_export::describe;
use hemiola_stability::{DampedRay, Dispersion, ExactStability, LeadingTerm, Limit, StabilityError, coupled_profile};
use hemiola_tableau::{Exact, Method};
use num_complex::Complex64;
use serde::{Deserialize, Serialize};

use crate::subject::Subject;
use crate::wording::{Fact, message};

/// Damping ratios of the rays and coupling strengths of the profile, as on the command line.
const RAYS: [f64; 4] = [0.0, 0.05, 0.2, 1.0];
const STRENGTHS: [f64; 5] = [0.01, 0.05, 0.1, 0.2, 0.4];

#[derive(Deserialize)]
pub(crate) struct LimitsQuestion {
    subject: Subject,
    /// Damping ratio of the profile.
    zeta: f64,
}

#[derive(Serialize)]
pub(crate) struct Limits {
    partitions: Vec<PartitionLimits>,
    profile: Option<Profile>,
}

#[derive(Serialize)]
struct PartitionLimits {
    name: String,
    facts: Vec<Fact>,
    /// Damping ratio ζ, limit, |R| at half and at 0.9 of the limit, and slope of |R| at the limit.
    rays: Vec<[String; 5]>,
}

#[derive(Serialize)]
struct Profile {
    zeta: f64,
    slow_limit: String,
    fast_limit: String,
    /// Coupling strength γ, the practical, strict and skew profile, and κ and g of the practical one.
    rows: Vec<[String; 6]>,
}

impl LimitsQuestion {
    pub(crate) fn answer(&self) -> Result<Limits, String> {
        let method = self.subject.method()?;
        let partition = |index| PartitionLimits::new(&method, index).map_err(message);
        let partitions = (0..method.partitions().len()).map(partition).collect::<Result<_, String>>()?;
        Ok(Limits { partitions, profile: self.profile(&method)? })
    }

    /// Computes the profile, or `None` unless there are two partitions with positive and finite limits.
    fn profile(&self, method: &Method) -> Result<Option<Profile>, String> {
        if method.partitions().len() != 2 {
            return Ok(None);
        }
        let profile = match coupled_profile(method, self.zeta, &STRENGTHS) {
            Ok(profile) => profile,
            Err(StabilityError::OutOfRange { .. }) => return Ok(None),
            Err(error) => return Err(message(error)),
        };
        let row = |at: &hemiola_stability::ProfileValue| {
            let [practical, strict, skew] =
                [at.practical, at.strict, at.skew].map(|infimum| format!("{:.4}", infimum.value));
            let (kappa, g) = (format!("{:.3}", at.practical.kappa), format!("{:.4}", at.practical.coupling));
            [at.gamma.to_string(), practical, strict, skew, kappa, g]
        };
        Ok(Some(Profile {
            zeta: profile.damping,
            slow_limit: describe::number(profile.slow_limit),
            fast_limit: describe::number(profile.fast_limit),
            rows: profile.values.iter().map(row).collect(),
        }))
    }
}

impl PartitionLimits {
    fn new(method: &Method, index: usize) -> Result<Self, StabilityError> {
        let stability = ExactStability::new(method, index)?;
        let function = stability.literal_function();
        let dispersion = Dispersion::with(&stability, method, index)?;
        let is_implicit = function.denominator.len() > 1;
        let numerator = describe::polynomial(&function.numerator);
        let function = if is_implicit {
            format!("({numerator}) / ({})", describe::polynomial(&function.denominator))
        } else {
            numerator
        };
        let at_infinity = stability.modulus_at_infinity();
        let sector = sector(stability.sector_angle()?, is_implicit, at_infinity.as_ref());
        let mut facts = vec![
            Fact::new("R(z)", function),
            Fact::new("imaginary limit", limit(stability.limit(Complex64::I)?)),
            Fact::new("real limit", limit(stability.limit(-Complex64::ONE)?)),
            Fact::new("sector", sector),
        ];
        if is_implicit {
            let text = at_infinity.as_ref().map_or_else(|| "unbounded".to_owned(), describe::exact);
            facts.push(Fact::new("|R(∞)|", text));
        }
        facts.push(Fact::new("phase error", error(dispersion.phase())));
        facts.push(Fact::new("dissipation", error(dispersion.amplitude())));
        let rays = RAYS.iter().map(|&zeta| stability.damped_ray(zeta)).collect::<Result<Vec<DampedRay>, _>>()?;
        let is_bounded = rays.iter().any(|ray| matches!(ray.limit, Limit::Finite(_)));
        let rays = if is_bounded { rays.iter().map(row).collect() } else { Vec::new() };
        Ok(Self { name: method.partitions()[index].name.clone(), facts, rays })
    }
}

fn limit(limit: Limit) -> String {
    match limit {
        Limit::Finite(value) => describe::number(value),
        Limit::Unbounded => "unbounded".to_owned(),
    }
}

fn sector(angle: Option<f64>, is_implicit: bool, at_infinity: Option<&Exact>) -> String {
    match angle {
        None if is_implicit => "none".to_owned(),
        None => "none (R is a polynomial)".to_owned(),
        Some(90.0) if at_infinity.is_some_and(|modulus| modulus.to_f64() == 0.0) => "90° (L-stable)".to_owned(),
        Some(90.0) => "90° (A-stable)".to_owned(),
        Some(angle) => format!("{}°", describe::number(angle)),
    }
}

/// Formats the order of an error with its leading term.
fn error(leading: Option<&LeadingTerm>) -> String {
    let Some(LeadingTerm { order, constant }) = leading else { return "none".to_owned() };
    let mut term = vec![Exact::from(0); *order + 1];
    term.push(constant.clone());
    format!("order {order}: {} + …", describe::polynomial(&term).replace('z', "y"))
}

fn row(ray: &DampedRay) -> [String; 5] {
    let limit = match ray.limit {
        Limit::Finite(value) => format!("{value:.4}"),
        Limit::Unbounded => "unbounded".to_owned(),
    };
    // Adding zero removes the sign of a negative zero.
    let rounded = |value: f64| format!("{:.4}", (value * 1e4).round() / 1e4 + 0.0);
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), rounded);
    let at = ray.at_limit.as_ref();
    [
        ray.damping.to_string(),
        limit,
        number(at.map(|at| at.half)),
        number(at.map(|at| at.nine_tenths)),
        number(at.map(|at| at.slope)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_a_pair() {
        let found = LimitsQuestion { subject: Subject::of_library("shome-haug-jay-2-5"), zeta: 0.05 }.answer().unwrap();
        assert_eq!(found.partitions[1].facts[1], Fact::new("imaginary limit", "4.000000021"));
        assert_eq!(found.profile.unwrap().rows.len(), STRENGTHS.len());
    }
}
