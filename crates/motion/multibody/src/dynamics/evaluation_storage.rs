//! Storage for one evaluation, which does not allocate.

use crate::algebra::inertia::{Articulated, Inertia};
use crate::algebra::number::Number;
use crate::algebra::spatial::{Motion, Wrench};
use crate::algebra::vector::{Mat3, Vec3};
use crate::dynamics::partition::CoordinatePartition;
use crate::machine::tree::Tree;

/// Intermediate results of an evaluation, by body and by coordinate.
#[derive(Clone, Debug)]
pub(crate) struct EvaluationStorage<N> {
    /// All positions and velocities, with closed loops.
    pub(crate) q: Vec<N>,
    pub(crate) v: Vec<N>,
    pub(crate) acceleration: Vec<N>,
    /// The inertial point relative to which positions are stored.
    pub(crate) reference: Vec3<N>,
    /// The origins and axes of the bodies.
    pub(crate) origin: Vec<Vec3<N>>,
    pub(crate) axes: Vec<Mat3<N>>,
    /// The motion b of each coordinate.
    pub(crate) b: Vec<Motion<N>>,
    /// Z, and its rate for zero accelerations of coordinates (with −g for the ground).
    pub(crate) motion: Vec<Motion<N>>,
    pub(crate) bias: Vec<Motion<N>>,
    pub(crate) inertia: Vec<Inertia<N>>,
    /// The applied force on each body and on each coordinate.
    pub(crate) outer: Vec<Wrench<N>>,
    pub(crate) torque: Vec<N>,
    /// The load of each body, its equation of motion for zero accelerations of coordinates; then the sums from the
    /// tips.
    pub(crate) load: Vec<Wrench<N>>,
    pub(crate) total: Vec<Wrench<N>>,
    pub(crate) composite: Vec<Inertia<N>>,
    pub(crate) articulated: Vec<Articulated<N>>,
    /// U = I b, 1/D and u of each coordinate.
    pub(crate) release: Vec<(Wrench<N>, N, N)>,
    pub(crate) relative: Vec<Motion<N>>,
    pub(crate) partition: CoordinatePartition,
    /// The number of choices of dependents.
    pub(crate) choices: u64,
    pub(crate) loops: LoopStorage<N>,
    pub(crate) reduced: ReducedStorage<N>,
}

/// Storage for the loop equations.
#[derive(Clone, Debug)]
pub(crate) struct LoopStorage<N> {
    /// Φ, or Φ̇_z ż.
    pub(crate) residual: Vec<N>,
    /// Φ_z, row by row.
    pub(crate) jacobian: Vec<N>,
    pub(crate) factors: Vec<N>,
    pub(crate) pivots: Vec<usize>,
    /// The entries of R_z: the rows −Φ_d⁻¹ Φ_i of dependents, and 1 for independents.
    pub(crate) entries: Vec<N>,
    /// −Φ_d⁻¹ (Φ̇_z ż), by coordinate; zero for independents.
    pub(crate) drift: Vec<N>,
    pub(crate) column: Vec<N>,
    pub(crate) sums: Vec<f64>,
}

/// Storage for the equations of the independents.
#[derive(Clone, Debug)]
pub(crate) struct ReducedStorage<N> {
    /// R_zᵀ A R_z and its factor, as lower triangles row by row.
    pub(crate) matrix: Vec<N>,
    pub(crate) factor: Vec<N>,
    pub(crate) right: Vec<N>,
    pub(crate) solution: Vec<N>,
    pub(crate) residual: Vec<N>,
    /// One number for each coordinate.
    pub(crate) full: Vec<N>,
}

impl<N: Number> EvaluationStorage<N> {
    pub(crate) fn new(tree: &Tree, partition: &CoordinatePartition) -> Self {
        let (bodies, n, m) = (tree.nodes.len(), tree.velocities, tree.equations());
        let f = n - m.min(n);
        let (o, motion, wrench) = (N::zero(), Motion::zero(), Wrench::zero());
        Self {
            q: vec![o; tree.positions],
            v: vec![o; n],
            acceleration: vec![o; n],
            reference: Vec3::zero(),
            origin: vec![Vec3::zero(); bodies],
            axes: vec![Mat3::identity(); bodies],
            b: vec![motion; n],
            motion: vec![motion; bodies],
            bias: vec![motion; bodies],
            inertia: vec![Inertia::zero(); bodies],
            outer: vec![wrench; bodies],
            torque: vec![o; n],
            load: vec![wrench; bodies],
            total: vec![wrench; bodies],
            composite: vec![Inertia::zero(); bodies],
            articulated: vec![Articulated::rigid(&Inertia::zero()); bodies],
            release: vec![(wrench, o, o); n],
            relative: vec![motion; bodies],
            partition: partition.clone(),
            choices: 0,
            loops: LoopStorage {
                residual: vec![o; m],
                jacobian: vec![o; m * n],
                factors: vec![o; m * m],
                pivots: vec![0; m],
                entries: vec![N::one(); n + m * f],
                drift: vec![o; n],
                column: vec![o; m],
                sums: vec![0.0; m],
            },
            reduced: ReducedStorage {
                matrix: vec![o; f * f],
                factor: vec![o; f * f],
                right: vec![o; f],
                solution: vec![o; f],
                residual: vec![o; f],
                full: vec![o; n],
            },
        }
    }
}
