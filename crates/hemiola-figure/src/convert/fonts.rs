//! The faces that PNG and PDF files are set in: those in which [`text`](crate::text) measures labels, and no others.

use std::sync::{Arc, OnceLock};

use resvg::usvg::fontdb::{Database, ID, Source, Style};
use resvg::usvg::{FontResolver, FontStyle};

use crate::text::FILES;

/// The two faces and no others.
pub(super) fn database() -> Arc<Database> {
    static FACES: OnceLock<Arc<Database>> = OnceLock::new();
    let load = || {
        let mut faces = Database::new();
        for face in FILES {
            faces.load_font_source(Source::Binary(Arc::new(face)));
        }
        Arc::new(faces)
    };
    Arc::clone(FACES.get_or_init(load))
}

/// Takes the oblique face for italics and the upright one for everything else, whatever family is asked for.
pub(super) fn resolver() -> FontResolver<'static> {
    FontResolver {
        select_font: Box::new(|font, faces| face(faces, font.style() != FontStyle::Normal)),
        select_fallback: Box::new(|_, _, _| None),
    }
}

fn face(faces: &Database, slanted: bool) -> Option<ID> {
    faces.faces().find(|face| (face.style != Style::Normal) == slanted).map(|face| face.id)
}

#[cfg(test)]
mod tests {
    use super::super::tree;
    use crate::text::Label;
    use resvg::usvg::{Node, Text};

    /// What labels are made of beside ASCII.
    const SIGNS: &str = "αβγδεζηθικλμνξοπρστυφχψωϕϑϵΓΔΘΛΞΠΣΦΨΩ−×÷±·°≤≥≠≈≡≪≫→∞∈√‖∑∏∫∂∇ℝℂ′…–—“”‘’éöüøæ";

    fn laid_out(c: char, attributes: &str) -> Text {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"400\" height=\"400\" font-family=\"Helvetica\"><text y=\"200\" \
             font-size=\"100\" {attributes}>{}</text></svg>",
            crate::svg::escape(&c.to_string())
        );
        match tree(&svg).unwrap().root().children() {
            [Node::Text(text)] => text.as_ref().clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn both_faces_have_every_sign_and_labels_reserve_its_room() {
        for c in ('!'..='~').chain(SIGNS.chars()) {
            for (attributes, mark) in [("", ""), ("font-style=\"italic\"", "*")] {
                let text = laid_out(c, attributes);
                let glyphs: Vec<u16> =
                    text.layouted().iter().flat_map(|span| &span.positioned_glyphs).map(|glyph| glyph.id.0).collect();
                assert!(glyphs.len() == 1 && glyphs[0] != 0, "{c}: {glyphs:?}");
                let letter = if r"\*_^{}".contains(c) { format!("\\{c}") } else { c.to_string() };
                let label = Label::parse(&format!("{mark}{letter}{mark}"));
                let [width, reserved] = [f64::from(text.bounding_box().width()), label.width(100.0)];
                assert!((width - reserved).abs() < 1e-3, "{c}: {width} {reserved}");
            }
        }
    }

    #[test]
    fn italics_have_a_face_of_their_own() {
        let face = |attributes| laid_out('z', attributes).layouted()[0].positioned_glyphs[0].font;
        assert_ne!(face(""), face("font-style=\"italic\""));
        assert_eq!(face(""), face("font-family=\"serif\" font-weight=\"bold\""));
    }
}
