//! A scene as pixels, for backends that have nothing else.

use std::cell::Cell;
use std::convert::Infallible;

use plotters_backend::{BackendColor, BackendTextStyle, DrawingBackend, FontFamily};

use super::painter::Drawn;
use super::place::Place;
use crate::formats::canvas::Canvas;
use crate::scene::Scene;

/// Draws a scene on an area by its pixels, with smooth edges, if that is what the backend asks for; otherwise nothing, and tells so.
///
/// Backends do not say whether they have pixels or shapes. But those that only have pixels ask the style of a text for these; the
/// others set the text themselves, which here is empty.
pub(super) fn painted<DB: DrawingBackend>(
    scene: &Scene,
    backend: &mut DB,
    corner: (i32, i32),
    size: (u32, u32),
) -> Result<bool, plotters_backend::DrawingErrorKind<DB::ErrorType>> {
    let bitmap = Bitmap { scene, size, wanted: Cell::new(false) };
    let drawn: Drawn<DB> = backend.draw_text("", &bitmap, corner);
    drawn.map(|()| bitmap.wanted.get())
}

/// A scene in the form in which plotters hands pixels to backends: as the style of a text.
struct Bitmap<'s> {
    scene: &'s Scene,
    /// The size of the area.
    size: (u32, u32),
    /// Whether the backend has asked for the pixels.
    wanted: Cell<bool>,
}

impl BackendTextStyle for Bitmap<'_> {
    type FontError = Infallible;

    fn family(&self) -> FontFamily<'_> {
        FontFamily::SansSerif
    }

    /// Empty, so that the backend moves nothing.
    fn layout_box(&self, _: &str) -> Result<((i32, i32), (i32, i32)), Infallible> {
        Ok(((0, 0), (0, 0)))
    }

    fn draw<E, F: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        _: &str,
        (left, top): (i32, i32),
        mut draw: F,
    ) -> Result<Result<(), E>, Infallible> {
        self.wanted.set(true);
        let place = Place::fitted(self.scene.size, (0, 0), self.size);
        let canvas = Canvas::clear([self.size.0, self.size.1], place.scale, place.origin);
        let Some(mut canvas) = canvas else { return Ok(Ok(())) };
        canvas.layer(&self.scene.content);
        let mut pixels = canvas.painted();
        Ok(pixels.try_for_each(|([x, y], color, alpha)| {
            let color = BackendColor { alpha, rgb: (color.0, color.1, color.2) };
            draw(left + x as i32, top + y as i32, color)
        }))
    }
}
