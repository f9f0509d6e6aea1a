//! Conversion of areas with holes to polygons without holes, for formats whose polygons have a single ring.

use super::crossings::uncrossed;
use super::surrounds::surrounds;
use super::{Point, Rect};

/// Shift between successive rings, and smallest area of a ring. Rings cut at one window share edges, so that their
/// nesting is ambiguous; shifting them by multiples of this length makes the edges cross or separates them. Units are
/// pixels: neither quantity is visible.
const APART: f64 = 1e-5;
const SEEN: f64 = 0.02;

/// Returns polygons that cover the even-odd interior of some rings, without overlap, by the even-odd and by the nonzero
/// rule.
///
/// Holes are joined to the surrounding ring by bridges, lines traversed in both directions. Bridges are vertical, so
/// that sampling or sweeping an area gives the same position for both directions.
pub(crate) fn areas(rings: &[Vec<Point>]) -> Vec<Vec<Point>> {
    let apart: Vec<Vec<Point>> = rings.iter().enumerate().map(|(k, ring)| moved(ring, APART * k as f64)).collect();
    let rings: Vec<Ring> = uncrossed(&apart).into_iter().filter_map(Ring::new).collect();
    let surrounds = |k: usize, other: usize| k != other && rings[k].contains(rings[other].witness);
    let surrounding = |other: usize| (0..rings.len()).filter(move |&k| surrounds(k, other));
    let depths: Vec<usize> = (0..rings.len()).map(|k| surrounding(k).count()).collect();
    let outer = (0..rings.len()).filter(|&k| depths[k].is_multiple_of(2));
    outer
        .map(|k| {
            let holes = (0..rings.len()).filter(|&hole| depths[hole] == depths[k] + 1 && surrounds(k, hole));
            joined(&rings[k].points, holes.map(|hole| rings[hole].points.clone()).collect())
        })
        .collect()
}

/// Shifts a ring in a direction that is unlikely to be parallel to an edge.
fn moved(ring: &[Point], by: f64) -> Vec<Point> {
    ring.iter().map(|[x, y]| [x + 0.8 * by, y + 0.6 * by]).collect()
}

/// Joins a polygon and its holes into one ring. The holes lie inside and cross neither the polygon nor each other.
pub(crate) fn joined(outer: &[Point], holes: Vec<Vec<Point>>) -> Vec<Point> {
    let mut ring = turning(outer.to_vec(), 1.0);
    if holes.is_empty() {
        return ring;
    }
    let mut holes: Vec<Vec<Point>> = holes.into_iter().map(|hole| from_top(turning(hole, -1.0))).collect();
    // All rings above the highest remaining hole have been joined already.
    holes.sort_by(|a, b| a[0][1].total_cmp(&b[0][1]));
    for hole in holes {
        // A hole that touches the outer ring from inside may have no edge above it; any bridge is then valid.
        let (edge, bridge) = above(&ring, hole[0]).unwrap_or((0, ring[0]));
        let way = std::iter::once(bridge).chain(hole.iter().copied()).chain([hole[0], bridge]);
        ring.splice(edge + 1..edge + 1, way);
    }
    ring
}

/// Returns the nearest edge of a ring vertically above a point, by the index of its start, and the intersection.
fn above(ring: &[Point], [x, y]: Point) -> Option<(usize, Point)> {
    let met = ring.iter().enumerate().filter_map(|(k, a)| {
        let b = ring[(k + 1) % ring.len()];
        let height = a[1] + (x - a[0]) / (b[0] - a[0]) * (b[1] - a[1]);
        ((a[0] <= x) != (b[0] <= x) && height <= y).then_some((k, [x, height]))
    });
    met.max_by(|a, b| a.1[1].total_cmp(&b.1[1]))
}

/// Rotates the ring to start at its highest point.
fn from_top(mut ring: Vec<Point>) -> Vec<Point> {
    let top = ring.iter().enumerate().min_by(|a, b| a.1[1].total_cmp(&b.1[1])).map_or(0, |(k, _)| k);
    ring.rotate_left(top);
    ring
}

