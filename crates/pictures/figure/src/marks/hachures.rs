//! Hachures: fine ticks on one side of a line, as on the downhill side of contours in maps.

use crate::geometry::{Path, Point};
use crate::scene::Outline;

/// Spacing of ticks along the line, their length beyond its edge, and their width.
const SPACING: f64 = 6.0;
const LENGTH: f64 = 2.0;
pub(super) const WIDTH: f64 = 0.4;

/// Smallest number of ticks on a closed line; fewer would not distinguish the inside from the outside.
const LEAST: f64 = 3.0;

/// Returns ticks on the right-hand side of lines, uniformly spaced on the page; `edge` is half the line width.
pub(super) fn hachures(paths: &[Path], edge: f64) -> Vec<Outline> {
    paths.iter().flat_map(|path| along(path, edge)).collect()
}

fn along(path: &Path, edge: f64) -> Vec<Outline> {
    let closing = path.points.first().copied().filter(|_| path.closed);
    let points: Vec<Point> = path.points.iter().copied().chain(closing).collect();
    let lengths: Vec<f64> =
        points.windows(2).map(|pair| (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1])).collect();
    let total: f64 = lengths.iter().sum();
    let count = (total / SPACING).round().max(if path.closed { LEAST } else { 1.0 });
    let mut ticks = Vec::new();
    let (mut passed, mut next) = (0.0, 0.5 * total / count);
    for (pair, length) in points.windows(2).zip(lengths) {
        while length > 0.0 && next <= passed + length {
            let [dx, dy] = [0, 1].map(|k| (pair[1][k] - pair[0][k]) / length);
            let part = (next - passed) / length;
            let [x, y] = [0, 1].map(|k| pair[0][k] + part * (pair[1][k] - pair[0][k]));
            // The page's y points downwards, so (−dy, dx) is on the right.
            let beside = |distance: f64| [x - distance * dy, y + distance * dx];
            ticks.push(Outline::open(vec![beside(0.0), beside(edge + LENGTH)]));
            next += total / count;
        }
        passed += length;
    }
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(ticks: &[Outline]) -> Vec<[Point; 2]> {
        let line = |tick: &Outline| match tick {
            Outline::Line(path) => [path.points[0], path.points[1]],
            Outline::Circle { center, .. } => [*center, *center],
        };
        ticks.iter().map(line).collect()
    }

    #[test]
    fn ticks_are_evenly_spaced_whatever_the_points() {
        // A line with a length of 60 points, divided unequally.
        let cuts = [0.0, 0.1, 0.2, 31.0, 31.0, 59.9, 60.0];
        let path = Path { points: cuts.map(|x| [x, 5.0]).to_vec(), closed: false };
        let found = ends(&along(&path, 0.5));
        assert_eq!(found.len(), 10);
        for (k, [from, to]) in found.iter().enumerate() {
            let x = 3.0 + 6.0 * k as f64;
            assert!((from[0] - x).abs() < 1e-12 && (to[0] - x).abs() < 1e-12);
            // For a line to the right, its right-hand side is below it.
            assert_eq!([from[1], to[1]], [5.0, 7.5]);
        }
    }

    #[test]
    fn ticks_of_a_small_ring_stand_on_its_right() {
        // Clockwise on the page, whose y points downwards: the right-hand side is the inside.
        let ring = Path { points: vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], closed: true };
        let found = ends(&along(&ring, 0.0));
        assert_eq!(found.len(), 3);
        assert!(found.iter().all(|[from, to]| {
            let towards = [0.5 - from[0], 0.5 - from[1]];
            towards[0] * (to[0] - from[0]) + towards[1] * (to[1] - from[1]) > 0.0
        }));
    }

    #[test]
    fn lines_without_length_have_no_ticks() {
        for points in [vec![], vec![[1.0, 1.0]], vec![[1.0, 1.0], [1.0, 1.0]]] {
            assert!(along(&Path { points, closed: false }, 0.5).is_empty());
        }
    }
}
