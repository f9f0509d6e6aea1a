//! Target and result of the coupled profile, as text and as JSON.

use hemiola::design::findings::{ProfileAtStrength, ProfileComparison};
use serde_json::{Value, json};

use crate::output::text;

/// Returns the names of the columns.
pub(crate) fn header(wish: &ProfileComparison) -> [String; 4] {
    [format!("coupled profile, ζ = {}", wish.damping), "wanted".into(), "reached".into(), "shortfall".into()]
}

/// Returns one row per coupling strength, to three decimals, as in the specification of profiles.
pub(crate) fn rows(wish: &ProfileComparison) -> Vec<[String; 4]> {
    let shown = |value: f64| text::number((value * 1e3).round() / 1e3);
    let row = |strength: &ProfileAtStrength| {
        let reached = strength.reached.map_or_else(|| "–".to_owned(), shown);
        let lacking = strength.reached.map(|reached| strength.wished - reached).filter(|lacking| *lacking >= 5e-4);
        let lacking =
            if strength.reached.is_some() { lacking.map_or_else(String::new, shown) } else { "–".to_owned() };
        [format!("γ = {}", strength.gamma), text::number(strength.wished), reached, lacking]
    };
    wish.strengths.iter().map(row).collect()
}

pub(crate) fn to_json(wish: &ProfileComparison) -> Value {
    let row = |strength: &ProfileAtStrength| json!({ "gamma": strength.gamma, "wished": strength.wished, "reached": strength.reached });
    json!({ "damping": wish.damping, "profile": wish.strengths.iter().map(row).collect::<Vec<_>>() })
}
