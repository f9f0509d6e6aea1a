//! Layout of labels: the face and position of each letter.

use super::font::{Font, Glyph, letter};
use super::label::Label;
use super::markup::{Script, Span};

/// Size of scripts relative to the text.
pub(crate) const SCRIPT_SIZE: f64 = 0.7;
/// Drop of subscripts and rise of superscripts relative to the size of the text.
const SUB_DROP: f64 = 0.22;
const SUPER_RISE: f64 = 0.38;

/// Letters of one face and size on one base line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Run {
    pub(crate) text: String,
    pub(crate) italic: bool,
    /// Index of the face in [`Font::faces`].
    pub(crate) face: usize,
    pub(crate) size: f64,
    /// Origin relative to the start of the label's base line, with y downwards.
    pub(crate) at: [f64; 2],
    pub(crate) glyphs: Vec<Glyph>,
}

impl Run {
    pub(crate) fn width(&self) -> f64 {
        self.size * self.glyphs.iter().map(|glyph| glyph.advance).sum::<f64>()
    }
}

/// Returns the downward shift of a script.
pub(crate) fn shift(script: Script, size: f64) -> f64 {
    match script {
        Script::Normal => 0.0,
        Script::Sub => SUB_DROP * size,
        Script::Super => -SUPER_RISE * size,
    }
}

impl Label {
    /// Returns the runs of the label at a font size.
    pub(crate) fn runs(&self, size: f64) -> Vec<Run> {
        let mut left = 0.0;
        let mut runs: Vec<Run> = Vec::new();
        for span in &self.spans {
            let size_here = if span.script == Script::Normal { size } else { SCRIPT_SIZE * size };
            for mut run in span_runs(&self.font, span) {
                run.size = size_here;
                run.at = [left, shift(span.script, size)];
                left += run.width();
                runs.push(run);
            }
        }
        runs
    }

    /// Returns the width of the label at a font size.
    pub(crate) fn width(&self, size: f64) -> f64 {
        self.runs(size).iter().map(Run::width).sum()
    }

    /// Returns the size, at most `size`, at which the label is at most `room` wide.
    pub(crate) fn fitted_size(&self, size: f64, room: f64) -> f64 {
        let width = self.width(size);
        if width <= room { size } else { size * room.max(0.0) / width }
    }
}

/// Returns the runs of a span; their size and position are set later.
fn span_runs(font: &Font, span: &Span) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for c in span.text.chars() {
        let (face, glyph) = letter(font, span.italic, c);
        if runs.last().is_none_or(|run| run.face != face) {
            let empty = Run { text: String::new(), italic: span.italic, face, size: 0.0, at: [0.0; 2], glyphs: vec![] };
            runs.push(empty);
        }
        if let Some(run) = runs.last_mut() {
            run.text.push(c);
            run.glyphs.push(glyph);
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_add_up() {
        let width = |text: &str| Label::new(text, &Font::Sans).width(20.48);
        assert!((width("00") - 2.0 * 13.03).abs() < 1e-9);
        assert!((width("*0*0") - width("00")).abs() < 1e-9);
        assert!((width("0_{0}") - 13.03 * (1.0 + SCRIPT_SIZE)).abs() < 1e-9);
        assert_eq!(width(""), 0.0);
    }

    #[test]
    fn a_text_that_fits_keeps_its_size_and_a_long_one_is_made_smaller() {
        let label = Label::new("a rather long label", &Font::Serif);
        assert_eq!(label.fitted_size(8.0, 500.0), 8.0);
        for room in [60.0, 30.0, 5.0] {
            assert!((label.width(label.fitted_size(8.0, room)) - room).abs() < 1e-9);
        }
    }

    #[test]
    fn signs_that_a_face_lacks_come_from_the_next() {
        let runs = Label::new("a ≤ b_{∞}", &Font::Serif).runs(10.0);
        let faces: Vec<usize> = runs.iter().map(|run| run.face).collect();
        assert_eq!(faces, [0, 1, 0, 1]);
        assert_eq!((runs[3].size, runs[3].at[1]), (7.0, 2.2));
        let before: f64 = runs[..3].iter().map(Run::width).sum();
        assert!((runs[3].at[0] - before).abs() < 1e-12);
    }
}
