//! A wheel on a road.

use std::f64::consts::PI;

use crate::algebra::number::Number;
use crate::algebra::spatial::Wrench;
use crate::algebra::vector::Vec3;
use crate::dynamics::evaluation_storage::EvaluationStorage;
use crate::forces::connections::{BodyPoint, act};
use crate::forces::description::{Road, Tire};

impl Road {
    /// Returns the height at a position, and its slope.
    pub(crate) fn at<N: Number>(&self, x: N) -> (N, N) {
        match self {
            Self::Flat => (N::zero(), N::zero()),
            Self::HalfSine { start, length, height } => {
                let phase = (x - *start) * (PI / length);
                if phase.re() <= 0.0 || phase.re() >= PI {
                    return (N::zero(), N::zero());
                }
                let (sin, cos) = phase.sin_cos();
                (sin * *height, cos * (height * PI / length))
            }
            Self::Profile(curve) => (curve.value(x), curve.slope(x)),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct TireElement {
    pub(crate) center: BodyPoint,
    /// The axis of the wheel's joint, in the wheel's axes.
    pub(crate) axis: [f64; 3],
    pub(crate) tire: Tire,
}

/// The force of the road on a wheel, as components and their directions.
pub(crate) struct TireContact<N> {
    /// The contact point, relative to the inertial point of the evaluation.
    point: Vec3<N>,
    /// The components along the normal, forward and to the left.
    pub(crate) parts: [N; 3],
    directions: [Vec3<N>; 3],
}

impl TireElement {
    pub(crate) fn act<N: Number>(&self, room: &mut EvaluationStorage<N>) {
        let Some(TireContact { point, parts: [load, along, aside], directions: [normal, forward, left] }) =
            self.contact(room)
        else {
            return;
        };
        let force = normal * load + forward * along + left * aside;
        act(room, self.center.body, &Wrench::at(point, force));
    }

    /// Computes the contact; `None` if the wheel is off the road.
    pub(crate) fn contact<N: Number>(&self, room: &EvaluationStorage<N>) -> Option<TireContact<N>> {
        let tire = &self.tire;
        let (center, velocity) = self.center.now(room);
        let absolute = center + room.reference;
        let (height, slope) = tire.road.at(absolute.0[0]);
        // The road's normal below the center, and the distance along it.
        let cos = (slope * slope + 1.0).sqrt().recip();
        let normal = Vec3([-slope * cos, N::zero(), cos]);
        let distance = (absolute.0[2] - height - tire.level) * cos;
        let deflection = -distance + tire.radius;
        let sinking = -velocity.dot(normal);
        let load = tire.stiffness.value(deflection) * (sinking * tire.damping + 1.0);
        if deflection.re() <= 0.0 || load.re() <= 0.0 {
            return None;
        }
        let axis = room.axes[self.center.body].times_constant(self.axis);
        let across = axis.cross(normal);
        let forward = across * across.square().sqrt().recip();
        let left = normal.cross(forward);
        let (speed, drift) = (velocity.dot(forward), velocity.dot(left));
        let rolling = room.motion[self.center.body].angular.dot(axis) * distance;
        let inverse = (speed * speed + tire.crawl * tire.crawl).sqrt().recip();
        // Slip forces relative to the load, and the square of their resultant relative to friction.
        let along = (rolling - speed) * inverse * tire.slip;
        let aside = -drift * inverse * tire.cornering;
        let excess = (along * along + aside * aside) / (tire.friction * tire.friction);
        let held = load * (excess + 1.0).sqrt().recip();
        Some(TireContact {
            point: center - normal * distance,
            parts: [load, along * held, aside * held],
            directions: [normal, forward, left],
        })
    }
}
