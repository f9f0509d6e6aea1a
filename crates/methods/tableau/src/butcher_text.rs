//! Butcher tableaus as text for a terminal and as LaTeX.

use dashu::rational::RBig;
use num_traits::Zero;

use crate::coefficient::Coefficient;
use crate::method::{Method, Partition};
use crate::printable::printable;
use hemiola_number::Exact;

/// Maximum length of a coefficient in a table. Longer texts are shown as decimals with [`SHOWN_DIGITS`] digits,
/// so that a tableau fits on a screen.
const LONGEST_SHOWN: usize = 14;
const SHOWN_DIGITS: usize = 10;

/// Formats the tableaus of all partitions as text, each under the name of its partition.
///
/// ```
/// let method = hemiola_tableau::library::method("heun-2").unwrap();
/// let text = hemiola_tableau::butcher_text(&method);
/// assert!(text.contains("1 │ 1"));
/// ```
#[must_use]
pub fn butcher_text(method: &Method) -> String {
    let explicit = method.exact().is_explicit();
    let several = method.partitions().len() > 1;
    let exact = method.exact();
    let mut tables = Vec::new();
    for (partition, butcher) in method.partitions().iter().zip(&exact.partitions) {
        let evaluations = butcher.evaluated_stages().len();
        let plural = if evaluations == 1 { "" } else { "s" };
        let title = if several {
            format!("{} ({evaluations} evaluation{plural} a step)\n", printable(&partition.name))
        } else {
            String::new()
        };
        tables.push(title + &partition_text(partition, &butcher.c, explicit) + &dense_text(partition));
    }
    tables.join("\n")
}

