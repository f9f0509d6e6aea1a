//! The single-track car of test drives: Gerdts (2003), §3, with the steering rate as the driver's command.
//!
//! The paper prints the structure of the equations but no numbers. The numbers here are those of other publications of
//! the same author for the same car (M. Gerdts, Solving mixed-integer optimal control problems by branch&bound: a case
//! study from automobile test-driving with gear shift, Optimal Control Applications and Methods 26, 2005), repeated by
//! published code for that problem.

use num_dual::DualNum;

/// A car on one track: seven states, Pacejka's tires, an engine with five gears, brakes.
///
/// States are x and y in m, the speed v in m/s, the side slip angle β, the yaw angle ψ, the yaw rate ω and the steering
/// angle δ in rad and s. Its data may be of any number type, so that derivatives with respect to each are exact.
///
/// ```
/// use hemiola_models::SingleTrack;
/// let car = SingleTrack::default();
/// // Straight on, the engine brakes the car in its fourth gear: by drag, rolling resistance and 652 N at its wheels.
/// let rate = car.rate(&[0.0, 0.0, 25.0, 0.0, 0.0, 0.0, 0.0], 0.1);
/// assert_eq!((rate[0], rate[1], rate[6]), (25.0, 0.0, 0.1));
/// assert!((rate[2] + 0.7553).abs() < 1e-4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SingleTrack<N = f64> {
    /// The mass in kg.
    pub mass: N,
    /// The moment of inertia about the vertical, in kg m².
    pub yaw_inertia: N,
    /// The distances from the center of mass to the front and the rear axle, in m.
    pub arms: [N; 2],
    /// The radius of the wheels, in m.
    pub wheel_radius: N,
    /// The drag coefficient.
    pub drag: N,
    /// The frontal area, in m².
    pub area: N,
    /// The density of air, in kg/m³.
    pub air: N,
    /// The stiffness factors B of Pacejka's formula, front and rear.
    pub stiffness: [N; 2],
    /// The shape factors C.
    pub shape: [N; 2],
    /// The peak values D, in N.
    pub peak: [N; 2],
    /// The curvature factors E.
    pub curvature: [N; 2],
    /// The gear, from 1 to 5.
    pub gear: u8,
    /// The accelerator pedal, from 0 to 1.
    pub pedal: N,
    /// The braking force, in N.
    pub brake: N,
    /// Whether the lateral part of the front wheel's longitudinal force turns the car. The paper's yaw equation omits
    /// it.
    pub has_front_moment: bool,
}

/// Ratios of the gears, and of the final drive.
const GEARS: [f64; 5] = [3.91, 2.002, 1.33, 1.0, 0.805];
const FINAL_DRIVE: f64 = 3.91;
const GRAVITY: f64 = 9.81;

impl Default for SingleTrack {
    fn default() -> Self {
        Self {
            mass: 1239.0,
            yaw_inertia: 1752.0,
            arms: [1.190_16, 1.374_84],
            wheel_radius: 0.302,
            drag: 0.3,
            area: 1.437_894_687_4,
            air: 1.249_512,
            stiffness: [10.96, 12.67],
            shape: [1.3, 1.3],
            peak: [4560.40, 3947.81],
            curvature: [-0.5, -0.5],
            gear: 4,
            pedal: 0.0,
            brake: 0.0,
            has_front_moment: false,
        }
    }
}

impl SingleTrack {
    /// Converts the car to another number type, with zero derivatives.
    ///
    /// ```
    /// use hemiola_models::SingleTrack;
    /// use num_dual::Dual64;
    /// let mut car = SingleTrack::default().lift::<Dual64>();
    /// car.mass = car.mass.derivative(); // twice the mass is half the effect
    /// let state = [0.0, 0.0, 25.0, 0.0, 0.0, 0.0, 0.0].map(Dual64::from);
    /// assert!(car.rate(&state, 0.0.into())[2].eps > 0.0);
    /// ```
    #[must_use]
    pub fn lift<N: DualNum<f64> + Copy>(&self) -> SingleTrack<N> {
        let two = |pair: [f64; 2]| pair.map(N::from);
        SingleTrack {
            mass: self.mass.into(),
            yaw_inertia: self.yaw_inertia.into(),
            arms: two(self.arms),
            wheel_radius: self.wheel_radius.into(),
            drag: self.drag.into(),
            area: self.area.into(),
            air: self.air.into(),
            stiffness: two(self.stiffness),
            shape: two(self.shape),
            peak: two(self.peak),
            curvature: two(self.curvature),
            gear: self.gear,
            pedal: self.pedal.into(),
            brake: self.brake.into(),
            has_front_moment: self.has_front_moment,
        }
    }
}

