//! A machine prepared for simulation: its state and rates.

use crate::algebra::dense::{cholesky, solve_cholesky};
use crate::algebra::number::Number;
use crate::dynamics::articulated::{self, singular_pivot_error};
use crate::dynamics::composite::{accumulate_inertias, accumulate_loads, loads, reduce, reduced_matrix, right_sides};
use crate::dynamics::evaluation_storage::EvaluationStorage;
use crate::dynamics::kinematics::{position_rates, velocities};
use crate::dynamics::loops::{DependentsPolicy, close_and_choose, drift_bodies, set_dependents};
use crate::dynamics::partition::CoordinatePartition;
use crate::error::MotionError;
use crate::forces::elements::Elements;
use crate::machine::tree::{Node, Tree};

/// A machine prepared for simulation, with equations of motion for any number type.
///
/// Its state consists of all position coordinates, joint by joint, followed by all velocities. In a machine with loops
/// only the independents matter: the dependents in a state are the starting point for closing the loops, and results do
/// not depend on them. The exception is a ball joint with only some of its three coordinates dependent: its quaternion
/// also matters, to first order together with its independent part.
#[derive(Clone, Debug)]
pub struct Mechanism {
    pub(crate) tree: Tree,
    pub(crate) elements: Elements,
    pub(crate) partition: CoordinatePartition,
    pub(crate) name: String,
    pub(crate) duration: f64,
    pub(crate) initial: Vec<f64>,
}

/// Storage for evaluations of a [`Mechanism`], which then do not allocate.
#[derive(Clone, Debug)]
pub struct Workspace<N> {
    pub(crate) room: EvaluationStorage<N>,
}

impl Mechanism {
    /// Returns the machine's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the duration of the usual simulation, in s.
    #[must_use]
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// Returns the total mass of the bodies, in kg.
    #[must_use]
    pub fn mass(&self) -> f64 {
        self.tree.nodes.iter().map(|node| node.mass).sum()
    }

