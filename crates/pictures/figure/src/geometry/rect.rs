//! Rectangles.

use super::{Path, Point};

/// An axis-aligned rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rect {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Rect {
    pub(crate) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    pub(crate) fn center(&self) -> Point {
        [self.left + 0.5 * self.width, self.top + 0.5 * self.height]
    }

    pub(crate) fn outline(&self) -> Path {
        let [left, right, top, bottom] = [self.left, self.right(), self.top, self.bottom()];
        Path { points: vec![[left, bottom], [right, bottom], [right, top], [left, top]], closed: true }
    }

    /// Returns the rectangle with every side moved outwards by `by`.
    pub(crate) fn expanded(&self, by: f64) -> Self {
        Self { left: self.left - by, top: self.top - by, width: self.width + 2.0 * by, height: self.height + 2.0 * by }
    }

    pub(crate) fn contains(&self, [x, y]: Point) -> bool {
        self.left <= x && x <= self.right() && self.top <= y && y <= self.bottom()
    }

    /// Clips the segment from `a` to `b` to the rectangle by the method of Liang and Barsky. Returns the parameters at
    /// which it enters and leaves, or `None` if it lies outside.
    pub(crate) fn crossing(&self, a: Point, b: Point) -> Option<[f64; 2]> {
        let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
        let sides =
            [(-dx, a[0] - self.left), (dx, self.right() - a[0]), (-dy, a[1] - self.top), (dy, self.bottom() - a[1])];
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for (speed, distance) in sides {
            if speed == 0.0 {
                if distance < 0.0 {
                    return None;
                }
            } else if speed < 0.0 {
                enter = enter.max(distance / speed);
            } else {
                leave = leave.min(distance / speed);
            }
        }
        (enter <= leave).then_some([enter, leave])
    }

    /// Returns the length of the segment from `a` to `b` inside the rectangle.
    pub(crate) fn covered_length(&self, a: Point, b: Point) -> f64 {
        self.crossing(a, b).map_or(0.0, |[enter, leave]| (leave - enter) * (b[0] - a[0]).hypot(b[1] - a[1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: Rect = Rect { left: 0.0, top: 0.0, width: 2.0, height: 2.0 };

    #[test]
    fn segments_are_cut_at_the_sides() {
        assert_eq!(SQUARE.crossing([-1.0, 1.0], [3.0, 1.0]), Some([0.25, 0.75]));
        assert_eq!(SQUARE.crossing([1.0, 1.0], [1.0, 1.5]), Some([0.0, 1.0]));
        assert_eq!(SQUARE.crossing([-1.0, 3.0], [3.0, 3.0]), None);
        assert_eq!(SQUARE.crossing([-1.0, 2.0], [2.0, 5.0]), None);
    }

    #[test]
    fn lengths_inside_are_measured() {
        assert_eq!(SQUARE.covered_length([-1.0, 1.0], [3.0, 1.0]), 2.0);
        assert_eq!(SQUARE.covered_length([5.0, 1.0], [3.0, 1.0]), 0.0);
    }
}
