//! The operators that draw a scene.

use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Name, Str};

use super::fonts::Font;
use crate::geometry::Point;
use crate::scene::{Group, Item, Layer, Outline, Paint, Shape, ShapeFill, Stroke, hatched};
use crate::style::Color;
use crate::text::Text;

/// Distance of the control points of a quarter circle, in radii; the midpoint of the arc lies on the circle.
const CIRCLE: f64 = 0.552_284_749_830_793_4;

/// A content stream under construction, with the fonts and opacities it uses.
pub(super) struct Writer {
    pub(super) content: Content,
    pub(super) fonts: Vec<Font>,
    pub(super) opacities: Vec<f64>,
    /// Origin of the current group on the page.
    origin: Point,
}

/// Returns the name of a graphics state by its index.
pub(super) fn state(place: usize) -> String {
    format!("A{place}")
}

/// Rounds a length to a thousandth of a point: more digits enlarge the file without visible effect.
fn length(value: f64) -> f32 {
    ((value * 1000.0).round() / 1000.0) as f32
}

fn parts(color: Color) -> [f32; 3] {
    [color.0, color.1, color.2].map(|part| f32::from(part) / 255.0)
}

impl Writer {
    pub(super) fn new() -> Self {
        Self { content: Content::new(), fonts: Vec::new(), opacities: Vec::new(), origin: [0.0; 2] }
    }

    pub(super) fn layer(&mut self, layer: &Layer) {
        for item in &layer.items {
            match item {
                Item::Shape(shape) => self.shape(shape),
                Item::Text(text) => self.text(text),
                Item::Group(group) => self.group(group),
            }
        }
    }

    fn group(&mut self, group: &Group) {
        let outside = self.origin;
        self.origin = [outside[0] + group.offset[0], outside[1] + group.offset[1]];
        if let Some(clip) = &group.clip {
            self.content.save_state();
            let [x, y] = self.at([clip.left, clip.top]);
            self.content.rect(x, y, length(clip.width), length(clip.height)).clip_nonzero().end_path();
        }
        self.layer(&group.content);
        if group.clip.is_some() {
            self.content.restore_state();
        }
        self.origin = outside;
    }

    fn shape(&mut self, shape: &Shape) {
        if let Some(fill) = shape.fill {
            self.fill(&shape.outlines, fill);
        }
        if let Some(stroke) = &shape.stroke {
            self.stroke(&shape.outlines, stroke);
        }
    }

    fn fill(&mut self, outlines: &[Outline], ShapeFill { paint, opacity }: ShapeFill) {
        let color = match paint {
            Paint::Color(color) => color,
            Paint::Hatch(hatch) => return self.shape(&hatched(hatch, outlines)),
        };
        let [red, green, blue] = parts(color);
        if opacity < 1.0 {
            let state = state(self.state_of(opacity));
            self.content.save_state().set_parameters(Name(state.as_bytes()));
        }
        self.content.set_fill_rgb(red, green, blue);
        self.outlines(outlines);
        self.content.fill_even_odd();
        if opacity < 1.0 {
            self.content.restore_state();
        }
    }

    fn state_of(&mut self, opacity: f64) -> usize {
        let known = self.opacities.iter().position(|&other| other == opacity);
        known.unwrap_or_else(|| {
            self.opacities.push(opacity);
            self.opacities.len() - 1
        })
    }

    fn stroke(&mut self, outlines: &[Outline], stroke: &Stroke) {
        let [red, green, blue] = parts(stroke.color);
        let join = if stroke.round { LineJoinStyle::RoundJoin } else { LineJoinStyle::MiterJoin };
        let dashes = stroke.dashes.iter().map(|&dash| length(dash));
        self.content.set_stroke_rgb(red, green, blue).set_line_width(length(stroke.width));
        self.content.set_line_cap(LineCapStyle::ButtCap).set_line_join(join).set_miter_limit(4.0);
        self.content.set_dash_pattern(dashes, 0.0);
        self.outlines(outlines);
        self.content.stroke();
    }

    fn outlines(&mut self, outlines: &[Outline]) {
        for outline in outlines {
            match outline {
                Outline::Circle { center, radius } => self.circle(*center, *radius),
                Outline::Line(path) => {
                    for (k, &point) in path.points.iter().enumerate() {
                        let [x, y] = self.at(point);
                        if k == 0 {
                            self.content.move_to(x, y)
                        } else {
                            self.content.line_to(x, y)
                        };
                    }
                    if path.closed {
                        self.content.close_path();
                    }
                }
            }
        }
    }

    fn circle(&mut self, [x, y]: Point, radius: f64) {
        let [start_x, start_y] = self.at([x + radius, y]);
        self.content.move_to(start_x, start_y);
        for quarter in 0..4 {
            let (from, to) = ([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]][quarter], quarter + 1);
            let to = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]][to % 4];
            let place = |a: f64, b: f64| [0, 1].map(|k| a * from[k] + b * to[k]);
            let [a, b, end] = [place(1.0, CIRCLE), place(CIRCLE, 1.0), place(0.0, 1.0)]
                .map(|[dx, dy]| self.at([x + radius * dx, y + radius * dy]));
            self.content.cubic_to(a[0], a[1], b[0], b[1], end[0], end[1]);
        }
        self.content.close_path();
    }

    fn text(&mut self, text: &Text) {
        let (start, runs) = text.runs();
        self.content.begin_text().set_fill_gray(0.0);
        for run in &runs {
            let Some(face) = text.label.font.faces(run.italic).into_iter().nth(run.face) else { continue };
            let font = match self.fonts.iter().position(|font| font.face == face) {
                Some(known) => known,
                None => {
                    self.fonts.push(Font::new(face, self.fonts.len()));
                    self.fonts.len() - 1
                }
            };
            let shown = self.fonts[font].shown(run);
            let [x, y] = self.at(text.place(start, run.at));
            // The text matrix flips letters back, because y points downwards here.
            let matrix = if text.upright { [0.0, -1.0, -1.0, 0.0, x, y] } else { [1.0, 0.0, 0.0, -1.0, x, y] };
            self.content.set_font(Name(self.fonts[font].name().as_bytes()), length(run.size));
            self.content.set_text_matrix(matrix).show(Str(&shown));
        }
        self.content.end_text();
    }

    fn at(&self, [x, y]: Point) -> [f32; 2] {
        [length(self.origin[0] + x), length(self.origin[1] + y)]
    }
}
