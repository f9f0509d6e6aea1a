//! A label: parsed text with its font.

use super::font::Font;
use super::markup::{Span, spans};

/// A text to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Label {
    pub(crate) spans: Vec<Span>,
    pub(crate) font: Font,
}

impl Label {
    pub(crate) fn new(text: &str, font: &Font) -> Self {
        Self { spans: spans(text), font: font.clone() }
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.spans.iter().all(|span| span.text.trim().is_empty())
    }
}

/// Returns a text without its markup.
///
/// ```
/// assert_eq!(hemiola_figure::plain(r"|*R*_{slow}| of a\_b"), "|Rslow| of a_b");
/// ```
#[must_use]
pub fn plain(text: &str) -> String {
    spans(text).into_iter().map(|span| span.text).collect()
}
