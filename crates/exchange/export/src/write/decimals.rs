//! Butcher tableaus as decimals that fit a page.

use hemiola_tableau::{Butcher, Exact, Method, printable};
use num_traits::Zero;

/// Largest number of digits.
const MOST_DIGITS: usize = 1000;
/// Width of a line of `article` at 10 pt, of a digit, and of the gap between columns, in points.
const LINE: usize = 345;
const DIGIT: usize = 5;
const GAP: usize = 10;

/// Writes the tableaus of all partitions as LaTeX displays with `digits` significant digits (at most 1000), including
/// abscissae and embedded weights.
///
/// A tableau wider than a line is split into several, each with the abscissae, some columns of A and the weights below
/// them.
///
/// ```
/// let method = hemiola_tableau::library::method("gauss-2").unwrap();
/// let text = hemiola_export::latex_decimals(&method, 5);
/// assert!(text.contains(r"0.21132 & 0.25 & -0.038675 \\"));
/// ```
#[must_use]
pub fn latex_decimals(method: &Method, digits: usize) -> String {
    let digits = digits.min(MOST_DIGITS);
    let exact = method.exact();
    let several = exact.partitions.len() > 1;
    let explicit = exact.is_explicit();
    let mut text = String::new();
    for (partition, butcher) in method.partitions().iter().zip(&exact.partitions) {
        let hat = partition.b_hat.as_ref();
        let hat: Option<Vec<Exact>> = hat.map(|hat| hat.iter().map(|weight| weight.value().clone()).collect());
        if several {
            text += &format!("% {}\n", printable(&partition.name));
        }
        text += &LatexTableau::new(butcher, hat.as_deref(), explicit, digits).displays();
    }
    text
}

/// Cells of a tableau as LaTeX.
struct LatexTableau {
    c: Vec<String>,
    /// Rows of A; explicit ones end before the diagonal.
    a: Vec<Vec<String>>,
    /// Rows of weights with their labels.
    weights: Vec<(&'static str, Vec<String>)>,
}

impl LatexTableau {
    fn new(butcher: &Butcher<Exact>, hat: Option<&[Exact]>, explicit: bool, digits: usize) -> Self {
        let cells = |row: &[Exact]| row.iter().map(|value| decimal(value, digits)).collect::<Vec<_>>();
        let width = |i: usize| if explicit { i } else { butcher.stages() };
        let a = butcher.a.iter().enumerate().map(|(i, row)| cells(&row[..width(i)])).collect();
        let weights = std::iter::once(("", cells(&butcher.b))).chain(hat.map(|hat| ("\\hat b", cells(hat)))).collect();
        Self { c: cells(&butcher.c), a, weights }
    }

    fn displays(&self) -> String {
        let pieces = self.pieces();
        let several = pieces.len() > 1;
        pieces.iter().map(|columns| self.display(columns.clone(), several)).collect()
    }

    fn width(&self, j: usize) -> usize {
        let entries = self.a.iter().filter_map(|row| row.get(j)).chain(self.weights.iter().map(|(_, row)| &row[j]));
        GAP + entries.map(|cell| points(cell)).max().unwrap_or(0)
    }

    /// Splits the columns into pieces that fit a line beside the abscissae; each has at least one column.
    fn pieces(&self) -> Vec<std::ops::Range<usize>> {
        let first = GAP + self.c.iter().map(|cell| points(cell)).max().unwrap_or(0);
        let mut pieces = Vec::new();
        let (mut start, mut used) = (0, first);
        for j in 0..self.c.len() {
            let width = self.width(j);
            if j > start && used + width > LINE {
                pieces.push(start..j);
                (start, used) = (j, first);
            }
            used += width;
        }
        pieces.push(start..self.c.len());
        pieces
    }

