//! SVG: shapes, dashes, clips and text as native elements, in groups titled by their labels, so that a drawing
//! program can edit them.

mod text;
mod xml;

use crate::formats::number::number;
use crate::geometry::Path;
use crate::layout::millimeters;
use crate::scene::{Group, Item, Layer, Outline, Paint, Scene, Shape, ShapeFill, Stroke};
use crate::style::Hatch;
use xml::{Element, Xml, escape};

impl Scene {
    /// Returns the scene as the text of an SVG file.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let mut writer = Writer { xml: Xml::default(), clips: 0 };
        let [width, height] = self.size;
        writer.xml.open(&self.root(width, height));
        writer.xml.around(&Element::new("title"), &escape(&self.name));
        writer.xml.around(&Element::new("desc"), &escape(&self.description));
        let ground = Element::new("rect").with("width", "100%").with("height", "100%");
        writer.xml.empty(&ground.with("fill", "white"));
        writer.define_hatchings(&self.content);
        writer.layer(&self.content);
        writer.xml.close("svg");
        writer.xml.finish()
    }

    fn root(&self, width: f64, height: f64) -> Element {
        Element::new("svg")
            .with("xmlns", "http://www.w3.org/2000/svg")
            .with("width", format_args!("{}mm", number(millimeters(width))))
            .with("height", format_args!("{}mm", number(millimeters(height))))
            .with("viewBox", format_args!("0 0 {} {}", number(width), number(height)))
            .with("role", "img")
            // Readers would otherwise drop spaces at the start or end of italics and scripts.
            .with("xml:space", "preserve")
            .with("font-family", self.font.names())
            .with("fill", "black")
    }
}

struct Writer {
    xml: Xml,
    /// Number of clips written.
    clips: usize,
}

impl Writer {
    fn layer(&mut self, layer: &Layer) {
        for item in &layer.items {
            match item {
                Item::Shape(shape) => self.xml.empty(&element(shape)),
                Item::Text(text) => text::write(text, &mut self.xml),
                Item::Group(group) => self.group(group),
            }
        }
    }

    fn group(&mut self, group: &Group) {
        let mut element = Element::new("g").with("class", group.class);
        if group.offset != [0.0, 0.0] {
            let [x, y] = group.offset.map(number);
            element = element.with("transform", format_args!("translate({x} {y})"));
        }
        if let Some(clip) = &group.clip {
            self.clips += 1;
            let id = format!("clip-{}", self.clips);
            self.xml.open(&Element::new("clipPath").with("id", &id));
            let rect = Element::new("rect").at("x", clip.left).at("y", clip.top);
            self.xml.empty(&rect.at("width", clip.width).at("height", clip.height));
            self.xml.close("clipPath");
            element = element.with("clip-path", format_args!("url(#{id})"));
        }
        self.xml.open(&element);
        if !group.title.trim().is_empty() {
            self.xml.around(&Element::new("title"), &escape(&group.title));
        }
        self.layer(&group.content);
        self.xml.close("g");
    }

    /// Writes the patterns of the hatchings used.
    fn define_hatchings(&mut self, content: &Layer) {
        let used: Vec<Hatch> = Hatch::ALL.into_iter().filter(|&hatch| uses(content, hatch)).collect();
        if used.is_empty() {
            return;
        }
        self.xml.open(&Element::new("defs"));
        for hatch in used {
            let tile = Element::new("pattern").with("id", hatch.name()).at("width", Hatch::SPACING);
            let tile = tile.at("height", Hatch::SPACING).with("patternUnits", "userSpaceOnUse");
            self.xml.open(&tile.with("patternTransform", format_args!("rotate({})", hatch.angle())));
            self.xml.empty(&ink(hatch));
            self.xml.close("pattern");
        }
        self.xml.close("defs");
    }
}

/// Returns the line or the dot in a tile of a hatching.
fn ink(hatch: Hatch) -> Element {
    let middle = 0.5 * Hatch::SPACING;
    match hatch {
        Hatch::Dots => {
            Element::new("circle").at("cx", middle).at("cy", middle).at("r", Hatch::DOT).with("fill", Hatch::INK)
        }
        _ => Element::new("path")
            .with("d", format_args!("M0 {middle}H{}", Hatch::SPACING))
            .with("stroke", Hatch::INK)
            .at("stroke-width", Hatch::WIDTH),
    }
}

fn uses(layer: &Layer, hatch: Hatch) -> bool {
    layer.items.iter().any(|item| match item {
        Item::Shape(shape) => shape.fill.is_some_and(|fill| fill.paint == Paint::Hatch(hatch)),
        Item::Group(group) => uses(&group.content, hatch),
        Item::Text(_) => false,
    })
}

fn element(shape: &Shape) -> Element {
    let mut element = Element::new("path").with("d", data(&shape.outlines));
    element = match shape.fill {
        None => element.with("fill", "none"),
        Some(fill) => filled(element, fill, shape.outlines.len() > 1),
    };
    match &shape.stroke {
        None => element,
        Some(stroke) => stroked(element, stroke),
    }
}

fn filled(element: Element, fill: ShapeFill, several: bool) -> Element {
    let mut element = match fill.paint {
        Paint::Color(color) => element.with("fill", color),
        Paint::Hatch(hatch) => element.with("fill", format_args!("url(#{})", hatch.name())),
    };
    if fill.opacity < 1.0 {
        element = element.at("fill-opacity", fill.opacity);
    }
    if several { element.with("fill-rule", "evenodd") } else { element }
}

fn stroked(element: Element, stroke: &Stroke) -> Element {
    let mut element = element.with("stroke", stroke.color).at("stroke-width", stroke.width);
    if stroke.round {
        element = element.with("stroke-linejoin", "round");
    }
    if !stroke.dashes.is_empty() {
        let lengths: Vec<String> = stroke.dashes.iter().map(|&length| number(length)).collect();
        element = element.with("stroke-dasharray", lengths.join(" "));
    }
    element
}

/// Returns the `d` attribute of outlines.
fn data(outlines: &[Outline]) -> String {
    let mut data = String::new();
    for outline in outlines {
        match outline {
            Outline::Line(path) => line(path, &mut data),
            Outline::Circle { center: [x, y], radius } => {
                let [start, y, r, across] = [x - radius, *y, *radius, 2.0 * radius].map(number);
                data.push_str(&format!("M{start} {y}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0 -{across} 0Z"));
            }
        }
    }
    data
}

fn line(path: &Path, data: &mut String) {
    for (k, &[x, y]) in path.points.iter().enumerate() {
        data.push(if k == 0 { 'M' } else { 'L' });
        data.push_str(&number(x));
        data.push(' ');
        data.push_str(&number(y));
    }
    if path.closed {
        data.push('Z');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_paths_end_in_z() {
        assert_eq!(data(&[Outline::closed(vec![[0.0, 1.0], [2.5, 3.0]])]), "M0 1L2.5 3Z");
    }
}
