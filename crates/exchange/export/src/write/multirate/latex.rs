//! Coupling tables for papers: abscissae and the matrices of each power of τ, with the embedded row below.

use hemiola_multirate::{InfinitesimalMethod, InfinitesimalStage};
use hemiola_tableau::{Exact, printable};

use super::rows::{CouplingRows, header};
use crate::write::layout::comment;

pub(super) fn latex(method: &InfinitesimalMethod) -> String {
    let exported = "the abscissae, then for each slow partition the matrices of the powers of tau";
    comment(&header(method, exported), "% ") + &multirate_latex(method)
}

/// Writes the coupling tables of a method as LaTeX displays. For each slow partition and each power k of τ there is the
/// matrix Γᵏ of the forcing, beside its abscissae, and the matrix of the corrections, if any. Methods with starts and
/// drifts also have the matrices α and γ, which multiply Y_j − Y₁. The embedded row is below the line.
///
/// ```
/// let method = hemiola_multirate::library::method("mri-gark-erk22a")?;
/// let text = hemiola_export::multirate_latex(&method);
/// assert!(text.contains(r"2 & 1 & -\frac{1}{2} & 1 \\"), "{text}");
/// # Ok::<(), hemiola_tableau::MethodError>(())
/// ```
#[must_use]
pub fn multirate_latex(method: &InfinitesimalMethod) -> String {
    let rows = CouplingRows::new(method);
    let names = &method.partitions()[1..];
    let mut text = String::new();
    for (r, name) in names.iter().enumerate() {
        let label = if names.len() > 1 { format!("\\text{{{}}},", escaped(name)) } else { String::new() };
        let powers = rows.numbered().map(|(_, row)| row.forcing[r].len()).max().unwrap_or(0);
        for k in 0..powers {
            let forcing = |row: &InfinitesimalStage<Exact>| row.forcing[r].get(k).cloned().unwrap_or_default();
            text += &display(&rows, &format!("\\Gamma^{{{label}{k}}}"), forcing);
        }
        if rows.has_corrections(r) {
            text += &display(&rows, &format!("\\bar\\Gamma^{{{label}}}"), |row| row.correction[r].clone());
        }
    }
    if rows.combined().is_some() {
        text += &display(&rows, "\\alpha", |row| row.start.clone());
        text += &display(&rows, "\\gamma", |row| row.drift.clone());
    }
    text
}

/// Writes one matrix: the number of the stage that a row starts from, its abscissa, and its entries.
fn display(rows: &CouplingRows, name: &str, entries: impl Fn(&InfinitesimalStage<Exact>) -> Vec<Exact>) -> String {
    let columns = rows.numbered().map(|(_, row)| entries(row).len()).max().unwrap_or(0).max(1);
    let line = |c: &Exact, row: &InfinitesimalStage<Exact>| {
        let mut cells: Vec<String> = entries(row).iter().map(fraction).collect();
        cells.resize(columns, "0".to_owned());
        format!("{} & {} & {} \\\\\n", row.from, fraction(c), cells.join(" & "))
    };
    let mut text = format!("\\[\n{name} =\n\\begin{{array}}{{cc|{}}}\nr & c & ", "c".repeat(columns));
    let numbers: Vec<String> = (1..=columns).map(|j| format!("Y_{{{j}}}")).collect();
    text += &format!("{} \\\\\n\\hline\n", numbers.join(" & "));
    text += &rows.stages.iter().zip(&rows.c[1..]).map(|(row, c)| line(c, row)).collect::<String>();
    if let (Some(row), Some(end)) = (&rows.embedded, rows.c.last()) {
        text += &format!("\\hline\n{}", line(end, row));
    }
    text + "\\end{array}\n\\]\n"
}

pub(super) fn fraction(value: &Exact) -> String {
    const SHORT: usize = 32;
    const DIGITS: usize = 16;
    let text = value.to_string();
    if value.as_rational().is_none() || text.len() > SHORT {
        return value.to_decimal(DIGITS).to_string();
    }
    let (sign, size) = text.strip_prefix('-').map_or(("", text.as_str()), |size| ("-", size));
    size.split_once('/').map_or_else(|| text.clone(), |(n, d)| format!("{sign}\\frac{{{n}}}{{{d}}}"))
}

/// Writes a name as LaTeX text.
fn escaped(name: &str) -> String {
    let escape = |c: char| match c {
        '\\' => "\\textbackslash{}".to_owned(),
        '{' | '}' | '$' | '&' | '#' | '%' | '_' => format!("\\{c}"),
        '^' | '~' => format!("\\{c}{{}}"),
        _ => c.to_string(),
    };
    printable(name).chars().map(escape).collect()
}
