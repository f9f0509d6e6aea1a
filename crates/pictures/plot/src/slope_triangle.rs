//! Slope triangles, which show the order of convergence beside curves.

use hemiola_figure::{Color, Curve, Dash, Panel, Points};

/// Longest legs relative to the ranges of work and error.
const ACROSS: f64 = 0.1;
const UP: f64 = 0.22;
/// Distance of a triangle from its curve relative to the range of work.
const BESIDE: f64 = 0.025;
/// Smallest distance from curves, relative to the range of work.
const CLEAR: f64 = 0.006;
/// Points of each leg and of the hypotenuse that must be clear of curves.
const POINTS: usize = 32;
/// Length on the page of the range of errors relative to the range of work.
const HEIGHT: f64 = 0.72;
/// Space beyond the ranges, relative to that of work; the frame is a little farther.
const BEYOND: f64 = 0.02;
/// Tolerance for rounding an order to an integer, about the step of observed orders.
const WHOLE: f64 = 0.3;
/// Largest difference between the slope of a segment and the order that it shows.
const CLOSE: f64 = 0.5;

/// Work and errors of a curve, with the order to show, if any.
pub(crate) struct CurveWithOrder {
    pub(crate) points: Vec<[f64; 2]>,
    pub(crate) order: Option<f64>,
}

/// Adds a triangle with its number for each order shown by a curve.
pub(crate) fn with_triangles(panel: Panel, curves: &[CurveWithOrder]) -> Panel {
    let Some(page) = LogPage::around(curves) else { return panel };
    let mut lines: Vec<Vec<[f64; 2]>> = curves.iter().map(|curve| page.places(&curve.points)).collect();
    let mut shown: Vec<f64> = Vec::new();
    let mut panel = panel;
    for order in curves.iter().filter_map(|curve| curve.order).map(rounded).filter(|order| *order > 0.0) {
        if shown.contains(&order) {
            continue;
        }
        shown.push(order);
        let of_order = curves.iter().filter(|curve| curve.order.map(rounded) == Some(order));
        let clearance = |triangle: &Triangle| triangle.clearance(&page, &lines);
        let candidates = of_order.flat_map(|curve| page.candidates(&curve.points, order));
        let measured = candidates.map(|triangle| (clearance(&triangle), triangle));
        let best = measured.max_by(|a, b| a.0.total_cmp(&b.0));
        // A triangle farther away would seem to belong to another curve, so it is omitted if there is no room.
        if let Some((_, triangle)) = best.filter(|(clear, _)| *clear >= CLEAR) {
            let outline = page.places(&triangle.corners);
            lines.push(outline.iter().copied().chain(outline.first().copied()).collect());
            panel = triangle.draw(panel, order);
        }
    }
    panel
}

/// Rounds an order to an integer, or to one decimal if it is not close to one.
fn rounded(order: f64) -> f64 {
    if (order - order.round()).abs() <= WHOLE { order.round() } else { (10.0 * order).round() / 10.0 }
}

/// Conversion of logarithms of work and error to lengths on the page.
struct LogPage {
    origin: [f64; 2],
    ranges: [f64; 2],
}

impl LogPage {
    /// Creates the conversion; returns `None` if a range is empty.
    fn around(curves: &[CurveWithOrder]) -> Option<Self> {
        let logs = || curves.iter().flat_map(|curve| &curve.points).map(|point| point.map(f64::ln));
        let low = [0, 1].map(|k| logs().map(|log| log[k]).fold(f64::INFINITY, f64::min));
        let high = [0, 1].map(|k| logs().map(|log| log[k]).fold(f64::NEG_INFINITY, f64::max));
        let ranges = [high[0] - low[0], high[1] - low[1]];
        ranges.iter().all(|range| range.is_finite() && *range > 0.0).then_some(Self { origin: low, ranges })
    }

    fn places(&self, points: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let place = |point: &[f64; 2]| {
            let [x, y] = [0, 1].map(|k| (point[k].ln() - self.origin[k]) / self.ranges[k]);
            [x, HEIGHT * y]
        };
        points.iter().map(place).collect()
    }

