//! Quantities derived from a state: energy, momentum, poses, the equations of tree and loops.

use crate::algebra::number::Number;
use crate::algebra::spatial::Wrench;
use crate::dynamics::composite::{accumulate_inertias, accumulate_loads, entries, loads, right_sides};
use crate::dynamics::kinematics::positions;
use crate::dynamics::loops::{DependentsPolicy, drift_bodies, violation};
use crate::error::MotionError;
use crate::forces::tire::TireElement;
use crate::machine::description::JointKind;
use crate::machine::tree::Node;
use crate::mechanism::definition::{Mechanism, Workspace};

/// Position and motion of a body, in the axes of the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// The body.
    pub body: String,
    /// The position of its center of mass, in m.
    pub center: [f64; 3],
    /// The rotation matrix from the design position, row by row.
    pub axes: [[f64; 3]; 3],
    /// The velocity of its center of mass, in m/s.
    pub velocity: [f64; 3],
    /// The angular velocity, in rad/s.
    pub angular_velocity: [f64; 3],
}

impl Pose {
    /// Returns the quaternion (w, x, y, z) of the axes, with w ≥ 0.
    #[must_use]
    pub fn quaternion(&self) -> [f64; 4] {
        let m = &self.axes;
        let trace = m[0][0] + m[1][1] + m[2][2];
        // Four times the square of each entry; divide by the largest (Shepperd 1978).
        let squares =
            [1.0 + trace, 1.0 + 2.0 * m[0][0] - trace, 1.0 + 2.0 * m[1][1] - trace, 1.0 + 2.0 * m[2][2] - trace];
        let largest = (0..4).max_by(|&i, &j| squares[i].total_cmp(&squares[j])).unwrap_or(0);
        let [x, y, z] = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]];
        let [xy, xz, yz] = [m[0][1] + m[1][0], m[0][2] + m[2][0], m[1][2] + m[2][1]];
        let products =
            [[squares[0], x, y, z], [x, squares[1], xy, xz], [y, xy, squares[2], yz], [z, xz, yz, squares[3]]];
        let scale = 0.5 / squares[largest].sqrt();
        let q = products[largest].map(|product| product * scale);
        if q[0] < 0.0 { q.map(|entry| -entry) } else { q }
    }
}

/// The energy of a state, in J.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energy<N> {
    /// The kinetic energy.
    pub kinetic: N,
    /// The potential energy of the weights, zero at the height of the ground's origin.
    pub gravity: N,
    /// The energy of springs and bushings.
    pub elastic: N,
}

/// The force of the road on a wheel, in N; zero if the wheel is off the road.
#[derive(Clone, Debug, PartialEq)]
pub struct TireForce {
    /// The tire.
    pub tire: String,
    /// The component along the road's normal.
    pub load: f64,
    /// The component forward.
    pub along: f64,
    /// The component to the left.
    pub aside: f64,
}

/// A variable of a machine's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coordinate {
    /// The joint's name and the quantity, such as `front left wheel spin angle`.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
}

impl Mechanism {
    /// Lists the variables of a state: all positions, then all velocities.
    #[must_use]
    pub fn coordinates(&self) -> Vec<Coordinate> {
        let named = |part: fn(&JointKind) -> Vec<(&'static str, &'static str)>| {
            self.tree.nodes[1..].iter().flat_map(move |node| {
                let name = move |(what, unit)| Coordinate { name: format!("{} {what}", node.joint), unit };
                part(&node.kind).into_iter().map(name)
            })
        };
        named(position_names).chain(named(velocity_names)).collect()
    }

