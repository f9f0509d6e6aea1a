//! PNG and PDF files, parsed with a few lines of code.

use hemiola_figure::{Axis, Curve, Figure, FigureError, Font, Panel, Scene, Style};

fn scene(label: &str) -> Scene {
    scene_in(Font::Sans, label)
}

fn scene_in(font: Font, label: &str) -> Scene {
    let panel = Panel::new(Axis::new(label), Axis::new("")).curve(Curve::new().open([[0.0, 0.0], [1.0, 1.0]]));
    Figure::one_column().style(Style::Monochrome).font(font).panel(panel.title("*ρ*(*S*) ≤ 1")).scene().unwrap()
}

/// Returns the width, the height and the red components of the pixels.
fn pixels(file: &[u8]) -> (usize, usize, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    (info.width as usize, info.height as usize, bytes.chunks(3).map(|pixel| pixel[0]).collect())
}

fn dark(rows: &[u8]) -> usize {
    rows.iter().filter(|&&red| red < 128).count()
}

#[test]
fn files_are_the_same_whenever_the_scene_is() {
    let [one, other] = [scene("*x*"), scene("*x*")];
    assert_eq!(one.to_png(150.0).unwrap(), other.to_png(150.0).unwrap());
    assert_eq!(one.to_pdf().unwrap(), other.to_pdf().unwrap());
}

#[test]
fn a_picture_is_as_large_as_the_page_at_its_resolution() {
    let scene = scene("*x*");
    let [page_width, page_height] = scene.size();
    for dots_per_inch in [72.0, 100.0, 300.0] {
        let (width, height, _) = pixels(&scene.to_png(dots_per_inch).unwrap());
        let expected = |points: f64| points / 72.0 * dots_per_inch;
        assert!((width as f64 - expected(page_width)).abs() <= 0.51);
        assert!((height as f64 - expected(page_height)).abs() <= 0.51);
    }
}

#[test]
fn labels_are_drawn_on_white_ground() {
    let [with, without] = [scene("*λ* − ‖√∞‖_{2}"), scene(" ")].map(|scene| pixels(&scene.to_png(150.0).unwrap()));
    // The first row is blank; the label lies in the rows that the other page lacks.
    assert!(with.2[..with.0].iter().all(|&red| red == 255));
    assert!(with.1 > without.1);
    assert!(dark(&with.2) > dark(&without.2) + 80);
    let below = with.0 * (without.1 - 2);
    assert!(dark(&with.2[below..]) > 80 && dark(&with.2[below..]) < with.2[below..].len() / 10);
}

#[test]
fn a_page_has_the_size_of_the_figure_and_its_fonts() {
    let scene = scene("*λ*");
    let [width, height] = scene.size();
    let pdf = scene.to_pdf().unwrap();
    let text = String::from_utf8_lossy(&pdf);
    assert!(text.starts_with("%PDF-") && text.trim_end().ends_with("%%EOF"));
    let media_box = text.split("/MediaBox [0 0 ").nth(1).unwrap().split(']').next().unwrap();
    let size: Vec<f64> = media_box.split(' ').map(|n| n.parse().unwrap()).collect();
    assert!((size[0] - width).abs() < 0.02 && (size[1] - height).abs() < 0.02, "{size:?}");
    // Both faces are embedded, with maps from glyphs to characters, and there is neither an image nor a date.
    assert!(text.contains("+DejaVuSans\n") || text.contains("+DejaVuSans "), "no upright face");
    assert!(text.contains("+DejaVuSans-Oblique") && text.contains("/ToUnicode"));
    assert!(!text.contains("/Subtype /Image") && !text.contains("Date"));
}

#[test]
fn what_cannot_be_converted_is_refused() {
    for dots_per_inch in [0.0, -100.0, f64::NAN, f64::INFINITY, 1e6] {
        assert!(matches!(scene("*x*").to_png(dots_per_inch), Err(FigureError::Resolution { .. })));
    }
}

#[test]
fn the_fonts_in_a_file_are_those_that_were_asked_for() {
    let pdf = scene_in(Font::Serif, "*λ* ≤ 1").to_pdf().unwrap();
    let text = String::from_utf8_lossy(&pdf);
    for face in ["+CMUSerif-Roman", "+CMUSerif-Italic", "+LatinModernMath-Regular"] {
        assert!(text.contains(face), "{face}");
    }
    assert!(!text.contains("DejaVu"));
    // Latin Modern Math has PostScript outlines.
    assert!(text.contains("/CIDFontType0C") && text.contains("/FontFile2"));
}
