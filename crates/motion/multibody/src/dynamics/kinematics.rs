//! Positions and velocities of the bodies, from the ground to the tips.

use crate::algebra::number::Number;
use crate::algebra::rotation::{quaternion_moved, quaternion_rate};
use crate::algebra::spatial::Motion;
use crate::algebra::vector::{Mat3, Vec3};
use crate::dynamics::evaluation_storage::EvaluationStorage;
use crate::machine::description::JointKind;
use crate::machine::tree::{Node, Tree};

/// Computes origins, axes and the motions b of all coordinates from `room.q`.
pub(crate) fn positions<N: Number>(tree: &Tree, room: &mut EvaluationStorage<N>) {
    room.reference = reference(tree, &room.q);
    room.origin[0] = -room.reference;
    for (body, node) in tree.nodes.iter().enumerate().skip(1) {
        let axes = room.axes[node.parent];
        let joint = room.origin[node.parent] + axes.times_constant(node.offset);
        let (q, b) = (&room.q[node.positions()], &mut room.b[node.velocities()]);
        let (origin, turned) = place(node.kind, joint, &axes, q, b);
        room.origin[body] = origin;
        room.axes[body] = turned;
    }
}

/// Returns the inertial point relative to which positions are stored.
pub(crate) fn reference<N: Number>(tree: &Tree, q: &[N]) -> Vec3<N> {
    tree.reference.map_or_else(Vec3::zero, |body| {
        let node = &tree.nodes[body];
        Vec3([0, 1, 2].map(|k| q[node.first[0] + k] + node.offset[k]))
    })
}

/// A body on the chain from the ground: its origin relative to the reference, its axes and their velocities.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<N> {
    pub(crate) origin: Vec3<N>,
    pub(crate) axes: Mat3<N>,
    /// The velocity of the origin.
    pub(crate) velocity: Vec3<N>,
    pub(crate) angular: Vec3<N>,
}

impl<N: Number> Frame<N> {
    /// Returns the frame of the ground relative to the reference.
    pub(crate) fn ground(reference: Vec3<N>) -> Self {
        Self { origin: -reference, axes: Mat3::identity(), velocity: Vec3::zero(), angular: Vec3::zero() }
    }

    /// Returns the velocity of a point at `arm` from the origin.
    #[inline]
    pub(crate) fn at(&self, arm: Vec3<N>) -> Vec3<N> {
        self.velocity + self.angular.cross(arm)
    }

    /// Returns the frame of the body carried by a joint, from the coordinates of a state; loops need not be closed.
    #[inline]
    pub(crate) fn behind(&self, node: &Node, q: &[N], v: &[N]) -> Self {
        let (q, v) = (&q[node.positions()], &v[node.velocities()]);
        let arm = self.axes.times_constant(node.offset);
        let joint = Self { origin: self.origin + arm, velocity: self.at(arm), ..*self };
        match node.kind {
            JointKind::Fixed => joint,
            JointKind::Revolute(axis) => joint.turned(axis, q[0], v[0]),
            JointKind::Prismatic(axis) => joint.moved(self.axes.times_constant(axis), q[0], v[0]),
            JointKind::Universal(first, second) => joint.turned(first, q[0], v[0]).turned(second, q[1], v[1]),
            JointKind::Ball => joint.freed(q, v),
            JointKind::Floating => {
                let arm = self.axes.times(Vec3([q[0], q[1], q[2]]));
                let velocity = joint.at(arm) + self.axes.times(Vec3([v[0], v[1], v[2]]));
                Self { origin: joint.origin + arm, velocity, ..joint }.freed(&q[3..], &v[3..])
            }
        }
    }

    #[inline]
    fn turned(&self, axis: [f64; 3], angle: N, rate: N) -> Self {
        let angular = self.angular + self.axes.times_constant(axis) * rate;
        Self { axes: self.axes.turned(axis, angle), angular, ..*self }
    }

    #[inline]
    fn moved(&self, along: Vec3<N>, travel: N, speed: N) -> Self {
        let arm = along * travel;
        Self { origin: self.origin + arm, velocity: self.at(arm) + along * speed, ..*self }
    }

    #[inline]
    fn freed(&self, q: &[N], v: &[N]) -> Self {
        let axes = self.axes.product(&Mat3::from_quaternion([q[0], q[1], q[2], q[3]]));
        let angular = self.angular + axes.times(Vec3([v[0], v[1], v[2]]));
        Self { axes, angular, ..*self }
    }
}

