//! Rates of a law on the cells of one width, over blocks of constant size that the compiler turns into vectors.

use std::array::from_fn;
use std::ops::Range;

use hemiola_number::vector::{Registers, Task, dispatch};

use super::law::{Law, Line, NODES};
use super::quadtree::{Face, Quadtree};
use crate::equations::{Equations, Number};
use crate::meshes::galerkin::gauss;

type Matrix = [[f64; NODES]; NODES];
/// The variables at all nodes of a cell: along x in the outer dimension, along y in the inner one.
type Block<N, const V: usize> = [[[N; NODES]; NODES]; V];

/// Operators on polynomials through the Gauss nodes of [−1, 1].
pub(super) struct Operators {
    pub(super) nodes: [f64; NODES],
    /// w_k l_i′(x_k)/w_i, which maps fluxes at nodes k to the rate at node i.
    volume: Matrix,
    /// Its transpose.
    transposed: Matrix,
    /// l_i(±1), which evaluates polynomials at the ends, and in `lifts` l_i(±1)/w_i, which maps fluxes at the ends to
    /// rates at the nodes.
    ends: [[f64; NODES]; 2],
    lifts: [[f64; NODES]; 2],
    /// The values at the nodes of the halves of a side, and the projection from them.
    halves: [Matrix; 2],
    projections: [Matrix; 2],
}

impl Operators {
    pub(super) fn new() -> Self {
        let (nodes, weights) = gauss(NODES);
        let (nodes, weights): ([f64; NODES], [f64; NODES]) = (from_fn(|i| nodes[i]), from_fn(|i| weights[i]));
        let value = |i: usize, x: f64| -> f64 {
            (0..NODES).filter(|&k| k != i).map(|k| (x - nodes[k]) / (nodes[i] - nodes[k])).product()
        };
        let slope = |i: usize, x: f64| -> f64 {
            let without = |m: usize| -> f64 {
                let others = (0..NODES).filter(|&k| k != i && k != m);
                others.map(|k| (x - nodes[k]) / (nodes[i] - nodes[k])).product::<f64>() / (nodes[i] - nodes[m])
            };
            (0..NODES).filter(|&m| m != i).map(without).sum()
        };
        let volume: Matrix = from_fn(|i| from_fn(|k| weights[k] * slope(i, nodes[k]) / weights[i]));
        let ends = [-1.0, 1.0].map(|x| from_fn(|i| value(i, x)));
        let halves: [Matrix; 2] = [-0.5, 0.5].map(|center| from_fn(|k| from_fn(|i| value(i, center + 0.5 * nodes[k]))));
        Self {
            transposed: from_fn(|k| from_fn(|i| volume[i][k])),
            volume,
            lifts: ends.map(|end: [f64; NODES]| from_fn(|i| end[i] / weights[i])),
            ends,
            projections: halves.map(|half| from_fn(|i| from_fn(|k| 0.5 * weights[k] * half[k][i] / weights[i]))),
            halves,
            nodes,
        }
    }
}

/// The solution at the nodes at a time.
pub(super) type Solution<L, const V: usize> = fn(&Patches<L, V>, f64) -> Vec<f64>;

/// A law on a mesh.
pub(super) struct Patches<L, const V: usize> {
    pub(super) law: L,
    pub(super) mesh: Quadtree,
    pub(super) operators: Operators,
    /// The solution at the nodes from the initial state, if known.
    pub(super) exact: Option<Solution<L, V>>,
}

impl<L: Law<V>, const V: usize> Patches<L, V> {
    /// The number of variables of a cell.
    pub(super) const SIZE: usize = V * NODES * NODES;

    /// Returns the state with given values at the nodes.
    pub(super) fn state(&self, value: impl Fn([f64; 2]) -> [f64; V]) -> Vec<f64> {
        let mut state = Vec::with_capacity(self.mesh.cells.len() * Self::SIZE);
        for cell in &self.mesh.cells {
            let place = |corner: f64, node: usize| corner + 0.5 * cell.width * (1.0 + self.operators.nodes[node]);
            let at: [[[f64; V]; NODES]; NODES] =
                from_fn(|i| from_fn(|j| value([place(cell.corner[0], i), place(cell.corner[1], j)])));
            state.extend((0..V).flat_map(|v| at.iter().flatten().map(move |values| values[v])));
        }
        state
    }

