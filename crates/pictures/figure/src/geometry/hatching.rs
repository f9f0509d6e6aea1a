//! Hatchings clipped to their area.

use super::{Path, Point};

/// Returns the parts of parallel lines inside an area by the even-odd rule. The lines are `spacing` apart and turned
/// clockwise by `degrees`; the first lies half a spacing from the origin.
pub(crate) fn hatching(area: &[Path], degrees: f64, spacing: f64) -> Vec<[Point; 2]> {
    let (sin, cos) = degrees.to_radians().sin_cos();
    // Coordinates along and across the lines.
    let turned = |[x, y]: Point| [cos * x + sin * y, cos * y - sin * x];
    let back = |[along, across]: Point| [cos * along - sin * across, sin * along + cos * across];
    let outlines: Vec<Vec<Point>> = area.iter().map(|path| path.points.iter().copied().map(turned).collect()).collect();
    let heights = || outlines.iter().flatten().map(|point| point[1]);
    let [least, most] = [heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max)];
    if least > most {
        return Vec::new();
    }
    let [first, last] = [least, most].map(|height| (height / spacing - 0.5).round() as i64);
    let mut pieces = Vec::new();
    for k in first..=last {
        let across = (k as f64 + 0.5) * spacing;
        let ends = crossings(&outlines, across);
        pieces.extend(ends.chunks_exact(2).map(|pair| [back([pair[0], across]), back([pair[1], across])]));
    }
    pieces
}

/// Returns the sorted positions at which a line at the given height enters or leaves the area.
fn crossings(outlines: &[Vec<Point>], height: f64) -> Vec<f64> {
    let mut found = Vec::new();
    for points in outlines {
        for (k, b) in points.iter().enumerate() {
            let a = points[(k + points.len() - 1) % points.len()];
            if (a[1] > height) != (b[1] > height) {
                found.push(a[0] + (height - a[1]) / (b[1] - a[1]) * (b[0] - a[0]));
            }
        }
    }
    found.sort_by(f64::total_cmp);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(half: f64) -> Path {
        Path { points: vec![[-half, -half], [half, -half], [half, half], [-half, half]], closed: true }
    }

    #[test]
    fn lines_end_at_the_area_and_at_its_holes() {
        let lines = hatching(&[square(3.0), square(1.0)], 0.0, 1.0);
        // Two pieces each at heights ±0.5, one each at ±1.5 and ±2.5.
        assert_eq!(lines.len(), 8);
        let total: f64 = lines.iter().map(|[a, b]| (b[0] - a[0]).abs()).sum();
        assert!((total - (2.0 * 4.0 + 4.0 * 6.0)).abs() < 1e-12);
        assert!(hatching(&[], 45.0, 1.0).is_empty());
    }

    #[test]
    fn lines_are_turned_clockwise_on_a_page_whose_y_grows_downwards() {
        for [a, b] in hatching(&[square(3.0)], 45.0, 1.0) {
            assert!(((b[1] - a[1]) - (b[0] - a[0])).abs() < 1e-12);
        }
    }
}
