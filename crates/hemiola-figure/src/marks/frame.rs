//! From data to the page.

use crate::geometry::{Path, Point, Rect, clip_polygon, clip_polyline, simplify};
use crate::scale::{Range, Scale};

/// Points nearer than this to the line without them are left out; a printer's dot at 1200 dpi is three times as large.
const TOLERANCE: f64 = 0.02;

/// Paths are cut this far outside the panel, where line ends and joins at the cut do not show.
const BLEED: f64 = 6.0;

/// No coordinate is taken to be farther away than this: larger ones would lose the digits that clipping needs.
const FARTHEST: f64 = 1e9;

/// The rectangle of a panel and the ranges that it shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) plot: Rect,
    pub(crate) x: Range,
    pub(crate) y: Range,
}

impl Frame {
    /// The point of the page for a datum.
    pub(crate) fn map(&self, [x, y]: [f64; 2]) -> Point {
        let across = self.plot.left + self.plot.width * self.x.fraction(x);
        let down = self.plot.bottom() - self.plot.height * self.y.fraction(y);
        [across.clamp(-FARTHEST, FARTHEST), down.clamp(-FARTHEST, FARTHEST)]
    }

    /// The visible pieces of a line through data.
    pub(crate) fn line(&self, data: &[[f64; 2]], closed: bool) -> Vec<Path> {
        let path = Path { points: data.iter().map(|&datum| self.map(datum)).collect(), closed };
        let pieces = clip_polyline(&path, &self.plot.expanded(BLEED));
        pieces.iter().map(|piece| simplify(piece, TOLERANCE)).collect()
    }

    /// The visible part of a polygon of data.
    pub(crate) fn polygon(&self, data: &[[f64; 2]]) -> Path {
        let points: Vec<Point> = data.iter().map(|&datum| self.map(datum)).collect();
        let points = clip_polygon(&points, &self.plot.expanded(BLEED));
        simplify(&Path { points, closed: true }, TOLERANCE)
    }

    /// The lines x = 0 and y = 0 where they are inside.
    pub(crate) fn zero_lines(&self) -> Vec<Path> {
        let plot = &self.plot;
        let inside = |range: &Range| {
            let at = range.fraction(0.0);
            (range.scale == Scale::Linear && at > 0.0 && at < 1.0).then_some(at)
        };
        let line = |from: Point, to: Point| Path { points: vec![from, to], closed: false };
        let level = inside(&self.y).map(|at| plot.bottom() - plot.height * at);
        let upright = inside(&self.x).map(|at| plot.left + plot.width * at);
        let level = level.map(|y| line([plot.left, y], [plot.right(), y]));
        let upright = upright.map(|x| line([x, plot.top], [x, plot.bottom()]));
        level.into_iter().chain(upright).collect()
    }

    /// The points of the page for the data inside the panel or, but for rounding, on its edge.
    pub(crate) fn shown(&self, data: impl Iterator<Item = [f64; 2]>) -> Vec<Point> {
        let visible = self.plot.expanded(TOLERANCE);
        data.map(|datum| self.map(datum)).filter(|&point| visible.contains(point)).collect()
    }
}
