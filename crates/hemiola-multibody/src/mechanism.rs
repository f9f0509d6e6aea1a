//! A machine that is ready to move.

use crate::algebra::dense::{cholesky, solve_cholesky};
use crate::algebra::number::Number;
use crate::dynamics::articulated::{self, singular};
use crate::dynamics::composite::{
    accumulate_inertias, accumulate_loads, entries, loads, reduce, reduced_matrix, right_sides,
};
use crate::dynamics::kinematics::{position_rates, quaternion, velocities};
use crate::dynamics::loops::{choose, close, close_well, drift_bodies, follow, violation};
use crate::dynamics::partition::Partition;
use crate::dynamics::room::Room;
use crate::error::{MachineError, MotionError};
use crate::forces::elements::Elements;
use crate::machine::description::{Initial, Machine};
use crate::machine::tree::{Node, Tree};

/// A machine with its tree, its loops closed, and room-free: equations of motion for any number type.
///
/// Its state has all position coordinates, joint by joint, and then all velocities. Of a machine with loops the independents alone decide:
/// the dependents in a state are where the closing of loops starts, and what is computed does not depend on them.
#[derive(Clone, Debug)]
pub struct Mechanism {
    pub(crate) tree: Tree,
    pub(crate) elements: Elements,
    pub(crate) partition: Partition,
    name: String,
    duration: f64,
    initial: Vec<f64>,
}

/// Room for evaluations of a [`Mechanism`]: with it they allocate nothing.
#[derive(Clone, Debug)]
pub struct Workspace<N> {
    pub(crate) room: Room<N>,
}

/// Where a body is and how it moves, in the axes of the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// The body.
    pub body: String,
    /// Its center of mass, in m.
    pub center: [f64; 3],
    /// The matrix that turns it from the design position, row by row.
    pub axes: [[f64; 3]; 3],
    /// The velocity of its center of mass, in m/s.
    pub velocity: [f64; 3],
    /// In rad/s.
    pub angular_velocity: [f64; 3],
}

impl Pose {
    /// The quaternion (w, x, y, z) of its axes, with w ≥ 0.
    #[must_use]
    pub fn quaternion(&self) -> [f64; 4] {
        let m = &self.axes;
        let trace = m[0][0] + m[1][1] + m[2][2];
        // Four times the square of each entry; the largest is the one to divide by (Shepperd 1978).
        let squares = [1.0 + trace, 1.0 + 2.0 * m[0][0] - trace, 1.0 + 2.0 * m[1][1] - trace, 1.0 + 2.0 * m[2][2] - trace];
        let largest = (0..4).max_by(|&i, &j| squares[i].total_cmp(&squares[j])).unwrap_or(0);
        let [x, y, z] = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]];
        let [xy, xz, yz] = [m[0][1] + m[1][0], m[0][2] + m[2][0], m[1][2] + m[2][1]];
        let products = [[squares[0], x, y, z], [x, squares[1], xy, xz], [y, xy, squares[2], yz], [z, xz, yz, squares[3]]];
        let scale = 0.5 / squares[largest].sqrt();
        let q = products[largest].map(|product| product * scale);
        if q[0] < 0.0 { q.map(|entry| -entry) } else { q }
    }
}

/// The energy of a state, in J.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energy<N> {
    /// Of the motion.
    pub kinetic: N,
    /// Of the weights; zero at the height of the ground's origin.
    pub gravity: N,
    /// Of springs and bushings.
    pub elastic: N,
}

impl Machine {
    /// The machine, checked, with its loops closed at the start.
    ///
    /// # Errors
    /// [`MachineError`] with the place in the description, or naming the body and the joint that cannot be.
    pub fn build(&self) -> Result<Mechanism, MachineError> {
        let tree = Tree::new(self)?;
        let elements = Elements::new(&tree, &self.forces)?;
        let partition = Partition::free(tree.velocities);
        let (name, duration) = (self.name.clone(), self.duration);
        let mut mechanism = Mechanism { tree, elements, partition, name, duration, initial: Vec::new() };
        mechanism.start(&self.initial)?;
        Ok(mechanism)
    }
}

