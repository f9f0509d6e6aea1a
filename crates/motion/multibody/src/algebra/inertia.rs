//! Spatial inertias at the inertial origin, of rigid and articulated bodies.

use crate::algebra::number::Number;
use crate::algebra::spatial::{Motion, Wrench};
use crate::algebra::vector::{Mat3, Sym3, Vec3};

/// The inertia M̄ of a rigid body, or of several that move as one: mass m, first moment m c, and tensor J about the
/// origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Inertia<N> {
    pub(crate) mass: N,
    pub(crate) moment: Vec3<N>,
    pub(crate) tensor: Sym3<N>,
}

impl<N: Number> Inertia<N> {
    pub(crate) fn zero() -> Self {
        Self { mass: N::zero(), moment: Vec3::zero(), tensor: Sym3::zero() }
    }

    /// Creates the inertia of a mass with its center at c and the given tensor about the center.
    pub(crate) fn new(mass: f64, c: Vec3<N>, mut tensor: Sym3<N>) -> Self {
        let moment = c * N::constant(mass);
        // m (c² − c cᵀ).
        let (Vec3([x, y, z]), Vec3([a, b, d])) = (c, moment);
        let [xx, yy, zz] = [x * a, y * b, z * d];
        tensor.add(&Sym3([yy + zz, xx + zz, xx + yy, -x * b, -x * d, -y * d]));
        Self { mass: N::constant(mass), moment, tensor }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.mass += other.mass;
        self.moment += other.moment;
        self.tensor.add(&other.tensor);
    }

    /// Computes the momentum M̄ Z.
    pub(crate) fn times(&self, z: &Motion<N>) -> Wrench<N> {
        Wrench {
            force: z.linear * self.mass - self.moment.cross(z.angular),
            moment: self.moment.cross(z.linear) + self.tensor.times(z.angular),
        }
    }
}

/// The inertia of a body together with all bodies it carries by freely moving joints, a symmetric matrix [A B; Bᵀ C].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Articulated<N> {
    linear: Sym3<N>,
    coupling: Mat3<N>,
    angular: Sym3<N>,
}

impl<N: Number> Articulated<N> {
    pub(crate) fn rigid(body: &Inertia<N>) -> Self {
        let (o, m, Vec3([x, y, z])) = (N::zero(), body.mass, body.moment);
        Self {
            linear: Sym3([m, m, m, o, o, o]),
            // The force part of M̄ Z contains −(m c) × ω.
            coupling: Mat3([[o, z, -y], [-z, o, x], [y, -x, o]]),
            angular: body.tensor,
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.linear.add(&other.linear);
        self.angular.add(&other.angular);
        for i in 0..3 {
            for j in 0..3 {
                self.coupling.0[i][j] += other.coupling.0[i][j];
            }
        }
    }

    pub(crate) fn times(&self, z: &Motion<N>) -> Wrench<N> {
        Wrench {
            force: self.linear.times(z.linear) + self.coupling.times(z.angular),
            moment: self.coupling.transposed_times(z.linear) + self.angular.times(z.angular),
        }
    }

    /// Computes I − U Uᵀ/D, the inertia when a coordinate moves freely.
    pub(crate) fn release(&mut self, u: &Wrench<N>, inverse: N) {
        self.linear.add_square(u.force, -inverse);
        self.angular.add_square(u.moment, -inverse);
        let scaled = u.force * inverse;
        for i in 0..3 {
            for j in 0..3 {
                self.coupling.0[i][j] -= scaled.0[i] * u.moment.0[j];
            }
        }
    }
}
