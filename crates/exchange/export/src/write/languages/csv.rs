//! One row per coefficient, for spreadsheets and scripts.

use hemiola_tableau::{Coefficient, Exact, Method, printable};

use crate::write::header::header;
use crate::write::layout::comment;
use crate::write::literal::decimal;

pub(crate) fn csv(method: &Method) -> String {
    let mut lines = header(method);
    lines.push(
        "Rows: quantity a, b, c, b_hat or dense of a partition; i and j count stages from 1 (a vector has no j, and for dense, \
         the coefficients of b_i(theta), j is the power of theta); exact is the number as published or, for abscissae that are row sums, computed; decimal has up to 40 significant digits."
            .to_owned(),
    );
    let mut text = comment(&lines, "# ") + "partition,quantity,i,j,exact,decimal\n";
    for (partition, butcher) in method.partitions().iter().zip(&method.exact().partitions) {
        let owner = quoted(&printable(&partition.name));
        let mut row = |quantity: &str, i: usize, j: Option<usize>, exact: &str, value: &Exact| {
            let j = j.map(|j| (j + 1).to_string()).unwrap_or_default();
            text += &format!("{owner},{quantity},{},{j},{},{}\n", i + 1, quoted(exact), decimal(value));
        };
        let mut coefficient = |quantity: &str, i: usize, j: Option<usize>, number: &Coefficient| {
            row(quantity, i, j, number.text(), number.value());
        };
        for (i, entries) in partition.a.iter().enumerate() {
            entries.iter().enumerate().for_each(|(j, a)| coefficient("a", i, Some(j), a));
        }
        partition.b.iter().enumerate().for_each(|(i, b)| coefficient("b", i, None, b));
        for (i, hat) in partition.b_hat.iter().flatten().enumerate() {
            coefficient("b_hat", i, None, hat);
        }
        for (i, powers) in partition.dense.iter().flatten().enumerate() {
            powers.iter().enumerate().for_each(|(k, d)| coefficient("dense", i, Some(k), d));
        }
        for (i, value) in butcher.c.iter().enumerate() {
            match &partition.c {
                Some(c) => row("c", i, None, c[i].text(), value),
                None => row("c", i, None, &value.to_string(), value),
            }
        }
    }
    text
}

/// Quotes a field if it contains separators of fields or lines.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
