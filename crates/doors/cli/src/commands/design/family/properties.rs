//! Properties of a family as text, for its page and its report.

use hemiola::atlas::wording;
use hemiola::design::{Certificate, Family, FamilyLevel};

use crate::output::text;

/// Properties of a family as text.
pub(super) struct Properties<'a> {
    pub(super) family: &'a Family,
    pub(super) certificate: &'a Certificate,
    pub(super) systems: &'a [String],
}

impl Properties<'_> {
    pub(super) const HEADER: [&'static str; 5] = ["Evaluations", "Limit", "Optimum", "Share", "Amplification"];

    /// Returns a row for each level.
    pub(super) fn levels(&self) -> impl Iterator<Item = [String; 5]> {
        let row = |level: &FamilyLevel| {
            [
                level.evaluations.to_string(),
                text::rounded(level.limit, 6),
                text::rounded(level.optimum, 6),
                format!("{:.3}", level.share()),
                text::rounded(level.amplification, 3),
            ]
        };
        self.family.levels.iter().map(row)
    }

    /// Returns the properties of the whole family.
    pub(super) fn facts(&self) -> Vec<(&'static str, String)> {
        let family = self.family;
        let (norm, [few, many]) = family.worst_pair;
        let storage = if family.is_chain {
            "every stage uses only the first and the previous stage"
        } else {
            "as a chain before the shared stages, which use one another"
        };
        let coupled = self.systems.iter().zip(&family.coupled).map(|(name, step)| {
            let levels: Vec<String> = step.levels.iter().map(|&k| family.levels[k].evaluations.to_string()).collect();
            ("coupled step", format!("{:.3} of the parts alone: {} on {name}", step.ratio, levels.join("–")))
        });
        let first = [
            ("principal error norm", format!("{} of all levels", text::number(family.error_norm))),
            ("worst pair", format!("{few}–{many}: {}", text::number(norm))),
        ];
        let last = [
            ("largest coefficient", text::number(family.largest_coefficient)),
            ("storage", storage.to_owned()),
            ("certificate", wording::certificate(self.certificate)),
        ];
        first.into_iter().chain(coupled).chain(last).collect()
    }
}
