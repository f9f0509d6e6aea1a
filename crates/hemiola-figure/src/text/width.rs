//! How wide a text is, and the size at which it fits.
//!
//! The widths are those of DejaVu Sans, in which PNG and PDF files are set. An SVG file leaves the choice to its reader;
//! Helvetica and its like are narrower in all but words of capitals.

use super::face::Face;
use super::markup::{Label, Script, Span};
use super::write::SCRIPT_SIZE;

impl Label {
    /// The width of the label in type of the given size.
    pub(crate) fn width(&self, size: f64) -> f64 {
        self.spans.iter().map(|span| span_width(span) * size).sum()
    }

    /// The size, at most `size`, at which the label is at most `room` wide.
    pub(crate) fn fitted_size(&self, size: f64, room: f64) -> f64 {
        let width = self.width(size);
        if width <= room { size } else { size * room.max(0.0) / width }
    }
}

fn span_width(span: &Span) -> f64 {
    let face = if span.italic { Face::Oblique } else { Face::Upright };
    let width: f64 = span.text.chars().map(|c| face.advance(c)).sum();
    if span.script == Script::Normal { width } else { SCRIPT_SIZE * width }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_add_up() {
        let width = |text: &str| Label::parse(text).width(20.48);
        assert!((width("00") - 2.0 * 13.03).abs() < 1e-9);
        assert!((width("*0*0") - width("00")).abs() < 1e-9);
        assert!((width("0_{0}") - 13.03 * (1.0 + SCRIPT_SIZE)).abs() < 1e-9);
        assert_eq!(width(""), 0.0);
    }

    #[test]
    fn a_text_that_fits_keeps_its_size_and_a_long_one_is_made_smaller() {
        let label = Label::parse("a rather long label");
        assert_eq!(label.fitted_size(8.0, 500.0), 8.0);
        for room in [60.0, 30.0, 5.0] {
            assert!((label.width(label.fitted_size(8.0, room)) - room).abs() < 1e-9);
        }
    }
}