    /// Returns the number of position coordinates.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.tree.positions
    }

    /// Returns the number n of velocities of the tree.
    #[must_use]
    pub fn velocities(&self) -> usize {
        self.tree.velocities
    }

    /// Returns the number m of loop equations.
    #[must_use]
    pub fn constraints(&self) -> usize {
        self.tree.equations()
    }

    /// Returns the number f = n − m of independent velocities.
    #[must_use]
    pub fn degrees_of_freedom(&self) -> usize {
        self.tree.velocities - self.tree.equations()
    }

    /// Returns the independent velocities chosen at the start.
    #[must_use]
    pub fn independents(&self) -> &[usize] {
        &self.partition.independents
    }

    /// Returns the initial state: positions, then velocities.
    #[must_use]
    pub fn initial(&self) -> &[f64] {
        &self.initial
    }

    /// Iterates over the joints, each with its body and the ranges of its positions and velocities in the state.
    pub fn joints(&self) -> impl Iterator<Item = (&str, &str, [std::ops::Range<usize>; 2])> {
        let n = self.tree.positions;
        self.tree.nodes[1..].iter().map(move |node| {
            let velocities = node.velocities();
            (node.joint.as_str(), node.body.as_str(), [node.positions(), velocities.start + n..velocities.end + n])
        })
    }

    /// Creates storage for evaluations.
    #[must_use]
    pub fn workspace<N: Number>(&self) -> Workspace<N> {
        Workspace { room: EvaluationStorage::new(&self.tree, &self.partition) }
    }

    /// Computes positions and velocities of all bodies for a state, with loops closed, and the forces on them.
    pub(crate) fn kinematics<N: Number>(
        &self,
        t: f64,
        y: &[N],
        room: &mut EvaluationStorage<N>,
        change: DependentsPolicy,
    ) -> Result<(), MotionError> {
        let tree = &self.tree;
        if y.len() != tree.positions + tree.velocities {
            return Err(MotionError::Length { found: y.len(), expected: tree.positions + tree.velocities });
        }
        if let Some(k) = y.iter().position(|entry| !entry.re().is_finite()) {
            return Err(self.not_finite(k, y[k].re()));
        }
        let (q, v) = y.split_at(tree.positions);
        room.q.copy_from_slice(q);
        room.v.copy_from_slice(v);
        close_and_choose(tree, room, change)?;
        let EvaluationStorage { partition, loops, v, .. } = room;
        set_dependents(partition, &loops.entries, v);
        velocities(tree, room);
        self.elements.act(t, room);
        Ok(())
    }

    /// Computes loads and inertias of the bodies from the kinematics.
    pub(crate) fn prepare<N: Number>(&self, room: &mut EvaluationStorage<N>) {
        drift_bodies(&self.tree, room);
        loads(&self.tree, room);
    }

    /// Computes the accelerations of all coordinates into `room.acceleration` from the kinematics, with a factorization
    /// in each evaluation.
    pub(crate) fn solve<N: Number>(&self, room: &mut EvaluationStorage<N>) -> Result<(), MotionError> {
        self.prepare(room);
        if self.tree.closures.is_empty() {
            return articulated::accelerations(&self.tree, room);
        }
        self.right_side(room);
        self.matrix(room);
        std::mem::swap(&mut room.reduced.matrix, &mut room.reduced.factor);
        self.factorize(room)?;
        room.reduced.solution.copy_from_slice(&room.reduced.right);
        solve_cholesky(&room.reduced.factor, self.degrees_of_freedom(), &mut room.reduced.solution);
        expand(room);
        Ok(())
    }

    /// Computes F̂ = R_zᵀ (τ − b·Σ loads).
    pub(crate) fn right_side<N: Number>(&self, room: &mut EvaluationStorage<N>) {
        accumulate_loads(&self.tree, room);
        right_sides(&self.tree, room);
        reduce(&room.partition, &room.loops.entries, &room.reduced.full, &mut room.reduced.right);
    }

    /// Computes R_zᵀ A R_z.
    pub(crate) fn matrix<N: Number>(&self, room: &mut EvaluationStorage<N>) {
        accumulate_inertias(&self.tree, room);
        let mut matrix = std::mem::take(&mut room.reduced.matrix);
        reduced_matrix(&self.tree, room, &mut matrix);
        room.reduced.matrix = matrix;
    }

    /// Factorizes the matrix in `room.reduced.factor` in place.
    pub(crate) fn factorize<N: Number>(&self, room: &mut EvaluationStorage<N>) -> Result<(), MotionError> {
        let f = room.partition.independents.len();
        cholesky(&mut room.reduced.factor, f)
            .map_err(|(k, pivot)| singular_pivot_error(&self.tree, room.partition.independents[k], pivot))
    }

    /// Computes the rates of a state.
    ///
    /// # Errors
    /// [`MotionError`] if a loop cannot be closed, the mass matrix is singular, or a value is not finite.
    pub fn rates<N: Number>(
        &self,
        t: f64,
        y: &[N],
        rate: &mut [N],
        workspace: &mut Workspace<N>,
    ) -> Result<(), MotionError> {
        self.rates_with(t, y, rate, workspace, |_| {})
    }

    /// Computes the rates of a state with additional forces.
    pub(super) fn rates_with<N: Number>(
        &self,
        t: f64,
        y: &[N],
        rate: &mut [N],
        workspace: &mut Workspace<N>,
        load: impl FnOnce(&mut EvaluationStorage<N>),
    ) -> Result<(), MotionError> {
        let room = &mut workspace.room;
        self.reset_dependents(room);
        self.kinematics(t, y, room, DependentsPolicy::Late)?;
        load(room);
        self.solve(room)?;
        self.write_rates(room, rate);
        self.finite(room)
    }

    /// Restores the initial choice of dependents, so that results do not depend on previous evaluations.
    pub(crate) fn reset_dependents<N: Number>(&self, room: &mut EvaluationStorage<N>) {
        if room.choices > 0 {
            room.partition.clone_from(&self.partition);
            room.loops.entries.fill(N::one());
            room.choices = 0;
        }
    }

    pub(crate) fn write_rates<N: Number>(&self, room: &EvaluationStorage<N>, rate: &mut [N]) {
        let (q_rate, v_rate) = rate.split_at_mut(self.tree.positions);
        position_rates(&self.tree, &room.q, &room.v, q_rate);
        v_rate.copy_from_slice(&room.acceleration);
    }

    pub(crate) fn finite<N: Number>(&self, room: &EvaluationStorage<N>) -> Result<(), MotionError> {
        let Some(k) = room.acceleration.iter().position(|entry| !entry.re().is_finite()) else { return Ok(()) };
        let node = &self.tree.nodes[self.tree.mover[k]];
        let (joint, body, value) = (node.joint.clone(), node.body.clone(), room.acceleration[k].re());
        Err(MotionError::NotFinite { joint, body, what: "an acceleration", value })
    }

    /// Returns an error that names the joint of an entry of the state.
    fn not_finite(&self, entry: usize, value: f64) -> MotionError {
        let speed = entry.checked_sub(self.tree.positions);
        let moves = |node: &&Node| match speed {
            Some(k) => node.velocities().contains(&k),
            None => node.positions().contains(&entry),
        };
        let node = self.tree.nodes.iter().find(moves).unwrap_or(&self.tree.nodes[0]);
        let what = if speed.is_some() { "a velocity" } else { "a position" };
        MotionError::NotFinite { joint: node.joint.clone(), body: node.body.clone(), what, value }
    }

    /// Sets the dependents of a state to the values determined by its independents, and normalizes quaternions.
    ///
    /// # Errors
    /// [`MotionError`] if a loop cannot be closed.
    pub fn project(&self, y: &mut [f64], workspace: &mut Workspace<f64>) -> Result<(), MotionError> {
        self.kinematics(0.0, y, &mut workspace.room, DependentsPolicy::Early)?;
        self.write_state(&workspace.room, y);
        Ok(())
    }

    pub(crate) fn write_state(&self, room: &EvaluationStorage<f64>, y: &mut [f64]) {
        let (q, v) = y.split_at_mut(self.tree.positions);
        q.copy_from_slice(&room.q);
        v.copy_from_slice(&room.v);
        for node in &self.tree.nodes[1..] {
            if let Some(at) = node.quaternion() {
                let q = &mut q[node.first[0] + at..][..4];
                let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
                q.iter_mut().for_each(|x| *x /= length);
            }
        }
    }
}

/// Computes z̈ = R_z z̈ⁱ − Φ_d⁻¹ (Φ̇_z ż).
pub(crate) fn expand<N: Number>(room: &mut EvaluationStorage<N>) {
    let EvaluationStorage { partition, loops, reduced, acceleration, .. } = room;
    for (at, &k) in partition.independents.iter().enumerate() {
        acceleration[k] = reduced.solution[at];
    }
    set_dependents(partition, &loops.entries, acceleration);
    for &k in partition.blocks.iter().flat_map(|block| &block.dependents) {
        acceleration[k] += loops.drift[k];
    }
}
