//! Line drawings of a machine's bodies.

use std::f64::consts::TAU;

use crate::algebra::vector::Vec3;
use crate::dynamics::evaluation_storage::EvaluationStorage;
use crate::dynamics::loops::DependentsPolicy;
use crate::error::MotionError;
use crate::mechanism::definition::{Mechanism, Workspace};

/// Number of corners of a circle.
const CORNERS: u32 = 36;

/// Returns a closed circle about an axis of any length, such as a wheel.
///
/// ```
/// let wheel = hemiola_multibody::circle([0.0, 0.0, 0.3], [0.0, 1.0, 0.0], 0.3);
/// assert!(wheel.iter().all(|point| point[1].abs() < 1e-15 && point[2] > -1e-15) && wheel[0] == wheel[wheel.len() - 1]);
/// ```
#[must_use]
pub fn circle(center: [f64; 3], axis: [f64; 3], radius: f64) -> Vec<[f64; 3]> {
    let axis = Vec3(axis);
    let axis = axis * axis.square().sqrt().recip();
    // The unit vector farthest from the axis.
    let least = (0..3).min_by(|&i, &j| axis.0[i].abs().total_cmp(&axis.0[j].abs())).unwrap_or(0);
    let mut unit = Vec3::zero();
    unit.0[least] = 1.0;
    let first = axis.cross(unit);
    let first = first * first.square().sqrt().recip();
    let second = axis.cross(first);
    let corner = |k: u32| {
        let (sin, cos) = (TAU * f64::from(k % CORNERS) / f64::from(CORNERS)).sin_cos();
        (Vec3(center) + (first * cos + second * sin) * radius).0
    };
    (0..=CORNERS).map(corner).collect()
}

impl Mechanism {
    /// Returns lines of a state in the axes of the ground, in m: from each body's center of mass to its joints and
    /// loops, the rods, and a circle for each wheel.
    ///
    /// # Errors
    /// [`MotionError`] if a loop cannot be closed.
    pub fn outline(&self, y: &[f64], workspace: &mut Workspace<f64>) -> Result<Vec<Vec<[f64; 3]>>, MotionError> {
        let (tree, room) = (&self.tree, &mut workspace.room);
        self.kinematics(0.0, y, room, DependentsPolicy::Late)?;
        let absolute = |room: &EvaluationStorage<f64>, point: Vec3<f64>| (point + room.reference).0;
        let mut lines = Vec::new();
        for (body, node) in tree.nodes.iter().enumerate().skip(1) {
            let at = |point: [f64; 3]| room.origin[body] + room.axes[body].times_constant(point);
            let joints = tree.nodes.iter().enumerate().skip(1).filter(|(_, other)| other.parent == body);
            let mut points: Vec<Vec3<f64>> = joints.map(|(other, _)| room.origin[other]).collect();
            points.push(room.origin[body]);
            for closure in &tree.closures {
                let sides = (0..2).filter(|&side| closure.bodies[side] == body);
                points.extend(sides.map(|side| at(closure.points[side])));
            }
            let center = at(node.center);
            lines.extend(points.into_iter().map(|point| vec![absolute(room, center), absolute(room, point)]));
        }
        for closure in tree.closures.iter().filter(|closure| closure.rod.is_some()) {
            let end = |side: usize| {
                let body = closure.bodies[side];
                absolute(room, room.origin[body] + room.axes[body].times_constant(closure.points[side]))
            };
            lines.push(vec![end(0), end(1)]);
        }
        for wheel in self.elements.wheels() {
            let (center, _) = wheel.center.now(room);
            let axis = room.axes[wheel.center.body].times_constant(wheel.axis);
            lines.push(circle(absolute(room, center), axis.0, wheel.tire.radius));
        }
        Ok(lines)
    }
}
