//! Plotters: drawing of a scene on an area of any of its backends.

mod bitmap;
mod error;
mod fine;
#[cfg(all(feature = "gif", not(target_arch = "wasm32")))]
mod gif;
mod letters;
mod lines;
mod outlines;
mod painter;
mod place;
mod terminal;

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Drawable, PointCollection};
use plotters_backend::DrawingBackend;

pub use error::DrawOnError;
pub use fine::fine_svg;
#[cfg(all(feature = "gif", not(target_arch = "wasm32")))]
pub use gif::{GifError, GifOptions, write_gif};
pub use letters::Letters;
pub use terminal::{TerminalBackend, TerminalColors};

use crate::diagrams::Gallery;
use crate::figure::Figure;
use crate::scene::Scene;
use bitmap::painted;
use painter::{Drawn, Painter};
use place::PixelMap;

impl Scene {
    /// Returns the size of the page in pixels for a number of pixels per point.
    ///
    /// Backends have whole pixels, and plotters rounds line widths to whole pixels, so a larger number gives a more
    /// accurate drawing. A resolution of 300 dpi is 300/72 pixels per point.
    ///
    /// ```
    /// use hemiola_figure::{Axis, Figure, Panel};
    ///
    /// let scene = Figure::one_column().panel(Panel::new(Axis::new("*x*"), Axis::new("*y*"))).scene()?;
    /// assert_eq!(scene.pixels(300.0 / 72.0).0, 1004); // 85 mm
    /// # Ok::<(), hemiola_figure::FigureError>(())
    /// ```
    #[must_use]
    pub fn pixels(&self, per_point: f64) -> (u32, u32) {
        let [width, height] = self.size.map(|length| (per_point * length).round() as u32);
        (width, height)
    }

    /// Draws the scene on a plotters area, centered and as large as possible. Existing content shows through.
    ///
    /// Bitmap backends, such as `BitMapBackend`, receive the antialiased pixels of `Scene::to_png`. All others receive
    /// shapes, with letters as [`Letters::Text`]. Areas, including those with holes, are polygons; clips, dashes and
    /// hatchings are cut. The corners lie on whole pixels, and line widths are rounded to whole pixels, at least one;
    /// if that is too coarse for an SVG file, use [`fine_svg`].
    ///
    /// ```
    /// use hemiola_figure::{Axis, Curve, Figure, Panel};
    /// use plotters::prelude::*;
    ///
    /// let panel = Panel::new(Axis::new("*t*"), Axis::new("*y*")).curve(Curve::new().open([[0.0, 1.0], [1.0, 0.0]]));
    /// let scene = Figure::one_column().panel(panel).scene()?;
    /// let mut svg = String::new();
    /// {
    ///     let root = SVGBackend::with_string(&mut svg, (1000, 400)).into_drawing_area();
    ///     root.fill(&WHITE)?;
    ///     let (_, right) = root.split_horizontally(500);
    ///     scene.draw_on(&right)?;
    ///     root.present()?;
    /// }
    /// assert!(svg.contains("<polyline") && svg.contains("DejaVu Sans"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the backend fails.
    pub fn draw_on<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
    ) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
        self.draw_with(Letters::default(), area)
    }

    /// Draws the scene as [`draw_on`](Self::draw_on) does, with the given representation of letters.
    ///
    /// ```
    /// use hemiola_figure::{Axis, Figure, Letters, Panel, fine_svg};
    ///
    /// let scene = Figure::one_column().panel(Panel::new(Axis::new("step size"), Axis::new("*y*"))).scene()?;
    /// let svg = fine_svg(scene.size(), 64, |page| scene.draw_with(Letters::Outlines, page))?;
    /// assert!(svg.contains("<polygon") && !svg.contains("step size"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the backend fails.
    pub fn draw_with<DB: DrawingBackend>(
        &self,
        letters: Letters,
        area: &DrawingArea<DB, Shift>,
    ) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
        area.draw(&SceneElement { scene: self, letters })
    }
}

impl Figure {
    /// Draws the figure on a plotters area; short for [`Scene::draw_on`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`scene`](Self::scene) and of the backend.
    pub fn draw_on<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>) -> Result<(), DrawOnError<DB::ErrorType>> {
        Ok(self.scene()?.draw_on(area)?)
    }
}

impl Gallery {
    /// Draws the page on a plotters area; short for [`Scene::draw_on`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`scene`](Self::scene) and of the backend.
    pub fn draw_on<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>) -> Result<(), DrawOnError<DB::ErrorType>> {
        Ok(self.scene()?.draw_on(area)?)
    }
}

/// A scene as an element of plotters.
struct SceneElement<'s> {
    scene: &'s Scene,
    letters: Letters,
}

/// Passes the upper left corner of the area to the element, which needs its position.
impl<'p> PointCollection<'p, (i32, i32)> for &'p SceneElement<'_> {
    type Point = (i32, i32);
    type IntoIter = [(i32, i32); 1];

    fn point_iter(self) -> Self::IntoIter {
        [(0, 0)]
    }
}

impl<DB: DrawingBackend> Drawable<DB> for SceneElement<'_> {
    fn draw<I: Iterator<Item = (i32, i32)>>(&self, mut corner: I, backend: &mut DB, size: (u32, u32)) -> Drawn<DB> {
        let corner = corner.next().unwrap_or_default();
        if painted(self.scene, backend, corner, size)? {
            return Ok(());
        }
        let place = PixelMap::fitted(self.scene.size, corner, size);
        Painter::new(backend, place, self.letters).layer(&self.scene.content)
    }
}
