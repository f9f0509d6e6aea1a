//! Clipping of paths to a rectangle, so that data far outside a panel neither enlarge the file nor overflow a renderer.

use super::{Path, Point, Rect};

/// Returns the pieces of a polyline inside `window`. A closed line that lies inside remains closed.
pub(crate) fn clip_polyline(path: &Path, window: &Rect) -> Vec<Path> {
    let Some(outside) = path.points.iter().position(|&point| !window.contains(point)) else {
        return if path.points.is_empty() { Vec::new() } else { vec![path.clone()] };
    };
    if !path.closed {
        return clip_open(&path.points, window);
    }
    // Starting from an outside point avoids a cut at an arbitrary first point.
    let count = path.points.len();
    let ring: Vec<Point> = (0..=count).map(|k| path.points[(outside + k) % count]).collect();
    clip_open(&ring, window)
}

fn clip_open(points: &[Point], window: &Rect) -> Vec<Path> {
    let mut pieces: Vec<Path> = Vec::new();
    let mut piece: Vec<Point> = Vec::new();
    for pair in points.windows(2) {
        let Some([enter, leave]) = window.crossing(pair[0], pair[1]) else {
            continue;
        };
        if piece.is_empty() {
            piece.push(between(pair[0], pair[1], enter));
        }
        piece.push(between(pair[0], pair[1], leave));
        if leave < 1.0 {
            pieces.push(Path { points: std::mem::take(&mut piece), closed: false });
        }
    }
    if !piece.is_empty() {
        pieces.push(Path { points: piece, closed: false });
    }
    pieces
}

/// Returns the part of a polygon inside `window`, by the method of Sutherland and Hodgman. Components remain connected
/// along the sides of the window, which is invisible if the window is slightly larger than the visible area.
pub(crate) fn clip_polygon(polygon: &[Point], window: &Rect) -> Vec<Point> {
    let sides: [(usize, f64, f64); 4] =
        [(0, window.left, 1.0), (0, window.right(), -1.0), (1, window.top, 1.0), (1, window.bottom(), -1.0)];
    sides.iter().fold(polygon.to_vec(), |points, &(axis, bound, sign)| clip_at(&points, axis, bound, sign))
}

/// Returns the part of a polygon where `sign · (coordinate − bound) ≥ 0`.
fn clip_at(polygon: &[Point], axis: usize, bound: f64, sign: f64) -> Vec<Point> {
    let mut inside = Vec::with_capacity(polygon.len());
    let Some(&last) = polygon.last() else {
        return inside;
    };
    let mut previous = last;
    for &point in polygon {
        let [before, here] = [previous, point].map(|p| sign * (p[axis] - bound));
        if (before < 0.0) != (here < 0.0) {
            let mut crossing = between(previous, point, before / (before - here));
            crossing[axis] = bound;
            inside.push(crossing);
        }
        if here >= 0.0 {
            inside.push(point);
        }
        previous = point;
    }
    inside
}

fn between(a: Point, b: Point, t: f64) -> Point {
    if t >= 1.0 { b } else { [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])] }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Rect = Rect { left: 0.0, top: 0.0, width: 2.0, height: 2.0 };

    fn path(points: &[Point], closed: bool) -> Path {
        Path { points: points.to_vec(), closed }
    }

    #[test]
    fn a_line_through_the_window_is_cut_at_both_ends() {
        let pieces = clip_polyline(&path(&[[-1e9, 1.0], [1e9, 1.0]], false), &WINDOW);
        assert_eq!(pieces, vec![path(&[[0.0, 1.0], [2.0, 1.0]], false)]);
    }

    #[test]
    fn a_line_that_leaves_and_returns_is_two_pieces() {
        let pieces = clip_polyline(&path(&[[1.0, 1.0], [3.0, 1.0], [3.0, 0.5], [1.0, 0.5]], false), &WINDOW);
        assert_eq!(pieces, vec![path(&[[1.0, 1.0], [2.0, 1.0]], false), path(&[[2.0, 0.5], [1.0, 0.5]], false)]);
    }

    #[test]
    fn a_closed_line_inside_stays_closed() {
        let triangle = path(&[[0.5, 0.5], [1.5, 0.5], [1.0, 1.5]], true);
        assert_eq!(clip_polyline(&triangle, &WINDOW), vec![triangle]);
    }

    #[test]
    fn a_closed_line_that_leaves_is_one_piece_whatever_its_start() {
        let ring = [[1.0, 0.5], [3.0, 0.5], [3.0, 1.5], [1.0, 1.5]];
        for start in 0..4 {
            let mut rotated = ring;
            rotated.rotate_left(start);
            let pieces = clip_polyline(&path(&rotated, true), &WINDOW);
            assert_eq!(pieces, vec![path(&[[2.0, 1.5], [1.0, 1.5], [1.0, 0.5], [2.0, 0.5]], false)]);
        }
    }

    #[test]
    fn a_polygon_is_cut_to_the_window() {
        let clipped = clip_polygon(&[[-5.0, -5.0], [5.0, -5.0], [5.0, 5.0], [-5.0, 5.0]], &WINDOW);
        assert_eq!(clipped.len(), 4);
        assert!(clipped.iter().all(|&point| WINDOW.contains(point)));
        assert!(clip_polygon(&[[3.0, 3.0], [4.0, 3.0], [4.0, 4.0]], &WINDOW).is_empty());
        assert!(clip_polygon(&[], &WINDOW).is_empty());
    }
}
