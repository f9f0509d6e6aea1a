//! A scene as pixels, for backends without vector graphics.

use std::cell::Cell;
use std::convert::Infallible;

use plotters_backend::{BackendColor, BackendTextStyle, DrawingBackend, FontFamily};

use super::painter::Drawn;
use super::place::PixelMap;
use crate::formats::canvas::Canvas;
use crate::scene::Scene;

/// Draws a scene by its antialiased pixels if the backend requests them; returns whether it did.
///
/// A backend does not declare whether it draws pixels or shapes. But a bitmap backend requests the pixels of a text
/// from its style, whereas other backends set the text, here an empty string, themselves.
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

/// A scene disguised as a text style, through which plotters passes pixels to backends.
struct Bitmap<'s> {
    scene: &'s Scene,
    /// Size of the area in pixels.
    size: (u32, u32),
    /// Whether the backend has requested the pixels.
    wanted: Cell<bool>,
}

impl BackendTextStyle for Bitmap<'_> {
    type FontError = Infallible;

    fn family(&self) -> FontFamily<'_> {
        FontFamily::SansSerif
    }

    /// Returns an empty box, so that the backend does not shift the pixels.
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
        let place = PixelMap::fitted(self.scene.size, (0, 0), self.size);
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