    fn display(&self, columns: std::ops::Range<usize>, numbered: bool) -> String {
        let mut lines = vec![format!("\\begin{{array}}{{c|{}}}", "l".repeat(columns.len()))];
        let row = |first: &str, cells: &[String]| {
            let blank = columns.len() - cells.len();
            let cells: Vec<&str> = cells.iter().map(String::as_str).chain(std::iter::repeat_n("", blank)).collect();
            format!("{first} & {} \\\\", cells.join(" & "))
        };
        if numbered {
            let numbers: Vec<String> = columns.clone().map(|j| (j + 1).to_string()).collect();
            lines.push(row("j", &numbers));
            lines.push("\\hline".to_owned());
        }
        for (c, entries) in self.c.iter().zip(&self.a) {
            let entries = entries.get(columns.start..).unwrap_or_default();
            let shown = &entries[..entries.len().min(columns.len())];
            // The first stages of an explicit method have no entries in later pieces.
            if !numbered || !shown.is_empty() || columns.start == 0 {
                lines.push(row(c, shown));
            }
        }
        lines.push("\\hline".to_owned());
        lines.extend(self.weights.iter().map(|(first, weights)| row(first, &weights[columns.clone()])));
        format!("\\[\n{}\n\\end{{array}}\n\\]\n", lines.join("\n"))
    }
}

/// Returns the width of a cell; the power of ten counts without the markup of its exponent.
fn points(cell: &str) -> usize {
    let power = cell.split_once("\\cdot");
    DIGIT * power.map_or(cell.len(), |(mantissa, exponent)| mantissa.len() + exponent.len().saturating_sub(4))
}

/// Formats a decimal with `digits` significant digits, with a power of ten if it is very large or small.
fn decimal(value: &Exact, digits: usize) -> String {
    /// Largest number of digits before the point, or of zeros after it, without a power of ten.
    const LONGEST: usize = 5;
    if value.is_zero() {
        return "0".to_owned();
    }
    let rounded = value.to_decimal(digits.max(1));
    let plain = rounded.to_string();
    let size = plain.trim_start_matches('-');
    let (whole, fraction) = size.split_once('.').unwrap_or((size, ""));
    let zeros = fraction.bytes().take_while(|b| *b == b'0').count();
    if (whole != "0" || zeros < LONGEST) && whole.len() <= digits.max(LONGEST) {
        return plain;
    }
    let scientific = format!("{rounded:e}");
    match scientific.split_once('e') {
        Some((mantissa, exponent)) => format!("{mantissa}\\cdot 10^{{{exponent}}}"),
        None => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::{library, parse_number};

    #[test]
    fn decimals_have_the_digits_asked_for() {
        let shown = |text: &str, digits| decimal(&parse_number(text).unwrap(), digits);
        assert_eq!(shown("1/3", 4), "0.3333");
        assert_eq!(shown("-2/3", 3), "-0.667");
        assert_eq!(shown("1/2", 9), "0.5");
        assert_eq!(shown("0", 9), "0");
        assert_eq!(shown("12345678/10", 3), "1.23\\cdot 10^{6}");
        assert_eq!(shown("1e-9/3", 2), "3.3\\cdot 10^{-10}");
        assert_eq!(shown("sqrt(2)", 3), "1.41");
    }

    #[test]
    fn every_table_fits_a_line_and_all_columns_are_there() {
        for (id, digits) in [("kennedy-carpenter-ark-5-4-8", 16), ("ono-12", 8), ("hemiola-4-12", 50), ("rk4", 6)] {
            let method = library::method(id).unwrap();
            let text = latex_decimals(&method, digits);
            let mut columns = 0;
            for array in text.split("\\begin{array}").skip(1) {
                let (format, rest) = array.split_once('\n').unwrap();
                let width = format.matches('l').count();
                columns += width;
                let body = rest.split("\\end{array}").next().unwrap();
                for line in body.lines().filter(|line| *line != "\\hline") {
                    assert_eq!(line.matches('&').count(), width, "{id}: {line}");
                    assert!(line.ends_with("\\\\"), "{id}: {line}");
                    let cells =
                        line.trim_end_matches("\\\\").split('&').map(|cell| GAP + points(cell.trim())).sum::<usize>();
                    assert!(cells <= LINE || width == 1, "{id}: {cells} points in {line}");
                }
            }
            assert_eq!(columns, method.stages() * method.partitions().len(), "{id}");
            assert_eq!(text.matches("\\[\n").count(), text.matches("\n\\]").count());
        }
    }
}
