//! Drawing on a vector backend: the SVG is parsed and painted with a few lines of code.

use hemiola_figure::{Letters, Scene, fine_svg};
use tiny_skia::{Color, FillRule, Paint, Path, PathBuilder, Pixmap, PremultipliedColorU8, Stroke, Transform};

use super::pictures::Picture;
use super::scenes;
use crate::figures::read::{attribute, elements, length};

const UNITS: u32 = 64;

pub(crate) fn svg(scene: &Scene, letters: Letters) -> String {
    fine_svg(scene.size(), UNITS, |page| scene.draw_with(letters, page)).unwrap()
}

fn path(points: &str) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for (k, point) in points.split_whitespace().enumerate() {
        let (x, y) = point.split_once(',').unwrap();
        let [x, y] = [x, y].map(|length| length.parse().unwrap());
        if k == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
    }
    builder.finish()
}

fn paint(element: &str, color: &str) -> Paint<'static> {
    let [red, green, blue] = [1, 3, 5].map(|k| u8::from_str_radix(&attribute(element, color)[k..k + 2], 16).unwrap());
    let opacity = length(element, "opacity");
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(red, green, blue, (255.0 * opacity).round() as u8);
    paint
}

/// Painted pixels per output pixel in each direction: tiny-skia distinguishes only four heights within a pixel.
const FOLD: u32 = 6;

/// Paints the polygons and lines of an SVG file of plotters; `rule` applies to polygons, and `scale` is the pixels per
/// unit.
fn painted(svg: &str, rule: FillRule, scale: f64, size: (u32, u32)) -> Picture {
    let mut pixels = Pixmap::new(FOLD * size.0, FOLD * size.1).unwrap();
    pixels.fill(Color::WHITE);
    let scale = (f64::from(FOLD) * scale) as f32;
    let transform = Transform::from_scale(scale, scale);
    for element in svg.lines() {
        if element.starts_with("<polygon ") {
            if let Some(path) = path(attribute(element, "points")) {
                pixels.fill_path(&path, &paint(element, "fill"), rule, transform, None);
            }
        } else if element.starts_with("<polyline ") {
            let width = attribute(element, "stroke-width").parse().unwrap();
            if let Some(path) = path(attribute(element, "points")) {
                let pencil = Stroke { width, ..Stroke::default() };
                pixels.stroke_path(&path, &paint(element, "stroke"), &pencil, transform, None);
            }
        }
    }
    let mean = |k: u32, part: fn(PremultipliedColorU8) -> u8| {
        let corner = [FOLD * (k % size.0), FOLD * (k / size.0)];
        let block = (0..FOLD * FOLD).map(|k| pixels.pixel(corner[0] + k % FOLD, corner[1] + k / FOLD).unwrap());
        let sum: u32 = block.map(|pixel| u32::from(part(pixel))).sum();
        ((sum + FOLD * FOLD / 2) / (FOLD * FOLD)) as u8
    };
    let parts = [PremultipliedColorU8::red, PremultipliedColorU8::green, PremultipliedColorU8::blue];
    let pixel = |k| parts.map(|part| mean(k, part));
    Picture { size, colors: (0..size.0 * size.1).flat_map(pixel).collect() }
}

#[test]
fn shapes_show_what_the_png_file_does_by_either_rule() {
    for (name, scene) in scenes::all() {
        let svg = svg(&scene, Letters::Outlines);
        for dots_per_inch in [100.0, 254.0] {
            let expected = Picture::of(&scene, dots_per_inch);
            for rule in [FillRule::Winding, FillRule::EvenOdd] {
                let scale = dots_per_inch / 72.0 / f64::from(UNITS);
                let distance = painted(&svg, rule, scale, expected.size).distance(&expected);
                println!("{name} {dots_per_inch} {rule:?} {distance}");
                assert!(distance < 0.5, "{name} at {dots_per_inch}, {rule:?}: {distance}");
            }
        }
    }
}

#[test]
fn at_one_unit_to_the_pixel_shapes_are_nearly_right() {
    for (name, scene) in scenes::all() {
        let expected = Picture::of(&scene, 288.0);
        let svg = fine_svg(scene.size(), 4, |page| scene.draw_with(Letters::Outlines, page)).unwrap();
        let distance = painted(&svg, FillRule::Winding, 1.0, expected.size).distance(&expected);
        println!("{name} {distance}");
        assert!(distance < 3.0, "{name}: {distance}");
    }
}

#[test]
fn the_page_has_its_size_in_millimeters() {
    let scene = scenes::levels();
    let svg = svg(&scene, Letters::Outlines);
    let [width, height] = scene.size().map(|length| (f64::from(UNITS) * length).round());
    let millimeters = (100.0 * scene.size()[1] / 72.0 * 25.4).round() / 100.0;
    let head = format!("<svg width=\"85mm\" height=\"{millimeters}mm\" viewBox=\"0 0 {width} {height}\"");
    assert!(svg.starts_with(&head), "{}", &svg[..200]);
    assert!(svg.ends_with("</svg>\n"));
}

#[test]
fn nothing_is_drawn_outside_the_page() {
    for (name, scene) in scenes::all() {
        let svg = svg(&scene, Letters::Outlines);
        let [width, height] = scene.size().map(|length| (f64::from(UNITS) * length).ceil());
        let shapes = [elements(&svg, "polygon"), elements(&svg, "polyline")].concat();
        assert!(shapes.len() > 20);
        let points = shapes.iter().flat_map(|shape| attribute(shape, "points").split_whitespace());
        for point in points {
            let (x, y) = point.split_once(',').unwrap();
            let [x, y] = [x, y].map(|length| length.parse::<f64>().unwrap());
            assert!((0.0..=width).contains(&x) && (0.0..=height).contains(&y), "{name}: {point}");
        }
    }
}