    /// Returns triangles on both sides of all segments of a curve whose slope matches the order.
    fn candidates(&self, points: &[[f64; 2]], order: f64) -> Vec<Triangle> {
        let mut found = Vec::new();
        for pair in points.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|point| point.map(f64::ln));
            let slope = (to[1] - from[1]) / (to[0] - from[0]);
            if slope.is_nan() || (slope + order).abs() > CLOSE {
                continue;
            }
            let middle = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
            let leg = (ACROSS * self.ranges[0]).min(UP * self.ranges[1] / order);
            found.extend([-1.0, 1.0].map(|side| self.triangle(middle, leg, order, side)));
        }
        found
    }

    /// Returns the triangle whose hypotenuse has its midpoint beside a point, on its lower left or its upper right.
    fn triangle(&self, [x, y]: [f64; 2], leg: f64, order: f64, side: f64) -> Triangle {
        let apart = [side * BESIDE * self.ranges[0], side * BESIDE / HEIGHT * self.ranges[1]];
        let [left, right] = [x + apart[0] - 0.5 * leg, x + apart[0] + 0.5 * leg];
        let [top, bottom] = [y + apart[1] + 0.5 * order * leg, y + apart[1] - 0.5 * order * leg];
        let corner = if side < 0.0 { [left, bottom] } else { [right, top] };
        let corners = [[left, top], corner, [right, bottom]].map(|corner| corner.map(f64::exp));
        let number = [corner[0], 0.5 * (top + bottom)].map(f64::exp);
        Triangle { corners, number, is_below: side < 0.0 }
    }
}

/// A right triangle of work and error, with a number beside its vertical leg.
struct Triangle {
    corners: [[f64; 2]; 3],
    number: [f64; 2],
    is_below: bool,
}

impl Triangle {
    /// Returns the smallest distance of its outline and its number from lines on the page, below [`CLEAR`] if a line crosses
    /// it, and negative if it does not fit into the frame.
    fn clearance(&self, page: &LogPage, lines: &[Vec<[f64; 2]>]) -> f64 {
        let side = if self.is_below { -BESIDE } else { BESIDE };
        let corners = page.places(&self.corners);
        let mut places: Vec<[f64; 2]> = Vec::new();
        for (from, to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            let along = |k: usize| [0, 1].map(|i| from[i] + (to[i] - from[i]) * k as f64 / POINTS as f64);
            places.extend((0..POINTS).map(along));
        }
        // Points of the number are as close to each other as those of the outline.
        let number = page.places(&[self.number]);
        places.extend(number.iter().flat_map(|&[x, y]| (0..=8).map(move |k| [x + 0.25 * side * f64::from(k), y])));
        let is_inside = |x: f64, end: f64| (-BEYOND..=end + BEYOND).contains(&x);
        if !places.iter().all(|&[x, y]| is_inside(x, 1.0) && is_inside(y, HEIGHT)) {
            return -1.0;
        }
        let segments = || lines.iter().flat_map(|line| line.windows(2));
        places
            .iter()
            .flat_map(|&place| segments().map(move |pair| distance(place, [pair[0], pair[1]])))
            .fold(f64::INFINITY, f64::min)
    }

    fn draw(&self, panel: Panel, order: f64) -> Panel {
        let outline = Curve::new().closed(self.corners).color(Color::GRAY).dash(Dash::Solid).width(0.6);
        let number = Points::new([self.number]).names([order.to_string()]);
        let number = if self.is_below { number.names_on_the_left() } else { number.names_on_the_right() };
        panel.curve(outline).points(number)
    }
}

