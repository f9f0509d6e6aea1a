//! Fonts: the faces for upright and italic text, and fallbacks for missing characters.

use std::sync::Arc;

use super::face::{Bundled, BundledFace, Face, FaceFile};
use crate::error::FigureError;

/// Advance of a character that no face contains, relative to the font size: slightly more than a square, the widest
/// advance of common letters in any script.
const UNKNOWN: f64 = 1.1;

/// Font of a figure in all formats. Labels are measured in it. PDF files embed the letters used, PNG files show
/// them, and SVG files name it, followed by fonts of the same widths. A TikZ drawing uses the font of its document.
///
/// ```
/// use hemiola_figure::{Axis, Figure, Font, Panel};
///
/// let panel = || Panel::new(Axis::new("*x*"), Axis::new("*y*"));
/// let svg = Figure::one_column().font(Font::Serif).panel(panel()).to_svg()?;
/// assert!(svg.contains("CMU Serif"));
/// # Ok::<(), hemiola_figure::FigureError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Font {
    /// DejaVu Sans.
    #[default]
    Sans,
    /// Computer Modern, the font of TeX: CMU Serif with the symbols of Latin Modern Math.
    Serif,
    /// A user-defined family.
    Family(FontFamily),
}

/// A family with two faces from font files. DejaVu Sans supplies missing characters.
#[derive(Clone, Debug, PartialEq)]
pub struct FontFamily {
    name: String,
    upright: FaceFile,
    italic: FaceFile,
}

impl FontFamily {
    /// Creates a family from its name and the contents of the files of its upright and its italic face (TrueType,
    /// OpenType, or a collection with the index of the face).
    ///
    /// # Errors
    ///
    /// Returns an error if a file is none of these.
    pub fn new(name: impl Into<String>, upright: (Vec<u8>, u32), italic: (Vec<u8>, u32)) -> Result<Self, FigureError> {
        let name = name.into();
        let face = |(data, index): (Vec<u8>, u32)| {
            let file = FaceFile { data: Arc::new(data), index };
            match Face::File(file.clone()).read(|_| ()) {
                Some(()) => Ok(file),
                None => Err(FigureError::Font { family: name.clone() }),
            }
        };
        let (upright, italic) = (face(upright)?, face(italic)?);
        Ok(Self { name, upright, italic })
    }

    /// Returns its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Font {
    /// Returns the name of the font in figure files: `sans`, `serif`, or that of the family.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Sans => "sans",
            Self::Serif => "serif",
            Self::Family(family) => family.name(),
        }
    }

    /// Returns font names for readers that choose by name: the font itself, then fonts with the same widths.
    pub(crate) fn names(&self) -> String {
        match self {
            Self::Sans => "'DejaVu Sans', Verdana, 'Bitstream Vera Sans', sans-serif".to_owned(),
            Self::Serif => "'CMU Serif', 'Computer Modern', 'Latin Modern Roman', 'LM Roman 10', serif".to_owned(),
            Self::Family(family) => format!("'{}', 'DejaVu Sans', sans-serif", family.name.replace('\'', "")),
        }
    }

    /// Returns the family name of one of its faces, for readers that choose by name. The italics of Latin Modern Math
    /// are separate characters; readers take the common ones from the italic face of the family.
    #[cfg(feature = "plotters")]
    pub(crate) fn family(&self, italic: bool, face: usize) -> &str {
        match (self, face) {
            (Self::Serif, 1) if !italic => "Latin Modern Math",
            (Self::Serif, 0 | 1) => "CMU Serif",
            (Self::Family(family), 0) => &family.name,
            _ => "DejaVu Sans",
        }
    }

    /// Returns the faces in the order in which they are searched for a character.
    pub(crate) fn faces(&self, italic: bool) -> Vec<Face> {
        let bundled = |upright, oblique| Face::Bundled(BundledFace(if italic { oblique } else { upright }));
        let sans = bundled(Bundled::Sans, Bundled::SansOblique);
        match self {
            Self::Sans => vec![sans],
            Self::Serif => {
                let math = bundled(Bundled::Math, Bundled::Math);
                vec![bundled(Bundled::Serif, Bundled::SerifItalic), math, sans]
            }
            Self::Family(family) => {
                let own = if italic { &family.italic } else { &family.upright };
                vec![Face::File(own.clone()), sans]
            }
        }
    }
}

