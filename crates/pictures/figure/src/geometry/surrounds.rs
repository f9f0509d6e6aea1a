//! Point-in-ring test.

use super::Point;

/// Returns whether a ring surrounds a point: a ray to the right crosses it an odd number of times.
pub(crate) fn surrounds(ring: &[Point], [x, y]: Point) -> bool {
    let crosses = |k: usize| {
        let [a, b] = [ring[k], ring[(k + 1) % ring.len()]];
        (a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
    };
    (0..ring.len()).filter(|&k| crosses(k)).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_inside_are_told_from_points_outside() {
        let triangle = [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]];
        assert!(surrounds(&triangle, [1.0, 1.0]));
        assert!(!surrounds(&triangle, [3.0, 3.0]));
        assert!(!surrounds(&triangle, [-1.0, 1.0]));
        assert!(!surrounds(&[], [0.0, 0.0]));
    }
}
