//! Draws a figure file, as `hemiola map … --output FIGURE.json` writes it, with plotters: SVG or PNG.
//!
//! `cargo run --release -p hemiola-figure --features plotters,png --example figure_file -- FIGURE.json F.svg|F.png
//! [DPI]`

use std::error::Error;
use std::path::Path;

use hemiola_figure::{Drawing, Letters, Scene, fine_svg};
use plotters::prelude::*;

/// Units to the point in SVG files: a hundredth of a point is finer than print.
const UNITS: u32 = 100;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, output, rest @ ..] = &arguments[..] else {
        return Err("expected FIGURE.json and F.svg or F.png".into());
    };
    let scene = Drawing::from_json(&std::fs::read_to_string(file)?)?.scene()?;
    if output.ends_with(".svg") {
        std::fs::write(output, fine_svg(scene.size(), UNITS, |page| scene.draw_with(Letters::Text, page))?)?;
        return Ok(());
    }
    let dots_per_inch: f64 = rest.first().map_or(Ok(300.0), |dpi| dpi.parse())?;
    write_png(&scene, dots_per_inch, Path::new(output))
}

/// Draws on plotters' bitmap backend and writes its pixels.
fn write_png(scene: &Scene, dots_per_inch: f64, file: &Path) -> Result<(), Box<dyn Error>> {
    let (width, height) = scene.pixels(dots_per_inch / 72.0);
    let mut colors = vec![255; 3 * (width * height) as usize];
    {
        let page = BitMapBackend::with_buffer(&mut colors, (width, height)).into_drawing_area();
        scene.draw_on(&page)?;
        page.present()?;
    }
    let mut encoder = png::Encoder::new(std::fs::File::create(file)?, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&colors)?;
    Ok(())
}
