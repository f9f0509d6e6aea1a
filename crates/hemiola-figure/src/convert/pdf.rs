//! PDF: the figure as one page of its size.

use krilla::geom::Size;
use krilla::page::PageSettings;
use krilla::{Document, SerializeSettings};
use krilla_svg::{SurfaceExt, SvgSettings};

use super::tree;
use crate::error::FigureError;

/// A figure's SVG text as a PDF file of one page of the figure's size: lines stay lines, and text can be searched.
///
/// The bytes depend on the text alone: there is no date in the file, and the letters, of which it holds those used, are from
/// DejaVu Sans, which the crate brings along.
///
/// ```
/// use hemiola_figure::{Axis, Figure, Panel, to_pdf};
///
/// let svg = Figure::one_column().panel(Panel::new(Axis::new("*x*"), Axis::new("*y*"))).to_svg()?;
/// assert!(to_pdf(&svg)?.starts_with(b"%PDF-"));
/// # Ok::<(), hemiola_figure::FigureError>(())
/// ```
///
/// # Errors
///
/// If the text is no SVG.
pub fn to_pdf(svg: &str) -> Result<Vec<u8>, FigureError> {
    pdf(svg, SerializeSettings { xmp_metadata: false, enable_tagging: false, ..SerializeSettings::default() })
}

fn pdf(svg: &str, settings: SerializeSettings) -> Result<Vec<u8>, FigureError> {
    let tree = tree(svg)?;
    let fault = |reason: String| FigureError::Encoding { format: "PDF", reason };
    let [width, height] = [tree.size().width(), tree.size().height()];
    let size = Size::from_wh(width, height).ok_or_else(|| fault(format!("the page measures {width} × {height} pt")))?;
    let mut document = Document::new_with(settings);
    let mut page = document.start_page_with(PageSettings::new(size));
    let mut surface = page.surface();
    surface.draw_svg(&tree, size, SvgSettings::default());
    surface.finish();
    page.finish();
    document.finish().map_err(|error| fault(format!("{error:?}")))
}
