//! Conversion of rings with crossings to rings without crossings.
//!
//! The even-odd interior depends only on the edges, not on the order in which they are traversed. So at each crossing
//! the two lines can exchange their continuations: they touch and no longer cross (as in Seifert 1935 for knots).

use super::Point;

/// Returns rings with the same edges that touch at the crossings of the given rings.
pub(crate) fn uncrossed(rings: &[Vec<Point>]) -> Vec<Vec<Point>> {
    let mut chain = RingChain::new(rings);
    let edges = chain.next.len();
    let mut cuts: Vec<Vec<(f64, usize)>> = vec![Vec::new(); edges];
    for Crossing { edges: [e, f], at: [s, t], point } in chain.crossings() {
        let twins = [chain.points.len(), chain.points.len() + 1];
        chain.points.extend([point, point]);
        chain.next.extend([0, 0]);
        cuts[e].push((s, twins[0]));
        cuts[f].push((t, twins[1]));
    }
    for (edge, cuts) in cuts.iter_mut().enumerate() {
        cuts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let end = chain.next[edge];
        let mut last = edge;
        for &(_, cut) in cuts.iter() {
            chain.next[last] = cut;
            last = cut;
        }
        chain.next[last] = end;
    }
    for twin in (edges..chain.next.len()).step_by(2) {
        chain.next.swap(twin, twin + 1);
    }
    chain.rings()
}

/// Two crossing edges, the parameters of the crossing on each, and its position.
struct Crossing {
    edges: [usize; 2],
    at: [f64; 2],
    point: Point,
}

/// Points with the index of the successor of each.
struct RingChain {
    points: Vec<Point>,
    next: Vec<usize>,
}

impl RingChain {
    fn new(rings: &[Vec<Point>]) -> Self {
        let mut chain = Self { points: Vec::new(), next: Vec::new() };
        for ring in rings {
            let first = chain.points.len();
            chain.points.extend(ring);
            chain.next.extend((1..ring.len()).map(|k| first + k));
            chain.next.extend((!ring.is_empty()).then_some(first));
        }
        chain
    }

    fn edge(&self, k: usize) -> [Point; 2] {
        [self.points[k], self.points[self.next[k]]]
    }

    /// Returns the crossings of edges, found from left to right.
    fn crossings(&self) -> Vec<Crossing> {
        let extent = |k: usize, axis: usize| {
            let [a, b] = self.edge(k);
            [a[axis].min(b[axis]), a[axis].max(b[axis])]
        };
        let mut order: Vec<usize> = (0..self.next.len()).collect();
        order.sort_by(|&e, &f| extent(e, 0)[0].total_cmp(&extent(f, 0)[0]));
        let mut found = Vec::new();
        for (place, &e) in order.iter().enumerate() {
            let ([_, right], [top, bottom]) = (extent(e, 0), extent(e, 1));
            let near = order[place + 1..].iter().take_while(|&&f| extent(f, 0)[0] <= right);
            let near = near.filter(|&&f| extent(f, 1)[0] <= bottom && extent(f, 1)[1] >= top);
            found.extend(near.filter_map(|&f| self.crossing(e, f)));
        }
        found
    }

    fn crossing(&self, e: usize, f: usize) -> Option<Crossing> {
        let ([a, b], [c, d]) = (self.edge(e), self.edge(f));
        if [a, b].iter().any(|end| *end == c || *end == d) {
            return None;
        }
        // Twice the signed areas of the triangles formed by one edge and an end of the other, proportional to
        // distances.
        let area = |p: Point, q: Point, r: Point| (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
        let [of_a, of_b] = [area(c, d, a), area(c, d, b)];
        let [of_c, of_d] = [area(a, b, c), area(a, b, d)];
        if (of_a > 0.0) == (of_b > 0.0) || (of_c > 0.0) == (of_d > 0.0) {
            return None;
        }
        let [s, t] = [of_a / (of_a - of_b), of_c / (of_c - of_d)];
        let point = [a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])];
        Some(Crossing { edges: [e, f], at: [s, t], point })
    }

    fn rings(&self) -> Vec<Vec<Point>> {
        let mut seen = vec![false; self.next.len()];
        let mut rings = Vec::new();
        for start in 0..self.next.len() {
            let mut ring = Vec::new();
            let mut k = start;
            while !seen[k] {
                seen[k] = true;
                ring.push(self.points[k]);
                k = self.next[k];
            }
            if !ring.is_empty() {
                rings.push(ring);
            }
        }
        rings
    }
}
