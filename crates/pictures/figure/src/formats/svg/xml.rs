//! Writing XML: elements, attributes, escaped text and short numbers.
//!
//! The crate `xmlwriter` is unsuitable: it does not escape `&`, panics if calls come in an unexpected order, and cannot
//! join fragments, whereas the root of a page depends on the height of its content and is written last.

use std::fmt::{Display, Write};

use crate::formats::number::number;

/// Escapes text for an element or attribute. Characters that XML forbids become spaces.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{0}'..='\u{1f}' | '\u{7f}' | '\u{fffe}' | '\u{ffff}' => escaped.push(' '),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// Start tag of an element: its name and attributes.
pub(super) struct Element {
    name: &'static str,
    attributes: String,
}

impl Element {
    pub(super) fn new(name: &'static str) -> Self {
        Self { name, attributes: String::new() }
    }

    /// Adds an attribute with a text value.
    pub(super) fn with(mut self, key: &str, value: impl Display) -> Self {
        let value = escape(&value.to_string());
        self.attributes.push_str(&format!(" {key}=\"{value}\""));
        self
    }

    /// Adds an attribute with a length.
    pub(super) fn at(self, key: &str, value: f64) -> Self {
        self.with(key, number(value))
    }
}

/// XML text under construction.
#[derive(Default)]
pub(super) struct Xml {
    text: String,
}

impl Xml {
    /// Writes an element without content.
    pub(super) fn empty(&mut self, element: &Element) {
        self.line(format_args!("<{}{}/>", element.name, element.attributes));
    }

    /// Writes the start of an element.
    pub(super) fn open(&mut self, element: &Element) {
        self.line(format_args!("<{}{}>", element.name, element.attributes));
    }

    /// Writes the end of an element.
    pub(super) fn close(&mut self, name: &str) {
        self.line(format_args!("</{name}>"));
    }

    /// Writes an element around content that is already XML.
    pub(super) fn around(&mut self, element: &Element, content: &str) {
        self.line(format_args!("<{}{}>{content}</{}>", element.name, element.attributes, element.name));
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = self.text.write_fmt(line);
        self.text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(escape("a<b & \"c\">\u{1}d"), "a&lt;b &amp; &quot;c&quot;&gt; d");
    }
}
