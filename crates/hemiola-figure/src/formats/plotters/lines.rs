//! Outlines as points, and points as pixels.

use std::f64::consts::PI;

use crate::geometry::{Path, Point};
use crate::scene::Outline;

/// How far polygons may be from the curves that they stand for, in pixels.
pub(super) const TOLERANCE: f64 = 0.05;

/// The fewest corners of a circle.
const LEAST: f64 = 12.0;

/// An outline as a path; circles as polygons that are right to the tolerance at so many pixels to the point.
pub(super) fn path(outline: &Outline, scale: f64) -> Path {
    match outline {
        Outline::Line(path) => path.clone(),
        Outline::Circle { center: [x, y], radius } => {
            // Between corners a chord is r (1 − cos(π/n)) ≈ r π²/(2 n²) inside; corners as far outside halve that.
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

/// The points of a line. A closed one goes on to its second point, so that its first corner is like the others.
pub(super) fn points(path: Path) -> Vec<Point> {
    let mut points = path.points;
    if path.closed {
        points.extend_from_within(..points.len().min(2));
    }
    points
}

/// The nearest pixels, none twice in succession.
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
