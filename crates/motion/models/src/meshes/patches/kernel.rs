//! Rates of a law on the cells of one width, over blocks of constant size that the compiler turns into vectors.

use std::array::from_fn;

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
    /// w_k l_i′(x_k)/w_i, which takes fluxes at nodes k to the rate at node i.
    volume: Matrix,
    /// Its transpose.
    transposed: Matrix,
    /// l_i(±1), and the same over w_i: from nodes to the ends, and back.
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

    /// Returns the names of all variables: of node 1,4 of cell 7, `p7 node 1,4`.
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
            let change = patches.volume(&block::<N, V>(&y[cell * size..][..size]), 2.0 / mesh.cells[cell].width);
            store(&change, rate);
        }
        for face in faces {
            let fluxes = patches.face(face, y);
            for (side, flux) in fluxes.iter().enumerate() {
                let cell = face.cells[side];
                if (start..end).contains(&cell) {
                    let rate = &mut rate[(cell - start) * size..][..size];
                    patches.lift(face.axis, side, 2.0 / mesh.cells[cell].width, flux, rate);
                }
            }
        }
    }
}

impl<L: Law<V>, const V: usize> Patches<L, V> {
    /// Computes the rates that fluxes inside a cell cause.
    #[inline(always)]
    fn volume<N: Number>(&self, state: &Block<N, V>, scale: f64) -> Block<N, V> {
        let zero = N::from(0.0);
        let mut change = [[[zero; NODES]; NODES]; V];
        for i in 0..NODES {
            let line: Line<N, V> = from_fn(|v| state[v][i]);
            let [along, across] = [0, 1].map(|axis| self.law.flux(axis, &line));
            for v in 0..V {
                for k in 0..NODES {
                    let factor = self.operators.volume[k][i] * scale;
                    for j in 0..NODES {
                        change[v][k][j] += along[v][j] * factor;
                    }
                    let flux = across[v][k] * scale;
                    for j in 0..NODES {
                        change[v][i][j] += flux * self.operators.transposed[k][j];
                    }
                }
            }
        }
        change
    }

    /// Computes the flux through a face, at the nodes of the cells below and above.
    #[inline(always)]
    fn face<N: Number>(&self, face: &Face, y: &[N]) -> [Line<N, V>; 2] {
        let size = Self::SIZE;
        let trace = |side: usize| {
            let state = block::<N, V>(&y[face.cells[side] * size..][..size]);
            self.trace(face.axis, 1 - side, &state)
        };
        let mut traces = [trace(0), trace(1)];
        let Some((wide, half)) = face.wide else {
            let flux = self.law.numerical_flux(face.axis, &traces[0], &traces[1]);
            return [flux, flux];
        };
        traces[wide] = times(&self.operators.halves[half], &traces[wide]);
        let flux = self.law.numerical_flux(face.axis, &traces[0], &traces[1]);
        let mut fluxes = [flux, flux];
        fluxes[wide] = times(&self.operators.projections[half], &flux);
        fluxes
    }

    /// Evaluates a cell's polynomial on its lower (0) or upper (1) side across an axis.
    #[inline(always)]
    fn trace<N: Number>(&self, axis: usize, side: usize, state: &Block<N, V>) -> Line<N, V> {
        let end = &self.operators.ends[side];
        if axis == 0 {
            return from_fn(|v| {
                from_fn(|j| (1..NODES).fold(state[v][0][j] * end[0], |sum, i| sum + state[v][i][j] * end[i]))
            });
        }
        from_fn(|v| from_fn(|i| (1..NODES).fold(state[v][i][0] * end[0], |sum, j| sum + state[v][i][j] * end[j])))
    }

    /// Adds the flux through the upper side of the cell below (side 0), or the lower side of the one above (side 1).
    #[inline(always)]
    fn lift<N: Number>(&self, axis: usize, side: usize, scale: f64, flux: &Line<N, V>, rate: &mut [N]) {
        let sign = if side == 0 { -scale } else { scale };
        let lift = self.operators.lifts[1 - side].map(|lift| lift * sign);
        let mut change = block::<N, V>(rate);
        for v in 0..V {
            for i in 0..NODES {
                for j in 0..NODES {
                    change[v][i][j] += if axis == 0 { flux[v][j] * lift[i] } else { flux[v][i] * lift[j] };
                }
            }
        }
        store(&change, rate);
    }
}

/// Reads the block of a cell.
#[inline(always)]
fn block<N: Number, const V: usize>(values: &[N]) -> Block<N, V> {
    from_fn(|v| from_fn(|i| from_fn(|j| values[(v * NODES + i) * NODES + j])))
}

#[inline(always)]
fn store<N: Number, const V: usize>(block: &Block<N, V>, values: &mut [N]) {
    for (values, line) in values.chunks_exact_mut(NODES).zip(block.iter().flatten()) {
        values.copy_from_slice(line);
    }
}

/// Multiplies the values on a line by a matrix.
#[inline(always)]
fn times<N: Number, const V: usize>(matrix: &Matrix, line: &Line<N, V>) -> Line<N, V> {
    from_fn(|v| from_fn(|k| (1..NODES).fold(line[v][0] * matrix[k][0], |sum, i| sum + line[v][i] * matrix[k][i])))
}
