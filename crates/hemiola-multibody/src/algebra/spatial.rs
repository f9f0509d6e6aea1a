//! Motions and forces in six dimensions, taken at one inertial point for all bodies, so that they add up without transformations.

use crate::algebra::number::Number;
use crate::algebra::vector::Vec3;

/// A motion: the velocity of the body's point at the inertial origin, and the angular velocity. Or the rate of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Motion<N> {
    pub(crate) linear: Vec3<N>,
    pub(crate) angular: Vec3<N>,
}

/// A force with its moment about the inertial origin; a momentum likewise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wrench<N> {
    pub(crate) force: Vec3<N>,
    pub(crate) moment: Vec3<N>,
}

impl<N: Number> Motion<N> {
    pub(crate) fn zero() -> Self {
        Self { linear: Vec3::zero(), angular: Vec3::zero() }
    }

    /// The turning about an axis through a point: (r × u; u).
    pub(crate) fn turning(axis: Vec3<N>, point: Vec3<N>) -> Self {
        Self { linear: point.cross(axis), angular: axis }
    }

    /// The sliding along an axis: (u; 0).
    pub(crate) fn sliding(axis: Vec3<N>) -> Self {
        Self { linear: axis, angular: Vec3::zero() }
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self { linear: self.linear + other.linear, angular: self.angular + other.angular }
    }

    pub(crate) fn times(&self, factor: N) -> Self {
        Self { linear: self.linear * factor, angular: self.angular * factor }
    }

    /// The rate of a motion that is fixed in a body which moves with `self`: Z × b.
    pub(crate) fn cross(&self, b: &Self) -> Self {
        Self {
            linear: self.angular.cross(b.linear) + self.linear.cross(b.angular),
            angular: self.angular.cross(b.angular),
        }
    }

    /// The rate of a momentum that is fixed in a body which moves with `self`: Z ×* h.
    pub(crate) fn cross_wrench(&self, h: &Wrench<N>) -> Wrench<N> {
        Wrench { force: self.angular.cross(h.force), moment: self.angular.cross(h.moment) + self.linear.cross(h.force) }
    }

    /// The velocity of the body's point at a place.
    pub(crate) fn at(&self, point: Vec3<N>) -> Vec3<N> {
        self.linear + self.angular.cross(point)
    }

    /// The power of a force.
    pub(crate) fn dot(&self, wrench: &Wrench<N>) -> N {
        self.linear.dot(wrench.force) + self.angular.dot(wrench.moment)
    }
}

impl<N: Number> Wrench<N> {
    pub(crate) fn zero() -> Self {
        Self { force: Vec3::zero(), moment: Vec3::zero() }
    }

    /// A force at a point.
    pub(crate) fn at(point: Vec3<N>, force: Vec3<N>) -> Self {
        Self { force, moment: point.cross(force) }
    }

    /// A moment alone.
    pub(crate) fn moment(moment: Vec3<N>) -> Self {
        Self { force: Vec3::zero(), moment }
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self { force: self.force + other.force, moment: self.moment + other.moment }
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        Self { force: self.force - other.force, moment: self.moment - other.moment }
    }

    pub(crate) fn times(&self, factor: N) -> Self {
        Self { force: self.force * factor, moment: self.moment * factor }
    }
}
