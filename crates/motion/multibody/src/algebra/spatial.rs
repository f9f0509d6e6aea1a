//! Spatial motions and forces, all taken at one inertial point, so that those of different bodies add up without
//! transformation.

use crate::algebra::number::Number;
use crate::algebra::vector::Vec3;

/// A motion, or the rate of a motion: the velocity of the body's point at the inertial origin, and the angular
/// velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Motion<N> {
    pub(crate) linear: Vec3<N>,
    pub(crate) angular: Vec3<N>,
}

/// A force and its moment about the inertial origin; also a momentum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wrench<N> {
    pub(crate) force: Vec3<N>,
    pub(crate) moment: Vec3<N>,
}

impl<N: Number> Motion<N> {
    pub(crate) fn zero() -> Self {
        Self { linear: Vec3::zero(), angular: Vec3::zero() }
    }

    /// Returns the unit rotation about an axis through a point: (r × u; u).
    pub(crate) fn turning(axis: Vec3<N>, point: Vec3<N>) -> Self {
        Self { linear: point.cross(axis), angular: axis }
    }

    /// Returns the unit translation along an axis: (u; 0).
    pub(crate) fn sliding(axis: Vec3<N>) -> Self {
        Self { linear: axis, angular: Vec3::zero() }
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self { linear: self.linear + other.linear, angular: self.angular + other.angular }
    }

    pub(crate) fn times(&self, factor: N) -> Self {
        Self { linear: self.linear * factor, angular: self.angular * factor }
    }

    /// Computes Z × b, the rate of a motion fixed in a body that moves with `self`.
    pub(crate) fn cross(&self, b: &Self) -> Self {
        Self {
            linear: self.angular.cross(b.linear) + self.linear.cross(b.angular),
            angular: self.angular.cross(b.angular),
        }
    }

    /// Computes Z ×* h, the rate of a momentum fixed in a body that moves with `self`.
    pub(crate) fn cross_wrench(&self, h: &Wrench<N>) -> Wrench<N> {
        Wrench { force: self.angular.cross(h.force), moment: self.angular.cross(h.moment) + self.linear.cross(h.force) }
    }

    /// Returns the velocity of the body's point at a position.
    pub(crate) fn at(&self, point: Vec3<N>) -> Vec3<N> {
        self.linear + self.angular.cross(point)
    }

    /// Returns the power of a wrench.
    pub(crate) fn dot(&self, wrench: &Wrench<N>) -> N {
        self.linear.dot(wrench.force) + self.angular.dot(wrench.moment)
    }
}

impl<N: Number> Wrench<N> {
    pub(crate) fn zero() -> Self {
        Self { force: Vec3::zero(), moment: Vec3::zero() }
    }

    /// Returns the wrench of a force at a point.
    pub(crate) fn at(point: Vec3<N>, force: Vec3<N>) -> Self {
        Self { force, moment: point.cross(force) }
    }

    /// Returns the wrench of a pure moment.
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
