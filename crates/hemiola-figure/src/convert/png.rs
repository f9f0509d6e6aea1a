//! PNG: the figure as pixels.

use resvg::tiny_skia::{Color, Pixmap};
use resvg::usvg::Transform;

use super::tree;
use crate::error::FigureError;

/// Points and metres in an inch.
const POINTS: f64 = 72.0;
const METRES: f64 = 0.0254;

/// The largest width and height in pixels: 178 mm at 2400 dpi.
const MOST: u32 = 16_820;

/// A figure's SVG text as a PNG file on white ground, as large in pixels as its size on paper is at this resolution. The file
/// says what the resolution is.
///
/// The bytes depend on the text and the resolution alone: the letters are those of DejaVu Sans, which the crate brings along.
///
/// ```
/// use hemiola_figure::{Axis, Figure, Panel, to_png};
///
/// let svg = Figure::one_column().panel(Panel::new(Axis::new("*x*"), Axis::new("*y*"))).to_svg()?;
/// let png = to_png(&svg, 100.0)?;
/// // 85 mm at 100 dots per 25.4 mm
/// assert_eq!(u32::from_be_bytes([png[16], png[17], png[18], png[19]]), 335);
/// # Ok::<(), hemiola_figure::FigureError>(())
/// ```
///
/// # Errors
///
/// If the text is no SVG, or the picture would have no pixels or more than 16 820 in a row or a column.
pub fn to_png(svg: &str, dots_per_inch: f64) -> Result<Vec<u8>, FigureError> {
    let tree = tree(svg)?;
    let scale = dots_per_inch / POINTS;
    let [width, height] = [tree.size().width(), tree.size().height()].map(|length| (f64::from(length) * scale).round());
    let refused = || FigureError::Resolution { dots_per_inch, width, height, most: MOST };
    let most = 1.0..=f64::from(MOST);
    if !(most.contains(&width) && most.contains(&height)) {
        return Err(refused());
    }
    let mut pixels = Pixmap::new(width as u32, height as u32).ok_or_else(refused)?;
    pixels.fill(Color::WHITE);
    resvg::render(&tree, Transform::from_scale(scale as f32, scale as f32), &mut pixels.as_mut());
    encode(&pixels, dots_per_inch)
}

/// The pixels, which are all opaque, as a file.
fn encode(pixels: &Pixmap, dots_per_inch: f64) -> Result<Vec<u8>, FigureError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_adaptive_filter(png::AdaptiveFilterType::Adaptive);
    let per_metre = (dots_per_inch / METRES).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: per_metre, yppu: per_metre, unit: png::Unit::Meter }));
    let colors: Vec<u8> = pixels.pixels().iter().flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(&colors)?;
        writer.finish()
    });
    written.map_err(|error| FigureError::Encoding { format: "PNG", reason: error.to_string() })?;
    Ok(file)
}
