//! PNG and PDF files, read with a few lines of code.

use hemiola_figure::{Axis, Curve, Figure, FigureError, Panel, Style, to_pdf, to_png};

fn svg(label: &str) -> String {
    let panel = Panel::new(Axis::new(label), Axis::new("")).curve(Curve::new().open([[0.0, 0.0], [1.0, 1.0]]));
    Figure::one_column().style(Style::Monochrome).panel(panel.title("*ρ*(*S*) ≤ 1")).to_svg().unwrap()
}

/// The width, the height and the red parts of the pixels.
fn pixels(file: &[u8]) -> (usize, usize, Vec<u8>) {
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size()];
    let info = reader.next_frame(&mut bytes).unwrap();
    (info.width as usize, info.height as usize, bytes.chunks(3).map(|pixel| pixel[0]).collect())
}

fn dark(rows: &[u8]) -> usize {
    rows.iter().filter(|&&red| red < 128).count()
}

#[test]
fn files_are_the_same_whenever_the_text_is() {
    let svg = svg("*x*");
    assert_eq!(to_png(&svg, 150.0).unwrap(), to_png(&svg, 150.0).unwrap());
    assert_eq!(to_pdf(&svg).unwrap(), to_pdf(&svg).unwrap());
}

#[test]
fn a_picture_is_as_large_as_the_page_at_its_resolution() {
    let svg = svg("*x*");
    let page = |name: &str| {
        svg.split(&format!("{name}=\"")).nth(1).unwrap().split("mm").next().unwrap().parse::<f64>().unwrap()
    };
    for dots_per_inch in [72.0, 100.0, 300.0] {
        let (width, height, _) = pixels(&to_png(&svg, dots_per_inch).unwrap());
        let expected = |millimetres: f64| millimetres / 25.4 * dots_per_inch;
        assert!((width as f64 - expected(page("width"))).abs() <= 0.51);
        assert!((height as f64 - expected(page("height"))).abs() <= 0.51);
    }
}

#[test]
fn labels_are_drawn_on_white_ground() {
    let [with, without] = [svg("*λ* − ‖√∞‖_{2}"), svg(" ")].map(|svg| pixels(&to_png(&svg, 150.0).unwrap()));
    // The first row is paper; the label is in the rows that the other page does not have.
    assert!(with.2[..with.0].iter().all(|&red| red == 255));
    assert!(with.1 > without.1);
    assert!(dark(&with.2) > dark(&without.2) + 80);
    let below = with.0 * (without.1 - 2);
    assert!(dark(&with.2[below..]) > 80 && dark(&with.2[below..]) < with.2[below..].len() / 10);
}

#[test]
fn a_page_has_the_size_of_the_figure_and_its_fonts() {
    let svg = svg("*λ*");
    let view_box: Vec<f64> = svg
        .split("viewBox=\"0 0 ")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .split(' ')
        .map(|n| n.parse().unwrap())
        .collect();
    let pdf = to_pdf(&svg).unwrap();
    let text = String::from_utf8_lossy(&pdf);
    assert!(text.starts_with("%PDF-") && text.trim_end().ends_with("%%EOF"));
    let media_box = text.split("/MediaBox [0 0 ").nth(1).unwrap().split(']').next().unwrap();
    let size: Vec<f64> = media_box.split(' ').map(|n| n.parse().unwrap()).collect();
    assert!((size[0] - view_box[0]).abs() < 0.02 && (size[1] - view_box[1]).abs() < 0.02, "{size:?} {view_box:?}");
    // Both faces are in the file, with maps from glyphs to characters, and there is neither a picture nor a date.
    assert!(text.contains("+DejaVuSans\n") || text.contains("+DejaVuSans "), "no upright face");
    assert!(text.contains("+DejaVuSans-Oblique") && text.contains("/ToUnicode"));
    assert!(!text.contains("/Subtype /Image") && !text.contains("Date"));
}

#[test]
fn what_cannot_be_converted_is_refused() {
    assert!(matches!(to_png("no drawing", 100.0), Err(FigureError::Svg { .. })));
    assert!(matches!(to_pdf("<svg>"), Err(FigureError::Svg { .. })));
    for dots_per_inch in [0.0, -100.0, f64::NAN, f64::INFINITY, 1e6] {
        assert!(matches!(to_png(&svg("*x*"), dots_per_inch), Err(FigureError::Resolution { .. })));
    }
}
