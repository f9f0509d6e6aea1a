//! Partitions of a method, identified by their names.

use super::draft::DraftPartition;

/// Names of partitions in the names of arrays, and the names used here.
const PARTITIONS: [(&str, &str); 20] = [
    ("t", "implicit"),
    ("i", "implicit"),
    ("im", "implicit"),
    ("imp", "implicit"),
    ("impl", "implicit"),
    ("implicit", "implicit"),
    ("dirk", "implicit"),
    ("e", "explicit"),
    ("ex", "explicit"),
    ("exp", "explicit"),
    ("expl", "explicit"),
    ("explicit", "explicit"),
    ("erk", "explicit"),
    ("s", "slow"),
    ("slow", "slow"),
    ("f", "fast"),
    ("fast", "fast"),
    ("medium", "medium"),
    ("tilde", "explicit"),
    ("hat", "explicit"),
];

/// Returns the partition that the rest of an array's name denotes.
pub(super) fn partition(rest: &str) -> Option<&'static str> {
    let lower = rest.to_lowercase();
    PARTITIONS.iter().find(|(word, _)| *word == lower).map(|(_, name)| *name)
}

/// Returns whether a partition has one of these names or none.
pub(super) fn is_known(part: &DraftPartition) -> bool {
    part.name.is_empty() || PARTITIONS.iter().any(|(_, known)| *known == part.name)
}

/// Names an unnamed partition as the counterpart of the named one, and moves explicit or slow partitions to the front.
pub(crate) fn rename(parts: &mut [DraftPartition]) {
    if parts.len() == 1 {
        parts[0].name = String::new();
        return;
    }
    let other = |name: &str| match name {
        "implicit" => "explicit",
        "explicit" => "implicit",
        "slow" => "fast",
        "fast" => "slow",
        _ => "other",
    };
    let known = parts.iter().find(|part| !part.name.is_empty()).map_or("", |part| &part.name).to_owned();
    for part in parts.iter_mut().filter(|part| part.name.is_empty()) {
        part.name = other(&known).to_owned();
    }
    let rank = |part: &DraftPartition| usize::from(matches!(part.name.as_str(), "implicit" | "fast"));
    parts.sort_by_key(rank);
}