impl Mechanism {
    /// The machine's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The duration of the usual simulation, in s.
    #[must_use]
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// The number of position coordinates.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.tree.positions
    }

    /// The number of velocities of the tree, n.
    #[must_use]
    pub fn velocities(&self) -> usize {
        self.tree.velocities
    }

    /// The number of equations of the loops, m.
    #[must_use]
    pub fn constraints(&self) -> usize {
        self.tree.equations()
    }

    /// The number of independent velocities, f = n − m.
    #[must_use]
    pub fn degrees_of_freedom(&self) -> usize {
        self.tree.velocities - self.tree.equations()
    }

    /// The velocities that are independent, as they were chosen at the start.
    #[must_use]
    pub fn independents(&self) -> &[usize] {
        &self.partition.independents
    }

    /// The initial state: positions, then velocities.
    #[must_use]
    pub fn initial(&self) -> &[f64] {
        &self.initial
    }

    /// Each joint with its body, and the places of its positions and of its velocities in the state.
    pub fn joints(&self) -> impl Iterator<Item = (&str, &str, [std::ops::Range<usize>; 2])> {
        let n = self.tree.positions;
        self.tree.nodes[1..].iter().map(move |node| {
            let velocities = node.velocities();
            (node.joint.as_str(), node.body.as_str(), [node.positions(), velocities.start + n..velocities.end + n])
        })
    }

    /// Room for evaluations.
    #[must_use]
    pub fn workspace<N: Number>(&self) -> Workspace<N> {
        Workspace { room: Room::new(&self.tree, &self.partition) }
    }

    /// Positions and velocities of all bodies for a state, with loops closed, and the forces on them.
    pub(crate) fn kinematics<N: Number>(&self, t: f64, y: &[N], room: &mut Room<N>) -> Result<(), MotionError> {
        let tree = &self.tree;
        if y.len() != tree.positions + tree.velocities {
            return Err(MotionError::Length { found: y.len(), expected: tree.positions + tree.velocities });
        }
        let (q, v) = y.split_at(tree.positions);
        room.q.copy_from_slice(q);
        room.v.copy_from_slice(v);
        close_well(tree, room)?;
        let Room { partition, loops, v, .. } = room;
        follow(partition, &loops.entries, v);
        velocities(tree, room);
        self.elements.act(t, room);
        Ok(())
    }

    /// The accelerations of all coordinates into `room.acceleration`, from kinematics, with a factorization in each evaluation.
    fn solve<N: Number>(&self, room: &mut Room<N>) -> Result<(), MotionError> {
        drift_bodies(&self.tree, room);
        loads(&self.tree, room);
        if self.tree.closures.is_empty() {
            return articulated::accelerations(&self.tree, room);
        }
        self.right_side(room);
        self.matrix(room);
        self.factorize(room)?;
        let f = room.partition.independents.len();
        room.reduced.solution.copy_from_slice(&room.reduced.right);
        solve_cholesky(&room.reduced.matrix, f, &mut room.reduced.solution);
        expand(room);
        Ok(())
    }

    /// F̂ = R_zᵀ (τ − b·Σ loads).
    pub(crate) fn right_side<N: Number>(&self, room: &mut Room<N>) {
        accumulate_loads(&self.tree, room);
        right_sides(&self.tree, room);
        reduce(&room.partition, &room.loops.entries, &room.reduced.full, &mut room.reduced.right);
    }

    /// R_zᵀ A R_z.
    pub(crate) fn matrix<N: Number>(&self, room: &mut Room<N>) {
        accumulate_inertias(&self.tree, room);
        let mut matrix = std::mem::take(&mut room.reduced.matrix);
        reduced_matrix(&self.tree, room, &mut matrix);
        room.reduced.matrix = matrix;
    }

    pub(crate) fn factorize<N: Number>(&self, room: &mut Room<N>) -> Result<(), MotionError> {
        let f = room.partition.independents.len();
        cholesky(&mut room.reduced.matrix, f).map_err(|k| singular(&self.tree, room.partition.independents[k]))
    }

    /// The rates of a state.
    ///
    /// # Errors
    /// [`MotionError`] if a loop cannot be closed, the mass matrix is singular, or something is not finite.
    pub fn rates<N: Number>(
        &self,
        t: f64,
        y: &[N],
        rate: &mut [N],
        workspace: &mut Workspace<N>,
    ) -> Result<(), MotionError> {
        let room = &mut workspace.room;
        if room.partition != self.partition {
            // What is computed does not depend on what was computed before.
            room.partition.clone_from(&self.partition);
            room.loops.entries.fill(N::one());
        }
        self.kinematics(t, y, room)?;
        self.solve(room)?;
        self.write_rates(room, rate);
        self.finite(room)
    }

    pub(crate) fn write_rates<N: Number>(&self, room: &Room<N>, rate: &mut [N]) {
        let (q_rate, v_rate) = rate.split_at_mut(self.tree.positions);
        position_rates(&self.tree, &room.q, &room.v, q_rate);
        v_rate.copy_from_slice(&room.acceleration);
    }

    fn finite<N: Number>(&self, room: &Room<N>) -> Result<(), MotionError> {
        let fault = room.acceleration.iter().position(|entry| !entry.re().is_finite());
        fault.map_or(Ok(()), |k| Err(self.not_finite(k, "an acceleration", room.acceleration[k].re())))
    }

    pub(crate) fn not_finite(&self, coordinate: usize, what: &'static str, value: f64) -> MotionError {
        let node = &self.tree.nodes[self.tree.mover[coordinate]];
        MotionError::NotFinite { joint: node.joint.clone(), body: node.body.clone(), what, value }
    }

    /// The energy of a state.
    ///
    /// # Errors
    /// [`MotionError`] if a loop cannot be closed.
    pub fn energy<N: Number>(&self, t: f64, y: &[N], workspace: &mut Workspace<N>) -> Result<Energy<N>, MotionError> {
        let room = &mut workspace.room;
        self.kinematics(t, y, room)?;
        loads(&self.tree, room);
        let (mut kinetic, mut gravity) = (N::zero(), N::zero());
        for (body, node) in self.tree.nodes.iter().enumerate().skip(1) {
            let motion = &room.motion[body];
            kinetic += motion.dot(&room.inertia[body].times(motion)) * 0.5;
            let center = room.origin[body] + room.axes[body].times_constant(node.center) + room.reference;
            for k in 0..3 {
                gravity -= center.0[k] * (node.mass * self.tree.gravity[k]);
            }
        }
        Ok(Energy { kinetic, gravity, elastic: self.elements.energy(t, room) })
    }

    /// The momentum and the angular momentum about the ground's origin, in the axes of the ground.
    ///
    /// # Errors
    /// [`MotionError`] if a loop cannot be closed.
    pub fn momentum(&self, t: f64, y: &[f64], workspace: &mut Workspace<f64>) -> Result<[[f64; 3]; 2], MotionError> {
        let room = &mut workspace.room;
        self.kinematics(t, y, room)?;
        loads(&self.tree, room);
        let mut sum = crate::algebra::spatial::Wrench::zero();
        for body in 1..self.tree.nodes.len() {
            sum = sum.plus(&room.inertia[body].times(&room.motion[body]));
        }
        let about_origin = sum.moment + room.reference.cross(sum.force);
        Ok([sum.force.0, about_origin.0])
    }

    /// Where the bodies of a state are, and how they move.
    ///
    /// # Errors
    /// [`MotionError`] if a loop cannot be closed.
    pub fn poses(&self, y: &[f64], workspace: &mut Workspace<f64>) -> Result<Vec<Pose>, MotionError> {
        let room = &mut workspace.room;
        self.kinematics(0.0, y, room)?;
        let pose = |(body, node): (usize, &Node)| {
            let center = room.origin[body] + room.axes[body].times_constant(node.center);
            Pose {
                body: node.body.clone(),
                center: (center + room.reference).0,
                axes: room.axes[body].0,
                velocity: room.motion[body].at(center).0,
                angular_velocity: room.motion[body].angular.0,
            }
        };
        Ok(self.tree.nodes.iter().enumerate().skip(1).map(pose).collect())
    }

    /// A with bias forces h: A z̈ + h = τ for the tree without its loops, where τ are the forces on coordinates.
    ///
    /// A is written row by row, n² numbers.
    ///
    /// # Errors
    /// [`MotionError`] if a loop cannot be closed.
    pub fn tree_equations(
        &self,
        t: f64,
        y: &[f64],
        matrix: &mut [f64],
        bias: &mut [f64],
        workspace: &mut Workspace<f64>,
    ) -> Result<(), MotionError> {
        let (tree, room, n) = (&self.tree, &mut workspace.room, self.tree.velocities);
        self.kinematics(t, y, room)?;
        loads(tree, room);
        accumulate_loads(tree, room);
        right_sides(tree, room);
        bias.iter_mut().zip(&room.reduced.full).for_each(|(bias, right)| *bias = -right);
        accumulate_inertias(tree, room);
        matrix.fill(0.0);
        entries(tree, room, |j, k, a| {
            matrix[j * n + k] = a;
            matrix[k * n + j] = a;
        });
        Ok(())
    }

    /// Φ_z row by row (m n numbers) and Φ̇_z ż, for a state whose loops are closed.
    ///
    /// # Errors
    /// [`MotionError`] if a loop cannot be closed.
    pub fn loop_equations(
        &self,
        t: f64,
        y: &[f64],
        jacobian: &mut [f64],
        drift: &mut [f64],
        workspace: &mut Workspace<f64>,
    ) -> Result<(), MotionError> {
        let room = &mut workspace.room;
        self.kinematics(t, y, room)?;
        jacobian.copy_from_slice(&room.loops.jacobian);
        drift_bodies(&self.tree, room);
        drift.copy_from_slice(&room.loops.residual);
        Ok(())
    }

    /// The largest entries of Φ and Φ̇ of a state as it is, without closing its loops: in m and m/s.
    ///
    /// # Errors
    /// [`MotionError::Length`].
    pub fn violation(&self, y: &[f64], workspace: &mut Workspace<f64>) -> Result<[f64; 2], MotionError> {
        let (room, tree) = (&mut workspace.room, &self.tree);
        if y.len() != tree.positions + tree.velocities {
            return Err(MotionError::Length { found: y.len(), expected: tree.positions + tree.velocities });
        }
        let (q, v) = y.split_at(tree.positions);
        room.q.copy_from_slice(q);
        room.v.copy_from_slice(v);
        crate::dynamics::kinematics::positions(tree, room);
        Ok(violation(tree, room))
    }

    /// Puts the dependents of a state where its independents want them, and quaternions to length one.
    ///
    /// # Errors
    /// [`MotionError`] if a loop cannot be closed.
    pub fn project(&self, y: &mut [f64], workspace: &mut Workspace<f64>) -> Result<(), MotionError> {
        self.kinematics(0.0, y, &mut workspace.room)?;
        self.write_state(&workspace.room, y);
        Ok(())
    }

    pub(crate) fn write_state(&self, room: &Room<f64>, y: &mut [f64]) {
        let (q, v) = y.split_at_mut(self.tree.positions);
        q.copy_from_slice(&room.q);
        v.copy_from_slice(&room.v);
        for node in &self.tree.nodes[1..] {
            if let Some(at) = quaternion(node) {
                let q = &mut q[node.first[0] + at..][..4];
                let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
                q.iter_mut().for_each(|x| *x /= length);
            }
        }
    }

    /// The initial state: positions and velocities as given, loops closed, and everything that dynamics needs in order.
    fn start(&mut self, initial: &[Initial]) -> Result<(), MachineError> {
        let tree = &self.tree;
        let mut y = vec![0.0; tree.positions + tree.velocities];
        for node in &tree.nodes[1..] {
            if let Some(at) = quaternion(node) {
                y[node.first[0] + at] = 1.0;
            }
        }
        for (k, entry) in initial.iter().enumerate() {
            let place = |field: &str| format!("initial[{k}] ({}).{field}", entry.joint);
            let node = tree.joint(&entry.joint, || place("joint"))?;
            set(&mut y, node.first[0], node.kind.positions(), &entry.position, &place("position"))?;
            set(&mut y, tree.positions + node.first[1], node.kind.velocities(), &entry.velocity, &place("velocity"))?;
            unit(node, &mut y, &place("position"))?;
        }
        let mut workspace = self.workspace::<f64>();
        if !tree.closures.is_empty() {
            let room = &mut workspace.room;
            room.q.copy_from_slice(&y[..tree.positions]);
            crate::dynamics::kinematics::positions(tree, room);
            choose(tree, room)?;
            close(tree, room)?;
            choose(tree, room)?;
            y[..tree.positions].copy_from_slice(&room.q);
            self.partition = room.partition.clone();
        }
        self.project(&mut y, &mut workspace)?;
        self.has_mass(&y, &mut workspace)?;
        self.initial = y;
        Ok(())
    }

    fn has_mass(&self, y: &[f64], workspace: &mut Workspace<f64>) -> Result<(), MachineError> {
        let mut rate = vec![0.0; y.len()];
        self.rates(0.0, y, &mut rate, workspace).map_err(|error| match error {
            MotionError::SingularMass { joint, body } => MachineError::Massless { body, joint },
            other => other.into(),
        })
    }
}

