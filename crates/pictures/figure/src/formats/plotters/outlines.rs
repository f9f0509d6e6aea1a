//! Letters as polygons.

use super::lines::TOLERANCE;
use super::place::PixelMap;
use crate::formats::letters::Pen;
use crate::geometry::{Point, area, joined, surrounds};

/// Letters as polygons in pixels.
pub(super) struct Polygons {
    place: PixelMap,
    /// Rings of the current letter. The last one is still open.
    rings: Vec<Vec<Point>>,
    pub(super) done: Vec<Vec<Point>>,
}

impl Polygons {
    pub(super) fn new(place: PixelMap) -> Self {
        Self { place, rings: Vec::new(), done: Vec::new() }
    }

    /// Adds points of a curve from the current point; `bend` is the length of its second derivative.
    fn curve(&mut self, bend: f64, at: impl Fn(f64) -> Point) {
        let count = (bend / (8.0 * TOLERANCE)).sqrt().ceil().clamp(1.0, 1e3) as u32;
        if let Some(ring) = self.rings.last_mut() {
            ring.extend((1..=count).map(|k| at(f64::from(k) / f64::from(count))));
        }
    }

    fn last(&self) -> Point {
        self.rings.last().and_then(|ring| ring.last()).copied().unwrap_or_default()
    }
}

/// Returns twice the distance of a point from the midpoint of its neighbors.
fn bend([a, b]: Point, [c, d]: Point, [e, f]: Point) -> f64 {
    (a - 2.0 * c + e).hypot(b - 2.0 * d + f)
}

impl Pen for Polygons {
    fn move_to(&mut self, to: Point) {
        self.rings.push(vec![self.place.point(to)]);
    }

    fn line_to(&mut self, to: Point) {
        let to = self.place.point(to);
        self.curve(0.0, |_| to);
    }

    fn quad_to(&mut self, control: Point, to: Point) {
        let [a, b, c] = [self.last(), self.place.point(control), self.place.point(to)];
        let at = |t: f64| [0, 1].map(|k| (1.0 - t).powi(2) * a[k] + 2.0 * t * (1.0 - t) * b[k] + t * t * c[k]);
        self.curve(2.0 * bend(a, b, c), at);
    }

    fn cubic_to(&mut self, first: Point, second: Point, to: Point) {
        let [a, b, c, d] = [self.last(), self.place.point(first), self.place.point(second), self.place.point(to)];
        let at = |t: f64| {
            let s = 1.0 - t;
            [0, 1].map(|k| s.powi(3) * a[k] + 3.0 * s * s * t * b[k] + 3.0 * s * t * t * c[k] + t.powi(3) * d[k])
        };
        self.curve(6.0 * bend(a, b, c).max(bend(b, c, d)), at);
    }

    fn close(&mut self) {}

    /// Completes a letter by the nonzero rule: rings oriented like the largest are its parts, which may overlap; the
    /// others are holes.
    fn letter_done(&mut self) {
        let rings: Vec<Vec<Point>> = self.rings.drain(..).filter(|ring| ring.len() > 2).collect();
        let largest = rings.iter().map(|ring| area(ring)).max_by(|a, b| a.abs().total_cmp(&b.abs()));
        let sign = largest.unwrap_or_default().signum();
        let (parts, holes): (Vec<_>, Vec<_>) = rings.into_iter().partition(|ring| sign * area(ring) > 0.0);
        self.done.extend(parts.iter().map(|part| {
            let holes = holes.iter().filter(|hole| surrounds(part, hole[0]));
            joined(part, holes.cloned().collect())
        }));
    }
}
