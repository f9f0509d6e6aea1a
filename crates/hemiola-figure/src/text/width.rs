//! How wide a text is, without the font.
//!
//! The widths are those of Helvetica or of DejaVu Sans, whichever is wider: the reader's machine picks the font, and a
//! text must fit in either.

use super::markup::{Label, Script, Span};
use super::write::SCRIPT_SIZE;

/// Advance widths of the characters from space to tilde in thousandths of the type size.
#[rustfmt::skip]
const ASCII: [u16; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
    636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 556,
    1015, 684, 686, 722, 770, 667, 611, 778, 752, 295, 500, 667, 557, 863, 748, 787,
    667, 787, 722, 667, 611, 732, 684, 989, 685, 667, 685, 390, 337, 390, 838, 556,
    500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
    635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
];

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
    let width: f64 = span.text.chars().map(advance).sum();
    if span.script == Script::Normal { width } else { SCRIPT_SIZE * width }
}

/// The advance width of a character, as a part of the type size.
fn advance(c: char) -> f64 {
    let thousandths = match c {
        ' '..='~' => ASCII[c as usize - ' ' as usize],
        // Marks that combine with the letter before them.
        '\u{300}'..='\u{36f}' => 0,
        'ω' | '−' | '×' | '÷' | '±' | '≤' | '≥' | '≠' | '≈' | '≡' | '→' | '∞' | '∈' => 871,
        // Small letters with accents and Greek ones, ordinary punctuation, and narrow signs.
        'à'..='å' | 'ç'..='ÿ' | 'α'..='ψ' | 'ϑ' | 'ϕ' | '\u{2010}'..='\u{2013}' | '‘'..='”' => 700,
        '\u{a0}' | '°' | '·' | '′' | '‖' | '√' | '∂' | '∇' | '∑' | '∫' => 700,
        // Capital ones.
        'À'..='Å' | 'Ç'..='Ý' | 'Α'..='Ω' => 871,
        // Unknown: a full square and more, the widest that common letters get.
        _ => 1100,
    };
    f64::from(thousandths) / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_add_up() {
        let width = |text: &str| Label::parse(text).width(10.0);
        assert!((width("00") - 12.72).abs() < 1e-9);
        assert!((width("*0*0") - width("00")).abs() < 1e-9);
        assert!((width("0_{0}") - 6.36 * (1.0 + SCRIPT_SIZE)).abs() < 1e-9);
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
