//! Mass matrix and bias forces from composite inertias, accumulated from the tips.

use crate::algebra::inertia::Inertia;
use crate::algebra::number::Number;
use crate::algebra::spatial::Wrench;
use crate::algebra::vector::Sym3;
use crate::dynamics::evaluation_storage::EvaluationStorage;
use crate::dynamics::partition::CoordinatePartition;
use crate::machine::tree::Tree;

/// Computes each body's inertia at the origin and its load M̄ c + Z ×* M̄ Z − Q.
pub(crate) fn loads<N: Number>(tree: &Tree, room: &mut EvaluationStorage<N>) {
    for (body, node) in tree.nodes.iter().enumerate().skip(1) {
        let axes = &room.axes[body];
        let center = room.origin[body] + axes.times_constant(node.center);
        let inertia = Inertia::new(node.mass, center, Sym3::rotated(&node.inertia, axes));
        let motion = &room.motion[body];
        let gyroscopic = motion.cross_wrench(&inertia.times(motion));
        room.load[body] = inertia.times(&room.bias[body]).plus(&gyroscopic).minus(&room.outer[body]);
        room.inertia[body] = inertia;
    }
}

/// Sums the loads from the tips into `total`.
pub(crate) fn accumulate_loads<N: Number>(tree: &Tree, room: &mut EvaluationStorage<N>) {
    room.total.copy_from_slice(&room.load);
    sum_from_tips(tree, &mut room.total);
}

pub(crate) fn sum_from_tips<N: Number>(tree: &Tree, wrenches: &mut [Wrench<N>]) {
    for (body, node) in tree.nodes.iter().enumerate().skip(1).rev() {
        wrenches[node.parent] = wrenches[node.parent].plus(&wrenches[body]);
    }
}

/// Sums the inertias from the tips: M^Σ.
pub(crate) fn accumulate_inertias<N: Number>(tree: &Tree, room: &mut EvaluationStorage<N>) {
    room.composite.copy_from_slice(&room.inertia);
    for (body, node) in tree.nodes.iter().enumerate().skip(1).rev() {
        if node.parent != 0 {
            let tip = room.composite[body];
            room.composite[node.parent].add(&tip);
        }
    }
}

/// Passes the entries A_jk = b_jᵀ M^Σ b_k, k ≤ j, of the mass matrix to a callback, except those that vanish by the
/// structure of the tree.
pub(crate) fn entries<N: Number>(tree: &Tree, room: &EvaluationStorage<N>, mut entry: impl FnMut(usize, usize, N)) {
    for body in 1..tree.nodes.len() {
        for j in tree.nodes[body].velocities() {
            let u = room.composite[body].times(&room.b[j]);
            let mut carrier = body;
            while carrier != 0 {
                let node = &tree.nodes[carrier];
                for k in node.velocities().take_while(|k| *k <= j) {
                    entry(j, k, room.b[k].dot(&u));
                }
                carrier = node.parent;
            }
        }
    }
}

/// Computes τ − bᵀ Σ loads for each coordinate.
pub(crate) fn right_sides<N: Number>(tree: &Tree, room: &mut EvaluationStorage<N>) {
    for node in &tree.nodes[1..] {
        // The coordinates of joints are numbered in the order of the bodies.
        for k in node.velocities() {
            room.reduced.full[k] = room.torque[k] - room.b[k].dot(&room.total[tree.mover[k]]);
        }
    }
}

/// Computes R_zᵀ x for a vector x over all coordinates.
pub(crate) fn reduce<N: Number>(partition: &CoordinatePartition, entries: &[N], x: &[N], reduced: &mut [N]) {
    reduced.fill(N::zero());
    for (row, x) in partition.rows.iter().zip(x) {
        for (entry, &column) in entries[row.clone()].iter().zip(&partition.columns[row.clone()]) {
            reduced[column] += *entry * *x;
        }
    }
}

/// Computes the lower triangle of R_zᵀ A R_z, row by row.
pub(crate) fn reduced_matrix<N: Number>(tree: &Tree, room: &EvaluationStorage<N>, matrix: &mut [N]) {
    let (f, partition) = (room.partition.independents.len(), &room.partition);
    let row_of = |k: usize| {
        let range = partition.rows[k].clone();
        room.loops.entries[range.clone()].iter().zip(&partition.columns[range])
    };
    matrix.fill(N::zero());
    entries(tree, room, |j, k, a| {
        for (x, &row) in row_of(j) {
            let scaled = *x * a;
            for (y, &column) in row_of(k) {
                let product = scaled * *y;
                // Off-diagonal entries occur twice in A; only the lower triangle of R_zᵀ A R_z is stored.
                if row >= column {
                    matrix[row * f + column] += product;
                }
                if j != k && column >= row {
                    matrix[column * f + row] += product;
                }
            }
        }
    });
}
