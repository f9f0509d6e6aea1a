//! The faces that labels are measured in, and that PNG and PDF files are set in.
//!
//! DejaVu Sans 2.37, upright and oblique, unmodified; its license lies beside the files. It has every letter and sign of the
//! labels.

use std::sync::OnceLock;

use ttf_parser::Face as Table;

/// The files of the upright and the oblique face.
pub(crate) const FILES: [&[u8]; 2] =
    [include_bytes!("../../fonts/DejaVuSans.ttf"), include_bytes!("../../fonts/DejaVuSans-Oblique.ttf")];

/// What a character takes that the face does not have, as a part of the type size: a full square and more, the widest that
/// common letters of any script get.
const UNKNOWN: f64 = 1.1;

/// One of the two faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Face {
    Upright,
    Oblique,
}

impl Face {
    /// The advance width of a character, as a part of the type size.
    pub(super) fn advance(self, c: char) -> f64 {
        let advance = |table: &Table<'_>| {
            let units = table.glyph_hor_advance(table.glyph_index(c)?)?;
            Some(f64::from(units) / f64::from(table.units_per_em()))
        };
        self.table().and_then(advance).unwrap_or(UNKNOWN)
    }

    fn table(self) -> Option<&'static Table<'static>> {
        static TABLES: OnceLock<[Option<Table<'static>>; 2]> = OnceLock::new();
        TABLES.get_or_init(|| FILES.map(|file| Table::parse(file, 0).ok()))[self as usize].as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_files() {
        // Units of 1/2048 of the size, as other programs read them from the same files.
        for (c, units) in [('0', 1303.0), ('m', 1995.0), ('W', 2025.0), ('−', 1716.0), ('λ', 1212.0), ('\u{301}', 0.0)]
        {
            assert_eq!(Face::Upright.advance(c), units / 2048.0, "{c}");
        }
        for (c, units) in [('0', 1303.0), ('«', 1264.0), ('æ', 2038.0)] {
            assert_eq!(Face::Oblique.advance(c), units / 2048.0, "{c}");
        }
        assert_eq!(Face::Upright.advance('«'), 1253.0 / 2048.0);
    }

    #[test]
    fn a_character_without_a_glyph_has_room() {
        assert_eq!(Face::Upright.advance('漢'), UNKNOWN);
    }
}
