//! Position of the page on the pixels of a backend.

use crate::geometry::{Point, Rect};

/// Map from points of the page to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PixelMap {
    /// Pixels per point.
    pub(super) scale: f64,
    /// Pixel of the origin of the page or of a group.
    pub(super) origin: Point,
}

impl PixelMap {
    /// Fits a page into an area, as large as possible and centered up to rounding; its origin is a whole pixel.
    pub(super) fn fitted([width, height]: [f64; 2], (left, top): (i32, i32), (columns, rows): (u32, u32)) -> Self {
        let room = [f64::from(columns), f64::from(rows)];
        let scale = (room[0] / width).min(room[1] / height);
        let edge = [0.5 * (room[0] - scale * width), 0.5 * (room[1] - scale * height)].map(f64::floor);
        Self { scale, origin: [f64::from(left) + edge[0], f64::from(top) + edge[1]] }
    }

    /// Returns the map for a group whose origin is at `offset` on the page.
    pub(super) fn moved(self, offset: Point) -> Self {
        Self { origin: self.point(offset), ..self }
    }

    pub(super) fn point(self, [x, y]: Point) -> Point {
        [self.origin[0] + self.scale * x, self.origin[1] + self.scale * y]
    }

    pub(super) fn rect(self, rect: &Rect) -> Rect {
        let [left, top] = self.point([rect.left, rect.top]);
        Rect { left, top, width: self.scale * rect.width, height: self.scale * rect.height }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_centered_in_its_area() {
        let place = PixelMap::fitted([200.0, 100.0], (10, 20), (100, 100));
        assert_eq!((place.point([0.0, 0.0]), place.point([200.0, 100.0])), ([10.0, 45.0], [110.0, 95.0]));
        let place = PixelMap::fitted([100.0, 200.0], (0, 0), (300, 200));
        assert_eq!((place.point([0.0, 0.0]), place.scale), ([100.0, 0.0], 1.0));
        assert_eq!(place.moved([3.0, 4.0]).point([1.0, 1.0]), [104.0, 5.0]);
    }
}
