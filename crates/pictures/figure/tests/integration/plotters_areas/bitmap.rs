//! Drawing on a bitmap backend.

use hemiola_figure::{Axis, DrawOnError, Figure, FigureError, Gallery, Letters, Panel, Scene};
use plotters::prelude::*;

use super::pictures::Picture;
use super::scenes;

type Area<'p> = DrawingArea<BitMapBackend<'p>, plotters::coord::Shift>;

fn picture(size: (u32, u32), draw: impl FnOnce(&Area<'_>)) -> Picture {
    let mut picture = Picture::white(size);
    let area = BitMapBackend::with_buffer(&mut picture.colors, size).into_drawing_area();
    draw(&area);
    area.present().unwrap();
    drop(area);
    picture
}

/// Returns a resolution near the given one at which the page is a whole number of pixels wide and its height is rounded
/// up. Otherwise lines would shift by fractions of a pixel, which is a large error between hatchings.
fn fitting(scene: &Scene, dots_per_inch: f64) -> f64 {
    let [width, height] = scene.size();
    let least = (dots_per_inch / 72.0 * width).ceil() as u32;
    let mut columns = (least..).map(f64::from);
    let columns = columns.find(|columns| (columns / width * height).fract() > 0.5).unwrap();
    72.0 * columns / width
}

#[test]
fn a_bitmap_shows_what_the_png_file_does() {
    for (name, scene) in scenes::all() {
        for dots_per_inch in [100.0, 250.0].map(|wanted| fitting(&scene, wanted)) {
            let size = scene.pixels(dots_per_inch / 72.0);
            let drawn = picture(size, |area| scene.draw_on(area).unwrap());
            // Plotters truncates colors when it blends them.
            let distance = drawn.distance(&Picture::of(&scene, dots_per_inch));
            println!("{name} bitmap: {distance}");
            assert!(distance < 0.5, "{name} at {dots_per_inch}: {distance}");
            // White paper is far away.
            assert!(drawn.distance(&Picture::white(size)) > 3.0, "{name} at {dots_per_inch}");
        }
    }
}

#[test]
fn a_part_of_an_area_has_what_is_drawn_on_it() {
    let scene = scenes::region();
    let alone = picture((400, 300), |area| scene.draw_on(area).unwrap());
    let both = picture((500, 300), |area| {
        let (_, right) = area.split_horizontally(100);
        scene.draw_with(Letters::Text, &right).unwrap();
    });
    assert_eq!(both.columns(100, 400), alone);
    assert_eq!(both.columns(0, 100), Picture::white((100, 300)));
}

#[test]
fn what_is_there_is_seen_through_the_page() {
    let blue = |scene: &Scene| {
        picture((400, 300), |area| {
            area.fill(&RGBColor(0, 0, 255)).unwrap();
            scene.draw_on(area).unwrap();
        })
    };
    let corner = &blue(&scenes::region()).colors[..3];
    assert_eq!(corner, [0, 0, 255]);
}

#[test]
fn an_area_without_pixels_stays_empty() {
    let scene = scenes::gallery();
    let drawn = picture((50, 50), |area| {
        let (nothing, _) = area.split_horizontally(0);
        scene.draw_on(&nothing).unwrap();
    });
    assert_eq!(drawn, Picture::white((50, 50)));
}

#[test]
fn figures_and_galleries_are_drawn_or_say_why_not() {
    let figure = Figure::one_column().panel(Panel::new(Axis::new("*x*"), Axis::new("*y*")));
    let direct = picture((300, 200), |area| figure.draw_on(area).unwrap());
    assert_eq!(direct, picture((300, 200), |area| figure.scene().unwrap().draw_on(area).unwrap()));
    picture((300, 200), |area| {
        let fault = Gallery::one_column().draw_on(area);
        assert!(matches!(fault, Err(DrawOnError::Figure(FigureError::NoDiagrams))));
        assert_eq!(fault.unwrap_err().to_string(), FigureError::NoDiagrams.to_string());
    });
}
