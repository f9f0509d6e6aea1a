//! Painting of scenes with tiny-skia, for formats that need pixels.

use tiny_skia::{
    FillRule, LineCap, LineJoin, Mask, Paint as Brush, Path, PathBuilder, Pixmap, Rect as PixelRect, Stroke as Pencil,
    StrokeDash, Transform,
};

use super::letters::{Pen, trace};
use crate::geometry::{Point, Rect};
use crate::scene::{Group, Item, Layer, Outline, Paint, Shape, ShapeFill, Stroke, hatched};
use crate::style::Color;
use crate::text::Text;

/// Smallest resolution of painting, in pixels per point (600 dpi); the pixels are averaged afterwards. tiny-skia
/// distinguishes only four heights within a pixel, and a minus sign of a small figure is thinner than that.
const FINEST: f64 = 600.0 / 72.0;
/// Largest number of painted pixels per output pixel in each direction, and in total.
const MOST_FOLD: u32 = 6;
const MOST_PIXELS: u64 = 1 << 26;

/// A partly painted image.
pub(super) struct Canvas {
    /// Painted pixels: `fold` per output pixel in each direction.
    pixels: Pixmap,
    fold: u32,
    /// Map from points of the page to painted pixels.
    transform: Transform,
    clip: Option<Mask>,
}

impl Canvas {
    /// Creates a white canvas of the given size in pixels, with `scale` pixels per point.
    #[cfg(feature = "png")]
    pub(super) fn white([width, height]: [u32; 2], scale: f64) -> Option<Self> {
        let mut canvas = Self::clear([width, height], scale, [0.0, 0.0])?;
        canvas.pixels.fill(tiny_skia::Color::WHITE);
        Some(canvas)
    }

    /// Creates a transparent canvas with `scale` pixels per point and the page's origin at `[left, top]` in pixels.
    pub(super) fn clear([width, height]: [u32; 2], scale: f64, [left, top]: Point) -> Option<Self> {
        let fold = fold([width, height], scale);
        let [scale, left, top] = [scale, left, top].map(|length| (f64::from(fold) * length) as f32);
        let transform = Transform::from_row(scale, 0.0, 0.0, scale, left, top);
        Some(Self { pixels: Pixmap::new(fold * width, fold * height)?, fold, transform, clip: None })
    }

    /// Returns the output pixels row by row, averaged over the painted ones, as premultiplied red, green, blue and
    /// opacity.
    fn means(&self) -> Vec<[u8; 4]> {
        let (fold, width) = (self.fold as usize, self.pixels.width() as usize);
        let across = width / fold;
        let mut means = Vec::with_capacity(across * (self.pixels.height() as usize / fold));
        for rows in self.pixels.data().chunks_exact(4 * width * fold) {
            let mut sums = vec![[0_u32; 4]; across];
            for row in rows.chunks_exact(4 * width) {
                for (sum, block) in sums.iter_mut().zip(row.chunks_exact(4 * fold)) {
                    for pixel in block.chunks_exact(4) {
                        for (part, value) in sum.iter_mut().zip(pixel) {
                            *part += u32::from(*value);
                        }
                    }
                }
            }
            let count = self.fold * self.fold;
            means.extend(sums.iter().map(|sum| sum.map(|part| ((part + count / 2) / count) as u8)));
        }
        means
    }

    /// Returns red, green and blue of all pixels, which are opaque.
    #[cfg(feature = "png")]
    pub(super) fn colors(&self) -> Vec<u8> {
        self.means().into_iter().flat_map(|[red, green, blue, _]| [red, green, blue]).collect()
    }

    /// Returns all pixels that are not transparent, with their position, color and opacity from 0 to 1.
    #[cfg(feature = "plotters")]
    pub(super) fn painted(&self) -> impl Iterator<Item = ([u32; 2], Color, f64)> {
        let [width, height] = [self.pixels.width(), self.pixels.height()].map(|length| length / self.fold);
        let places = (0..height).flat_map(move |y| (0..width).map(move |x| [x, y]));
        let pixels = places.zip(self.means()).filter(|(_, pixel)| pixel[3] > 0);
        pixels.map(|(place, [red, green, blue, alpha])| {
            let opacity = f64::from(alpha) / 255.0;
            let [red, green, blue] =
                [red, green, blue].map(|part| (f64::from(part) / opacity).round().min(255.0) as u8);
            (place, Color(red, green, blue), opacity)
        })
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
        let outside = self.transform;
        let [x, y] = group.offset.map(|length| length as f32);
        self.transform = self.transform.pre_translate(x, y);
        match group.clip.as_ref().map(|clip| self.mask(clip)) {
            // A mask is as large as the page, so groups without a clip do not copy one.
            None => self.layer(&group.content),
            Some(mask) => {
                let outer = std::mem::replace(&mut self.clip, mask);
                self.layer(&group.content);
                self.clip = outer;
            }
        }
        self.transform = outside;
    }