    /// Returns the names of all variables, such as `p7 node 1,4` for node 1,4 of cell 7.
    pub(super) fn names(&self, of: [&str; V]) -> Vec<String> {
        let nodes = || (1..=NODES).flat_map(|i| (1..=NODES).map(move |j| (i, j)));
        let cell = |cell: usize| {
            of.into_iter().flat_map(move |name| nodes().map(move |(i, j)| format!("{name}{} node {i},{j}", cell + 1)))
        };
        (0..self.mesh.cells.len()).flat_map(cell).collect()
    }
}

impl<L: Law<V>, const V: usize> Equations for Patches<L, V> {
    fn rate<N: Number>(&self, partition: usize, _t: f64, y: &[N], rate: &mut [N]) {
        dispatch(RateTask::<'_, N, L, V> { patches: self, partition, y, rate });
    }

    fn exact(&self, t: f64) -> Option<Vec<f64>> {
        self.exact.map(|exact| exact(self, t))
    }
}

/// The rates of one partition.
struct RateTask<'a, N, L, const V: usize> {
    patches: &'a Patches<L, V>,
    partition: usize,
    y: &'a [N],
    rate: &'a mut [N],
}

impl<N: Number, L: Law<V>, const V: usize> Task for RateTask<'_, N, L, V> {
    type Output = ();

    #[inline(always)]
    fn run<R: Registers>(self) {
        let Self { patches, partition, y, rate, .. } = self;
        let (size, mesh) = (Patches::<L, V>::SIZE, &patches.mesh);
        let (Some(&[start, end]), Some(faces)) = (mesh.starts.get(partition..partition + 2), mesh.faces.get(partition))
        else {
            return;
        };
        if y.len() != mesh.cells.len() * size || rate.len() != (end - start) * size {
            return;
        }
        for (cell, rate) in (start..end).zip(rate.chunks_exact_mut(size)) {
            if let (Some(state), Some(change)) = (block::<N, V>(&y[cell * size..][..size]), block_mut(rate)) {
                patches.volume(state, 2.0 / mesh.cells[cell].width, change);
            }
        }
        for face in faces {
            // With a constant axis the loops over nodes are free of branches.
            if face.axis == 0 {
                patches.add_face(face, 0, start..end, y, rate);
            } else {
                patches.add_face(face, 1, start..end, y, rate);
            }
        }
    }
}

// Loops over arrays are written out: closures of `from_fn` and `map` are not inlined, and are then compiled without the vector
// instructions of the task.
impl<L: Law<V>, const V: usize> Patches<L, V> {
    /// Computes the rates due to fluxes inside a cell.
    #[inline(always)]
    fn volume<N: Number>(&self, state: &Block<N, V>, scale: f64, change: &mut Block<N, V>) {
        let zero = N::from(0.0);
        let (mut along, mut across) = ([[[zero; NODES]; NODES]; V], [[[zero; NODES]; NODES]; V]);
        for i in 0..NODES {
            let mut line = [[zero; NODES]; V];
            for v in 0..V {
                line[v] = state[v][i];
            }
            let (x, y) = (self.law.flux(0, &line), self.law.flux(1, &line));
            for v in 0..V {
                (along[v][i], across[v][i]) = (x[v], y[v]);
            }
        }
        // One variable after another: its sums stay in registers.
        for v in 0..V {
            let mut sums = [[zero; NODES]; NODES];
            for i in 0..NODES {
                for k in 0..NODES {
                    let factor = self.operators.volume[i][k];
                    for j in 0..NODES {
                        sums[i][j] += along[v][k][j] * factor + across[v][i][k] * self.operators.transposed[k][j];
                    }
                }
                for j in 0..NODES {
                    change[v][i][j] = sums[i][j] * scale;
                }
            }
        }
    }

