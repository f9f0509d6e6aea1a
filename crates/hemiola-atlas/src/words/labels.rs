//! How partitions are called in the text of trees.

use hemiola_tableau::Method;

/// The labels of the partitions in trees: first letters of their names where these differ.
#[must_use]
pub fn labels(method: &Method) -> Vec<String> {
    let names = || method.partitions().iter().map(|partition| partition.name.as_str());
    let initials: Vec<String> = names().map(|name| name.chars().take(1).collect()).collect();
    let differ = (1..initials.len()).all(|k| !initials[..k].contains(&initials[k]));
    if differ { initials } else { names().map(str::to_owned).collect() }
}