fn distance([x, y]: [f64; 2], [a, b]: [[f64; 2]; 2]) -> f64 {
    let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    let square = dx * dx + dy * dy;
    let part = if square > 0.0 { (((x - a[0]) * dx + (y - a[1]) * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
    (x - a[0] - part * dx).hypot(y - a[1] - part * dy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PrecisionCurve;

    fn curve(order: i32, factor: f64, shown: Option<f64>) -> PrecisionCurve {
        let point = |k: i32| [2f64.powi(k), factor * 0.5f64.powi(order * k)];
        PrecisionCurve { label: order.to_string(), points: (3..11).map(point).collect(), order: shown }
    }

    #[test]
    fn triangles_have_the_slope_of_their_order_and_touch_no_curve() {
        let curves =
            [curve(2, 1.0, Some(2.03)), curve(4, 3.0, Some(3.9)), curve(4, 9.0, Some(4.2)), curve(8, 1e3, Some(8.0))];
        let sloped = curves.each_ref().map(|curve| CurveWithOrder { points: curve.points.clone(), order: curve.order });
        let page = LogPage::around(&sloped).unwrap();
        let lines: Vec<_> = curves.iter().map(|curve| page.places(&curve.points)).collect();
        for (curve, order) in curves.iter().zip([2.0, 4.0, 4.0, 8.0]) {
            let candidates = page.candidates(&curve.points, order);
            assert_eq!(candidates.len(), 14);
            for triangle in &candidates {
                let [from, _, to] = triangle.corners;
                let slope = (to[1] / from[1]).ln() / (to[0] / from[0]).ln();
                assert!((slope + order).abs() < 1e-9, "{slope}");
            }
            let best = candidates.iter().map(|triangle| triangle.clearance(&page, &lines)).fold(0.0, f64::max);
            assert!(best > 0.01, "{order}: {best}");
        }
        let svg = crate::precision_figure("steps", &curves, None, "").to_svg().unwrap();
        let number = |text: &str| svg.matches(&format!(">{text}</text>")).count();
        // The counts include the legend's labels, which are the same texts.
        assert_eq!([number("2"), number("4"), number("8")], [2, 3, 2]);
    }

    /// The segment that shows the order is the last one of a curve at the edge; its number is beside it, not beyond the frame.
    #[test]
    fn numbers_at_the_edge_are_not_cut_off() {
        let points = vec![[1.0, 1e-1], [10.0, 0.9e-1], [100.0, 0.8e-1], [900.0, 1e-5]];
        let sloped = [CurveWithOrder { points: points.clone(), order: Some(4.0) }];
        let page = LogPage::around(&sloped).unwrap();
        let [below, above] = &page.candidates(&points, 4.0)[..] else { panic!("one segment shows the order") };
        let lines = [page.places(&points)];
        assert!(above.clearance(&page, &lines) >= CLEAR || below.clearance(&page, &lines) >= CLEAR);
        let edge = page.triangle([900.0_f64.ln(), 1e-3_f64.ln()], 0.5, 4.0, 1.0);
        assert!(edge.clearance(&page, &lines) < 0.0);
    }

    #[test]
    fn what_shows_no_order_has_no_triangle() {
        let drawn = |curves: &[PrecisionCurve]| crate::precision_figure("steps", curves, None, "").to_svg().unwrap();
        let triangles = |curves: &[PrecisionCurve]| drawn(curves).matches(&Color::GRAY.to_string()).count();
        assert_eq!(triangles(&[curve(4, 1.0, Some(4.0))]), 1);
        // No order, an order that the points do not show, a single point, and constant errors.
        let level = PrecisionCurve { points: vec![[1.0, 0.1], [2.0, 0.1]], ..curve(4, 1.0, Some(4.0)) };
        let single = PrecisionCurve { points: vec![[1.0, 0.1]], ..level.clone() };
        // Equal points have no slope.
        let twice = PrecisionCurve { points: vec![[1.0, 0.1], [2.0, 0.05], [2.0, 0.05]], ..level.clone() };
        for curves in
            [vec![twice], vec![curve(4, 1.0, None)], vec![curve(4, 1.0, Some(2.0))], vec![single], vec![level], vec![]]
        {
            assert_eq!(triangles(&curves), 0, "{curves:?}");
        }
        // Orders that are not close to an integer have one decimal.
        assert_eq!([0.52, 3.68, 3.72, 4.3].map(rounded), [0.5, 3.7, 4.0, 4.0]);
    }
}
