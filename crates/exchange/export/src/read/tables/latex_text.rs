//! Visible parts of a LaTeX text, and the positions of its offsets.

use crate::read::error::TextPosition;

/// Replaces parts that LaTeX does not show or does not read as a formula by blanks: comments, `\iffalse … \fi`, the
/// environments `comment`, `verbatim` and `lstlisting`, and everything after `\end{document}`. Offsets are preserved.
pub(super) fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let hidden = hidden(rest);
        let length = match hidden {
            0 => {
                // A backslash belongs to the following character.
                let next = rest.chars().nth(1).filter(|_| character == '\\').map_or(0, char::len_utf8);
                let length = character.len_utf8() + next;
                visible.push_str(&rest[..length]);
                length
            }
            length => {
                let blanks = rest[..length].chars().flat_map(|c| {
                    let shown = if c == '\n' { '\n' } else { ' ' };
                    std::iter::repeat_n(shown, if c == '\n' { 1 } else { c.len_utf8() })
                });
                visible.extend(blanks);
                length
            }
        };
        rest = &rest[length..];
    }
    visible
}

/// Returns the length of a hidden part at the beginning of a text.
fn hidden(text: &str) -> usize {
    if text.starts_with('%') {
        return text.find('\n').unwrap_or(text.len());
    }
    if !text.starts_with('\\') {
        return 0;
    }
    if text.starts_with("\\end{document}") {
        return text.len();
    }
    if is_command(text, "\\iffalse") {
        return 8 + length_of_false(&text[8..]);
    }
    for environment in ["comment", "verbatim", "lstlisting"] {
        let begin = format!("\\begin{{{environment}}}");
        if text.starts_with(&begin) {
            let end = format!("\\end{{{environment}}}");
            return text.find(&end).map_or(text.len(), |at| at + end.len());
        }
    }
    0
}

/// Returns whether a text begins with a command, which must not be followed by a letter.
fn is_command(text: &str, command: &str) -> bool {
    text.strip_prefix(command).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Returns the length of a text up to the `\else` or past the `\fi` of its condition; nested conditions are skipped.
fn length_of_false(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, _) in text.match_indices('\\') {
        let rest = &text[at..];
        if is_command(rest, "\\fi") {
            if depth == 0 {
                return at + 3;
            }
            depth -= 1;
        } else if depth == 0 && is_command(rest, "\\else") {
            return at + 5;
        } else if rest.starts_with("\\if") && !is_command(rest, "\\iff") {
            depth += 1;
        }
    }
    text.len()
}

/// Converts increasing offsets to positions without counting lines from the beginning each time.
pub(super) struct PositionFinder<'a> {
    text: &'a str,
    offset: usize,
    place: TextPosition,
}

impl<'a> PositionFinder<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, offset: 0, place: TextPosition::START }
    }

    pub(super) fn at(&mut self, offset: usize) -> TextPosition {
        for character in self.text.get(self.offset..offset).unwrap_or_default().chars() {
            if character == '\n' {
                self.place = TextPosition { line: self.place.line + 1, column: 1 };
            } else {
                self.place.column += 1;
            }
        }
        self.offset = self.offset.max(offset);
        self.place
    }
}
