//! A chassis in the plane with two hubs that slide along its vertical axis.

use crate::equations::Number;
use crate::vehicles::tire::{PlanarMotion, PlanarWrench};

/// Number of the chassis's own variables: x, y, pitch, then travel and angle of each hub, then the velocities of all.
pub(crate) const SLOW: usize = 14;

/// A chassis with a front and a rear hub.
///
/// e₁ = (cos φ, sin φ) and e₂ = (−sin φ, cos φ) are its axes at the pitch φ. The center of hub i is at ℓᵢe₁ + sᵢe₂ from
/// the chassis's center, where sᵢ = zᵢ − d with the travel zᵢ. Hubs are guided along e₁, pressed along −e₂ by springs
/// and dampers, and spin freely.
#[derive(Clone)]
pub(crate) struct Chassis {
    pub(crate) mass: f64,
    pub(crate) inertia: f64,
    /// The height d.
    pub(crate) height: f64,
    /// Half of density times drag coefficient times area: the drag is this times ẋ².
    pub(crate) drag: f64,
    pub(crate) hubs: [Hub; 2],
    pub(crate) gravity: f64,
}

/// A hub and its suspension.
#[derive(Clone)]
pub(crate) struct Hub {
    /// The arm ℓ.
    pub(crate) arm: f64,
    pub(crate) mass: f64,
    pub(crate) inertia: f64,
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
    /// The force of the spring at zero travel.
    pub(crate) preload: f64,
}

/// The axes of the chassis as cos φ and sin φ.
#[derive(Clone, Copy)]
struct Axes<N> {
    cos: N,
    sin: N,
}

impl<N: Number> Axes<N> {
    fn new(pitch: N) -> Self {
        let (sin, cos) = pitch.sin_cos();
        Self { cos, sin }
    }

    /// Transforms components along e₁ and e₂ to x and y.
    fn outward(self, [a, b]: [N; 2]) -> [N; 2] {
        [a * self.cos - b * self.sin, a * self.sin + b * self.cos]
    }

    /// Transforms x and y to components along e₁ and e₂.
    fn inward(self, [x, y]: [N; 2]) -> [N; 2] {
        [x * self.cos + y * self.sin, y * self.cos - x * self.sin]
    }
}

impl Chassis {
    /// Computes the motions of the hubs.
    #[inline]
    pub(crate) fn motions<N: Number>(&self, y: &[N; SLOW]) -> [PlanarMotion<N>; 2] {
        let axes = Axes::new(y[2]);
        [self.motion(0, axes, y), self.motion(1, axes, y)]
    }

    /// Computes the motion of a hub: ṙᵢ = v + φ̇(ℓe₂ − se₁) + że₂.
    #[inline]
    fn motion<N: Number>(&self, i: usize, axes: Axes<N>, y: &[N; SLOW]) -> PlanarMotion<N> {
        let (arm, pitch_speed, travel_speed) = (self.hubs[i].arm, y[9], y[10 + 2 * i]);
        let s = y[3 + 2 * i] - self.height;
        let [x, up] = axes.outward([N::from(arm), s]);
        let [x_speed, y_speed] = axes.outward([-pitch_speed * s, pitch_speed * arm + travel_speed]);
        PlanarMotion {
            x: y[0] + x,
            y: y[1] + up,
            angle: y[4 + 2 * i],
            x_speed: y[7] + x_speed,
            y_speed: y[8] + y_speed,
            spin: y[11 + 2 * i],
        }
    }

    /// Computes the rates under a drive torque between chassis and each hub, positive forward, and the wrenches of the
    /// tires on the hubs.
    ///
    /// The acceleration of a hub is a + φ̈(ℓe₂ − se₁) + z̈e₂ − φ̇²(ℓe₁ + se₂) − 2φ̇że₁. Along e₂ hubs act on the
    /// chassis by springs and dampers only, so that its acceleration in that direction follows directly. Along e₁ the
    /// guide transmits m(a₁ − φ̈s − φ̇²ℓ − 2φ̇ż) − f₁ from the chassis to the hub. a₁ and φ̈ solve two equations, and
    /// each z̈ follows: this eliminates the mass matrix with its five rows.
    #[inline]
    pub(crate) fn rate<N: Number>(&self, y: &[N; SLOW], tires: [PlanarWrench<N>; 2], torque: f64) -> [N; SLOW] {
        let axes = Axes::new(y[2]);
        let pitch_speed = y[9];
        let square = pitch_speed * pitch_speed;
        // Forces on the chassis, without those of the hubs.
        let speed = if y[7].re() < 0.0 { -y[7] } else { y[7] };
        let own = axes.inward([-y[7] * speed * self.drag, N::from(-self.mass * self.gravity)]);

        let (mut mass, mut first, mut inertia) = (self.mass, N::from(0.0), N::from(self.inertia));
        let (mut force, mut moment, mut lift) = (own[0], N::from(2.0 * torque), own[1]);
        let mut net = [N::from(0.0); 2];
        for (i, hub) in self.hubs.iter().enumerate() {
            let (travel, travel_speed) = (y[3 + 2 * i], y[10 + 2 * i]);
            let s = travel - self.height;
            let spring = travel * hub.stiffness + travel_speed * hub.damping + hub.preload;
            let [f1, f2] = axes.inward([tires[i].x, tires[i].y - hub.mass * self.gravity]);
            // Force of hub i along e₁, without the terms in a₁ and φ̈.
            let along = f1 + (square * hub.arm + pitch_speed * travel_speed * 2.0) * hub.mass;
            mass += hub.mass;
            first += s * hub.mass;
            inertia += s * s * hub.mass;
            force += along;
            moment += spring * hub.arm - s * along;
            lift += spring;
            net[i] = (f2 - spring) / hub.mass + square * s;
        }
        // [mass, −first; −first, inertia] (a₁, φ̈) = (force, moment).
        let determinant = inertia * mass - first * first;
        let a1 = (inertia * force + first * moment) / determinant;
        let pitch = (moment * mass + first * force) / determinant;
        let a2 = lift / self.mass;
        let [x, up] = axes.outward([a1, a2]);
        let [front, rear] = &self.hubs;
        let travels = [net[0] - a2 - pitch * front.arm, net[1] - a2 - pitch * rear.arm];
        let spins = [(tires[0].moment - torque) / front.inertia, (tires[1].moment - torque) / rear.inertia];
        [y[7], y[8], y[9], y[10], y[11], y[12], y[13], x, up, pitch, travels[0], spins[0], travels[1], spins[1]]
    }

    /// Returns the energy of chassis, hubs and suspension springs.
    pub(crate) fn energy<N: Number>(&self, y: &[N; SLOW]) -> N {
        let square = |a: N| a * a;
        let own = (square(y[7]) + square(y[8])) * self.mass + square(y[9]) * self.inertia;
        let mut energy = own / 2.0 + y[1] * (self.mass * self.gravity);
        for (i, (hub, motion)) in self.hubs.iter().zip(self.motions(y)).enumerate() {
            let travel = y[3 + 2 * i];
            let kinetic =
                (square(motion.x_speed) + square(motion.y_speed)) * hub.mass + square(motion.spin) * hub.inertia;
            energy += kinetic / 2.0 + motion.y * (hub.mass * self.gravity);
            energy += square(travel) * (hub.stiffness / 2.0) + travel * hub.preload;
        }
        energy
    }
}