    /// Computes the energy of a state.
    ///
    /// # Errors
    /// [`MotionError`] if a loop cannot be closed.
    pub fn energy<N: Number>(&self, t: f64, y: &[N], workspace: &mut Workspace<N>) -> Result<Energy<N>, MotionError> {
        let room = &mut workspace.room;
        self.kinematics(t, y, room, DependentsPolicy::Late)?;
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

    /// Computes the power of moving the rest positions of torsions, for example by the steering driver: ∂/∂t of the
    /// elastic energy of a fixed state, in W.
    ///
    /// # Errors
    /// [`MotionError`] if a loop cannot be closed.
    pub fn rest_power(&self, t: f64, y: &[f64], workspace: &mut Workspace<f64>) -> Result<f64, MotionError> {
        self.kinematics(t, y, &mut workspace.room, DependentsPolicy::Late)?;
        Ok(self.elements.rest_power(t, &workspace.room))
    }

    /// Iterates over the names of the machine's tires.
    pub fn tires(&self) -> impl Iterator<Item = &str> {
        self.elements.wheels().iter().map(|wheel| wheel.tire.name.as_str())
    }

    /// Computes the forces between road and tires, in the order of the machine's tires.
    ///
    /// ```
    /// use hemiola_multibody::{Maneuver, vehicles};
    /// let truck = vehicles::truck(&Maneuver::coasting(15.0)).build()?;
    /// let forces = truck.tire_forces(truck.initial(), &mut truck.workspace())?;
    /// assert!(forces.len() >= 10 && forces.iter().all(|force| force.load > 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MotionError`] if a loop cannot be closed.
    pub fn tire_forces(&self, y: &[f64], workspace: &mut Workspace<f64>) -> Result<Vec<TireForce>, MotionError> {
        let room = &mut workspace.room;
        self.kinematics(0.0, y, room, DependentsPolicy::Late)?;
        let force = |wheel: &TireElement| {
            let [load, along, aside] = wheel.contact(room).map_or([0.0; 3], |contact| contact.parts);
            TireForce { tire: wheel.tire.name.clone(), load, along, aside }
        };
        Ok(self.elements.wheels().iter().map(force).collect())
    }

    /// Computes the momentum, and the angular momentum about the ground's origin, in the axes of the ground.
    ///
    /// # Errors
    /// [`MotionError`] if a loop cannot be closed.
    pub fn momentum<N: Number>(
        &self,
        t: f64,
        y: &[N],
        workspace: &mut Workspace<N>,
    ) -> Result<[[N; 3]; 2], MotionError> {
        let room = &mut workspace.room;
        self.kinematics(t, y, room, DependentsPolicy::Late)?;
        loads(&self.tree, room);
        let mut sum = Wrench::zero();
        for body in 1..self.tree.nodes.len() {
            sum = sum.plus(&room.inertia[body].times(&room.motion[body]));
        }
        let about_origin = sum.moment + room.reference.cross(sum.force);
        Ok([sum.force.0, about_origin.0])
    }

    /// Computes the positions and motions of the bodies in a state.
    ///
    /// # Errors
    /// [`MotionError`] if a loop cannot be closed.
    pub fn poses(&self, y: &[f64], workspace: &mut Workspace<f64>) -> Result<Vec<Pose>, MotionError> {
        let room = &mut workspace.room;
        self.kinematics(0.0, y, room, DependentsPolicy::Late)?;
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

    /// Writes A and the bias forces h of A z̈ + h = τ for the tree without its loops, where τ are the forces on
    /// coordinates.
    ///
    /// A has n² numbers, row by row.
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
        self.kinematics(t, y, room, DependentsPolicy::Late)?;
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

    /// Writes Φ_z row by row (m n numbers) and Φ̇_z ż, for a state whose loops are closed.
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
        self.kinematics(t, y, room, DependentsPolicy::Late)?;
        jacobian.copy_from_slice(&room.loops.jacobian);
        drift_bodies(&self.tree, room);
        drift.copy_from_slice(&room.loops.residual);
        Ok(())
    }

    /// Returns the largest entries of Φ and Φ̇ of a state without closing its loops, in m and m/s.
    ///
    /// # Errors
    /// [`MotionError::Length`] if the state has another length.
    pub fn violation(&self, y: &[f64], workspace: &mut Workspace<f64>) -> Result<[f64; 2], MotionError> {
        let (room, tree) = (&mut workspace.room, &self.tree);
        if y.len() != tree.positions + tree.velocities {
            return Err(MotionError::Length { found: y.len(), expected: tree.positions + tree.velocities });
        }
        let (q, v) = y.split_at(tree.positions);
        room.q.copy_from_slice(q);
        room.v.copy_from_slice(v);
        positions(tree, room);
        Ok(violation(tree, room))
    }
}

const QUATERNION: [(&str, &str); 4] = [("q0", "1"), ("q1", "1"), ("q2", "1"), ("q3", "1")];
const RATES: [(&str, &str); 3] = [("x rate", "rad/s"), ("y rate", "rad/s"), ("z rate", "rad/s")];

fn position_names(kind: &JointKind) -> Vec<(&'static str, &'static str)> {
    match kind {
        JointKind::Fixed => Vec::new(),
        JointKind::Revolute(_) => vec![("angle", "rad")],
        JointKind::Prismatic(_) => vec![("travel", "m")],
        JointKind::Universal(..) => vec![("first angle", "rad"), ("second angle", "rad")],
        JointKind::Ball => QUATERNION.to_vec(),
        JointKind::Floating => [&[("x", "m"), ("y", "m"), ("z", "m")], QUATERNION.as_slice()].concat(),
    }
}

fn velocity_names(kind: &JointKind) -> Vec<(&'static str, &'static str)> {
    match kind {
        JointKind::Fixed => Vec::new(),
        JointKind::Revolute(_) => vec![("rate", "rad/s")],
        JointKind::Prismatic(_) => vec![("speed", "m/s")],
        JointKind::Universal(..) => vec![("first rate", "rad/s"), ("second rate", "rad/s")],
        JointKind::Ball => RATES.to_vec(),
        JointKind::Floating => {
            [&[("x speed", "m/s"), ("y speed", "m/s"), ("z speed", "m/s")], RATES.as_slice()].concat()
        }
    }
}
