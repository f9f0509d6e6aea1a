//! Letters as text elements of plotters.

use std::convert::Infallible;

use plotters_backend::{BackendColor, BackendTextStyle, FontFamily, FontStyle, FontTransform};

use super::place::PixelMap;
use crate::geometry::Point;
use crate::text::{Run, Text};

/// Representation of letters on a plotters backend with vector graphics. Bitmap backends receive the pixels of the
/// letters.
///
/// Plotters leaves text to its backends, which differ in font size, base line and available fonts. Its own `SVGBackend`
/// is known to set it correctly, so text is the default; outlines suit all other backends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Letters {
    /// Text, correct on `SVGBackend`: it can be searched and edited, and appears in the font of the figure if the
    /// reader has it; each run of letters in one style is placed separately. An HTML canvas and Cairo set it a fourth
    /// too large and off its base line.
    #[default]
    Text,
    /// Plain text, each label in one piece without italics and subscripts: for backends whose letters have one size, such
    /// as [`TerminalBackend`](crate::TerminalBackend).
    Plain,
    /// Polygons, identical on every backend and in the figure's own font. Their corners lie on whole pixels, so that
    /// small letters look rough unless the units are fine: see [`fine_svg`](crate::fine_svg).
    Outlines,
}

/// Line height, which plotters uses as font size, relative to the em.
const LINE: f64 = 1.24;
/// Distance from the top of a text to its base line in SVG files, in ems.
const ASCENT: f64 = 0.76;

/// A run of letters as a text element of plotters.
pub(super) struct RunText<'t> {
    text: &'t Text,
    run: Run,
    /// Start of the base line of the whole text on the page.
    start: Point,
    place: PixelMap,
}

impl<'t> RunText<'t> {
    /// Returns the runs of a text without their leading spaces, which SVG files do not preserve.
    pub(super) fn all(text: &'t Text, place: PixelMap) -> impl Iterator<Item = Self> {
        let (start, runs) = text.runs();
        let runs = runs.into_iter().map(|mut run| {
            let spaces = run.text.chars().take_while(|c| c.is_whitespace()).count();
            run.at[0] += run.size * run.glyphs.drain(..spaces).map(|glyph| glyph.advance).sum::<f64>();
            run.text = run.text.trim().to_owned();
            run
        });
        runs.filter(|run| !run.text.is_empty()).map(move |run| Self { text, run, start, place })
    }

    /// Returns a whole text as one run; `None` for an empty one.
    pub(super) fn plain(text: &'t Text, place: PixelMap) -> Option<Self> {
        let (start, runs) = text.runs();
        let run = runs.into_iter().reduce(|mut whole, next| {
            whole.text += &next.text;
            whole.glyphs.extend(next.glyphs);
            whole
        })?;
        Some(Self { text, run, start, place })
    }

    pub(super) fn content(&self) -> &str {
        &self.run.text
    }

    /// Returns the pixel of the upper left corner in the convention of SVG files.
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

    /// Draws nothing: a backend that requests the pixels of texts has received those of the whole scene.
    fn draw<E, F: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        _: &str,
        _: (i32, i32),
        _: F,
    ) -> Result<Result<(), E>, Infallible> {
        Ok(Ok(()))
    }
}