/// Returns the character of Latin Modern Math for an italic Greek letter. The italics of CMU Serif are for text only.
fn mathematical(c: char) -> Option<char> {
    let place = match c {
        'α'..='ω' => 0x1d6fc + (c as u32 - 'α' as u32),
        'ϵ' => 0x1d716,
        'ϑ' => 0x1d717,
        'ϕ' => 0x1d719,
        _ => return None,
    };
    char::from_u32(place)
}

/// A letter of a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Glyph {
    /// Glyph number in the face; zero stands for a missing character.
    pub(crate) id: u16,
    /// Advance to the next letter relative to the font size.
    pub(crate) advance: f64,
}

/// Returns the letter for a character, with the index of its face in the font.
pub(super) fn letter(font: &Font, italic: bool, c: char) -> (usize, Glyph) {
    let faces = font.faces(italic);
    match (font, italic, mathematical(c)) {
        (Font::Serif, true, Some(letter)) => {
            let (place, glyph) = glyph(&faces[1..], letter);
            (place + 1, glyph)
        }
        _ => glyph(&faces, c),
    }
}

/// Returns the letter for a character from the first face that contains it, with the index of that face.
fn glyph(faces: &[Face], c: char) -> (usize, Glyph) {
    let of = |face: &Face| {
        let glyph = face.read(|table| {
            let id = table.glyph_index(c)?;
            let advance = f64::from(table.glyph_hor_advance(id)?) / f64::from(table.units_per_em());
            Some(Glyph { id: id.0, advance })
        });
        glyph.flatten()
    };
    let found = faces.iter().enumerate().find_map(|(place, face)| Some((place, of(face)?)));
    found.unwrap_or((0, Glyph { id: 0, advance: UNKNOWN }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advance(font: &Font, italic: bool, c: char) -> f64 {
        letter(font, italic, c).1.advance
    }

    #[test]
    fn widths_are_those_of_the_files() {
        // Units of 1/2048 and 1/1000 of the font size, read from the same files by other programs.
        for (c, units) in [('0', 1303.0), ('m', 1995.0), ('W', 2025.0), ('−', 1716.0), ('λ', 1212.0), ('\u{301}', 0.0)]
        {
            assert_eq!(advance(&Font::Sans, false, c), units / 2048.0, "{c}");
        }
        for (c, units) in [('0', 1303.0), ('«', 1264.0), ('æ', 2038.0)] {
            assert_eq!(advance(&Font::Sans, true, c), units / 2048.0, "{c}");
        }
        assert_eq!(advance(&Font::Sans, false, '«'), 1253.0 / 2048.0);
        assert_eq!(advance(&Font::Serif, false, '0'), 0.5);
    }

    #[test]
    fn a_character_without_a_glyph_has_room() {
        assert_eq!(advance(&Font::Sans, false, '漢'), UNKNOWN);
    }

    /// Characters of labels other than ASCII.
    const SIGNS: &str = "αβγδεζηθικλμνξοπρστυφχψωϕϑϵΓΔΘΛΞΠΣΦΨΩ−×÷±·°≤≥≠≈≡≪≫→∞∈√‖∑∏∫∂∇ℝℂ′…–—“”‘’éöüøæ";

    #[test]
    fn every_sign_of_labels_is_there() {
        for font in [Font::Sans, Font::Serif] {
            for c in (' '..='~').chain(SIGNS.chars()) {
                for italic in [false, true] {
                    assert_ne!(letter(&font, italic, c).1.id, 0, "{c} in {font:?}");
                }
            }
        }
    }

    #[test]
    fn files_that_are_no_fonts_are_refused() {
        let fault = FontFamily::new("Nothing", (vec![1, 2, 3], 0), (Vec::new(), 0));
        assert_eq!(fault, Err(FigureError::Font { family: "Nothing".to_owned() }));
    }
}
