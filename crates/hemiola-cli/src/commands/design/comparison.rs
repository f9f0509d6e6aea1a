//! Table rows that compare the design with published pairs.

use crate::output::text;

use hemiola::design::findings::PairNumbers;
use hemiola::stability::ProfileValue;

use super::findings::Findings;

/// One row per quantity: its name, then its value for the design and for each published pair.
pub(crate) fn rows(findings: &Findings) -> Vec<Vec<String>> {
    let pairs: Vec<&PairNumbers> = std::iter::once(&findings.pair).chain(&findings.published).collect();
    let row = |name: &str, value: &dyn Fn(&PairNumbers) -> Option<f64>| {
        let cell = |pair: &&PairNumbers| value(pair).map_or_else(|| "–".to_owned(), text::number);
        std::iter::once(name.to_owned()).chain(pairs.iter().map(cell)).collect::<Vec<String>>()
    };
    let mut rows = vec![
        row("principal error norm", &|pair| Some(pair.error_norm)),
        row("fast limit, imaginary axis", &|pair| Some(pair.fast_limits[0])),
        row("fast limit, negative real axis", &|pair| Some(pair.fast_limits[1])),
        row("largest coefficient", &|pair| Some(pair.largest_coefficient)),
        row("internal amplification, imaginary axis", &|pair| pair.amplifications[0]),
        row("internal amplification, negative real axis", &|pair| pair.amplifications[1]),
    ];
    if let Some(profile) = &findings.pair.profile {
        for (k, ProfileValue { gamma, .. }) in profile.values.iter().enumerate() {
            let name = format!("coupled profile at γ = {gamma}, ζ = {}", profile.damping);
            // The scan over frequency ratios determines the profile to three decimals.
            let value = |pair: &PairNumbers| {
                pair.profile.as_ref().map(|profile| (profile.values[k].practical.value * 1e3).round() / 1e3)
            };
            rows.push(row(&name, &value));
        }
    }
    rows
}
