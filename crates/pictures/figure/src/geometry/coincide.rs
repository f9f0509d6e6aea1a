//! Test whether lines coincide.

use super::simplify::squared_distance;
use super::{Path, Point};

/// Returns whether every point of either set of lines lies within `tolerance` of the other set.
///
/// Corners and midpoints of segments are compared with segments: a line may deviate between two corners that are close
/// to another line.
pub(crate) fn coincide(one: &[Path], other: &[Path], tolerance: f64) -> bool {
    !one.is_empty() && !other.is_empty() && lies_on(one, other, tolerance) && lies_on(other, one, tolerance)
}

fn lies_on(lines: &[Path], ground: &[Path], tolerance: f64) -> bool {
    let segments: Vec<[Point; 2]> = ground.iter().flat_map(segments).collect();
    let near = |point: Point| segments.iter().any(|&[a, b]| squared_distance(point, a, b) <= tolerance * tolerance);
    lines.iter().flat_map(self::segments).all(|[from, to]| {
        let middle = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
        near(from) && near(middle) && near(to)
    })
}

/// Returns the segments of a line; a single point is a segment of length zero.
fn segments(path: &Path) -> Vec<[Point; 2]> {
    let points = &path.points;
    let closing = points.last().zip(points.first()).filter(|_| path.closed || points.len() == 1);
    points.windows(2).map(|pair| [pair[0], pair[1]]).chain(closing.map(|(&last, &first)| [last, first])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::slice::from_ref;

    fn arc(points: usize, radius: f64, turns: f64) -> Path {
        let at = |k: usize| std::f64::consts::TAU * turns * k as f64 / points as f64;
        Path { points: (0..=points).map(at).map(|t| [radius * t.cos(), radius * t.sin()]).collect(), closed: false }
    }

    #[test]
    fn the_same_line_in_other_points_coincides() {
        let [fine, coarse] = [arc(500, 100.0, 1.0), arc(90, 100.0, 1.0)];
        assert!(coincide(from_ref(&fine), from_ref(&coarse), 0.1));
        assert!(!coincide(from_ref(&fine), from_ref(&coarse), 0.01));
        // The same line in two reversed pieces.
        let (mut first, mut second) = (fine.clone(), fine.clone());
        first.points.truncate(251);
        second.points.drain(..250);
        second.points.reverse();
        assert!(coincide(&[second, first], &[coarse], 0.1));
    }

    #[test]
    fn a_part_of_a_line_does_not_coincide_with_the_whole() {
        let [whole, half] = [arc(400, 100.0, 1.0), arc(200, 100.0, 0.5)];
        assert!(!coincide(from_ref(&whole), from_ref(&half), 1.0));
        assert!(!coincide(&[half], from_ref(&whole), 1.0));
        assert!(!coincide(&[whole], &[], 1.0) && !coincide(&[], &[], 1.0));
        // The corners of the triangle's third side coincide with the ends of the other line, but its midpoint does not.
        let bent = Path { points: vec![[0.0, 0.0], [5.0, 5.0], [10.0, 0.0]], closed: false };
        let closed = Path { closed: true, ..bent.clone() };
        assert!(!coincide(&[closed], &[bent], 1.0));
    }
}
