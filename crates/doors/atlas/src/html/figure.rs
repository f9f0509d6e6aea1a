//! Figures with alternative text.

use hemiola_figure::Drawing;
use hemiola_plot::View;
use maud::{Markup, html};

use crate::error::AtlasError;

/// Cells of a map in each direction. Contours are interpolated, so that more would not be visible at the size of a
/// page.
const CELLS: usize = 240;

/// Returns the default view: the window is chosen from the regions.
pub(crate) fn default_view() -> View {
    View { cells: CELLS, ..View::default() }
}

/// A figure of a page, stored in a file of its own.
pub(crate) struct PageFigure {
    /// The path of the file from the root of the site.
    pub(crate) path: String,
    pub(crate) svg: String,
    /// Width and height in points.
    size: [f64; 2],
    /// The alternative text.
    alt: String,
    caption: Markup,
}

impl PageFigure {
    pub(crate) fn new(
        id: &str,
        kind: &str,
        drawing: impl Into<Drawing>,
        alt: impl Into<String>,
        caption: Markup,
    ) -> Result<Self, AtlasError> {
        let scene = drawing.into().scene().map_err(AtlasError::of(id))?;
        let path = format!("figures/{id}-{kind}.svg");
        Ok(Self { path, size: scene.size(), svg: scene.to_svg(), alt: alt.into(), caption })
    }
}

/// Width in pixels above which the text of a figure is too small on a telephone unless it scrolls.
const WIDE: f64 = 400.0;

/// Renders a picture on a page one folder below the root.
pub(crate) fn picture(picture: &PageFigure) -> Markup {
    let [width, height] = picture.size.map(|points| (points * 4.0 / 3.0).round());
    html! {
        figure.wide[width > WIDE] {
            a href={ "../" (picture.path) } {
                img src={ "../" (picture.path) } alt=(picture.alt) width=(width) height=(height) loading="lazy";
            }
            figcaption { (picture.caption) }
        }
    }
}