fn partition_text(partition: &Partition, c: &[Exact], explicit: bool) -> String {
    let shown_c: Vec<String> = match &partition.c {
        Some(c) => c.iter().map(shown).collect(),
        None => c.iter().map(shown_value).collect(),
    };
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    for (i, row) in partition.a.iter().enumerate() {
        let width = if explicit { i } else { row.len() };
        rows.push((shown_c[i].clone(), row[..width].iter().map(shown).collect()));
    }
    let stages = rows.len();
    rows.push((String::new(), partition.b.iter().map(shown).collect()));
    rows.extend(partition.b_hat.as_ref().map(|b_hat| ("b̂".to_owned(), b_hat.iter().map(shown).collect())));

    let width = |cells: &mut dyn Iterator<Item = &String>| cells.map(|cell| cell.chars().count()).max().unwrap_or(0);
    let first = width(&mut rows.iter().map(|(c, _)| c)).max(1);
    let columns: Vec<usize> =
        (0..stages).map(|j| width(&mut rows.iter().filter_map(|(_, cells)| cells.get(j)))).collect();
    let mut text = String::new();
    for (i, (c, cells)) in rows.iter().enumerate() {
        if i == stages {
            let rule: usize = columns.iter().map(|column| column + 2).sum();
            text += &format!("{}┼{}\n", "─".repeat(first + 2), "─".repeat(rule));
        }
        // Combining marks take no space: pad by hand.
        let padding = " ".repeat(first - c.chars().filter(|c| *c != '\u{302}').count().min(first));
        text += &format!(" {c}{padding} │");
        for (cell, column) in cells.iter().zip(&columns) {
            text += &format!(" {cell:<column$} ");
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    text
}

/// Formats the polynomials of the dense output, with a column for each stage and a row for each power of θ.
fn dense_text(partition: &Partition) -> String {
    let Some(dense) = &partition.dense else { return String::new() };
    let columns: Vec<Vec<String>> = dense.iter().map(|row| row.iter().map(shown).collect()).collect();
    let width = |column: &Vec<String>| column.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = columns.iter().map(width).collect();
    let degree = columns.first().map_or(0, Vec::len);
    let first = superscript(degree).chars().count() + 1;
    let mut text = "b(θ)\n".to_owned();
    for k in 0..degree {
        let power = if k == 0 { "θ".to_owned() } else { format!("θ{}", superscript(k + 1)) };
        let cells: String =
            columns.iter().zip(&widths).map(|(column, width)| format!(" {:<width$} ", column[k])).collect();
        let line = format!(" {power:<first$} │{cells}");
        text += line.trim_end_matches(' ');
        text.push('\n');
    }
    text
}

fn superscript(number: usize) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    number.to_string().bytes().map(|digit| DIGITS[usize::from(digit - b'0')]).collect()
}

/// Formats a coefficient so that it fits into a column.
fn shown(coefficient: &Coefficient) -> String {
    let text = coefficient.text();
    if text.chars().count() <= LONGEST_SHOWN { pretty(text) } else { decimal(coefficient.value()) }
}

fn shown_value(value: &Exact) -> String {
    let text = value.to_string();
    let is_short_fraction = value.as_rational().is_some() && text.len() <= LONGEST_SHOWN;
    match value.as_rational().and_then(finite_decimal) {
        Some(text) => text,
        None if is_short_fraction => text,
        None => decimal(value),
    }
}

/// Returns a rational as a terminating decimal, if the decimal fits into a column and the fraction is longer than
/// a few characters.
fn finite_decimal(value: &RBig) -> Option<String> {
    const SHORT_FRACTION: usize = 7;
    let decimal = value.to_float::<dashu::float::round::mode::HalfAway, 10>(LONGEST_SHOWN);
    let text = decimal.value().to_string();
    let exact = crate::parse_number(&text).ok()?.as_rational() == Some(value);
    (exact && text.len() <= LONGEST_SHOWN && value.to_string().len() > SHORT_FRACTION).then_some(text)
}

fn decimal(value: &Exact) -> String {
    if value.is_zero() { "0".to_owned() } else { value.to_decimal(SHOWN_DIGITS).to_string() }
}

/// Replaces sqrt(3) by √3, for roots of integers.
fn pretty(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("sqrt(") {
        let after = &rest[start + 5..];
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        result += &rest[..start];
        if digits > 0 && after[digits..].starts_with(')') {
            result += &format!("√{}", &after[..digits]);
            rest = &after[digits + 1..];
        } else {
            result += "sqrt(";
            rest = after;
        }
    }
    result + rest
}

/// Formats the tableaus of all partitions as LaTeX arrays, side by side in one display.
///
/// ```
/// let method = hemiola_tableau::library::method("gauss-2").unwrap();
/// let latex = hemiola_tableau::butcher_latex(&method);
/// assert!(latex.contains(r"\frac{1}{4}-\frac{1}{6}\sqrt{3}"));
/// ```
#[must_use]
pub fn butcher_latex(method: &Method) -> String {
    let explicit = method.exact().is_explicit();
    let exact = method.exact();
    let arrays: Vec<String> = method
        .partitions()
        .iter()
        .zip(&exact.partitions)
        .map(|(partition, butcher)| partition_latex(partition, &butcher.c, explicit))
        .collect();
    format!("\\[\n{}\n\\]\n", arrays.join("\n\\qquad\n"))
}

fn partition_latex(partition: &Partition, c: &[Exact], explicit: bool) -> String {
    let stages = partition.b.len();
    let row = |first: String, cells: &[Coefficient], blank: usize| {
        let cells: Vec<String> = cells.iter().map(latex).chain((0..blank).map(|_| String::new())).collect();
        format!("{first} & {} \\\\", cells.join(" & "))
    };
    let mut lines = vec![format!("\\begin{{array}}{{c|{}}}", "c".repeat(stages))];
    for (i, entries) in partition.a.iter().enumerate() {
        let width = if explicit { i } else { stages };
        let short = || c[i].as_rational().and_then(finite_decimal).unwrap_or_else(|| latex_value(&c[i]));
        let abscissa = partition.c.as_ref().map_or_else(short, |c| latex(&c[i]));
        lines.push(row(abscissa, &entries[..width], stages - width));
    }
    lines.push("\\hline".to_owned());
    lines.push(row(String::new(), &partition.b, 0));
    lines.extend(partition.b_hat.as_ref().map(|b_hat| row("\\hat b".to_owned(), b_hat, 0)));
    lines.push("\\end{array}".to_owned());
    lines.join("\n")
}

/// Formats a plain decimal as published, and any other coefficient in simplest form.
fn latex(coefficient: &Coefficient) -> String {
    let text = coefficient.text();
    let is_decimal = text.contains('.') && text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.".contains(&byte));
    if is_decimal { text.to_owned() } else { latex_value(coefficient.value()) }
}

fn latex_value(value: &Exact) -> String {
    let terms = value.terms();
    let mut text = String::new();
    for (factor, roots) in terms {
        let negative = factor < RBig::ZERO;
        let factor = if negative { -factor } else { factor };
        text += match (negative, text.is_empty()) {
            (true, _) => "-",
            (false, true) => "",
            (false, false) => "+",
        };
        if !factor.is_one() || roots.is_empty() {
            text += &latex_fraction(&factor);
        }
        // √3√5 becomes √15; nested roots are written separately.
        let (plain, nested): (Vec<Exact>, Vec<Exact>) =
            roots.into_iter().partition(|root| root.as_rational().is_some());
        let product = plain.into_iter().reduce(|product, radicand| product * radicand);
        for radicand in product.into_iter().chain(nested) {
            text += &format!("\\sqrt{{{}}}", latex_value(&radicand));
        }
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

fn latex_fraction(value: &RBig) -> String {
    if value.is_int() {
        value.to_string()
    } else {
        format!("\\frac{{{}}}{{{}}}", value.numerator(), value.denominator())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    #[test]
    fn rk4_as_in_the_books() {
        let text = butcher_text(&library::method("rk4").unwrap());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], " 1/2 │ 1/2");
        assert_eq!(lines[4], "─────┼────────────────────");
        assert_eq!(lines[5], "     │ 1/6  1/3  1/3  1/6");
    }

    #[test]
    fn roots_are_shown_as_roots() {
        assert_eq!(pretty("(3-sqrt(3))/6"), "(3-√3)/6");
        assert_eq!(pretty("sqrt(1+sqrt(2))"), "sqrt(1+√2)");
    }

    #[test]
    fn latex_of_nested_roots() {
        let value = crate::parse_number("1/2-sqrt(3-sqrt(5))").unwrap();
        assert_eq!(latex_value(&value), "\\frac{1}{2}-\\sqrt{3-\\sqrt{5}}");
        assert_eq!(latex_value(&Exact::zero()), "0");
        assert_eq!(
            latex_value(&crate::parse_number("1/2+sqrt(15)/10").unwrap()),
            "\\frac{1}{2}+\\frac{1}{10}\\sqrt{15}"
        );
    }

    #[test]
    fn latex_of_decimals() {
        let published = library::method("shome-haug-jay-2-5").unwrap();
        let latex = butcher_latex(&published);
        assert!(latex.contains("0.52737769 & 0 & 0.52737769") && !latex.contains("frac"), "{latex}");
        assert_eq!(self::latex(&Coefficient::parse("0.5*sqrt(2)").unwrap()), "\\frac{1}{2}\\sqrt{2}");
        assert_eq!(self::latex(&Coefficient::parse("1e-3").unwrap()), "\\frac{1}{1000}");
    }
}
