//! Text for a terminal: tables, wrapped paragraphs, numbers and polynomials.

use std::io::IsTerminal;

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle, Width};
use hemiola::tableau::Exact;
use num_complex::Complex64;

/// The alignment of a table's column.
#[derive(Clone, Copy)]
pub(crate) enum Column {
    Left,
    Right,
}

/// Longer fractions are shown as decimals.
const LONGEST_FRACTION: usize = 9;
/// The width of text in files and pipes.
const WIDTH: usize = 80;
/// A space at which lines are not broken.
const TIE: &str = "\u{a0}";
/// The spaces beside a cell.
const PADDING: u16 = 2;
/// The significant digits of rounded numbers.
const DIGITS: usize = 10;

/// A table with a line below its header, as wide as its contents, but no wider than the terminal unless its words are: no number is broken.
pub(crate) fn table(columns: &[(&str, Column)], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));
    let mut table = Table::new();
    let rows: Vec<Vec<String>> = rows.into_iter().collect();
    let widest = |k: usize| {
        let cells = rows.iter().filter_map(|row| row.get(k)).map(String::as_str).chain([columns[k].0]);
        let words = cells.flat_map(|cell| cell.split(' ')).map(textwrap::core::display_width);
        u16::try_from(words.max().unwrap_or(0)).unwrap_or(u16::MAX)
    };
    let least: Vec<u16> = (0..columns.len()).map(|k| widest(k).saturating_add(PADDING)).collect();
    table.load_style(STYLE).set_header(columns.iter().map(|(name, _)| *name)).add_rows(rows);
    for ((column, (_, alignment)), least) in table.column_iter_mut().zip(columns).zip(least) {
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(least)));
        column.set_cell_alignment(match alignment {
            Column::Left => CellAlignment::Left,
            Column::Right => CellAlignment::Right,
        });
    }
    if let Some(width) = terminal_width() {
        let width = u16::try_from(width).unwrap_or(u16::MAX);
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    table.trim_fmt() + "\n"
}

/// The width of the terminal, if the output is one.
fn terminal_width() -> Option<usize> {
    std::io::stdout().is_terminal().then(textwrap::termwidth)
}

/// Lines with a name and its text, aligned and wrapped.
pub(crate) fn entries(entries: &[(&str, String)]) -> String {
    let width = entries.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0) + 2;
    let hanging = " ".repeat(width + 1);
    let mut text = String::new();
    for (name, value) in entries {
        let padding = " ".repeat(width - name.chars().count());
        let first = format!(" {name}{padding}");
        // Only spaces separate words: hyphens and slashes occur in identifiers.
        let options = textwrap::Options::new(terminal_width().unwrap_or(WIDTH))
            .initial_indent(&first)
            .subsequent_indent(&hanging)
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .break_words(false);
        text += &textwrap::fill(value, options).replace(TIE, " ");
        text.push('\n');
    }
    text
}

/// A number rounded to ten significant digits.
pub(crate) fn number(value: f64) -> String {
    rounded(value, DIGITS)
}

/// A number rounded to `digits` significant digits.
pub(crate) fn rounded(value: f64, digits: usize) -> String {
    let rounded: f64 = format!("{value:.*e}", digits.saturating_sub(1)).parse().unwrap_or(value);
    let plain = rounded == 0.0 || !rounded.is_finite() || (1e-4..1e10).contains(&rounded.abs());
    if plain { format!("{rounded}") } else { format!("{rounded:e}") }
}

/// A residual, of which only the magnitude matters.
pub(crate) fn residual(value: f64) -> String {
    if value == 0.0 { "0".to_owned() } else { format!("{value:.1e}") }
}

/// A complex number such as 0.5-2i; a real or imaginary part that is zero is omitted.
pub(crate) fn complex(value: Complex64) -> String {
    let imaginary = || format!("{}i", number(value.im));
    match (value.re == 0.0, value.im == 0.0) {
        (_, true) => number(value.re),
        (true, false) => imaginary(),
        (false, false) if value.im > 0.0 => format!("{}+{}", number(value.re), imaginary()),
        (false, false) => number(value.re) + &imaginary(),
    }
}

/// An exact number: short fractions as they are, anything longer as a decimal.
pub(crate) fn exact(value: &Exact) -> String {
    let text = value.to_string();
    let is_short = value.as_rational().is_some() && text.len() <= LONGEST_FRACTION;
    if is_short { text } else { with_exponent(value.to_decimal(DIGITS).to_string()) }
}

/// A decimal, written with an exponent if it is below 1e-4 in absolute value, however small: 1.25e-400.
fn with_exponent(decimal: String) -> String {
    let (sign, size) = decimal.strip_prefix('-').map_or(("", decimal.as_str()), |size| ("-", size));
    let Some(digits) = size.strip_prefix("0.000") else { return decimal };
    let significant = digits.trim_start_matches('0');
    let Some((first, rest)) = significant.split_at_checked(1).filter(|(first, _)| !first.is_empty()) else {
        return decimal;
    };
    let exponent = 4 + digits.len() - significant.len();
    if exponent == 4 {
        return decimal;
    }
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{first}{point}{rest}e-{exponent}")
}

/// A polynomial in z, constant term first: `1 + z + 1/2 z² − 1/6 z³`.
pub(crate) fn polynomial(coefficients: &[Exact]) -> String {
    let mut text = String::new();
    for (k, coefficient) in coefficients.iter().enumerate() {
        let shown = exact(coefficient);
        let (sign, size) = match shown.strip_prefix('-') {
            Some(size) => ("-", size),
            None => ("+", shown.as_str()),
        };
        if size == "0" {
            continue;
        }
        text += &match (text.is_empty(), sign) {
            (true, "+") => String::new(),
            (true, _) => sign.to_owned(),
            (false, _) => format!(" {sign} "),
        };
        text += &term(size, k);
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

fn term(size: &str, k: usize) -> String {
    let power = match k {
        0 => return size.to_owned(),
        1 => "z".to_owned(),
        _ => format!("z{}", superscript(k)),
    };
    // Lines may be wrapped between terms, not within one.
    if size == "1" { power } else { format!("{size}{TIE}{power}") }
}

fn superscript(k: usize) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    k.to_string().bytes().map(|digit| DIGITS[usize::from(digit - b'0')]).collect()
}

/// "1 stage", "2 stages".
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_and_short() {
        assert_eq!(number(8f64.sqrt()), "2.828427125");
        assert_eq!(number(0.1 + 0.2), "0.3");
        assert_eq!(number(4.0), "4");
        assert_eq!(number(1.25e-7), "1.25e-7");
        assert_eq!(complex(Complex64::new(0.5, -2.0)), "0.5-2i");
        assert_eq!(complex(Complex64::new(0.0, 1.0)), "1i");
        assert_eq!(complex(Complex64::new(-1.0, 0.0)), "-1");
    }

    #[test]
    fn polynomials_as_people_write_them() {
        let coefficients = [(1, 1), (-1, 1), (0, 1), (1, 6), (-1, 1_000_000_000)].map(|(n, d)| Exact::from_ratio(n, d));
        assert_eq!(polynomial(&coefficients), "1 - z + 1/6\u{a0}z³ - 1e-9\u{a0}z⁴");
        assert_eq!(polynomial(&[Exact::from_ratio(0, 1)]), "0");
        let written = |text: &str| with_exponent(text.to_owned());
        assert_eq!([written("0.0001"), written("-0.00001250"), written("0.25")], ["0.0001", "-1.250e-5", "0.25"]);
        assert_eq!(written(&format!("0.{}21", "0".repeat(400))), "2.1e-401");
    }
}
