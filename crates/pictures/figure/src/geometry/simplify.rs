//! Removal of points that are invisible in print.

use super::{Path, Point};

/// Removes points whose distance to the simplified path is at most `tolerance` (Douglas and Peucker).
pub(crate) fn simplify(path: &Path, tolerance: f64) -> Path {
    let mut points = path.points.clone();
    if path.closed {
        // A closed path is treated as an open one that returns to its start; it is first split at the farthest point.
        points.extend(path.points.first().copied());
    }
    let keep = kept(&points, tolerance);
    let mut points: Vec<Point> =
        points.into_iter().zip(keep).filter_map(|(point, keep)| keep.then_some(point)).collect();
    if path.closed && points.len() > 1 {
        points.pop();
    }
    Path { points, closed: path.closed }
}

fn kept(points: &[Point], tolerance: f64) -> Vec<bool> {
    let mut keep = vec![false; points.len()];
    if points.is_empty() {
        return keep;
    }
    let last = points.len() - 1;
    keep[0] = true;
    keep[last] = true;
    // An explicit stack: recursion on a spiral of a million points could be a million levels deep.
    let mut open = vec![(0, last)];
    while let Some((from, to)) = open.pop() {
        if let Some(middle) = farthest(points, from, to, tolerance) {
            keep[middle] = true;
            open.push((from, middle));
            open.push((middle, to));
        }
    }
    keep
}

/// Returns the point between two others that is farthest from their segment, if the distance exceeds `tolerance`.
fn farthest(points: &[Point], from: usize, to: usize, tolerance: f64) -> Option<usize> {
    let mut best = None;
    let mut greatest = tolerance * tolerance;
    for k in from + 1..to {
        let distance = squared_distance(points[k], points[from], points[to]);
        if distance > greatest {
            greatest = distance;
            best = Some(k);
        }
    }
    best
}

/// Returns the squared distance of `p` from the segment from `a` to `b`.
pub(super) fn squared_distance(p: Point, a: Point, b: Point) -> f64 {
    let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    let [px, py] = [p[0] - a[0], p[1] - a[1]];
    let length = dx * dx + dy * dy;
    let t = if length > 0.0 { ((px * dx + py * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
    let [ex, ey] = [px - t * dx, py - t * dy];
    ex * ex + ey * ey
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle(count: usize) -> Path {
        let points = (0..count)
            .map(|k| std::f64::consts::TAU * k as f64 / count as f64)
            .map(|t| [100.0 * t.cos(), 100.0 * t.sin()])
            .collect();
        Path { points, closed: true }
    }

    #[test]
    fn points_on_a_line_are_left_out() {
        let line = Path { points: (0..100).map(|k| [f64::from(k), 2.0 * f64::from(k)]).collect(), closed: false };
        assert_eq!(simplify(&line, 0.02).points, vec![[0.0, 0.0], [99.0, 198.0]]);
    }

    #[test]
    fn no_point_moves_farther_than_the_tolerance() {
        let full = circle(5000);
        let short = simplify(&full, 0.02);
        assert!(short.points.len() < 300, "{} points", short.points.len());
        let count = short.points.len();
        for &p in &full.points {
            let nearest = (0..count)
                .map(|k| squared_distance(p, short.points[k], short.points[(k + 1) % count]))
                .fold(f64::INFINITY, f64::min);
            assert!(nearest.sqrt() <= 0.02 + 1e-12);
        }
    }

    #[test]
    fn short_paths_survive() {
        for closed in [false, true] {
            let empty = Path { points: vec![], closed };
            assert_eq!(simplify(&empty, 0.02), empty);
            let single = Path { points: vec![[1.0, 2.0]], closed };
            assert_eq!(simplify(&single, 0.02).points, single.points);
        }
    }
}
