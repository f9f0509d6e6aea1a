//! Installed fonts, by family name.

use fontdb::{Database, Family, Query, Style};
use hemiola::figure::{Font, FontFamily};

/// Reads `sans`, `serif` or the name of a font family, whose files are searched on this machine.
pub(crate) fn read(text: &str) -> Result<Font, String> {
    match text {
        "sans" => Ok(Font::Sans),
        "serif" => Ok(Font::Serif),
        family => installed(family).map(Font::Family),
    }
}

fn installed(family: &str) -> Result<FontFamily, String> {
    let mut faces = Database::new();
    faces.load_system_fonts();
    let missing =
        || format!("no font family `{family}` on this machine; expected `sans`, `serif` or an installed family");
    let face = |style| {
        let query = Query { families: &[Family::Name(family)], style, ..Query::default() };
        let id = faces.query(&query)?;
        faces.with_face_data(id, |data, index| (data.to_vec(), index))
    };
    let upright = face(Style::Normal).ok_or_else(missing)?;
    let italic = face(Style::Italic).ok_or_else(missing)?;
    FontFamily::new(family, upright, italic).map_err(|error| error.to_string())
}