/// Orients the ring such that its area has the given sign.
fn turning(mut ring: Vec<Point>, sign: f64) -> Vec<Point> {
    if sign * area(&ring) < 0.0 {
        ring.reverse();
    }
    ring
}

/// Returns the area of a ring, positive if it turns from the x axis to the y axis.
pub(crate) fn area(ring: &[Point]) -> f64 {
    let Some(&[x, y]) = ring.first() else { return 0.0 };
    let turn = |pair: &[Point]| (pair[0][0] - x) * (pair[1][1] - y) - (pair[1][0] - x) * (pair[0][1] - y);
    0.5 * ring.windows(2).map(turn).sum::<f64>()
}

/// Returns the smallest and the largest coordinate of points.
fn range(points: &[Point], axis: usize) -> [f64; 2] {
    points.iter().map(|point| point[axis]).fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(x), b.max(x)])
}

struct Ring {
    points: Vec<Point>,
    bounds: Rect,
    /// Point of the ring that no other ring touches; rings may touch at corners.
    witness: Point,
}

impl Ring {
    /// Creates a ring; returns `None` if its area is negligible.
    fn new(points: Vec<Point>) -> Option<Self> {
        if area(&points).abs() < SEEN {
            return None;
        }
        let edge = |k: usize| [points[k], points[(k + 1) % points.len()]];
        let length = |[a, b]: [Point; 2]| (b[0] - a[0]).hypot(b[1] - a[1]);
        let longest = (0..points.len()).max_by(|&j, &k| length(edge(j)).total_cmp(&length(edge(k))))?;
        let [a, b] = edge(longest);
        let ([left, right], [top, bottom]) = (range(&points, 0), range(&points, 1));
        let bounds = Rect { left, top, width: right - left, height: bottom - top };
        Some(Self { points, bounds, witness: [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])] })
    }

    fn contains(&self, point: Point) -> bool {
        self.bounds.contains(point) && surrounds(&self.points, point)
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;
    use crate::geometry::clip_polygon;

    /// Random numbers from 0 to 1 by the generator of L'Ecuyer (1999) with modulus 2^32.
    struct Random(u32);

    impl Random {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(self.0 >> 8) / f64::from(1_u32 << 24)
        }

        /// Returns a random ring between two circles around a point.
        fn ring(&mut self, [x, y]: Point, least: f64, most: f64) -> Vec<Point> {
            let count = 3 + (20.0 * self.next()) as u32;
            let mut ring: Vec<Point> = (0..count)
                .map(|k| TAU * f64::from(k) / f64::from(count))
                .map(|t| {
                    // The chord between corners at this radius lies outside the inner circle.
                    let radius = least / (0.5 * TAU / f64::from(count)).cos();
                    let radius = radius + (most - radius).max(0.0) * self.next();
                    [x + radius * t.cos(), y + radius * t.sin()]
                })
                .collect();
            if self.next() < 0.5 {
                ring.reverse();
            }
            ring
        }

        /// Adds a ring with up to three rings side by side inside, recursively to the given depth.
        fn nest(&mut self, center: Point, radius: f64, depth: usize, rings: &mut Vec<Vec<Point>>) {
            rings.push(self.ring(center, 0.45 * radius, radius));
            if depth == 0 {
                return;
            }
            let count = (4.0 * self.next()) as usize;
            let start = TAU * self.next();
            for k in 0..count {
                let turn = start + TAU * k as f64 / 3.0;
                let inner = [center[0] + 0.22 * radius * turn.cos(), center[1] + 0.22 * radius * turn.sin()];
                self.nest(inner, 0.18 * radius, depth - 1, rings);
            }
        }
    }

    fn parity(rings: &[Vec<Point>], point: Point) -> bool {
        rings.iter().filter(|ring| surrounds(ring, point)).count() % 2 == 1
    }

    fn winding(ring: &[Point], [x, y]: Point) -> i32 {
        let turn = |k: usize| {
            let [a, b] = [ring[k], ring[(k + 1) % ring.len()]];
            let right = (b[0] - a[0]) * (y - a[1]) > (b[1] - a[1]) * (x - a[0]);
            match (a[1] <= y, b[1] <= y) {
                (true, false) if right => 1,
                (false, true) if !right => -1,
                _ => 0,
            }
        };
        (0..ring.len()).map(turn).sum()
    }

    /// Asserts that the polygons cover the interior of the rings by either rule, without overlap.
    fn assert_same(rings: &[Vec<Point>], random: &mut Random, reach: f64) {
        let polygons = areas(rings);
        for _ in 0..400 {
            let point = [0, 1].map(|_| reach * (2.0 * random.next() - 1.0));
            let inside = usize::from(parity(rings, point));
            let even_odd = polygons.iter().filter(|polygon| surrounds(polygon, point)).count();
            let nonzero = polygons.iter().filter(|polygon| winding(polygon, point) != 0).count();
            assert_eq!([even_odd, nonzero], [inside; 2], "{point:?} of {rings:?}");
        }
    }

    #[test]
    fn nested_rings_are_the_same_area_by_either_rule() {
        let mut random = Random(7);
        for _ in 0..300 {
            let mut rings = Vec::new();
            random.nest([0.0, 0.0], 100.0, 3, &mut rings);
            let stretch = 0.3 + 2.0 * random.next();
            let rings: Vec<Vec<Point>> =
                rings.iter().map(|ring| ring.iter().map(|[x, y]| [stretch * x, *y]).collect()).collect();
            assert_same(&rings, &mut random, 100.0);
        }
    }

    #[test]
    fn rings_that_cross_are_the_same_area_by_either_rule() {
        let mut random = Random(11);
        for _ in 0..300 {
            let rings: Vec<Vec<Point>> =
                (0..3).map(|_| (0..9).map(|_| [0, 1].map(|_| 100.0 * (2.0 * random.next() - 1.0))).collect()).collect();
            assert_same(&rings, &mut random, 100.0);
        }
    }

    #[test]
    fn rings_cut_at_a_window_are_the_same_area_by_either_rule() {
        let mut random = Random(13);
        let window = Rect { left: -60.0, top: -60.0, width: 90.0, height: 120.0 };
        for _ in 0..300 {
            let mut rings = Vec::new();
            random.nest([0.0, 0.0], 100.0, 3, &mut rings);
            let rings: Vec<Vec<Point>> = rings.iter().map(|ring| clip_polygon(ring, &window)).collect();
            assert_same(&rings, &mut random, 100.0);
        }
        let square = |half: f64| vec![[-half, -half], [half, -half], [half, half], [-half, half]];
        for turned in 0..8 {
            let mut nested = [50.0, 40.0, 35.0].map(|half| clip_polygon(&square(half), &window));
            nested.iter_mut().enumerate().filter(|(k, _)| turned >> k & 1 == 1).for_each(|(_, ring)| ring.reverse());
            assert_same(&nested, &mut random, 100.0);
        }
        assert_same(&[square(50.0), square(50.0)], &mut random, 100.0);
    }

    #[test]
    fn bridges_are_upright() {
        let square = |x: f64, y: f64, half: f64| {
            vec![[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]]
        };
        let rings = [square(0.0, 0.0, 20.0), square(-5.0, 5.0, 2.0), square(-4.0, 0.0, 2.0), square(9.0, 0.0, 3.0)];
        let polygons = areas(&rings);
        assert_eq!(polygons.len(), 1);
        assert_eq!(polygons[0].len(), 16 + 3 * 3);
        let edges = (0..polygons[0].len()).map(|k| [polygons[0][k], polygons[0][(k + 1) % polygons[0].len()]]);
        let edges: Vec<[Point; 2]> = edges.collect();
        let bridges: Vec<&[Point; 2]> = edges.iter().filter(|[a, b]| edges.contains(&[*b, *a])).collect();
        assert_eq!(bridges.len(), 6);
        assert!(bridges.iter().all(|[a, b]| a[0] == b[0]));
    }

    #[test]
    fn what_has_no_area_is_nothing() {
        assert!(areas(&[]).is_empty());
        assert!(areas(&[vec![], vec![[1.0, 1.0]], vec![[0.0, 0.0], [1.0, 1.0]]]).is_empty());
    }
}