/// z̈ = R_z z̈ⁱ − Φ_d⁻¹ (Φ̇_z ż).
pub(crate) fn expand<N: Number>(room: &mut Room<N>) {
    let Room { partition, loops, reduced, acceleration, .. } = room;
    for (at, &k) in partition.independents.iter().enumerate() {
        acceleration[k] = reduced.solution[at];
    }
    follow(partition, &loops.entries, acceleration);
    for &k in partition.blocks.iter().flat_map(|block| &block.dependents) {
        acceleration[k] += loops.drift[k];
    }
}

fn set(y: &mut [f64], first: usize, count: usize, values: &[f64], place: &str) -> Result<(), MachineError> {
    crate::machine::values::finite(place, values)?;
    if values.is_empty() {
        return Ok(());
    }
    if values.len() != count {
        let found = format!("{} numbers", values.len());
        return Err(MachineError::Value {
            place: place.to_owned(),
            found,
            expected: "as many numbers as the joint has",
        });
    }
    y[first..first + count].copy_from_slice(values);
    Ok(())
}

fn unit(node: &Node, y: &mut [f64], place: &str) -> Result<(), MachineError> {
    let Some(at) = quaternion(node) else { return Ok(()) };
    let q = &mut y[node.first[0] + at..][..4];
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length == 0.0 {
        let (place, found) = (place.to_owned(), format!("{q:?}"));
        return Err(MachineError::Value { place, found, expected: "a quaternion other than zero" });
    }
    q.iter_mut().for_each(|x| *x /= length);
    Ok(())
}
