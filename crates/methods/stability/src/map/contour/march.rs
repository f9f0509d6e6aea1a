//! Marching squares: the edges of the grid that a curve crosses, in order along the curve.

use super::level_set::LevelSet;

use hemiola_number::parallel;

/// Edge of the grid, from a grid point to the right or upwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge(usize);

impl Edge {
    fn new(vertex: usize, upwards: bool) -> Self {
        Self(2 * vertex + usize::from(upwards))
    }

    /// Returns the grid point at which the edge begins, and whether it leads upwards.
    pub(super) fn parts(self) -> (usize, bool) {
        (self.0 / 2, self.0 % 2 == 1)
    }
}

/// Edges that a curve crosses one after the other, with the inside on its left.
pub(super) struct Chain {
    pub(super) edges: Vec<Edge>,
    pub(super) closed: bool,
}

impl LevelSet<'_> {
    /// Returns the curves as chains of edges, ordered by their first edges: open ones, then closed ones.
    pub(super) fn chains(&self) -> Vec<Chain> {
        let cells = self.crossed();
        let segments = parallel::map(cells.len(), |k| self.segments(cells[k]));
        link(segments.into_iter().flatten().flatten().collect())
    }

    pub(super) fn is_inside(&self, vertex: usize) -> bool {
        self.samples.values[vertex] <= self.level
    }

    /// Returns the corners of a cell, counter-clockwise from the lower left.
    fn corners(&self, cell: usize) -> [usize; 4] {
        let nx = self.samples.window.cells.0;
        let first = cell + cell / nx;
        [first, first + 1, first + nx + 2, first + nx + 1]
    }

    /// Returns the cells with corners inside and outside, in ascending order.
    fn crossed(&self) -> Vec<usize> {
        let is_crossed = |cell: &usize| {
            let [a, b, c, d] = self.corners(*cell).map(|vertex| self.is_inside(vertex));
            a != b || b != c || c != d
        };
        let (nx, ny) = self.samples.window.cells;
        match &self.samples.cells {
            Some(cells) => cells.iter().copied().filter(is_crossed).collect(),
            None => parallel::map(ny, |j| (j * nx..(j + 1) * nx).filter(is_crossed).collect::<Vec<_>>()).concat(),
        }
    }

    /// Returns the curve segments in a cell: from an edge at which a counter-clockwise walk around the cell leaves the
    /// inside to one at which it returns.
    fn segments(&self, cell: usize) -> [Option<[Edge; 2]>; 2] {
        let corners = self.corners(cell);
        let inside = corners.map(|vertex| self.is_inside(vertex));
        let [a, b, _, d] = corners;
        let edges = [Edge::new(a, false), Edge::new(b, true), Edge::new(d, false), Edge::new(a, true)];
        let piece = |leave: usize, back: usize| Some([edges[leave % 4], edges[back % 4]]);
        let leaves = |k: &usize| inside[*k] && !inside[(*k + 1) % 4];
        let comes_back = |k: &usize| !inside[*k] && inside[(*k + 1) % 4];
        let leave = (0..4).find(leaves);
        match leave.zip((0..4).rfind(leaves)) {
            // Opposite corners agree: the value at the center decides which two corners the segments cut off.
            Some((first, last)) if first != last => {
                let turn = if self.center_is_inside(corners) { 1 } else { 3 };
                [piece(first, first + turn), piece(last, last + turn)]
            }
            _ => [leave.zip((0..4).find(comes_back)).and_then(|(leave, back)| piece(leave, back)), None],
        }
    }

    fn center_is_inside(&self, corners: [usize; 4]) -> bool {
        let [[x, y], [u, v]] = [corners[0], corners[2]].map(|vertex| self.samples.point(vertex));
        self.excess([f64::midpoint(x, u), f64::midpoint(y, v)]) <= 0.0
    }
}

/// Joins segments end to start. At most one segment starts and at most one ends at each edge.
fn link(mut segments: Vec<[Edge; 2]>) -> Vec<Chain> {
    segments.sort_unstable();
    let next: Vec<Option<usize>> =
        segments.iter().map(|[_, end]| segments.binary_search_by_key(end, |[start, _]| *start).ok()).collect();
    let mut is_first = vec![true; segments.len()];
    for &successor in next.iter().flatten() {
        is_first[successor] = false;
    }
    let mut used = vec![false; segments.len()];
    let mut follow = |first: usize| {
        let mut edges = Vec::new();
        let mut current = Some(first);
        while let Some(segment) = current.filter(|segment| !std::mem::replace(&mut used[*segment], true)) {
            let [start, end] = segments[segment];
            edges.push(start);
            current = next[segment];
            if current.is_none() {
                edges.push(end);
            }
        }
        Chain { edges, closed: current.is_some() }
    };
    let open: Vec<Chain> = (0..next.len()).filter(|&k| is_first[k]).map(&mut follow).collect();
    let closed = (0..next.len()).map(follow).filter(|chain| !chain.edges.is_empty());
    open.into_iter().chain(closed).collect()
}
