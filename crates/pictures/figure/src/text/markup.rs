//! Markup of labels: `*italic*`, `_{subscript}`, `^{superscript}`, and a backslash before a literal character.
//!
//! Malformed markup (an unpaired star, an open brace, a script within a script) is printed literally, so that
//! every text is a valid label.

/// Vertical position of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Script {
    Normal,
    Sub,
    Super,
}

/// A run of text in one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) text: String,
    pub(crate) italic: bool,
    pub(crate) script: Script,
}

/// Escapes a text so that it is printed literally as a label.
///
/// ```
/// assert_eq!(hemiola_figure::escaped("a_b*{c}"), r"a\_b\*\{c\}");
/// ```
#[must_use]
pub fn escaped(text: &str) -> String {
    text.chars().flat_map(|c| r"\*_^{}".contains(c).then_some('\\').into_iter().chain([c])).collect()
}

/// Splits a text with markup into runs of one style.
pub(super) fn spans(text: &str) -> Vec<Span> {
    let mut parser = Parser { spans: Vec::new() };
    parser.run(text, SpanStyle { italic: false, script: Script::Normal });
    parser.spans
}

#[derive(Clone, Copy)]
struct SpanStyle {
    italic: bool,
    script: Script,
}

struct Parser {
    spans: Vec<Span>,
}

impl Parser {
    fn run(&mut self, mut text: &str, style: SpanStyle) {
        while let Some(first) = text.chars().next() {
            text = match self.markup(text, style) {
                Some(rest) => rest,
                None => {
                    self.push(first, style);
                    &text[first.len_utf8()..]
                }
            };
        }
    }

    /// Parses one piece of markup at the start of `text` and returns the rest.
    fn markup<'t>(&mut self, text: &'t str, style: SpanStyle) -> Option<&'t str> {
        if let Some(rest) = text.strip_prefix('\\') {
            let escaped = rest.chars().next().filter(|c| r"\*_^{}".contains(*c))?;
            self.push(escaped, style);
            return Some(&rest[1..]);
        }
        if let Some(rest) = text.strip_prefix('*').filter(|_| !style.italic) {
            // A star next to a space is a multiplication sign.
            let (inside, rest) = until(rest, '*').filter(|(inside, _)| inside.trim() == *inside)?;
            self.run(inside, SpanStyle { italic: true, ..style });
            return Some(rest);
        }
        let (rest, script) = match (text.strip_prefix("_{"), text.strip_prefix("^{")) {
            (Some(rest), _) => (rest, Script::Sub),
            (_, Some(rest)) => (rest, Script::Super),
            _ => return None,
        };
        if style.script != Script::Normal {
            return None;
        }
        let (inside, rest) = until(rest, '}')?;
        self.run(inside, SpanStyle { script, ..style });
        Some(rest)
    }

    fn push(&mut self, c: char, style: SpanStyle) {
        match self.spans.last_mut() {
            Some(last) if last.italic == style.italic && last.script == style.script => last.text.push(c),
            _ => self.spans.push(Span { text: c.to_string(), italic: style.italic, script: style.script }),
        }
    }
}

/// Splits at the first `end` outside braces; returns `None` if the part before it is empty.
fn until(text: &str, end: char) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if escaped {
            escaped = false;
        } else if c == end && depth == 0 {
            return (at > 0).then(|| (&text[..at], &text[at + c.len_utf8()..]));
        } else {
            match c {
                '\\' => escaped = true,
                '{' => depth += 1,
                '}' => depth = depth.checked_sub(1)?,
                _ => {}
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<(String, bool, Script)> {
        spans(text).into_iter().map(|span| (span.text, span.italic, span.script)).collect()
    }

    fn plain(text: &str) -> String {
        spans(text).into_iter().map(|span| span.text).collect()
    }

    fn literal(text: &str) -> bool {
        parts(text) == [(text.to_owned(), false, Script::Normal)]
    }

    #[test]
    fn italics_and_scripts_are_spans() {
        assert_eq!(
            parts("|*R*_{slow}(*z*)| = 10^{−2}"),
            [
                ("|".to_owned(), false, Script::Normal),
                ("R".to_owned(), true, Script::Normal),
                ("slow".to_owned(), false, Script::Sub),
                ("(".to_owned(), false, Script::Normal),
                ("z".to_owned(), true, Script::Normal),
                (")| = 10".to_owned(), false, Script::Normal),
                ("−2".to_owned(), false, Script::Super),
            ]
        );
    }

    #[test]
    fn italics_and_scripts_nest() {
        assert_eq!(parts("*z_{s}*"), [("z".to_owned(), true, Script::Normal), ("s".to_owned(), true, Script::Sub)]);
        assert_eq!(parts("x_{*i*}"), [("x".to_owned(), false, Script::Normal), ("i".to_owned(), true, Script::Sub)]);
    }

    #[test]
    fn malformed_markup_is_literal() {
        let texts = ["*", "**", "a * b", "2 * 3 * 4", "x_{", "x_{}", "x^{2", "x_2", "x^2", "{x}", "}", "\\", "a\\b"];
        assert!(texts.into_iter().all(literal));
        assert_eq!(plain("x_{a_{b}}"), "xa_{b}");
    }

    #[test]
    fn a_backslash_prints_the_next_character() {
        assert_eq!(parts(r"a\*b\*c\_{x}"), [("a*b*c_{x}".to_owned(), false, Script::Normal)]);
    }

    #[test]
    fn no_text_is_lost_but_its_markup() {
        let pieces = ["*", "_{", "^{", "}", "x", "λ", "\\", "{", " "];
        // All texts of five pieces, encoded in base nine.
        for code in 0..9_usize.pow(5) {
            let text: String = (0..5).map(|k| pieces[code / 9_usize.pow(k) % 9]).collect();
            let letters = |text: &str| text.chars().filter(|c| "xλ".contains(*c)).count();
            assert_eq!(letters(&plain(&text)), letters(&text), "{text}");
        }
    }
}
