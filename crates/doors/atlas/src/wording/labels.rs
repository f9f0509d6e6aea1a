//! Labels of partitions in the text of trees.

use hemiola_tableau::Method;

/// Returns the labels of the partitions in trees: the first letters of their names, or the full names if these letters coincide.
#[must_use]
pub fn labels(method: &Method) -> Vec<String> {
    labels_of(method.partitions().iter().map(|partition| partition.name.as_str()))
}

/// Returns the labels of partitions with these names, as [`labels`] does.
///
/// ```
/// use hemiola_atlas::wording::labels_of;
/// assert_eq!(labels_of(["fast", "slow"].into_iter()), ["f", "s"]);
/// assert_eq!(labels_of(["slow", "steady"].into_iter()), ["slow", "steady"]);
/// ```
#[must_use]
pub fn labels_of<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let names: Vec<&str> = names.collect();
    let initials: Vec<String> = names.iter().map(|name| name.chars().take(1).collect()).collect();
    let differ = (1..initials.len()).all(|k| !initials[..k].contains(&initials[k]));
    if differ { initials } else { names.into_iter().map(str::to_owned).collect() }
}
