//! Table rows that compare the design with published pairs.

use crate::output::text;

use super::balance;
use super::findings::DesignResults;

use hemiola::design::findings::PairNumbers;
use hemiola::stability::ProfileValue;

/// Builds one row per quantity: its name, then its value for the design and for each published pair.
pub(crate) fn rows(findings: &DesignResults) -> Vec<Vec<String>> {
    let pairs: Vec<&PairNumbers> = std::iter::once(&findings.pair).chain(&findings.published).collect();
    let texts = |name: &str, text: &dyn Fn(&PairNumbers) -> String| {
        std::iter::once(name.to_owned()).chain(pairs.iter().map(|pair| text(pair))).collect::<Vec<String>>()
    };
    let row = |name: &str, value: &dyn Fn(&PairNumbers) -> Option<f64>| {
        texts(name, &|pair| value(pair).map_or_else(|| "–".to_owned(), text::number))
    };
    let mut rows = vec![
        row("principal error norm", &|pair| Some(pair.error_norm)),
        row("norm × (slow evaluations)^p", &|pair| Some(pair.scaled_norm)),
        row("fast limit, imaginary axis", &|pair| Some(pair.fast_limits[0])),
        row("fast limit, negative real axis", &|pair| Some(pair.fast_limits[1])),
        row("largest coefficient", &|pair| Some(pair.largest_coefficient)),
        row("internal amplification, imaginary axis", &|pair| pair.amplifications[0]),
        row("internal amplification, negative real axis", &|pair| pair.amplifications[1]),
        row("smallest weight", &|pair| Some(pair.smallest_weight)),
        texts("abscissae", &|pair| pair.abscissae.map(balance::abscissa).join(" to ")),
        texts("shared", &|pair| shared(pair).to_owned()),
    ];
    if let Some(profile) = &findings.pair.profile {
        for (k, ProfileValue { gamma, .. }) in profile.values.iter().enumerate() {
            let name = format!("coupled profile at γ = {gamma}, practical, strict");
            let value = |pair: &PairNumbers| {
                pair.profile.as_ref().map_or_else(
                    || "–".to_owned(),
                    |profile| {
                        let ProfileValue { practical, strict, .. } = profile.values[k];
                        [practical, strict].map(|infimum| format!("{:.4}", infimum.value)).join(", ")
                    },
                )
            };
            rows.push(texts(&name, &value));
        }
    }
    rows
}

/// Describes the coefficients that both partitions share.
fn shared(pair: &PairNumbers) -> &'static str {
    match (pair.shares_weights, pair.shares_abscissae) {
        (true, true) => "weights, abscissae",
        (true, false) => "weights",
        (false, true) => "abscissae",
        (false, false) => "–",
    }
}