    /// Returns the mask of a rectangle. Clips are not nested.
    fn mask(&self, clip: &Rect) -> Option<Mask> {
        let mut mask = Mask::new(self.pixels.width(), self.pixels.height())?;
        let [left, top, width, height] = [clip.left, clip.top, clip.width, clip.height].map(|length| length as f32);
        let rect = PathBuilder::from_rect(PixelRect::from_xywh(left, top, width, height)?);
        mask.fill_path(&rect, FillRule::Winding, true, self.transform);
        Some(mask)
    }

    fn shape(&mut self, shape: &Shape) {
        let Some(path) = path(&shape.outlines) else { return };
        if let Some(fill) = shape.fill {
            self.fill(&path, &shape.outlines, fill);
        }
        if let Some(stroke) = &shape.stroke {
            self.stroke(&path, stroke);
        }
    }

    fn fill(&mut self, path: &Path, outlines: &[Outline], fill: ShapeFill) {
        match fill.paint {
            Paint::Color(color) => {
                let brush = brush(color, fill.opacity);
                self.pixels.fill_path(path, &brush, FillRule::EvenOdd, self.transform, self.clip.as_ref());
            }
            Paint::Hatch(hatch) => self.shape(&hatched(hatch, outlines)),
        }
    }

    fn stroke(&mut self, path: &Path, stroke: &Stroke) {
        let dash = StrokeDash::new(stroke.dashes.iter().map(|&length| length as f32).collect(), 0.0);
        let line_join = if stroke.round { LineJoin::Round } else { LineJoin::Miter };
        let pencil = Pencil { width: stroke.width as f32, miter_limit: 4.0, line_cap: LineCap::Butt, line_join, dash };
        self.pixels.stroke_path(path, &brush(stroke.color, 1.0), &pencil, self.transform, self.clip.as_ref());
    }

    fn text(&mut self, text: &Text) {
        let mut letters = Letters(PathBuilder::new());
        trace(text, &mut letters);
        if let Some(path) = letters.0.finish() {
            let black = brush(Color::BLACK, 1.0);
            // Parts of letters overlap in accents and in the strokes of some faces, hence the nonzero rule.
            self.pixels.fill_path(&path, &black, FillRule::Winding, self.transform, self.clip.as_ref());
        }
    }
}

/// Returns the number of painted pixels per output pixel in each direction.
fn fold([width, height]: [u32; 2], scale: f64) -> u32 {
    let wanted = ((FINEST / scale).ceil() as u32).clamp(1, MOST_FOLD);
    let pixels = u64::from(width) * u64::from(height);
    (1..=wanted).rev().find(|fold| u64::from(fold * fold) * pixels <= MOST_PIXELS).unwrap_or(1)
}

fn brush(color: Color, opacity: f64) -> Brush<'static> {
    let mut brush = Brush { anti_alias: true, ..Brush::default() };
    brush.set_color_rgba8(color.0, color.1, color.2, (255.0 * opacity).round() as u8);
    brush
}

fn path(outlines: &[Outline]) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for outline in outlines {
        match outline {
            Outline::Circle { center: [x, y], radius } => builder.push_circle(*x as f32, *y as f32, *radius as f32),
            Outline::Line(line) => {
                for (k, &[x, y]) in line.points.iter().enumerate() {
                    let [x, y] = [x as f32, y as f32];
                    if k == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
                }
                if line.closed {
                    builder.close();
                }
            }
        }
    }
    builder.finish()
}

struct Letters(PathBuilder);

impl Pen for Letters {
    fn move_to(&mut self, [x, y]: Point) {
        self.0.move_to(x as f32, y as f32);
    }

    fn line_to(&mut self, [x, y]: Point) {
        self.0.line_to(x as f32, y as f32);
    }

    fn quad_to(&mut self, [x1, y1]: Point, [x, y]: Point) {
        self.0.quad_to(x1 as f32, y1 as f32, x as f32, y as f32);
    }

    fn cubic_to(&mut self, [x1, y1]: Point, [x2, y2]: Point, [x, y]: Point) {
        self.0.cubic_to(x1 as f32, y1 as f32, x2 as f32, y2 as f32, x as f32, y as f32);
    }

    fn close(&mut self) {
        self.0.close();
    }
}
