//! Puts a stability region beside a chart made with plotters, and its boundary into that chart, as SVG and PNG.
//!
//! `cargo run --release -p hemiola-figure --features plotters,png --example plotters_chart -- directory`

use std::error::Error;
use std::f64::consts::TAU;
use std::path::PathBuf;

use hemiola_figure::{Axis, Curve, Figure, Panel, Region, fine_svg};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::register_font;

/// Size of the page in points.
const PAGE: [f64; 2] = [504.0, 216.0];

fn main() -> Result<(), Box<dyn Error>> {
    let directory = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_owned()));
    // The chart's labels need a registered font, because plotters bundles none. Our figure does not need it.
    let font = include_bytes!("../fonts/DejaVuSans.ttf");
    register_font("DejaVu Sans", FontStyle::Normal, font).map_err(|_| "the font cannot be read")?;

    let svg = fine_svg(PAGE, 20, |page| draw(page, 20.0).map_err(|error| error.to_string()))?;
    std::fs::write(directory.join("plotters_chart.svg"), svg)?;

    let scale = 3.0;
    let size = PAGE.map(|length| (scale * length) as u32);
    let mut colors = vec![255; (3 * size[0] * size[1]) as usize];
    {
        let page = BitMapBackend::with_buffer(&mut colors, (size[0], size[1])).into_drawing_area();
        draw(&page, scale)?;
        page.present()?;
    }
    write_png(&directory.join("plotters_chart.png"), size, &colors)?;
    Ok(())
}

/// Draws our figure on the left half of a page and a chart on the right half; `unit` is the number of pixels per point.
fn draw<DB>(page: &DrawingArea<DB, Shift>, unit: f64) -> Result<(), Box<dyn Error>>
where
    DB: DrawingBackend,
    DB::ErrorType: 'static,
{
    page.fill(&WHITE)?;
    let (left, right) = page.split_horizontally((0.5 * PAGE[0] * unit) as i32);
    let region = Region::new().polygon(boundary()).label("stable");
    let panel = Panel::new(Axis::new("Re(*z*)").range(-4.0, 1.5), Axis::new("Im(*z*)").range(-3.5, 3.5));
    let panel = panel.equal_aspect().region(region).curve(Curve::new().closed(boundary()).label("|*R*_{4}(*z*)| = 1"));
    Figure::one_column().panel(panel).draw_on(&left)?;
    chart(&right, unit)
}

/// Draws a chart with its own axes and series, and with our boundary as one of its elements.
fn chart<DB>(area: &DrawingArea<DB, Shift>, unit: f64) -> Result<(), Box<dyn Error>>
where
    DB: DrawingBackend,
    DB::ErrorType: 'static,
{
    let points = |length: f64| (unit * length).round() as u32;
    let line = |color: RGBColor| color.stroke_width(points(1.0).max(1));
    let font = ("DejaVu Sans", 8.0 * unit);
    let mut chart = ChartBuilder::on(area)
        .margin(points(8.0))
        .x_label_area_size(points(24.0))
        .y_label_area_size(points(36.0))
        .build_cartesian_2d(-4.0..1.5, 0.0..3.5)?;
    chart
        .configure_mesh()
        .disable_mesh()
        .axis_style(BLACK.stroke_width(points(0.6).max(1)))
        .set_all_tick_mark_size(points(3.0))
        .x_labels(6)
        .x_desc("Re(z)")
        .label_style(font)
        .axis_desc_style(font)
        .draw()?;
    let upper: Vec<(f64, f64)> = boundary().into_iter().filter(|[_, y]| *y >= 0.0).map(|[x, y]| (x, y)).collect();
    chart.draw_series([Polygon::new(upper, RGBColor(0, 114, 178).mix(0.18))])?;
    let exponential = (0..=110).map(|k| -4.0 + 0.05 * f64::from(k)).map(|x| (x, x.exp()));
    chart.draw_series(LineSeries::new(exponential.take_while(|(_, y)| *y <= 3.5), line(RGBColor(213, 94, 0))))?;
    Ok(())
}

/// Returns the curve |1 + z + z²/2 + z³/6 + z⁴/24| = 1 by its first crossing on each ray from an interior point.
fn boundary() -> Vec<[f64; 2]> {
    let modulus = |[x, y]: [f64; 2]| {
        let [re, im] = (1..=4).rev().fold([1.0, 0.0], |[re, im], k| {
            let k = f64::from(k);
            [1.0 + (re * x - im * y) / k, (re * y + im * x) / k]
        });
        f64::hypot(re, im)
    };
    let on_ray = |t: f64| {
        let at = |r: f64| [-1.0 + r * t.cos(), r * t.sin()];
        let outside = (1..400).map(|k| 0.01 * f64::from(k)).find(|&r| modulus(at(r)) > 1.0).unwrap_or(4.0);
        let (mut low, mut high) = (outside - 0.01, outside);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            if modulus(at(middle)) > 1.0 { high = middle } else { low = middle }
        }
        at(high)
    };
    (0..720).map(|k| on_ray(TAU * f64::from(k) / 720.0)).collect()
}

fn write_png(path: &std::path::Path, [width, height]: [u32; 2], colors: &[u8]) -> Result<(), Box<dyn Error>> {
    let mut encoder = png::Encoder::new(std::fs::File::create(path)?, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(colors)?;
    Ok(())
}
