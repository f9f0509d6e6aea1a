//! Letters as text elements of SVG files.

use hemiola_figure::{Axis, Figure, Font, Letters, Panel};

use super::shapes::svg;
use crate::figures::read::{attribute, elements, length, texts};

/// Returns the texts of a plotters file: the start of their base lines in points, their size, and their content. The
/// backend writes a line break before and after the content.
fn plotters_texts(svg: &str) -> Vec<([f64; 2], f64, String)> {
    let mut lines = svg.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if line.starts_with("<text ") {
            let content = lines.next().unwrap().to_owned();
            let [x, y, size] = ["x", "y", "font-size"].map(|name| length(line, name) / 64.0);
            assert_eq!(attribute(line, "dy"), "0.76em");
            let drop = 0.76 * size;
            let at = if line.contains("rotate(270") { [x + drop, y] } else { [x, y + drop] };
            found.push((at, size, content));
        }
    }
    found
}

#[test]
fn base_lines_are_where_our_own_svg_has_them() {
    for font in [Font::Sans, Font::Serif] {
        let panel = Panel::new(Axis::new("plain").range(0.0, 1.0), Axis::new("upright").range(0.0, 1.0));
        let scene = Figure::one_column().font(font).panel(panel.title("title")).scene().unwrap();
        let ours = scene.to_svg();
        let theirs = plotters_texts(&svg(&scene, Letters::Text));
        assert!(ours.contains("<g class=\"panel\" transform=\"translate(2 2)\">"));
        assert_eq!(theirs.iter().filter(|text| !text.2.is_empty()).count(), texts(&ours).len());
        for element in elements(&ours, "text") {
            let content = crate::figures::read::content(element);
            let [x, y, size] = ["x", "y", "font-size"].map(|name| length(element, name));
            let same = theirs.iter().filter(|text| text.2 == content && (text.1 - size).abs() < 1e-3);
            // Half a 64th for each rounding, plus half a hundredth for ours. Along the line the anchors differ.
            let near = |a: f64, b: f64| (a - b - 2.0).abs() < 0.02;
            let upright = element.contains("rotate(-90");
            let mut same = same.filter(|([u, v], ..)| if upright { near(*u, x) } else { near(*v, y) });
            assert!(same.next().is_some(), "{element}");
        }
    }
}

#[test]
fn runs_begin_where_the_ones_before_end() {
    let panel = Panel::new(Axis::new(""), Axis::new("")).title("a *b* c_{d}");
    let scene = Figure::one_column().panel(panel).scene().unwrap();
    let svg = svg(&scene, Letters::Text);
    let texts: Vec<([f64; 2], f64, String)> =
        plotters_texts(&svg).into_iter().filter(|text| "abcd".contains(&text.2) && !text.2.is_empty()).collect();
    let [a, b, c, d] = &texts[..] else { panic!("{texts:?}") };
    // The page and positions are rounded to whole units. Widths in DejaVu Sans at 8 pt: a, space, b (oblique), space,
    // c.
    let em = |units: f64| 8.0 * units / 2048.0;
    for (from, to, width) in [(a, b, em(1255.0 + 651.0)), (b, c, em(1300.0 + 651.0)), (c, d, em(1126.0))] {
        assert!((to.0[0] - from.0[0] - width).abs() < 0.02, "{from:?} {to:?}");
    }
    assert_eq!([a.0[1], b.0[1]].map(|y| (y - c.0[1]).abs() < 0.02), [true, true]);
    assert!((d.0[1] - c.0[1] - 0.22 * 8.0).abs() < 0.02 && (d.1 - 5.6).abs() < 1e-3);
    assert_eq!(svg.matches("font-style=\"italic\"").count(), 1);
}
