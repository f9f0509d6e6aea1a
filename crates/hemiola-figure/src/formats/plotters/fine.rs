//! SVG files of plotters in units finer than points.

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};

use crate::layout::millimeters;

/// The text of an SVG file of a page whose width and height are given in points, drawn with plotters with so many units to the point.
///
/// Plotters knows whole units only. The page has many of them, which its `viewBox` brings back to its size in millimeters. Whatever is
/// drawn on it has its sizes and widths in these units: a font of 8 pt is 8 × 1.24 × `units` high, as plotters counts heights.
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
/// Those of `draw`.
pub fn fine_svg<E>(
    size: [f64; 2],
    units: u32,
    draw: impl FnOnce(&DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), E>,
) -> Result<String, E> {
    let [columns, rows] = size.map(|length| (f64::from(units) * length).round().max(1.0) as u32);
    let mut svg = String::new();
    {
        // The backend ends the text when it is dropped.
        let page = SVGBackend::with_string(&mut svg, (columns, rows)).into_drawing_area();
        draw(&page)?;
    }
    let head = |width: &str, height: &str| format!("<svg width=\"{width}\" height=\"{height}\"");
    let [width, height] = size.map(|length| format!("{}mm", rounded(millimeters(length))));
    Ok(svg.replacen(&head(&columns.to_string(), &rows.to_string()), &head(&width, &height), 1))
}

/// A length to the hundredth.
fn rounded(length: f64) -> f64 {
    (100.0 * length).round() / 100.0
}
