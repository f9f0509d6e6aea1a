//! Tests that measure whether marks can be distinguished.
//!
//! They use the model of Stone, Szafir and Setlur (Color and Imaging Conference 22 (2014) 253): half the readers notice
//! a difference between marks of size `s` (in degrees) if it exceeds ½(A + B/s), with A and B given for each of L*, a*
//! and b*.

use super::color::linear;
use super::{Color, ColorMap, Look, Style};

/// A and B for L*, a* and b*.
const NOTICEABLE: [[f64; 2]; 3] = [[10.16, 1.50], [10.68, 3.08], [10.70, 5.74]];
/// Reading distance in millimeters.
const DISTANCE: f64 = 400.0;
/// Millimeters per point.
const POINT: f64 = 25.4 / 72.0;
/// Size of a marker and width of a curve in points.
const MARKER: f64 = 4.0;
const CURVE: f64 = 1.1;

type Matrix = [[f64; 3]; 3];

/// Complete protanopia and deuteranopia in linear sRGB (Machado, Oliveira and Fernandes, IEEE TVCG 15 (2009) 1291,
/// Table 1).
const PROTANOPIA: Matrix =
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]];
const DEUTERANOPIA: Matrix =
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]];
const NORMAL: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// Conversion from linear sRGB to CIE XYZ, white at D65 (IEC 61966-2-1).
const XYZ: Matrix = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];

fn times(matrix: &Matrix, vector: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row.iter().zip(vector).map(|(a, x)| a * x).sum())
}

/// Returns L*, a* and b* of a color as perceived by a reader.
fn seen(color: Color, by: &Matrix) -> [f64; 3] {
    let light = times(by, [color.0, color.1, color.2].map(linear)).map(|part| part.clamp(0.0, 1.0));
    let white = times(&XYZ, [1.0; 3]);
    let xyz = times(&XYZ, light);
    let [x, y, z] = [0, 1, 2].map(|k| {
        let t = xyz[k] / white[k];
        if t > 216.0 / 24389.0 { t.cbrt() } else { (24389.0 / 27.0 * t + 16.0) / 116.0 }
    });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// Returns the difference of two colors, in units of the difference that half the readers notice at this mark size in
/// points.
fn noticed(a: [f64; 3], b: [f64; 3], points: f64) -> f64 {
    let degrees = (points * POINT / DISTANCE).atan().to_degrees();
    let part = |k: usize| (a[k] - b[k]) / (0.5 * (NOTICEABLE[k][0] + NOTICEABLE[k][1] / degrees));
    (0..3).map(|k| part(k).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn the_palette_is_told_apart_by_color_blind_readers() {
    for reader in [NORMAL, PROTANOPIA, DEUTERANOPIA] {
        for (k, &a) in Color::CYCLE.iter().enumerate() {
            for &b in &Color::CYCLE[..k] {
                let difference = noticed(seen(a, &reader), seen(b, &reader), MARKER);
                assert!(difference > 1.0, "{a} {b}: {difference}");
            }
        }
    }
}

#[test]
fn the_yardstick_finds_colors_that_are_confused() {
    // Red and green that a deuteranope perceives with equal lightness.
    let [red, green] = [Color(190, 80, 60), Color(106, 120, 60)];
    assert!(noticed(seen(red, &NORMAL), seen(green, &NORMAL), MARKER) > 2.0);
    assert!(noticed(seen(red, &DEUTERANOPIA), seen(green, &DEUTERANOPIA), MARKER) < 1.0);
}

#[test]
fn the_greys_of_curves_are_told_apart_though_curves_are_thin() {
    let gray = |place| seen(Look::new(place, Style::Monochrome).color(None), &NORMAL);
    for i in 0..4 {
        for j in 0..i {
            assert!(noticed(gray(i), gray(j), CURVE) > 1.0, "{i} {j}");
        }
        // L* = 100 is the paper.
        assert!(noticed(gray(i), [100.0, 0.0, 0.0], CURVE) > 2.0);
    }
}

#[test]
fn neighboring_bands_are_told_apart() {
    // The width of the color bar.
    let size = 8.0;
    for map in [ColorMap::Cividis, ColorMap::Viridis, ColorMap::Gray] {
        for reader in [NORMAL, PROTANOPIA, DEUTERANOPIA] {
            for pair in map.bands(8, 0).windows(2) {
                let difference = noticed(seen(pair[0], &reader), seen(pair[1], &reader), size);
                assert!(difference > 1.0, "{map:?} {pair:?}: {difference}");
            }
        }
    }
}

#[test]
fn lightness_is_that_of_cielab() {
    for color in Color::CYCLE {
        assert!((color.lightness() - seen(color, &NORMAL)[0]).abs() < 1e-9);
    }
    assert!((Color(119, 119, 119).lightness() - 50.03).abs() < 0.01);
}
