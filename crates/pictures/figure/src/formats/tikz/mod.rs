//! TikZ: a drawing for LaTeX, with text in the fonts of the document.
//!
//! Labels keep the positions of the layout, which measures them in the figure's own font. Computer Modern and Times are
//! narrower than DejaVu Sans.

mod text;

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::formats::number::number;
use crate::geometry::Point;
use crate::scene::{Group, Item, Layer, Outline, Paint, Scene, Shape, ShapeFill, Stroke, hatched};
use crate::style::Color;
use crate::text::{Anchor, Text};

/// Number of points per line of the file. TeX accepts lines of any length, but editors and version control do not.
const POINTS_A_LINE: usize = 8;

impl Scene {
    /// Returns the scene as a `tikzpicture` for `\input` into a LaTeX document that loads the package `tikz`.
    #[must_use]
    pub fn to_tikz(&self) -> String {
        let mut writer = Writer::default();
        writer.layer(&self.content, 1);
        let [width, height] = self.size.map(number);
        let mut file = format!("% {}\n% \\usepackage{{tikz}}\n", text::comment(&self.name));
        file.push_str("\\begin{tikzpicture}[x=1bp, y=-1bp, line cap=butt, line join=miter, miter limit=4]\n");
        for (color, name) in &writer.colors {
            let Color(red, green, blue) = *color;
            put(&mut file, 1, format_args!("\\definecolor{{{name}}}{{RGB}}{{{red},{green},{blue}}}"));
        }
        put(&mut file, 1, format_args!("\\path[use as bounding box] (0,0) rectangle ({width},{height});"));
        file.push_str(&writer.text);
        file.push_str("\\end{tikzpicture}\n");
        file
    }

    /// Returns the scene as a standalone LaTeX document of one page of its size.
    #[must_use]
    pub fn to_tikz_document(&self) -> String {
        format!(
            "\\documentclass[tikz]{{standalone}}\n\\usepackage{{amsmath,amssymb}}\n\\begin{{document}}\n{}\\end{{document}}\n",
            self.to_tikz()
        )
    }
}

fn put(text: &mut String, depth: usize, line: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{:indent$}{line}", "", indent = 2 * depth);
}

#[derive(Default)]
struct Writer {
    text: String,
    /// Colors used, with their names.
    colors: BTreeMap<Color, String>,
}

impl Writer {
    fn layer(&mut self, layer: &Layer, depth: usize) {
        for item in &layer.items {
            match item {
                Item::Shape(shape) => self.shape(shape, depth),
                Item::Text(text) => self.label(text, depth),
                Item::Group(group) => self.group(group, depth),
            }
        }
    }

    fn group(&mut self, group: &Group, depth: usize) {
        let title = text::comment(&group.title);
        put(
            &mut self.text,
            depth,
            format_args!("% {}{}{title}", group.class, if title.is_empty() { "" } else { ": " }),
        );
        let [x, y] = group.offset.map(number);
        let moved = if group.offset == [0.0; 2] { String::new() } else { format!("[shift={{({x},{y})}}]") };
        put(&mut self.text, depth, format_args!("\\begin{{scope}}{moved}"));
        if let Some(clip) = &group.clip {
            let [left, top, right, bottom] = [clip.left, clip.top, clip.right(), clip.bottom()].map(number);
            put(&mut self.text, depth + 1, format_args!("\\clip ({left},{top}) rectangle ({right},{bottom});"));
        }
        self.layer(&group.content, depth + 1);
        put(&mut self.text, depth, format_args!("\\end{{scope}}"));
    }

    fn shape(&mut self, shape: &Shape, depth: usize) {
        let mut options = Vec::new();
        if let Some(ShapeFill { paint, opacity }) = shape.fill {
            match paint {
                Paint::Hatch(hatch) => self.shape(&hatched(hatch, &shape.outlines), depth),
                Paint::Color(color) => {
                    options.push(format!("fill={}", self.color(color)));
                    if shape.outlines.len() > 1 {
                        options.push("even odd rule".to_owned());
                    }
                    if opacity < 1.0 {
                        options.push(format!("fill opacity={}", number(opacity)));
                    }
                }
            }
        }
        if let Some(stroke) = &shape.stroke {
            options.extend(self.stroke(stroke));
        }
        if !options.is_empty() {
            put(&mut self.text, depth, format_args!("\\path[{}]", options.join(", ")));
            self.outlines(&shape.outlines, depth + 1);
        }
    }

    fn stroke(&mut self, stroke: &Stroke) -> Vec<String> {
        let mut options =
            vec![format!("draw={}", self.color(stroke.color)), format!("line width={}bp", number(stroke.width))];
        if stroke.round {
            options.push("line join=round".to_owned());
        }
        if !stroke.dashes.is_empty() {
            let lengths = stroke.dashes.iter().zip(["on", "off"].iter().cycle());
            let pattern: Vec<String> = lengths.map(|(&length, word)| format!("{word} {}bp", number(length))).collect();
            options.push(format!("dash pattern={}", pattern.join(" ")));
        }
        options
    }

    fn outlines(&mut self, outlines: &[Outline], depth: usize) {
        for outline in outlines {
            match outline {
                Outline::Circle { center: [x, y], radius } => {
                    let [x, y, radius] = [*x, *y, *radius].map(number);
                    put(&mut self.text, depth, format_args!("({x},{y}) circle[radius={radius}bp]"));
                }
                Outline::Line(path) => self.line(&path.points, path.closed, depth),
            }
        }
        put(&mut self.text, depth, format_args!(";"));
    }

    fn line(&mut self, points: &[Point], closed: bool, depth: usize) {
        for (k, chunk) in points.chunks(POINTS_A_LINE).enumerate() {
            let points: Vec<String> = chunk.iter().map(|&[x, y]| format!("({},{})", number(x), number(y))).collect();
            let start = if k == 0 { "" } else { "-- " };
            put(&mut self.text, depth, format_args!("{start}{}", points.join(" -- ")));
        }
        if closed {
            put(&mut self.text, depth, format_args!("-- cycle"));
        }
    }

    fn label(&mut self, label: &Text, depth: usize) {
        let [x, y] = label.at.map(number);
        let anchor = match label.anchor {
            Anchor::Start => "base west",
            Anchor::Middle => "base",
            Anchor::End => "base east",
        };
        let turned = if label.upright { ", rotate=90" } else { "" };
        let [size, skip] = [label.size, 1.2 * label.size].map(number);
        let options =
            format!("anchor={anchor}{turned}, inner sep=0pt, font=\\fontsize{{{size}}}{{{skip}}}\\selectfont");
        put(&mut self.text, depth, format_args!("\\node[{options}] at ({x},{y}) {{{}}};", text::tex(&label.label)));
    }

    /// Returns the name of a color: "black", "white", or one made from its hexadecimal components.
    fn color(&mut self, color: Color) -> String {
        match color {
            Color::BLACK => "black".to_owned(),
            Color::WHITE => "white".to_owned(),
            _ => {
                let name = format!("color{:02x}{:02x}{:02x}", color.0, color.1, color.2);
                self.colors.entry(color).or_insert(name).clone()
            }
        }
    }
}
