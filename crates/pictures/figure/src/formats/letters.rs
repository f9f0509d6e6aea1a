//! Outlines of letters, for formats without fonts.

use ttf_parser::{GlyphId, OutlineBuilder};

use crate::geometry::Point;
use crate::text::Text;

/// Receiver of the outline of a letter, in points of the page.
pub(super) trait Pen {
    fn move_to(&mut self, to: Point);
    fn line_to(&mut self, to: Point);
    fn quad_to(&mut self, control: Point, to: Point);
    fn cubic_to(&mut self, first: Point, second: Point, to: Point);
    fn close(&mut self);
    /// Completes a letter; called after its last outline.
    fn letter_done(&mut self) {}
}

/// Draws all letters of a text with a pen.
pub(super) fn trace(text: &Text, pen: &mut impl Pen) {
    let (start, runs) = text.runs();
    for run in &runs {
        let Some(face) = text.label.font.faces(run.italic).into_iter().nth(run.face) else { continue };
        face.read(|table| {
            let unit = run.size / f64::from(table.units_per_em());
            let mut left = run.at[0];
            for glyph in &run.glyphs {
                let place = |[x, y]: Point| text.place(start, [left + unit * x, run.at[1] - unit * y]);
                table.outline_glyph(GlyphId(glyph.id), &mut Tracer { pen: &mut *pen, place });
                pen.letter_done();
                left += run.size * glyph.advance;
            }
        });
    }
}

/// Adapter that maps the outline of a letter from font units to the page.
struct Tracer<'p, P, F> {
    pen: &'p mut P,
    place: F,
}

impl<P: Pen, F: Fn(Point) -> Point> Tracer<'_, P, F> {
    fn at(&self, x: f32, y: f32) -> Point {
        (self.place)([f64::from(x), f64::from(y)])
    }
}

impl<P: Pen, F: Fn(Point) -> Point> OutlineBuilder for Tracer<'_, P, F> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.pen.move_to(self.at(x, y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.pen.line_to(self.at(x, y));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.pen.quad_to(self.at(x1, y1), self.at(x, y));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.pen.cubic_to(self.at(x1, y1), self.at(x2, y2), self.at(x, y));
    }

    fn close(&mut self) {
        self.pen.close();
    }
}
