//! Markers at a few places along a curve.

use crate::geometry::{Path, Point};
use crate::style::Marker;

/// Number of intervals between markers on a curve that crosses the panel.
const INTERVALS: f64 = 7.0;

/// A marker, and the part of an interval by which it is shifted, so that the markers of curves that lie on each other
/// stand beside each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SparseMarkers {
    pub(super) marker: Marker,
    pub(super) shift: f64,
}

impl SparseMarkers {
    /// Returns the markers of the curve at index `turn`. With the dash pattern of that index, 36 curves differ.
    pub(super) fn cycled(turn: usize) -> Self {
        const PATTERNS: usize = 6;
        // Successive multiples of the golden ratio are never close to each other.
        let shift = (0.5 + turn as f64 * 0.618_033_988_749_894_8).fract();
        Self { marker: Marker::cycled(turn + turn / PATTERNS), shift }
    }
}

/// Returns places on lines, equally spaced by their extent in x if the lines run to the right, as solutions over time
/// do whose oscillations would crowd the markers, and by their length otherwise. Each line has at least one.
pub(super) fn sparse_places(paths: &[Path], width: f64, shift: f64) -> Vec<Point> {
    paths.iter().flat_map(|path| along(path, width / INTERVALS, shift)).collect()
}

fn along(path: &Path, spacing: f64, shift: f64) -> Vec<Point> {
    let closing = path.points.first().copied().filter(|_| path.closed);
    let points: Vec<Point> = path.points.iter().copied().chain(closing).collect();
    let runs_right = points.windows(2).all(|pair| pair[1][0] >= pair[0][0]);
    let measure = |pair: &[Point]| {
        let [dx, dy] = [0, 1].map(|k| pair[1][k] - pair[0][k]);
        if runs_right { dx } else { dx.hypot(dy) }
    };
    let total: f64 = points.windows(2).map(measure).sum();
    if !(total > 0.0 && spacing > 0.0) {
        return points.first().copied().into_iter().collect();
    }
    let spacing = spacing.min(total);
    let (mut places, mut passed, mut next) = (Vec::new(), 0.0, shift * spacing);
    for pair in points.windows(2) {
        let length = measure(pair);
        while length > 0.0 && next <= passed + length {
            let part = (next - passed) / length;
            places.push([0, 1].map(|k| pair[0][k] + part * (pair[1][k] - pair[0][k])));
            next += spacing;
        }
        passed += length;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oscillations_have_no_more_markers_than_what_they_oscillate_around() {
        let line = |height: f64| Path {
            points: (0..=700).map(|k| [f64::from(k) * 0.1, height * f64::from(k % 2)]).collect(),
            closed: false,
        };
        let [flat, wild] = [0.0, 50.0].map(|height| sparse_places(&[line(height)], 70.0, 0.25));
        assert_eq!(flat.len(), 7);
        assert!(flat.iter().zip(&wild).all(|(one, other)| (one[0] - other[0]).abs() < 1e-9));
        assert!((flat[1][0] - 12.5).abs() < 1e-9);
    }

    #[test]
    fn each_line_has_a_marker() {
        let lines = [vec![[1.0, 1.0]], vec![[0.0, 0.0], [0.1, 0.0]], vec![[5.0, 0.0], [5.0, 3.0], [4.0, 3.0]]];
        let paths = lines.map(|points| Path { points, closed: true });
        for path in &paths {
            assert!(!sparse_places(std::slice::from_ref(path), 100.0, 0.9).is_empty(), "{path:?}");
        }
        assert!(sparse_places(&[Path { points: Vec::new(), closed: false }], 100.0, 0.5).is_empty());
    }

    #[test]
    fn thirty_six_curves_have_different_patterns_and_markers() {
        use crate::style::Dash;
        let looks: std::collections::HashSet<_> =
            (0..36).map(|turn| (Dash::cycled(turn), SparseMarkers::cycled(turn).marker)).collect();
        assert_eq!(looks.len(), 36);
    }
}
