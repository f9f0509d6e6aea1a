//! The shape of a plot.

use crate::scale::{Range, Scale};

/// Default ratio of height to width of a plot.
const USUAL: f64 = 0.72;
/// Limits of a requested ratio of height to width.
const ASKED: [f64; 2] = [0.15, 3.0];
/// Smallest and largest ratio of height to cell width of plots of equal aspect.
const FLATTEST: f64 = 0.3;
const TALLEST: f64 = 1.2;
/// Smallest fraction of its cell's width that a plot takes.
const NARROWEST: f64 = 0.25;

/// Requested shape of a panel.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Aspect {
    /// Units of equal length on both axes.
    Equal,
    /// Height as a fraction of the width, if it is set.
    Height(Option<f64>),
}

/// Constraints on the height of a plot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Heights {
    /// Height of plots with a free height, if fixed.
    pub(super) fixed: Option<f64>,
    /// Common height of plots with a free height that have nearly this height.
    pub(super) alike: Option<f64>,
    /// Height of a plot without a requested height.
    pub(super) usual: Option<f64>,
    /// Largest height of a plot whose axes have equal units.
    pub(super) most: Option<f64>,
}

/// Size of a plot and the ranges shown in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlotShape {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) x: Range,
    pub(super) y: Range,
}

impl PlotShape {
    /// Computes the shape of a plot in `room` points of width.
    pub(super) fn of(aspect: Aspect, [x, y]: [Range; 2], room: f64, heights: Heights) -> Self {
        let asked = match aspect {
            Aspect::Equal => {
                let shape = Self::equal(x, y, room);
                let scale = heights.most.map_or(1.0, |most| (most / shape.height).min(1.0));
                return Self { width: scale * shape.width, height: scale * shape.height, ..shape };
            }
            Aspect::Height(part) => part,
        };
        let own = asked.filter(|part| part.is_finite()).map(|part| room * part.clamp(ASKED[0], ASKED[1]));
        let height = heights.fixed.or(heights.alike).or(own).or(heights.usual).unwrap_or(USUAL * room);
        Self { width: room, height, x, y }
    }

    /// Computes the shape with equal units on both axes. The ranges do not depend on `room`.
    fn equal(x: Range, y: Range, room: f64) -> Self {
        let ratio = y.length() / x.length();
        if ratio < FLATTEST {
            return Self { width: room, height: FLATTEST * room, x, y: y.stretched(FLATTEST * x.length()) };
        }
        if ratio <= TALLEST {
            return Self { width: room, height: ratio * room, x, y };
        }
        let height = TALLEST * room;
        let width = (height / ratio).max(NARROWEST * room);
        // The range is stretched only if the plot has its smallest width.
        Self { width, height, x: x.stretched((y.length() * width / height).max(x.length())), y }
    }
}

/// Returns whether a plot of equal aspect is as wide as its cell, unless its height is limited.
pub(super) fn fills_width(x: &Range, y: &Range) -> bool {
    y.length() <= TALLEST * x.length()
}

/// Returns the ranges shown by a plot of equal aspect for the requested ranges.
pub(crate) fn equal_ranges(x: (f64, f64), y: (f64, f64)) -> [(f64, f64); 2] {
    let range = |(low, high)| Range { scale: Scale::Linear, low, high };
    let shape = PlotShape::equal(range(x), range(y), 1.0);
    [shape.x, shape.y].map(|range| (range.low, range.high))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(length: f64) -> Range {
        Range { scale: Scale::Linear, low: -length, high: 0.0 }
    }

    #[test]
    fn units_are_equally_long_whatever_the_ranges() {
        for x in [1e-6, 0.1, 1.0, 3.0, 10.0, 1e5] {
            for y in [0.03, 0.2, 1.0, 1.3, 2.7, 40.0] {
                let shape = PlotShape::equal(range(x), range(y), 200.0);
                let [across, up] = [shape.width / shape.x.length(), shape.height / shape.y.length()];
                assert!((across / up - 1.0).abs() < 1e-12, "{shape:?}");
                assert!(shape.width <= 200.0 && shape.width >= 49.9);
                assert!(shape.height <= 240.1 && shape.height >= 59.9);
                assert!(shape.x.length() >= x * (1.0 - 1e-12) && shape.y.length() >= y * (1.0 - 1e-12));
            }
        }
    }

    #[test]
    fn ordinary_ranges_are_kept() {
        let shape = PlotShape::equal(range(4.5), range(7.0), 200.0);
        assert!((shape.x.length() - 4.5).abs() < 1e-12 && shape.y == range(7.0));
    }
}
