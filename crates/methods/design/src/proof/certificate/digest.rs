//! The digest by which a certificate names a table.

use hemiola_tableau::{Butcher, Coefficient, Exact, Method, Partition};
use sha2::{Digest, Sha256};

/// The first line of the hashed text; a change of the text requires another name.
const FORMAT: &str = "hemiola-table/1";

/// Computes the SHA-256 of the exact coefficients of a table, including embedded weights and dense output, as
/// `sha256:` and 64 digits.
///
/// The hashed text has a line for each partition, each row of A, the weights, the embedded weights, each row of the
/// dense output, and for abscissae that are not the row sums of A. Numbers are fractions in lowest terms, separated
/// by spaces; irrational numbers are hashed as written. Names, sources and trailing zeros have no influence.
pub(crate) fn digest(method: &Method) -> String {
    let tableau = method.exact();
    let mut lines = vec![FORMAT.to_owned()];
    for (partition, butcher) in method.partitions().iter().zip(&tableau.partitions) {
        lines.push("partition".to_owned());
        lines.extend(coefficients(partition, butcher));
    }
    let hash = Sha256::digest((lines.join("\n") + "\n").as_bytes());
    hash.iter().fold("sha256:".to_owned(), |text, byte| format!("{text}{byte:02x}"))
}

fn coefficients(partition: &Partition, butcher: &Butcher<Exact>) -> Vec<String> {
    let abscissae = partition.c.as_ref().filter(|_| !butcher.abscissae_are_row_sums());
    let a = partition.a.iter().map(|row| line("a", row));
    let dense = partition.dense.iter().flatten().map(|row| line("dense", row));
    let vectors = [("b", Some(&partition.b)), ("c", abscissae), ("b_hat", partition.b_hat.as_ref())];
    let vectors = vectors.into_iter().filter_map(|(name, vector)| vector.map(|vector| line(name, vector)));
    a.chain(vectors).chain(dense).collect()
}

fn line(name: &str, values: &[Coefficient]) -> String {
    let number =
        |value: &Coefficient| value.value().as_rational().map_or_else(|| value.text().to_owned(), ToString::to_string);
    let words = values.iter().map(number);
    [name.to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(partition: &str) -> Method {
        let text = format!(
            r#"{{ "format": "hemiola-method/1", "id": "heun", "name": "Heun", "partitions": [{{ "name": "all", {partition} }}] }}"#
        );
        Method::from_json(text.as_bytes(), "heun.json").unwrap()
    }

    #[test]
    fn only_the_exact_coefficients_count() {
        let heun = digest(&method(r#""a": [["0", "0"], ["1", "0"]], "b": ["1/2", "1/2"]"#));
        // printf 'hemiola-table/1\npartition\na 0 0\na 1 0\nb 1/2 1/2\n' | sha256sum
        assert_eq!(heun, "sha256:584093856b2e429a78bfba165cc4d8f463933ba11745cd26fba5e14d9e9c63c3");
        let same = r#""a": [["0", "0"], ["1.0", "0"]], "b": ["2/4", "0.50"], "c": ["0", "1"]"#;
        assert_eq!(digest(&method(same)), heun);
        let rest = [
            r#""a": [["0", "0"], ["1", "0"]], "b": ["1/2", "0.5000001"]"#,
            r#""a": [["0", "0"], ["1", "0"]], "b": ["1/2", "1/2"], "c": ["0", "1/2"]"#,
            r#""a": [["0", "0"], ["1", "0"]], "b": ["1/2", "1/2"], "b_hat": ["1", "0"]"#,
            r#""a": [["0", "0"], ["1", "0"]], "b": ["1/2", "1/2"], "dense": [["1", "-1/2"], ["0", "1/2"]]"#,
        ];
        let mut all: Vec<String> = rest.iter().map(|text| digest(&method(text))).chain([heun]).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 5);
    }
}