/// Computes the origin and axes of the body carried by a joint, and the motions b of the joint's coordinates.
fn place<N: Number>(
    kind: JointKind,
    joint: Vec3<N>,
    axes: &Mat3<N>,
    q: &[N],
    b: &mut [Motion<N>],
) -> (Vec3<N>, Mat3<N>) {
    match kind {
        JointKind::Fixed => (joint, *axes),
        JointKind::Revolute(axis) => {
            b[0] = Motion::turning(axes.times_constant(axis), joint);
            (joint, axes.turned(axis, q[0]))
        }
        JointKind::Prismatic(axis) => {
            let along = axes.times_constant(axis);
            b[0] = Motion::sliding(along);
            (joint + along * q[0], *axes)
        }
        JointKind::Universal(first, second) => {
            let between = axes.turned(first, q[0]);
            b[0] = Motion::turning(axes.times_constant(first), joint);
            b[1] = Motion::turning(between.times_constant(second), joint);
            (joint, between.turned(second, q[1]))
        }
        JointKind::Ball => (joint, ball(joint, axes, q, b)),
        JointKind::Floating => {
            let origin = joint + axes.times(Vec3([q[0], q[1], q[2]]));
            for k in 0..3 {
                b[k] = Motion::sliding(axes.column(k));
            }
            (origin, ball(origin, axes, &q[3..], &mut b[3..]))
        }
    }
}

fn ball<N: Number>(origin: Vec3<N>, axes: &Mat3<N>, q: &[N], b: &mut [Motion<N>]) -> Mat3<N> {
    let turned = axes.product(&Mat3::from_quaternion([q[0], q[1], q[2], q[3]]));
    for k in 0..3 {
        b[k] = Motion::turning(turned.column(k), origin);
    }
    turned
}

/// Computes the motions Z of all bodies, and their rates for zero accelerations of coordinates, from `room.v`.
pub(crate) fn velocities<N: Number>(tree: &Tree, room: &mut EvaluationStorage<N>) {
    // An upward acceleration of the ground replaces the weight of all bodies.
    room.bias[0].linear = -Vec3::constant(tree.gravity);
    for (body, node) in tree.nodes.iter().enumerate().skip(1) {
        let (mut motion, mut bias) = (room.motion[node.parent], room.bias[node.parent]);
        let range = node.velocities();
        let (b, v) = (&room.b[range.clone()], &room.v[range]);
        match node.kind {
            JointKind::Fixed => {}
            // Each axis is fixed in the body or intermediate frame before it.
            JointKind::Revolute(_) | JointKind::Prismatic(_) | JointKind::Universal(..) => {
                for (b, v) in b.iter().zip(v) {
                    add(&mut motion, &mut bias, &b.times(*v));
                }
            }
            JointKind::Ball => add(&mut motion, &mut bias, &sum(b, v)),
            JointKind::Floating => {
                add(&mut motion, &mut bias, &sum(&b[..3], &v[..3]));
                add(&mut motion, &mut bias, &sum(&b[3..], &v[3..]));
            }
        }
        room.motion[body] = motion;
        room.bias[body] = bias;
    }
}

/// Computes Z + J and the bias c + Z × J for a joint motion J = Σ b ż. A ball's axes move with its body, but (Z + J) ×
/// J = Z × J.
fn add<N: Number>(motion: &mut Motion<N>, bias: &mut Motion<N>, joint: &Motion<N>) {
    *bias = bias.plus(&motion.cross(joint));
    *motion = motion.plus(joint);
}

fn sum<N: Number>(b: &[Motion<N>], v: &[N]) -> Motion<N> {
    let terms = b.iter().zip(v);
    terms.fold(Motion::zero(), |sum, (b, v)| sum.plus(&b.times(*v)))
}

/// Computes the rates of the position coordinates.
pub(crate) fn position_rates<N: Number>(tree: &Tree, q: &[N], v: &[N], rate: &mut [N]) {
    for node in &tree.nodes[1..] {
        let (q, v, rate) = (&q[node.positions()], &v[node.velocities()], &mut rate[node.positions()]);
        match node.quaternion() {
            Some(at) => {
                rate[..at].copy_from_slice(&v[..at]);
                let omega = Vec3([v[at], v[at + 1], v[at + 2]]);
                rate[at..].copy_from_slice(&quaternion_rate([q[at], q[at + 1], q[at + 2], q[at + 3]], omega));
            }
            None => rate.copy_from_slice(v),
        }
    }
}

/// Moves a position coordinate along a velocity coordinate.
pub(crate) fn move_coordinate<N: Number>(node: &Node, q: &mut [N], coordinate: usize, by: N) {
    let k = coordinate - node.first[1];
    let q = &mut q[node.positions()];
    match node.quaternion() {
        Some(at) if k >= at => {
            let mut turn = Vec3::zero();
            turn.0[k - at] = by;
            let moved = quaternion_moved([q[at], q[at + 1], q[at + 2], q[at + 3]], turn);
            q[at..].copy_from_slice(&moved);
        }
        _ => q[k] += by,
    }
}
