//! Boundaries of regions: marching squares, with every vertex refined onto the level.
//!
//! A contour is traced on a grid, but its points are roots of the function itself along the grid's edges. The curve
//! is therefore as accurate as the function; the grid decides only how closely the points stand, and which details
//! are too small to be seen.

use rayon::prelude::*;

/// A polyline on which the function vanishes, in the coordinates of the window.
#[derive(Clone, Debug, PartialEq)]
pub struct Contour {
    /// The points, each refined along an edge of the grid.
    pub points: Vec<[f64; 2]>,
    /// Whether the last point joins the first; an open contour ends at the window.
    pub closed: bool,
}

/// A rectangle of the plane with a grid of cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// The horizontal range.
    pub x: (f64, f64),
    /// The vertical range.
    pub y: (f64, f64),
    /// The number of cells across and upwards.
    pub cells: (usize, usize),
}

impl Window {
    /// The grid point in column i and row j.
    #[must_use]
    pub fn point(&self, i: usize, j: usize) -> [f64; 2] {
        let along = |(low, high): (f64, f64), k: usize, n: usize| low + (high - low) * (k as f64 / n as f64);
        [along(self.x, i, self.cells.0), along(self.y, j, self.cells.1)]
    }

    /// The values of a function at all grid points, row after row from below.
    pub fn sample(&self, f: impl Fn(f64, f64) -> f64 + Sync) -> Vec<f64> {
        let row = |j: usize| {
            let values: Vec<f64> = (0..=self.cells.0).map(|i| self.point(i, j)).map(|[x, y]| f(x, y)).collect();
            values
        };
        (0..=self.cells.1).into_par_iter().flat_map_iter(row).collect()
    }
}

/// The curves on which `f` changes sign. Where `f` is not a number it counts as positive.
///
/// ```
/// use hemiola_stability::{Window, contour};
/// let window = Window { x: (-2.0, 2.0), y: (-2.0, 2.0), cells: (20, 20) };
/// let circle = contour(&window, |x, y| x * x + y * y - 1.0);
/// assert_eq!(circle.len(), 1);
/// assert!(circle[0].closed);
/// assert!(circle[0].points.iter().all(|[x, y]| (x.hypot(*y) - 1.0).abs() < 1e-12));
/// ```
pub fn contour(window: &Window, f: impl Fn(f64, f64) -> f64 + Sync) -> Vec<Contour> {
    let values = window.sample(&f);
    let tracer = Tracer { window, values: &values, f: &f };
    link(&tracer.segments(), &tracer)
}

/// An edge of the grid: it leads from a grid point to the right or upwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edge(usize);

struct Tracer<'a, F> {
    window: &'a Window,
    values: &'a [f64],
    f: &'a F,
}

impl<F: Fn(f64, f64) -> f64 + Sync> Tracer<'_, F> {
    fn columns(&self) -> usize {
        self.window.cells.0 + 1
    }

    fn inside(&self, i: usize, j: usize) -> bool {
        self.values[j * self.columns() + i] <= 0.0
    }

    fn edge(&self, i: usize, j: usize, upwards: bool) -> Edge {
        Edge(2 * (j * self.columns() + i) + usize::from(upwards))
    }

    /// The pieces of contour in all cells: pairs of edges that they join.
    fn segments(&self) -> Vec<[Edge; 2]> {
        let (nx, ny) = self.window.cells;
        (0..ny).flat_map(|j| (0..nx).map(move |i| (i, j))).flat_map(|(i, j)| self.cell(i, j)).collect()
    }

    fn cell(&self, i: usize, j: usize) -> Vec<[Edge; 2]> {
        let corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| self.inside(i, j));
        if corners == [true; 4] || corners == [false; 4] {
            return Vec::new();
        }
        let edges =
            [self.edge(i, j, false), self.edge(i + 1, j, true), self.edge(i, j + 1, false), self.edge(i, j, true)];
        let crossed: Vec<usize> = (0..4).filter(|&k| corners[k] != corners[(k + 1) % 4]).collect();
        match crossed[..] {
            [a, b] => vec![[edges[a], edges[b]]],
            // Opposite corners agree: the value in the middle tells which pair is connected.
            _ if self.centre_is_inside(i, j) == corners[0] => {
                vec![[edges[0], edges[1]], [edges[2], edges[3]]]
            }
            _ => vec![[edges[3], edges[0]], [edges[1], edges[2]]],
        }
    }

    fn centre_is_inside(&self, i: usize, j: usize) -> bool {
        let ([x, y], [u, v]) = (self.window.point(i, j), self.window.point(i + 1, j + 1));
        (self.f)(f64::midpoint(x, u), f64::midpoint(y, v)) <= 0.0
    }

    /// The point of an edge at which the function changes sign.
    fn crossing(&self, Edge(edge): Edge) -> [f64; 2] {
        let (i, j) = (edge / 2 % self.columns(), edge / 2 / self.columns());
        let start = self.window.point(i, j);
        let end = if edge % 2 == 1 { self.window.point(i, j + 1) } else { self.window.point(i + 1, j) };
        let at = |t: f64| [start[0] + (end[0] - start[0]) * t, start[1] + (end[1] - start[1]) * t];
        let value = |t: f64| {
            let [x, y] = at(t);
            (self.f)(x, y)
        };
        at(root_in_unit_interval(value))
    }
}

