//! A manipulator of two links in the vertical plane under constant torques: the robot of H. Jack (1990), D.2 and D.5.

use crate::equations::{Equations, Number};
use crate::model::{ModelKind, ModelParts};
use crate::parameter::{AdmissibleValues, Parameter};

/// Two uniform rods with relative joint angles q₁, from horizontal, and q₂: M(q) q̈ + c(q, q̇) + g(q) = τ as in M. W.
/// Spong, S. Hutchinson, M. Vidyasagar, Robot Modeling and Control (2006), §7.4, with b = m₂ l₁ l₂ / 2,
///
/// M₁₁ = m₁ l₁²/3 + m₂ (l₁² + l₂²/3) + 2 b cos q₂, M₁₂ = m₂ l₂²/3 + b cos q₂, M₂₂ = m₂ l₂²/3,
/// c₁ = −b sin q₂ (2 q̇₁ + q̇₂) q̇₂, c₂ = b sin q₂ q̇₁².
///
/// Jack prints neither the data nor the equations of the robot. The values are those of a small arm, chosen by us.
pub(crate) static KIND: ModelKind = ModelKind {
    name: "two-link-manipulator",
    title: "manipulator with two links under constant torques",
    parameters: &[
        Parameter::new("mass-1", "mass m₁ of the first link", 5.0, "kg"),
        Parameter::new("mass-2", "mass m₂ of the second link", 3.0, "kg"),
        Parameter::new("length-1", "length l₁ of the first link", 0.5, "m"),
        Parameter::new("length-2", "length l₂ of the second link", 0.4, "m"),
        Parameter::new("gravity", "gravity", 9.81, "m/s²").within(AdmissibleValues::NotNegative),
        Parameter::new("torque-1", "torque τ₁ at the first joint", 20.0, "N m").within(AdmissibleValues::Real),
        Parameter::new("torque-2", "torque τ₂ at the second joint", 2.0, "N m").within(AdmissibleValues::Real),
        Parameter::new("angle-1", "initial angle of the first joint", -std::f64::consts::FRAC_PI_2, "rad")
            .within(AdmissibleValues::Real),
        Parameter::new("angle-2", "initial angle of the second joint", 0.0, "rad").within(AdmissibleValues::Real),
    ],
    build: |values| {
        let manipulator = Manipulator {
            masses: [values.of("mass-1"), values.of("mass-2")],
            lengths: [values.of("length-1"), values.of("length-2")],
            gravity: values.of("gravity"),
            torques: [values.of("torque-1"), values.of("torque-2")],
        };
        let variables = [
            ("joint angle 1", "rad"),
            ("joint angle 2", "rad"),
            ("joint angle speed 1", "rad/s"),
            ("joint angle speed 2", "rad/s"),
        ];
        let built = ModelParts::new(&variables, &[4], manipulator);
        let initial = vec![values.of("angle-1"), values.of("angle-2"), 0.0, 0.0];
        Some(built.starting(initial).lasting(2.0).drawing(&[0, 1]))
    },
};

struct Manipulator {
    masses: [f64; 2],
    lengths: [f64; 2],
    gravity: f64,
    torques: [f64; 2],
}

impl Manipulator {
    /// Returns b = m₂ l₁ l₂ / 2.
    fn coupling(&self) -> f64 {
        self.masses[1] * self.lengths[0] * self.lengths[1] / 2.0
    }

    /// Returns M₁₁, M₁₂ and M₂₂.
    fn inertia<N: Number>(&self, cos: N) -> [N; 3] {
        let ([m1, m2], [l1, l2]) = (self.masses, self.lengths);
        let (outer, b) = (m2 * l2 * l2 / 3.0, self.coupling());
        let stretched = m1 * l1 * l1 / 3.0 + m2 * l1 * l1 + outer;
        [cos * (2.0 * b) + stretched, cos * b + outer, N::from(outer)]
    }

    /// Returns mass times lever for the first and the second link.
    fn levers(&self) -> [f64; 2] {
        let ([m1, m2], [l1, l2]) = (self.masses, self.lengths);
        [m1 * l1 / 2.0 + m2 * l1, m2 * l2 / 2.0]
    }
}

