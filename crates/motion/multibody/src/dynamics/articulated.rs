//! Accelerations of trees by articulated inertias, in time proportional to the number of bodies (Featherstone 2008, ch.
//! 7).
//!
//! All quantities refer to one inertial point and the axes of the ground, and the biases of the bodies are known in
//! advance, so that nothing is transformed from body to body. The coordinates of a joint are released one after
//! another.

use crate::algebra::inertia::Articulated;
use crate::algebra::number::Number;
use crate::algebra::spatial::Motion;
use crate::dynamics::evaluation_storage::EvaluationStorage;
use crate::error::MotionError;
use crate::machine::tree::Tree;

/// Computes z̈ into `room.acceleration` from inertias and loads.
pub(crate) fn accelerations<N: Number>(tree: &Tree, room: &mut EvaluationStorage<N>) -> Result<(), MotionError> {
    for body in 1..tree.nodes.len() {
        room.articulated[body] = Articulated::rigid(&room.inertia[body]);
    }
    room.total.copy_from_slice(&room.load);
    for (body, node) in tree.nodes.iter().enumerate().skip(1).rev() {
        let (mut inertia, mut load) = (room.articulated[body], room.total[body]);
        for k in node.velocities().rev() {
            let b = &room.b[k];
            let u = inertia.times(b);
            let d = b.dot(&u);
            if !d.re().is_finite() || d.re() <= 0.0 {
                return Err(singular_pivot_error(tree, k, d.re()));
            }
            let inverse = d.recip();
            let force = room.torque[k] - b.dot(&load);
            room.release[k] = (u, inverse, force);
            inertia.release(&u, inverse);
            load = load.plus(&u.times(force * inverse));
        }
        if node.parent != 0 {
            room.articulated[node.parent].add(&inertia);
            room.total[node.parent] = room.total[node.parent].plus(&load);
        }
    }
    room.relative[0] = Motion::zero();
    for (body, node) in tree.nodes.iter().enumerate().skip(1) {
        let mut relative = room.relative[node.parent];
        for k in node.velocities() {
            let (u, inverse, force) = &room.release[k];
            let acceleration = (*force - relative.dot(u)) * *inverse;
            room.acceleration[k] = acceleration;
            relative = relative.plus(&room.b[k].times(acceleration));
        }
        room.relative[body] = relative;
    }
    Ok(())
}

/// Describes the failure of a pivot of the mass matrix.
pub(crate) fn singular_pivot_error(tree: &Tree, coordinate: usize, pivot: f64) -> MotionError {
    let node = &tree.nodes[tree.mover[coordinate]];
    let (joint, body) = (node.joint.clone(), node.body.clone());
    if pivot.is_finite() {
        MotionError::SingularMass { joint, body }
    } else {
        MotionError::NotFinite { joint, body, what: "the inertia", value: pivot }
    }
}
