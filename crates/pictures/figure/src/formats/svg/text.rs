//! Labels as `text` elements.

use super::xml::{Element, Xml, escape};
use crate::formats::number::number;
use crate::text::{Anchor, Label, SCRIPT_SIZE, Script, Span, Text, shift};

pub(super) fn write(text: &Text, xml: &mut Xml) {
    let [x, y] = text.at;
    let mut element = Element::new("text").at("x", x).at("y", y).at("font-size", text.size);
    element = match text.anchor {
        Anchor::Start => element,
        Anchor::Middle => element.with("text-anchor", "middle"),
        Anchor::End => element.with("text-anchor", "end"),
    };
    if text.upright {
        element = element.with("transform", format_args!("rotate(-90 {} {})", number(x), number(y)));
    }
    xml.around(&element, &spans(&text.label, text.size));
}

/// Returns the content of the element. Each span is shifted relative to its predecessor, which also undoes a script's
/// shift.
fn spans(label: &Label, size: f64) -> String {
    let mut content = String::new();
    let mut shifted = 0.0;
    for span in &label.spans {
        let wanted = shift(span.script, size);
        content.push_str(&write_span(span, size, wanted - shifted));
        shifted = wanted;
    }
    content
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
    use crate::text::Font;

    fn content(text: &str) -> String {
        spans(&Label::new(text, &Font::Sans), 10.0)
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
