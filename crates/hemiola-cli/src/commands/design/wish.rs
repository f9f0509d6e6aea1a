//! A wished coupled profile beside the one that was reached.

use hemiola::design::Coupling;
use hemiola::stability::coupled_profile;
use hemiola::tableau::Method;
use serde_json::{Value, json};

use crate::output::text;

/// What was wished and what was reached, at each coupling strength.
pub(crate) struct Wish {
    damping: f64,
    strengths: Vec<Strength>,
}

struct Strength {
    gamma: f64,
    wished: f64,
    /// `None` where a part has no limit along the damped ray.
    reached: Option<f64>,
}

impl Wish {
    pub(crate) fn new(wish: &Coupling, method: &Method) -> Self {
        let profile = coupled_profile(method, wish.damping, &wish.gammas).ok();
        let reached = |k: usize| profile.as_ref().and_then(|profile| profile.values.get(k)).map(|(_, value)| *value);
        let strength = |(k, (gamma, wished)): (usize, (&f64, &f64))| Strength {
            gamma: *gamma,
            wished: *wished,
            reached: reached(k),
        };
        let strengths = wish.gammas.iter().zip(&wish.profile).enumerate().map(strength);
        Self { damping: wish.damping, strengths: strengths.collect() }
    }

    /// The names of the columns.
    pub(crate) fn header(&self) -> [String; 4] {
        [format!("coupled profile, ζ = {}", self.damping), "wished".into(), "reached".into(), "lacking".into()]
    }

    /// A row for each coupling strength. Three decimals are what the profile's scan over frequency ratios means.
    pub(crate) fn rows(&self) -> Vec<[String; 4]> {
        let shown = |value: f64| text::number((value * 1e3).round() / 1e3);
        let row = |strength: &Strength| {
            let reached = strength.reached.map_or_else(|| "–".to_owned(), shown);
            let lacking = strength.reached.map(|reached| strength.wished - reached).filter(|lacking| *lacking >= 5e-4);
            let lacking =
                if strength.reached.is_some() { lacking.map_or_else(String::new, shown) } else { "–".to_owned() };
            [format!("γ = {}", strength.gamma), text::number(strength.wished), reached, lacking]
        };
        self.strengths.iter().map(row).collect()
    }

    pub(crate) fn to_json(&self) -> Value {
        let row = |strength: &Strength| json!({ "gamma": strength.gamma, "wished": strength.wished, "reached": strength.reached });
        json!({ "damping": self.damping, "profile": self.strengths.iter().map(row).collect::<Vec<_>>() })
    }
}
