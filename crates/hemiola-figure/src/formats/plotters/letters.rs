//! Letters as texts of plotters.

use std::convert::Infallible;

use plotters_backend::{BackendColor, BackendTextStyle, FontFamily, FontStyle, FontTransform};

use super::place::Place;
use crate::geometry::Point;
use crate::text::{Run, Text};

/// How letters are drawn on a plotters backend that takes shapes; one that takes pixels gets those of the letters in any case.
///
/// Plotters leaves texts to its backends, which differ in how large they set a size, in where they put the base line, and in which
/// fonts they have. Its own, `SVGBackend`, is known, and so text is the default; for others there are outlines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Letters {
    /// As text, right on `SVGBackend`: there it can be searched and edited, in the font of the figure if the reader has it, with each
    /// run of letters in one style at its place. An HTML canvas and Cairo set it a fourth too large and not on its base line.
    #[default]
    Text,
    /// As polygons, on any backend at the same place and in the figure's own font. Their corners lie on whole pixels, so that small
    /// letters look rough unless units are fine: see [`fine_svg`](crate::fine_svg).
    Outlines,
}

/// The height of the line that the size of a plotters font is, relative to its em.
const LINE: f64 = 1.24;
/// How far below the top of a text its base line is in SVG files, in ems.
const ASCENT: f64 = 0.76;

/// A run of letters as a text of plotters.
pub(super) struct RunText<'t> {
    text: &'t Text,
    run: Run,
    /// The start of the base line of the whole text on the page.
    start: Point,
    place: Place,
}

impl<'t> RunText<'t> {
    /// The runs of a text, without the spaces where one begins, which SVG files do not keep.
    pub(super) fn all(text: &'t Text, place: Place) -> impl Iterator<Item = Self> {
        let (start, runs) = text.runs();
        let runs = runs.into_iter().map(|mut run| {
            let spaces = run.text.chars().take_while(|c| c.is_whitespace()).count();
            run.at[0] += run.size * run.glyphs.drain(..spaces).map(|glyph| glyph.advance).sum::<f64>();
            run.text = run.text.trim().to_owned();
            run
        });
        runs.filter(|run| !run.text.is_empty()).map(move |run| Self { text, run, start, place })
    }

    pub(super) fn content(&self) -> &str {
        &self.run.text
    }

    /// The pixel of the upper left corner as SVG files understand it.
    pub(super) fn corner(&self) -> (i32, i32) {
        let [along, below] = self.run.at;
        let [x, y] = self.place.point(self.text.place(self.start, [along, below - ASCENT * self.run.size]));
        (x.round() as i32, y.round() as i32)
    }
}

impl BackendTextStyle for RunText<'_> {
    type FontError = Infallible;

    fn size(&self) -> f64 {
        LINE * self.place.scale * self.run.size
    }

    fn transform(&self) -> FontTransform {
        if self.text.upright { FontTransform::Rotate270 } else { FontTransform::None }
    }

    fn style(&self) -> FontStyle {
        if self.run.italic { FontStyle::Italic } else { FontStyle::Normal }
    }

    fn family(&self) -> FontFamily<'_> {
        FontFamily::Name(self.text.label.font.family(self.run.italic, self.run.face))
    }

    fn layout_box(&self, _: &str) -> Result<((i32, i32), (i32, i32)), Infallible> {
        let [width, height] =
            [self.run.width(), self.run.size].map(|length| (self.place.scale * length).round() as i32);
        Ok(((0, 0), (width, height)))
    }

    /// Nothing: a backend that asks for the pixels of texts has got those of the whole scene.
    fn draw<E, F: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        _: &str,
        _: (i32, i32),
        _: F,
    ) -> Result<Result<(), E>, Infallible> {
        Ok(Ok(()))
    }
}
