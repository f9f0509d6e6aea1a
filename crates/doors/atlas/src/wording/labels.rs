//! Labels of partitions in the text of trees.

use hemiola_tableau::Method;

/// Returns the labels of the partitions in trees: the first letters of their names, or the names if these letters
/// coincide.
#[must_use]
pub fn labels(method: &Method) -> Vec<String> {
    let names = || method.partitions().iter().map(|partition| partition.name.as_str());
    let initials: Vec<String> = names().map(|name| name.chars().take(1).collect()).collect();
    let differ = (1..initials.len()).all(|k| !initials[..k].contains(&initials[k]));
    if differ { initials } else { names().map(str::to_owned).collect() }
}
