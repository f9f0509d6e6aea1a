//! The frame of every SVG file: its size, its names and its white ground.

use crate::layout::millimetres;
use crate::svg::{Element, Svg, escape, number};
use crate::text::FONTS;

/// The SVG file of a page of this width and height in points.
pub(crate) fn svg([width, height]: [f64; 2], name: &str, description: &str, content: &Svg) -> String {
    let mut svg = Svg::default();
    svg.open(&root(width, height));
    svg.around(&Element::new("title"), &escape(name));
    svg.around(&Element::new("desc"), &escape(description));
    svg.empty(&Element::new("rect").with("width", "100%").with("height", "100%").with("fill", "white"));
    svg.append(content);
    svg.close("svg");
    svg.finish()
}

fn root(width: f64, height: f64) -> Element {
    Element::new("svg")
        .with("xmlns", "http://www.w3.org/2000/svg")
        .with("width", format_args!("{}mm", number(millimetres(width))))
        .with("height", format_args!("{}mm", number(millimetres(height))))
        .with("viewBox", format_args!("0 0 {} {}", number(width), number(height)))
        .with("role", "img")
        // Otherwise readers drop spaces where an italic or a script begins or ends.
        .with("xml:space", "preserve")
        .with("font-family", FONTS)
        .with("fill", "black")
}
