//! PNG: the scene as pixels.

use super::canvas::Canvas;
use crate::error::FigureError;
use crate::scene::Scene;

/// Points and meters per inch.
const POINTS: f64 = 72.0;
const METERS: f64 = 0.0254;

/// Largest width and height in pixels: 178 mm at 2400 dpi.
const MOST: u32 = 16_820;

impl Scene {
    /// Writes the scene as a PNG file on a white ground. The size in pixels follows from the paper size and the
    /// resolution, which the file records.
    ///
    /// The output depends only on the scene and the resolution.
    ///
    /// ```
    /// use hemiola_figure::{Axis, Figure, Panel};
    ///
    /// let scene = Figure::one_column().panel(Panel::new(Axis::new("*x*"), Axis::new("*y*"))).scene()?;
    /// let png = scene.to_png(100.0)?;
    /// // 85 mm at 100 dots per 25.4 mm
    /// assert_eq!(u32::from_be_bytes([png[16], png[17], png[18], png[19]]), 335);
    /// # Ok::<(), hemiola_figure::FigureError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the image would have no pixels or more than 16 820 in a row or a column.
    pub fn to_png(&self, dots_per_inch: f64) -> Result<Vec<u8>, FigureError> {
        let scale = dots_per_inch / POINTS;
        let [width, height] = self.size.map(|length| (length * scale).round());
        let refused = || FigureError::Resolution { dots_per_inch, width, height, most: MOST };
        let most = 1.0..=f64::from(MOST);
        if !(most.contains(&width) && most.contains(&height)) {
            return Err(refused());
        }
        let mut canvas = Canvas::white([width as u32, height as u32], scale).ok_or_else(refused)?;
        canvas.layer(&self.content);
        encode([width as u32, height as u32], &canvas.colors(), dots_per_inch)
    }
}

/// Encodes RGB pixels as a PNG file.
fn encode([width, height]: [u32; 2], colors: &[u8], dots_per_inch: f64) -> Result<Vec<u8>, FigureError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_filter(png::Filter::Adaptive);
    let per_meter = (dots_per_inch / METERS).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: per_meter, yppu: per_meter, unit: png::Unit::Meter }));
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(colors)?;
        writer.finish()
    });
    written.map_err(|error| FigureError::Encoding { format: "PNG", reason: error.to_string() })?;
    Ok(file)
}
