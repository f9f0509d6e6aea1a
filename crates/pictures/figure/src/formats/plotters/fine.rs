//! SVG files drawn with plotters in units finer than a point.

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};

use crate::layout::millimeters;

/// Draws a page with plotters in fine units and returns the text of an SVG file.
///
/// `size` is the width and height of the page in points, and `units` the number of plotters' units per point. Plotters
/// supports only integer units; the `viewBox` of the file maps them to the size in millimeters. Sizes and widths of
/// everything drawn are in these units: a font of 8 pt has height 8 × 1.24 × `units` by the convention of plotters.
///
/// ```
/// use hemiola_figure::{Axis, Figure, Panel, fine_svg};
///
/// let scene = Figure::one_column().panel(Panel::new(Axis::new("*x*"), Axis::new("*y*"))).scene()?;
/// let svg = fine_svg(scene.size(), 64, |page| scene.draw_on(page))?;
/// assert!(svg.starts_with("<svg width=\"85mm\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns the errors of `draw`.
pub fn fine_svg<E>(
    size: [f64; 2],
    units: u32,
    draw: impl FnOnce(&DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), E>,
) -> Result<String, E> {
    let [columns, rows] = size.map(|length| (f64::from(units) * length).round().max(1.0) as u32);
    let mut svg = String::new();
    {
        // The backend completes the text when it is dropped.
        let page = SVGBackend::with_string(&mut svg, (columns, rows)).into_drawing_area();
        draw(&page)?;
    }
    let head = |width: &str, height: &str| format!("<svg width=\"{width}\" height=\"{height}\"");
    let [width, height] = size.map(|length| format!("{}mm", rounded(millimeters(length))));
    Ok(svg.replacen(&head(&columns.to_string(), &rows.to_string()), &head(&width, &height), 1))
}

/// Rounds a length to hundredths.
fn rounded(length: f64) -> f64 {
    (100.0 * length).round() / 100.0
}
