//! Conversion of outlines to points, and of points to pixels.

use std::f64::consts::PI;

use crate::geometry::{Path, Point};
use crate::scene::Outline;

/// Largest distance between a polygon and the curve that it approximates, in pixels.
pub(super) const TOLERANCE: f64 = 0.05;

/// Smallest number of corners of a circle.
const LEAST: f64 = 12.0;

/// Converts an outline to a path. Circles become polygons within the tolerance at `scale` pixels per point.
pub(super) fn path(outline: &Outline, scale: f64) -> Path {
    match outline {
        Outline::Line(path) => path.clone(),
        Outline::Circle { center: [x, y], radius } => {
            // A chord has the sagitta r (1 − cos(π/n)) ≈ r π²/(2 n²); corners that lie equally far outside halve the
            // error.
            let count = (0.5 * PI * (radius * scale / TOLERANCE).sqrt()).ceil().clamp(LEAST, 1e4);
            let reach = radius / (0.5 + 0.5 * (PI / count).cos());
            let corner = |k: i32| {
                let (sin, cos) = (2.0 * PI * f64::from(k) / count).sin_cos();
                [x + reach * cos, y + reach * sin]
            };
            Path { points: (0..count as i32).map(corner).collect(), closed: true }
        }
    }
}

/// Returns the points of a line. A closed line is extended to its second point, so that its first corner gets a join as
/// well.
pub(super) fn points(path: Path) -> Vec<Point> {
    let mut points = path.points;
    if path.closed {
        points.extend_from_within(..points.len().min(2));
    }
    points
}

/// Rounds points to pixels and drops successive duplicates.
pub(super) fn pixels(points: impl IntoIterator<Item = Point>) -> Vec<(i32, i32)> {
    let mut pixels: Vec<(i32, i32)> = points.into_iter().map(|[x, y]| (x.round() as i32, y.round() as i32)).collect();
    pixels.dedup();
    pixels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_within_a_tenth_of_a_pixel() {
        for (radius, scale) in [(0.6, 1.0), (2.5, 4.0), (3.0, 100.0), (200.0, 100.0)] {
            let circle = path(&Outline::Circle { center: [1.0, 2.0], radius }, scale);
            let count = circle.points.len();
            for k in 0..count {
                let ([a, b], [c, d]) = (circle.points[k], circle.points[(k + 1) % count]);
                for [x, y] in [[a, b], [0.5 * (a + c), 0.5 * (b + d)]] {
                    let off = scale * ((x - 1.0).hypot(y - 2.0) - radius).abs();
                    assert!(off < 0.1, "{off} pixels at radius {radius}");
                }
            }
        }
    }

    #[test]
    fn closed_lines_go_on_to_their_second_point() {
        let path = |closed| Path { points: vec![[0.0, 0.0], [1.2, 0.0], [1.4, 0.0], [2.0, 2.0]], closed };
        assert_eq!(pixels(points(path(false))), [(0, 0), (1, 0), (2, 2)]);
        assert_eq!(pixels(points(path(true))), [(0, 0), (1, 0), (2, 2), (0, 0), (1, 0)]);
        assert!(points(Path { points: Vec::new(), closed: true }).is_empty());
    }
}
