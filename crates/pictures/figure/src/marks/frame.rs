//! Mapping from data to the page.

use crate::geometry::{Path, Point, Rect, clip_polygon, clip_polyline, simplify};
use crate::scale::{Range, Scale};

/// Tolerance of simplification in points; a printer's dot at 1200 dpi is three times as large.
const TOLERANCE: f64 = 0.02;

/// Distance outside the panel at which paths are cut, so that line ends and joins at the cut are invisible.
const BLEED: f64 = 6.0;

/// Largest magnitude of a coordinate: larger ones would lose the digits needed for clipping.
const FARTHEST: f64 = 1e9;

/// Rectangle of a panel with its ranges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) plot: Rect,
    pub(crate) x: Range,
    pub(crate) y: Range,
}

impl Frame {
    /// Maps a data point to the page.
    pub(crate) fn map(&self, [x, y]: [f64; 2]) -> Point {
        let across = self.plot.left + self.plot.width * self.x.fraction(x);
        let down = self.plot.bottom() - self.plot.height * self.y.fraction(y);
        [across.clamp(-FARTHEST, FARTHEST), down.clamp(-FARTHEST, FARTHEST)]
    }

    /// Returns the visible pieces of a polyline of data.
    pub(crate) fn line(&self, data: &[[f64; 2]], closed: bool) -> Vec<Path> {
        let path = Path { points: data.iter().map(|&datum| self.map(datum)).collect(), closed };
        let pieces = clip_polyline(&path, &self.plot.expanded(BLEED));
        pieces.iter().map(|piece| simplify(piece, TOLERANCE)).collect()
    }

    /// Returns the visible part of a polygon of data.
    pub(crate) fn polygon(&self, data: &[[f64; 2]]) -> Path {
        let points: Vec<Point> = data.iter().map(|&datum| self.map(datum)).collect();
        let points = clip_polygon(&points, &self.plot.expanded(BLEED));
        simplify(&Path { points, closed: true }, TOLERANCE)
    }

    /// Returns the lines x = 0 and y = 0 if they lie inside.
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

    /// Returns the points of the page for the data inside the panel or, up to rounding, on its edge.
    pub(crate) fn shown(&self, data: impl Iterator<Item = [f64; 2]>) -> Vec<Point> {
        let visible = self.plot.expanded(TOLERANCE);
        data.map(|datum| self.map(datum)).filter(|&point| visible.contains(point)).collect()
    }
}
