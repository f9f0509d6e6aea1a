//! Writing a label as an SVG `text` element.

use super::markup::{Label, Script, Span};
use crate::geometry::Point;
use crate::svg::{Element, Svg, escape, number};

/// The size of scripts relative to the text they belong to.
pub(super) const SCRIPT_SIZE: f64 = 0.7;
/// How far subscripts go down and superscripts up, relative to the size of the text.
const SUB_DROP: f64 = 0.22;
const SUPER_RISE: f64 = 0.38;

/// Which part of a text is at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A label at a place of the page.
pub(crate) struct Text<'a> {
    pub(crate) label: &'a Label,
    /// The place on the base line.
    pub(crate) at: Point,
    pub(crate) size: f64,
    pub(crate) anchor: Anchor,
    /// Whether the text runs upwards.
    pub(crate) upright: bool,
}

impl Text<'_> {
    pub(crate) fn write(&self, svg: &mut Svg) {
        let [x, y] = self.at;
        let mut element = Element::new("text").at("x", x).at("y", y).at("font-size", self.size);
        element = match self.anchor {
            Anchor::Start => element,
            Anchor::Middle => element.with("text-anchor", "middle"),
            Anchor::End => element.with("text-anchor", "end"),
        };
        if self.upright {
            element = element.with("transform", format_args!("rotate(-90 {} {})", number(x), number(y)));
        }
        svg.around(&element, &spans(self.label, self.size));
    }
}

/// The content of the element. Each span is moved relative to the one before it, which also takes a script's shift back.
fn spans(label: &Label, size: f64) -> String {
    let mut content = String::new();
    let mut shift = 0.0;
    for span in &label.spans {
        let wanted = shift_of(span.script, size);
        content.push_str(&write_span(span, size, wanted - shift));
        shift = wanted;
    }
    content
}

fn shift_of(script: Script, size: f64) -> f64 {
    match script {
        Script::Normal => 0.0,
        Script::Sub => SUB_DROP * size,
        Script::Super => -SUPER_RISE * size,
    }
}

fn write_span(span: &Span, size: f64, dy: f64) -> String {
    let mut attributes = String::new();
    if dy != 0.0 {
        attributes.push_str(&format!(" dy=\"{}\"", number(dy)));
    }
    if span.script != Script::Normal {
        attributes.push_str(&format!(" font-size=\"{}\"", number(SCRIPT_SIZE * size)));
    }
    if span.italic {
        attributes.push_str(" font-style=\"italic\"");
    }
    let text = escape(&span.text);
    if attributes.is_empty() { text } else { format!("<tspan{attributes}>{text}</tspan>") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(text: &str) -> String {
        spans(&Label::parse(text), 10.0)
    }

    #[test]
    fn plain_text_needs_no_spans() {
        assert_eq!(content("a < b"), "a &lt; b");
    }

    #[test]
    fn the_base_line_returns_after_a_script() {
        assert_eq!(content("R_{s}(z)"), "R<tspan dy=\"2.2\" font-size=\"7\">s</tspan><tspan dy=\"-2.2\">(z)</tspan>");
    }

    #[test]
    fn a_superscript_may_follow_a_subscript() {
        let text = content("a_{1}^{2}b");
        let shifts: f64 =
            text.split("dy=\"").skip(1).map(|rest| rest.split('"').next().unwrap().parse::<f64>().unwrap()).sum();
        assert!(shifts.abs() < 1e-9, "{text}");
    }
}