    /// Adds the flux through a face across an axis to the rates of its cells within a range.
    #[inline(always)]
    fn add_face<N: Number>(&self, face: &Face, axis: usize, range: Range<usize>, y: &[N], rate: &mut [N]) {
        let [below, above] = face.cells;
        let states = (block(&y[below * Self::SIZE..][..Self::SIZE]), block(&y[above * Self::SIZE..][..Self::SIZE]));
        let (Some(low), Some(high)) = states else { return };
        let fluxes = self.face(face, axis, low, high);
        for (side, flux) in fluxes.iter().enumerate() {
            let cell = face.cells[side];
            if range.contains(&cell)
                && let Some(change) = block_mut(&mut rate[(cell - range.start) * Self::SIZE..][..Self::SIZE])
            {
                self.lift(axis, side, 2.0 / self.mesh.cells[cell].width, flux, change);
            }
        }
    }

    /// Computes the flux through a face, at the nodes of the cells below and above.
    #[inline(always)]
    fn face<N: Number>(&self, face: &Face, axis: usize, below: &Block<N, V>, above: &Block<N, V>) -> [Line<N, V>; 2] {
        let mut traces = [self.trace(axis, 1, below), self.trace(axis, 0, above)];
        let Some((wide, half)) = face.wide else {
            let flux = self.law.numerical_flux(axis, &traces[0], &traces[1]);
            return [flux, flux];
        };
        traces[wide] = times(&self.operators.halves[half], &traces[wide]);
        let flux = self.law.numerical_flux(axis, &traces[0], &traces[1]);
        let mut fluxes = [flux, flux];
        fluxes[wide] = times(&self.operators.projections[half], &flux);
        fluxes
    }

    /// Evaluates a cell's polynomial on its lower (0) or upper (1) side across an axis.
    #[inline(always)]
    fn trace<N: Number>(&self, axis: usize, side: usize, state: &Block<N, V>) -> Line<N, V> {
        let end = &self.operators.ends[side];
        let mut trace = [[N::from(0.0); NODES]; V];
        for v in 0..V {
            let [a, b, c, d] = &state[v];
            for k in 0..NODES {
                trace[v][k] = if axis == 0 {
                    a[k] * end[0] + b[k] * end[1] + c[k] * end[2] + d[k] * end[3]
                } else {
                    let line = &state[v][k];
                    line[0] * end[0] + line[1] * end[1] + line[2] * end[2] + line[3] * end[3]
                };
            }
        }
        trace
    }

    /// Adds the flux through the upper side of the cell below (side 0), or the lower side of the one above (side 1).
    #[inline(always)]
    fn lift<N: Number>(&self, axis: usize, side: usize, scale: f64, flux: &Line<N, V>, change: &mut Block<N, V>) {
        let sign = if side == 0 { -scale } else { scale };
        let mut lift = self.operators.lifts[1 - side];
        for value in &mut lift {
            *value *= sign;
        }
        for v in 0..V {
            for i in 0..NODES {
                for j in 0..NODES {
                    change[v][i][j] += if axis == 0 { flux[v][j] * lift[i] } else { flux[v][i] * lift[j] };
                }
            }
        }
    }
}

/// Returns the block of a cell, in place.
#[inline(always)]
fn block<N, const V: usize>(values: &[N]) -> Option<&Block<N, V>> {
    values.as_chunks().0.as_chunks().0.first_chunk()
}

#[inline(always)]
fn block_mut<N, const V: usize>(values: &mut [N]) -> Option<&mut Block<N, V>> {
    values.as_chunks_mut().0.as_chunks_mut().0.first_chunk_mut()
}

/// Multiplies the values on a line by a matrix.
#[inline(always)]
fn times<N: Number, const V: usize>(matrix: &Matrix, line: &Line<N, V>) -> Line<N, V> {
    let mut product = [[N::from(0.0); NODES]; V];
    for v in 0..V {
        for k in 0..NODES {
            for i in 0..NODES {
                product[v][k] += line[v][i] * matrix[k][i];
            }
        }
    }
    product
}
