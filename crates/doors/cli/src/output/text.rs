//! Text for a terminal: tables and wrapped paragraphs. Numbers have the format of the library.

use std::io::{self, ErrorKind, IsTerminal};

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle, Width};
use hemiola::export::describe::TIE;
pub(crate) use hemiola::export::describe::{counted, exact, number, residual, rounded};
use hemiola::tableau::printable;
use num_complex::Complex64;

/// Alignment of a table's column.
#[derive(Clone, Copy)]
pub(crate) enum Column {
    Left,
    Right,
}

/// Width of text in files and pipes.
const WIDTH: usize = 80;
/// Spaces beside a cell.
const PADDING: u16 = 2;

/// Returns the columns of a table: `<Name|>Number` has a left-aligned and a right-aligned column.
pub(crate) fn columns(header: &str) -> Vec<(&str, Column)> {
    header.split('|').map(column).collect()
}

fn column(text: &str) -> (&str, Column) {
    match text.strip_prefix('>') {
        Some(name) => (name, Column::Right),
        None => (text.trim_start_matches('<'), Column::Left),
    }
}

/// Formats a table with a line below its header. It is as wide as its contents, limited by the terminal unless single words are wider;
/// numbers are never broken.
pub(crate) fn table(columns: &[(&str, Column)], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));
    let mut table = Table::new();
    // A cell is one line.
    let shown = |row: Vec<String>| row.iter().map(|cell| printable(cell).into_owned()).collect();
    let rows: Vec<Vec<String>> = rows.into_iter().map(shown).collect();
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

/// Returns the width of the terminal, if the output is a terminal.
fn terminal_width() -> Option<usize> {
    io::stdout().is_terminal().then(textwrap::termwidth)
}

/// Formats the reason why a file could not be read or written.
pub(crate) fn cause(problem: &io::Error) -> String {
    match problem.kind() {
        ErrorKind::NotFound => "no such file or folder".to_owned(),
        ErrorKind::IsADirectory => "this is a folder; expected a file".to_owned(),
        ErrorKind::InvalidData => "found bytes that are not UTF-8; expected text".to_owned(),
        kind => kind.to_string(),
    }
}

/// Formats lines with a name and its text, aligned and wrapped.
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
        text += &textwrap::fill(&printable(value), options).replace(TIE, " ");
        text.push('\n');
    }
    text
}

/// Formats numbers separated by spaces, as on the command line.
pub(crate) fn listed(numbers: &[impl ToString]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Formats a complex number such as 0.5-2i; a zero real or imaginary part is omitted.
pub(crate) fn complex(value: Complex64) -> String {
    let imaginary = || format!("{}i", number(value.im));
    match (value.re == 0.0, value.im == 0.0) {
        (_, true) => number(value.re),
        (true, false) => imaginary(),
        (false, false) if value.im > 0.0 => format!("{}+{}", number(value.re), imaginary()),
        (false, false) => number(value.re) + &imaginary(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complex_numbers_are_short() {
        assert_eq!(complex(Complex64::new(0.5, -2.0)), "0.5-2i");
        assert_eq!(complex(Complex64::new(0.0, 1.0)), "1i");
        assert_eq!(complex(Complex64::new(-1.0, 0.0)), "-1");
    }
}