/// A change of sign of f in [0, 1], by false position with Illinois' weights, which bisects where values are not finite.
fn root_in_unit_interval(f: impl Fn(f64) -> f64) -> f64 {
    let (mut a, mut b) = (0.0, 1.0);
    let (mut fa, mut fb) = (f(a), f(b));
    // Sixty steps suffice for bisection alone; false position takes about eight.
    for _ in 0..60 {
        if fa == 0.0 || b - a <= f64::EPSILON {
            return a;
        }
        let secant = a - fa * (b - a) / (fb - fa);
        let t = if secant > a && secant < b { secant } else { f64::midpoint(a, b) };
        let ft = f(t);
        if ft == 0.0 {
            return t;
        }
        if (ft <= 0.0) == (fa <= 0.0) {
            (a, fa) = (t, ft);
            fb *= 0.5;
        } else {
            (b, fb) = (t, ft);
            fa *= 0.5;
        }
    }
    f64::midpoint(a, b)
}

/// Joins segments to polylines. Every edge belongs to at most two segments.
fn link<F: Fn(f64, f64) -> f64 + Sync>(segments: &[[Edge; 2]], tracer: &Tracer<F>) -> Vec<Contour> {
    const NONE: usize = usize::MAX;
    let mut at_edge = vec![[NONE; 2]; 2 * tracer.values.len()];
    for (index, ends) in segments.iter().enumerate() {
        for Edge(edge) in ends {
            let slots = &mut at_edge[*edge];
            let free = usize::from(slots[0] != NONE);
            slots[free] = index;
        }
    }
    let mut used = vec![false; segments.len()];
    let mut chains: Vec<(Vec<Edge>, bool)> = Vec::new();
    let mut follow = |first: usize, start: Edge| {
        let mut chain = vec![start];
        let mut current = first;
        while current != NONE && !used[current] {
            used[current] = true;
            let [a, b] = segments[current];
            let next = if chain[chain.len() - 1] == a { b } else { a };
            chain.push(next);
            let slots = at_edge[next.0];
            current = if slots[0] == current { slots[1] } else { slots[0] };
        }
        let closed = chain.len() > 2 && chain[0] == chain[chain.len() - 1];
        if closed {
            chain.pop();
        }
        if chain.len() > 1 {
            chains.push((chain, closed));
        }
    };
    // Open contours start at an edge with one segment; what is left is closed.
    for (index, ends) in segments.iter().enumerate() {
        if let Some(&end) = ends.iter().find(|end| at_edge[end.0][1] == NONE) {
            follow(index, end);
        }
    }
    for (index, ends) in segments.iter().enumerate() {
        follow(index, ends[0]);
    }
    let refine = |(chain, closed): (Vec<Edge>, bool)| Contour {
        points: chain.into_iter().map(|edge| tracer.crossing(edge)).collect(),
        closed,
    };
    chains.into_par_iter().map(refine).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Window = Window { x: (-2.0, 2.0), y: (-2.0, 2.0), cells: (41, 37) };

    /// The signed area by the shoelace formula.
    fn area(points: &[[f64; 2]]) -> f64 {
        let next = points.iter().cycle().skip(1);
        points.iter().zip(next).map(|(p, q)| p[0] * q[1] - q[0] * p[1]).sum::<f64>() / 2.0
    }

    #[test]
    fn a_ring_has_two_boundaries() {
        let ring = contour(&WINDOW, |x, y| (x.hypot(y) - 1.0).abs() - 0.4);
        let mut areas: Vec<f64> = ring.iter().map(|c| area(&c.points).abs()).collect();
        areas.sort_by(f64::total_cmp);
        assert_eq!(areas.len(), 2);
        for (area, radius) in areas.iter().zip([0.6f64, 1.4]) {
            assert!((area / (std::f64::consts::PI * radius * radius) - 1.0).abs() < 0.02, "{area}");
        }
        assert!(ring.iter().all(|c| c.closed));
    }

    #[test]
    fn contours_that_leave_the_window_are_open() {
        let line = contour(&WINDOW, |x, y| x + 0.3 * y - 0.1);
        assert_eq!((line.len(), line[0].closed), (1, false));
        assert!(line[0].points.len() > 30);
    }

    #[test]
    fn saddles_and_undefined_values() {
        // xy = 0.001 near the origin: two branches, never crossing.
        assert_eq!(contour(&WINDOW, |x, y| x * y - 0.001).len(), 2);
        let half = contour(&WINDOW, |x, y| if x < 0.0 { f64::NAN } else { x * x + y * y - 1.0 });
        assert!(half.iter().flat_map(|c| &c.points).all(|p| p[0] > -1e-9));
        assert!(contour(&WINDOW, |_, _| 1.0).is_empty());
    }
}
