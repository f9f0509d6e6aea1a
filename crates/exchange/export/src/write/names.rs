//! Identifiers that every language accepts.
//!
//! Names of variables begin with a fixed letter and an underscore, and names of functions end with a fixed word, so
//! that none is a reserved word. Fortran is case-insensitive and accepts 63 characters.

use hemiola_tableau::Method;

const LONGEST: usize = 24;

/// Returns the method's id with underscores, beginning with a letter.
pub(super) fn method_name(method: &Method) -> String {
    identifier(method.id())
}

/// Returns an id with underscores, beginning with a letter.
pub(super) fn identifier(id: &str) -> String {
    let name = word(id);
    let name = if name.starts_with(|c: char| c.is_ascii_digit()) { format!("method_{name}") } else { name };
    name.chars().take(2 * LONGEST).collect::<String>().trim_end_matches('_').to_owned()
}

/// Returns the names of the partitions as parts of identifiers; numbers replace names that are too long, not
/// alphanumeric or not distinct.
pub(super) fn partition_names(method: &Method) -> Vec<String> {
    let names: Vec<String> = method.partitions().iter().map(|partition| word(&partition.name)).collect();
    let serves = |r: usize| (1..=LONGEST).contains(&names[r].len()) && !names[..r].contains(&names[r]);
    if (0..names.len()).all(serves) { names } else { (1..=names.len()).map(|r| r.to_string()).collect() }
}

/// Converts a text to lower-case letters and digits, with single underscores for everything else between them.
fn word(text: &str) -> String {
    let letters = text.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' });
    letters.collect::<String>().split_whitespace().collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use hemiola_tableau::{Claims, Coefficient, Partition, Source};

    use super::*;

    fn method(id: &str, partitions: &[&str]) -> Method {
        let number = |text: &str| Coefficient::parse(text).unwrap();
        let partition = |name: &&str| Partition {
            name: (*name).to_owned(),
            a: vec![vec![number("0")]],
            b: vec![number("1")],
            c: None,
            b_hat: None,
            dense: None,
        };
        let partitions = partitions.iter().map(partition).collect();
        Method::new(id, "a name", partitions, Claims::default(), None, Source::default()).unwrap()
    }

    #[test]
    fn names_are_short_and_begin_with_a_letter() {
        assert_eq!(method_name(&method("rk4", &["all"])), "rk4");
        assert_eq!(method_name(&method("2-5", &["all"])), "method_2_5");
        let long = vec!["word"; 40].join("-");
        assert_eq!(method_name(&method(&long, &["all"])).len(), 2 * LONGEST);
    }

    #[test]
    fn partitions_that_cannot_lend_their_names_are_numbered() {
        assert_eq!(partition_names(&method("m", &["Slow", "very fast!"])), ["slow", "very_fast"]);
        for names in [["slow", "日本"], ["a b", "a-b"], ["fast", "a name that is too long to be read"]] {
            assert_eq!(partition_names(&method("m", &names)), ["1", "2"]);
        }
    }
}