impl Equations for Manipulator {
    fn rate<N: Number>(&self, _partition: usize, _t: f64, y: &[N], rate: &mut [N]) {
        let Ok(&[q1, q2, v1, v2]) = <&[N; 4]>::try_from(y) else { return };
        let (sin, cos) = q2.sin_cos();
        let [m11, m12, m22] = self.inertia(cos);
        let [inner, outer] = self.levers().map(|lever| lever * self.gravity);
        let bent = sin * self.coupling();
        let weight = (q1 + q2).cos() * outer;
        let first = bent * (v1 * 2.0 + v2) * v2 - q1.cos() * inner - weight + self.torques[0];
        let second = -bent * v1 * v1 - weight + self.torques[1];
        let determinant = m11 * m22 - m12 * m12;
        let turning = [(m22 * first - m12 * second) / determinant, (m11 * second - m12 * first) / determinant];
        rate.copy_from_slice(&[v1, v2, turning[0], turning[1]]);
    }

    /// Returns the kinetic energy and that of the weights, less the work of the torques.
    fn energy<N: Number>(&self, _t: f64, y: &[N]) -> Option<N> {
        let &[q1, q2, v1, v2] = <&[N; 4]>::try_from(y).ok()?;
        let [m11, m12, m22] = self.inertia(q2.cos());
        let kinetic = (m11 * v1 * v1 + m22 * v2 * v2) * 0.5 + m12 * v1 * v2;
        let [inner, outer] = self.levers().map(|lever| lever * self.gravity);
        Some(kinetic + q1.sin() * inner + (q1 + q2).sin() * outer - q1 * self.torques[0] - q2 * self.torques[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{energy_rate, rates};
    use crate::registry::model;
    use hemiola_multibody::{Body, Joint, Machine};

    const STATES: [[f64; 4]; 3] = [[0.4, -1.1, 2.0, -3.0], [-1.6, 0.02, 0.0, 0.0], [2.0, 3.1, -7.0, 11.0]];

    #[test]
    fn energy_changes_by_the_work_of_the_torques_alone() {
        let manipulator = Manipulator { masses: [5.0, 3.0], lengths: [0.5, 0.4], gravity: 9.81, torques: [20.0, -2.0] };
        for y in STATES {
            // Powers reach 10³ W.
            let power = energy_rate(&manipulator, &[4], 0.0, &y);
            assert!(power.abs() < 1e-11, "{power}");
        }
    }

    /// Comparison with an independent derivation: two hinged bars of the multibody crate.
    #[test]
    fn it_moves_as_a_machine_of_two_bars() {
        let (thin, right, left) = (1e-9, [0.0, -1.0, 0.0], ["ground", "bar", "tip"]);
        let bar = |name: &str, mass: f64, length: f64, begin: f64| {
            let inertia = mass * length * length / 12.0;
            Body::new(name, mass, [begin + length / 2.0, 0.0, 0.0], [thin, inertia, inertia])
        };
        let machine = Machine::new("arm")
            .body(bar("bar", 5.0, 0.5, 0.0))
            .body(bar("tip", 3.0, 0.4, 0.5))
            .joint(Joint::revolute("shoulder", [left[0], left[1]], [0.0; 3], right))
            .joint(Joint::revolute("elbow", [left[1], left[2]], [0.5, 0.0, 0.0], right))
            .build()
            .unwrap();
        let machine = crate::machine(machine);
        let free = model("two-link-manipulator", &[("torque-1", 0.0), ("torque-2", 0.0)]).unwrap();
        for y in STATES {
            let (ours, theirs) = (rates(&free, 0.0, &y), rates(&machine, 0.0, &y));
            let size = theirs.iter().map(|rate| rate.abs()).fold(0.0, f64::max);
            assert!(ours.iter().zip(&theirs).all(|(a, b)| (a - b).abs() < 1e-12 * size), "{ours:?} {theirs:?}");
        }
    }

    #[test]
    fn torques_that_carry_the_weights_hold_it_still() {
        let (inner, outer) = ((2.5 * 0.5 + 3.0 * 0.5) * 9.81, 3.0 * 0.2 * 9.81);
        let torques = [("torque-1", inner + outer), ("torque-2", outer)];
        let held = model("two-link-manipulator", &torques).unwrap();
        assert!(rates(&held, 0.0, &[0.0; 4]).iter().all(|rate| rate.abs() < 1e-13));
    }
}