impl<N: DualNum<f64> + Copy> SingleTrack<N> {
    /// Computes the rates of the seven states for a steering rate in rad/s.
    #[must_use]
    pub fn rate(&self, state: &[N; 7], steering_rate: N) -> [N; 7] {
        let &[_, _, v, beta, psi, omega, delta] = state;
        let [front_arm, rear_arm] = self.arms;
        let [front, rear] = self.lateral_forces(v, beta, omega, delta);
        let [front_pull, rear_pull] = self.longitudinal_forces(v);
        let thrust = rear_pull - v * v * self.drag * self.air * self.area * 0.5;
        let ((sin_beta, cos_beta), (sin_both, cos_both)) = (beta.sin_cos(), (delta + beta).sin_cos());
        let along = thrust * cos_beta + front_pull * cos_both - rear * sin_beta - front * sin_both;
        let across = thrust * sin_beta + front_pull * sin_both + rear * cos_beta + front * cos_both;
        let (sin_delta, cos_delta) = delta.sin_cos();
        let mut moment = front * front_arm * cos_delta - rear * rear_arm;
        if self.has_front_moment {
            moment += front_pull * front_arm * sin_delta;
        }
        let (sin_course, cos_course) = (psi - beta).sin_cos();
        [
            v * cos_course,
            v * sin_course,
            along / self.mass,
            omega - across / (self.mass * v),
            omega,
            moment / self.yaw_inertia,
            steering_rate,
        ]
    }

    /// Computes the lateral tire forces in N, front and rear.
    #[must_use]
    pub fn lateral_forces(&self, v: N, beta: N, omega: N, delta: N) -> [N; 2] {
        let (sin, cos) = beta.sin_cos();
        let front = delta - ((self.arms[0] * omega - v * sin) / (v * cos)).atan();
        let rear = ((self.arms[1] * omega + v * sin) / (v * cos)).atan();
        [self.lateral_force(0, front), self.lateral_force(1, rear)]
    }

    /// Evaluates Pacejka's formula D sin(C atan(Bα − E(Bα − atan Bα))) for a slip angle α.
    fn lateral_force(&self, axle: usize, slip: N) -> N {
        let steep = slip * self.stiffness[axle];
        let bent = steep - self.curvature[axle] * (steep - steep.atan());
        self.peak[axle] * (self.shape[axle] * bent.atan()).sin()
    }

    /// Computes the longitudinal tire forces in N, front and rear: rolling resistance, brakes (two thirds in front)
    /// and, at the rear, the engine.
    fn longitudinal_forces(&self, v: N) -> [N; 2] {
        let hundredth = v / 100.0;
        let resistance = hundredth * 0.002 + hundredth.powi(4) * 0.0003 + 0.009;
        let [front_arm, rear_arm] = self.arms;
        let weight = self.mass * GRAVITY / (front_arm + rear_arm);
        let front = -self.brake * (2.0 / 3.0) - resistance * weight * rear_arm;
        let rear = self.wheel_torque(v) / self.wheel_radius - self.brake / 3.0 - resistance * weight * front_arm;
        [front, rear]
    }

    /// Computes the engine's torque at the rear wheels, in N m.
    fn wheel_torque(&self, v: N) -> N {
        let ratio = GEARS[usize::from(self.gear.clamp(1, 5)) - 1] * FINAL_DRIVE;
        let spin = v * ratio / self.wheel_radius;
        let share = -(self.pedal * -3.0).exp() + 1.0;
        let full = spin * 1.54 - spin * spin * 0.0019 - 37.8;
        let idle = -(spin * 0.047_75) - 34.9;
        (share * full + (-share + 1.0) * idle) * ratio
    }
}
