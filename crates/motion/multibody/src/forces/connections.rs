//! Springs, dampers and bushings between bodies, and forces on single bodies.

use crate::algebra::number::Number;
use crate::algebra::spatial::Wrench;
use crate::algebra::vector::{Mat3, Vec3};
use crate::dynamics::evaluation_storage::EvaluationStorage;
use crate::forces::curve::Characteristic;

/// A point of a body, in its axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyPoint {
    pub(crate) body: usize,
    pub(crate) point: [f64; 3],
}

impl BodyPoint {
    /// Returns the position of the point relative to the reference, and its velocity.
    pub(crate) fn now<N: Number>(&self, room: &EvaluationStorage<N>) -> (Vec3<N>, Vec3<N>) {
        let point = room.origin[self.body] + room.axes[self.body].times_constant(self.point);
        (point, room.motion[self.body].at(point))
    }
}

/// Adds a wrench to those on a body.
pub(crate) fn act<N: Number>(room: &mut EvaluationStorage<N>, body: usize, wrench: &Wrench<N>) {
    room.outer[body] = room.outer[body].plus(wrench);
}

#[derive(Clone, Debug)]
pub(crate) struct SpringElement {
    pub(crate) ends: [BodyPoint; 2],
    pub(crate) free_length: f64,
    pub(crate) stiffness: Characteristic,
    pub(crate) damping: Characteristic,
}

impl SpringElement {
    pub(crate) fn act<N: Number>(&self, room: &mut EvaluationStorage<N>) {
        let [(p, v), (q, w)] = self.ends.map(|end| end.now(room));
        let d = q - p;
        let length = d.square().sqrt();
        let along = d * length.recip();
        let rate = along.dot(w - v);
        let pull = self.stiffness.value(length - self.free_length) + self.damping.value(rate);
        let wrench = Wrench::at(p, along * pull);
        act(room, self.ends[0].body, &wrench);
        act(room, self.ends[1].body, &wrench.times(-N::one()));
    }

    pub(crate) fn energy<N: Number>(&self, room: &EvaluationStorage<N>) -> N {
        let [(p, _), (q, _)] = self.ends.map(|end| end.now(room));
        self.stiffness.integral((q - p).square().sqrt() - self.free_length)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct BushingElement {
    pub(crate) places: [BodyPoint; 2],
    pub(crate) stiffness: [f64; 6],
    pub(crate) damping: [f64; 6],
}

impl BushingElement {
    /// Returns the displacement of the second body's point, and twice the vector part of the second body's quaternion
    /// relative to the first, both in the first body's axes, then the quaternion's scalar part. Small rotations equal
    /// their angles.
    fn deflection<N: Number>(&self, room: &EvaluationStorage<N>) -> (Vec3<N>, Vec3<N>, N) {
        let [(p, _), (q, _)] = self.places.map(|place| place.now(room));
        let [first, second] = self.places.map(|place| &room.axes[place.body]);
        let relative = Mat3([0, 1, 2].map(|i| [0, 1, 2].map(|j| first.column(i).dot(second.column(j)))));
        let m = &relative.0;
        let w = (m[0][0] + m[1][1] + m[2][2] + 1.0).sqrt() / 2.0;
        let turned = Vec3([m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]]) * (w * 2.0).recip();
        (first.transposed_times(q - p), turned, w)
    }

    pub(crate) fn act<N: Number>(&self, room: &mut EvaluationStorage<N>) {
        let (moved, turned, w) = self.deflection(room);
        let (q, _) = self.places[1].now(room);
        let [first, second] = self.places.map(|place| place.body);
        let axes = room.axes[first];
        let relative = room.motion[second].plus(&room.motion[first].times(-N::one()));
        let speed = axes.transposed_times(relative.at(q));
        let spin = axes.transposed_times(relative.angular);
        let scaled = |v: Vec3<N>, factors: &[f64]| Vec3([0, 1, 2].map(|k| v.0[k] * factors[k]));
        let force = scaled(moved, &self.stiffness[..3]) + scaled(speed, &self.damping[..3]);
        // For θ, twice the quaternion's vector part, θ̇ = w ω + ½ ω × θ. The moment that does the work of Kθ is w Kθ +
        // ½ θ × Kθ.
        let elastic = scaled(turned, &self.stiffness[3..]);
        let moment = elastic * w + turned.cross(elastic) * N::constant(0.5) + scaled(spin, &self.damping[3..]);
        let wrench = Wrench::at(q, axes.times(force)).plus(&Wrench::moment(axes.times(moment)));
        act(room, first, &wrench);
        act(room, second, &wrench.times(-N::one()));
    }

    pub(crate) fn energy<N: Number>(&self, room: &EvaluationStorage<N>) -> N {
        let (moved, turned, _) = self.deflection(room);
        let terms = moved.0.into_iter().chain(turned.0).zip(self.stiffness);
        terms.fold(N::zero(), |sum, (x, k)| sum + x * x * (k / 2.0))
    }
}

#[derive(Clone, Debug)]
pub(crate) struct LoadElement {
    pub(crate) place: BodyPoint,
    pub(crate) direction: [f64; 3],
    pub(crate) force: Characteristic,
}

impl LoadElement {
    pub(crate) fn act<N: Number>(&self, t: f64, room: &mut EvaluationStorage<N>) {
        let (point, _) = self.place.now(room);
        let size = self.force.at(t);
        act(room, self.place.body, &Wrench::at(point, Vec3::constant(self.direction.map(|x| x * size))));
    }
}

#[derive(Clone, Debug)]
pub(crate) struct DragElement {
    pub(crate) place: BodyPoint,
    /// ½ ρ c_d A.
    pub(crate) factor: f64,
}

impl DragElement {
    pub(crate) fn act<N: Number>(&self, room: &mut EvaluationStorage<N>) {
        let (point, velocity) = self.place.now(room);
        let square = velocity.square();
        // The square root has no derivative at rest, where the derivative of the force is zero.
        if square.re() > 0.0 {
            act(room, self.place.body, &Wrench::at(point, velocity * (square.sqrt() * -self.factor)));
        }
    }
}
