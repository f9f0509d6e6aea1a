//! Shapes and texts on a plotters backend.

use plotters_backend::{BackendColor, BackendStyle, DrawingBackend, DrawingErrorKind};

use super::letters::{Letters, RunText};
use super::lines::{path, pixels, points};
use super::outlines::Polygons;
use super::place::PixelMap;
use crate::formats::letters::trace;
use crate::geometry::{Path, Point, Rect, areas, clip_polygon, clip_polyline, dashes};
use crate::scene::{Group, Item, Layer, Outline, Paint, Shape, ShapeFill, Stroke, hatched};
use crate::style::Color;
use crate::text::Text;

/// Result of drawing on a backend.
pub(super) type Drawn<DB> = Result<(), DrawingErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// Painter on a plotters backend.
pub(super) struct Painter<'b, DB> {
    backend: &'b mut DB,
    place: PixelMap,
    letters: Letters,
    /// Visible rectangle in pixels; `None` if everything is visible.
    clip: Option<Rect>,
}

/// Color and width of lines in pixels.
struct Ink {
    color: BackendColor,
    width: u32,
}

impl Ink {
    fn new(color: Color, alpha: f64, width: f64) -> Self {
        let color = BackendColor { alpha, rgb: (color.0, color.1, color.2) };
        Self { color, width: width.round().max(1.0) as u32 }
    }
}

impl BackendStyle for Ink {
    fn color(&self) -> BackendColor {
        self.color
    }

    fn stroke_width(&self) -> u32 {
        self.width
    }
}

impl<'b, DB: DrawingBackend> Painter<'b, DB> {
    pub(super) fn new(backend: &'b mut DB, place: PixelMap, letters: Letters) -> Self {
        Self { backend, place, letters, clip: None }
    }

    pub(super) fn layer(&mut self, layer: &Layer) -> Drawn<DB> {
        layer.items.iter().try_for_each(|item| match item {
            Item::Shape(shape) => self.shape(shape),
            Item::Text(text) => self.text(text),
            Item::Group(group) => self.group(group),
        })
    }

    fn group(&mut self, group: &Group) -> Drawn<DB> {
        let outside = (self.place, self.clip);
        self.place = self.place.moved(group.offset);
        if let Some(clip) = &group.clip {
            self.clip = Some(self.place.rect(clip));
        }
        let drawn = self.layer(&group.content);
        (self.place, self.clip) = outside;
        drawn
    }

    fn shape(&mut self, shape: &Shape) -> Drawn<DB> {
        if let Some(fill) = shape.fill {
            self.fill(&shape.outlines, fill)?;
        }
        match &shape.stroke {
            Some(stroke) => self.stroke(&shape.outlines, stroke),
            None => Ok(()),
        }
    }

    fn fill(&mut self, outlines: &[Outline], fill: ShapeFill) -> Drawn<DB> {
        let color = match fill.paint {
            Paint::Color(color) => color,
            Paint::Hatch(hatch) => return self.shape(&hatched(hatch, outlines)),
        };
        let rings: Vec<Vec<Point>> = outlines.iter().map(|outline| self.clipped(self.path(outline).points)).collect();
        self.polygons(areas(&rings), &Ink::new(color, fill.opacity, 0.0))
    }

    fn stroke(&mut self, outlines: &[Outline], stroke: &Stroke) -> Drawn<DB> {
        let scale = self.place.scale;
        let ink = Ink::new(stroke.color, 1.0, scale * stroke.width);
        let pattern: Vec<f64> = stroke.dashes.iter().map(|length| scale * length).collect();
        for outline in outlines {
            for dash in dashes(&self.path(outline), &pattern) {
                let seen = match &self.clip {
                    Some(clip) => clip_polyline(&dash, clip),
                    None => vec![dash],
                };
                for piece in seen {
                    self.backend.draw_path(pixels(points(piece)), &ink)?;
                }
            }
        }
        Ok(())
    }

    fn text(&mut self, text: &Text) -> Drawn<DB> {
        match self.letters {
            Letters::Text => RunText::all(text, self.place).try_for_each(|run| {
                let corner = run.corner();
                self.backend.draw_text(run.content(), &run, corner)
            }),
            Letters::Plain => RunText::plain(text, self.place).map_or(Ok(()), |run| {
                let corner = run.corner();
                self.backend.draw_text(run.content(), &run, corner)
            }),
            Letters::Outlines => {
                let mut letters = Polygons::new(self.place);
                trace(text, &mut letters);
                let polygons = letters.done.into_iter().map(|letter| self.clipped(letter)).collect();
                self.polygons(polygons, &Ink::new(Color::BLACK, 1.0, 0.0))
            }
        }
    }

    /// Converts an outline to pixels.
    fn path(&self, outline: &Outline) -> Path {
        let mut path = path(outline, self.place.scale);
        path.points.iter_mut().for_each(|point| *point = self.place.point(*point));
        path
    }

    fn clipped(&self, ring: Vec<Point>) -> Vec<Point> {
        match &self.clip {
            Some(clip) => clip_polygon(&ring, clip),
            None => ring,
        }
    }

    /// Fills polygons. A polygon that degenerates in whole pixels, such as a small minus sign, is drawn as a line.
    fn polygons(&mut self, polygons: Vec<Vec<Point>>, ink: &Ink) -> Drawn<DB> {
        polygons.into_iter().map(pixels).try_for_each(|corners| {
            let ends = [corners.iter().min().copied(), corners.iter().max().copied()];
            let [Some(first), Some(last)] = ends else { return Ok(()) };
            let flat = |axis: fn(&(i32, i32)) -> i32| corners.iter().all(|corner| axis(corner) == axis(&first));
            if flat(|corner| corner.0) || flat(|corner| corner.1) {
                return self.backend.draw_path([first, last], ink);
            }
            self.backend.fill_polygon(corners, ink)
        })
    }
}
