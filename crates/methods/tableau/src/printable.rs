//! Text from files, made safe to display: characters that control a terminal or hide other text are escaped.

use std::borrow::Cow;

/// Returns one line of text with control characters and marks of writing direction escaped as `\u{…}`.
///
/// Names from files must pass through this function before they reach a terminal or a comment of exported code. A
/// terminal obeys escape sequences, a new line ends a comment, and marks of direction show a line in another
/// order than a compiler reads it.
///
/// ```
/// use hemiola_tableau::printable;
/// assert_eq!(printable("Störmer–Verlet"), "Störmer–Verlet");
/// assert_eq!(printable("red\u{1b}[31m\n\u{202e}der"), "red\\u{1b}[31m\\u{a}\\u{202e}der");
/// ```
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, is_unprintable)
}

/// Returns a text with its lines and tabs kept and other control characters escaped as by [`printable`].
///
/// ```
/// assert_eq!(hemiola_tableau::printable_lines("one\n\ttwo\0"), "one\n\ttwo\\u{0}");
/// ```
#[must_use]
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_unprintable(c) && !matches!(c, '\n' | '\t'))
}

/// Returns whether a character must be escaped: a control character, a line or paragraph separator, or a mark of
/// writing direction ([UAX 9](https://www.unicode.org/reports/tr9/)).
///
/// ```
/// use hemiola_tableau::is_unprintable;
/// assert!(is_unprintable('\u{9b}') && is_unprintable('\u{2067}'));
/// assert!(!is_unprintable('é') && !is_unprintable(' '));
/// ```
#[must_use]
pub fn is_unprintable(c: char) -> bool {
    const DIRECTIONS: [char; 3] = ['\u{61c}', '\u{200e}', '\u{200f}'];
    c.is_control() || DIRECTIONS.contains(&c) || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool + Copy) -> Cow<'_, str> {
    if !text.contains(is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_escaped(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}
