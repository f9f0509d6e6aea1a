//! The planar rigid-ring tire with a brush slip model: Shome, Haug & Jay (2004), Appendix B, after Zegelaar & Pacejka
//! (1997).
//!
//! x is forward, y up, and angles turn from x to y, so that a wheel rolling forward has a negative spin, and the ring
//! slides over the road at V = ẋ + Rθ̇. The scan garbles symbols; their meaning follows from the mechanics:
//!
//! - (B4): the compression of the residual spring is δ = y_road + R − y. On a sloping road its damper sees δ̇ = ẏ_road
//!   − ẏ; the paper's −ẏ holds on a level road. A tire can only press: F_N ≥ 0.
//! - (B5): θ = (2/3) c_p a²/(μF_N), so that the brush slides completely at |s| = 1/θ, where (B6) and (B7) meet with
//!   equal slope.
//! - (B11): σṡ = −V − |ẋ| s. Then s → −V/|ẋ|, positive if the road pushes the ring forward, as the sign in (B6)
//!   requires.
//! - (B13): C_s = ∂F_road/∂s = 2c_p a² (1 − θ|s|)², so that (B12), σ = C_s/(2ac_p) = a (1 − θ|s|)², is a at rest. It
//!   vanishes if the brush slides; at least a twentieth of a is kept, so that the equation remains differential.

mod ring;

use crate::equations::Number;
use crate::parameter::{AdmissibleValues, Parameter, Values};

pub(crate) use crate::vehicles::tire::ring::{MountedRing, PlanarMotion, RING, RingCoordinates};

const CAR: &str = "chosen, a passenger car's";
const SIZE: &str = "205/60 R15";
/// Source of the belt's data: rounded numbers close to those for this tire in P. W. A. Zegelaar, The dynamic response
/// of tyres to brake torque variations and road unevennesses, PhD thesis, TU Delft 1998.
const BELT: &str = "near Zegelaar 1998, 205/60 R15";

/// Parameters of a [`PlanarTire`].
///
/// Stiffness and damping of the sidewalls follow from the modes of the belt about a fixed hub, off the road: K =
/// m(2πf)², C = 2ζm(2πf), and for rotation the same with the inertia in place of the mass.
pub(crate) const PARAMETERS: [Parameter; 14] = [
    Parameter::new("tyre-radius", "radius R", 0.3135, "m").from(SIZE),
    Parameter::new("belt-mass", "mass of the belt", 7.0, "kg").from(BELT),
    Parameter::new("belt-inertia", "inertia of the belt", 0.6, "kg m²").from(BELT),
    Parameter::new("belt-frequency", "translation of the belt about a fixed hub", 80.0, "Hz").from(BELT),
    Parameter::new("wind-up-frequency", "rotation of the belt about a fixed hub", 70.0, "Hz").from(BELT),
    Parameter::new("belt-damping", "damping ratio of both", 0.04, "1").from(BELT).within(AdmissibleValues::NotNegative),
    Parameter::new("tyre-stiffness", "vertical, sidewall and residual in series", 2.0e5, "N/m").from(BELT),
    Parameter::new("residual-damping", "vertical, between belt and road", 50.0, "N s/m")
        .from(CAR)
        .within(AdmissibleValues::NotNegative),
    Parameter::new("contact-half-length", "a: half of the contact, and relaxation length at rest", 0.05, "m").from(CAR),
    Parameter::new("tread-stiffness", "c_p: longitudinal, of the tread by length", 1.8e7, "N/m²").from(CAR),
    Parameter::new("friction", "friction coefficient μ", 1.0, "1").from(CAR),
    Parameter::new("rolling-resistance", "arm of the normal force about the hub", 0.0035, "m")
        .from(CAR)
        .within(AdmissibleValues::NotNegative),
    Parameter::new("gravity", "gravity", 9.81, "m/s²"),
    Parameter::choice("rings", "position of a ring: relative to its hub, or in space", &["relative", "absolute"]),
];

/// Smallest value of (1 − θ|s|)² in the relaxation length.
pub(crate) const LEAST_RELAXATION: f64 = 0.05;

/// A force and its moment.
#[derive(Clone, Copy)]
pub(crate) struct PlanarWrench<N> {
    pub(crate) x: N,
    pub(crate) y: N,
    pub(crate) moment: N,
}

/// Action of the road on the ring.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlanarContact<N> {
    /// The normal force F_N.
    pub(crate) normal: N,
    /// The tangential force F_road.
    pub(crate) traction: N,
    /// The relaxation length σ.
    pub(crate) relaxation: N,
}

/// A tire on its hub.
#[derive(Clone)]
pub(crate) struct PlanarTire {
    pub(crate) radius: f64,
    pub(crate) mass: f64,
    pub(crate) inertia: f64,
    /// The stiffness of the sidewall, equal in x and y.
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
    pub(crate) wind_up_stiffness: f64,
    pub(crate) wind_up_damping: f64,
    pub(crate) residual_stiffness: f64,
    pub(crate) residual_damping: f64,
    pub(crate) half_length: f64,
    /// The slip stiffness C_s at zero slip, 2c_p a².
    pub(crate) slip_stiffness: f64,
    pub(crate) friction: f64,
    pub(crate) rolling_resistance: f64,
    pub(crate) gravity: f64,
    /// The coordinates of the ring's variables.
    pub(crate) rings: RingCoordinates,
}

impl PlanarTire {
    /// Creates a tire; `None` if it would be stiffer than its sidewall alone.
    pub(crate) fn new(values: Values<'_>) -> Option<Self> {
        let (mass, inertia) = (values.of("belt-mass"), values.of("belt-inertia"));
        let [belt, wind_up] =
            ["belt-frequency", "wind-up-frequency"].map(|name| std::f64::consts::TAU * values.of(name));
        let (ratio, half_length) = (values.of("belt-damping"), values.of("contact-half-length"));
        let stiffness = mass * belt * belt;
        // Springs in series: 1/K = 1/K_sidewall + 1/K_residual.
        let compliance = 1.0 / values.of("tyre-stiffness") - 1.0 / stiffness;
        (compliance > 0.0).then(|| Self {
            radius: values.of("tyre-radius"),
            mass,
            inertia,
            stiffness,
            damping: 2.0 * ratio * mass * belt,
            wind_up_stiffness: inertia * wind_up * wind_up,
            wind_up_damping: 2.0 * ratio * inertia * wind_up,
            residual_stiffness: 1.0 / compliance,
            residual_damping: values.of("residual-damping"),
            half_length,
            slip_stiffness: 2.0 * values.of("tread-stiffness") * half_length * half_length,
            friction: values.of("friction"),
            rolling_resistance: values.of("rolling-resistance"),
            gravity: values.of("gravity"),
            rings: RingCoordinates::of(values),
        })
    }

    /// Computes the wrench of the sidewall's springs and dampers on the hub, (B1)–(B3). The ring feels the opposite at
    /// its own center. Since the force of the dampers is off the line of the centers, it leaves a small moment on the
    /// whole, as in the paper's model.
    #[inline]
    pub(crate) fn sidewall<N: Number>(&self, ring: &MountedRing<N>) -> PlanarWrench<N> {
        let ([x, y, angle], [x_speed, y_speed, spin]) = (ring.offset, ring.offset_speed);
        PlanarWrench {
            x: x * self.stiffness + x_speed * self.damping,
            y: y * self.stiffness + y_speed * self.damping,
            moment: angle * self.wind_up_stiffness + spin * self.wind_up_damping,
        }
    }

    /// Computes the contact by (B4)–(B7), (B12), (B13), for the height and slope of the road under the ring.
    #[inline]
    pub(crate) fn contact<N: Number>(
        &self,
        ring: &PlanarMotion<N>,
        slip: N,
        (height, slope): (N, N),
    ) -> PlanarContact<N> {
        let compression = height + self.radius - ring.y;
        let closing = slope * ring.x_speed - ring.y_speed;
        let pressed = compression * self.residual_stiffness + closing * self.residual_damping;
        let normal = if pressed.re() > 0.0 { pressed } else { N::from(0.0) };
        let size = if slip.re() < 0.0 { -slip } else { slip };
        let limit = normal * self.friction;
        // The sliding fraction θ|s| of the contact.
        let sliding = size * (self.slip_stiffness / 3.0) / limit;
        if normal.re() > 0.0 && sliding.re() < 1.0 {
            let adhering = -sliding + 1.0;
            let square = adhering * adhering;
            // 3θs − 3θ²s² + θ³s³ = 1 − (1 − θs)³.
            let traction = limit * (-square * adhering + 1.0);
            let part = if square.re() > LEAST_RELAXATION { square } else { N::from(LEAST_RELAXATION) };
            PlanarContact {
                normal,
                traction: if slip.re() < 0.0 { -traction } else { traction },
                relaxation: part * self.half_length,
            }
        } else {
            let traction = if slip.re() < 0.0 { -limit } else { limit };
            PlanarContact { normal, traction, relaxation: N::from(LEAST_RELAXATION * self.half_length) }
        }
    }

    /// Computes the rates of ring and slip, (B8)–(B11).
    #[inline]
    pub(crate) fn rate<N: Number>(&self, on_hub: &MountedRing<N>, road: (N, N)) -> [N; RING] {
        let &MountedRing { motion: ring, slip, .. } = on_hub;
        let pull = self.sidewall(on_hub);
        let PlanarContact { normal, traction, relaxation } = self.contact(&ring, slip, road);
        let (forward, speed) = if ring.x_speed.re() < 0.0 { (-1.0, -ring.x_speed) } else { (1.0, ring.x_speed) };
        let moment = traction * self.radius + normal * (self.rolling_resistance * forward) - pull.moment;
        let sliding = ring.x_speed + ring.spin * self.radius;
        let [x, y, angle] = self.rings.position_rates(on_hub);
        [
            x,
            y,
            angle,
            (traction - pull.x) / self.mass,
            (normal - pull.y) / self.mass - self.gravity,
            moment / self.inertia,
            -(sliding + speed * slip) / relaxation,
        ]
    }

    /// Returns F_N and F_road.
    pub(crate) fn forces(&self, on_hub: &MountedRing<f64>, road: (f64, f64)) -> [f64; 2] {
        let PlanarContact { normal, traction, .. } = self.contact(&on_hub.motion, on_hub.slip, road);
        [normal, traction]
    }

    /// Returns the energy of ring and springs, including the residual spring if it is compressed.
    pub(crate) fn energy<N: Number>(&self, on_hub: &MountedRing<N>, (height, _): (N, N)) -> N {
        let &MountedRing { motion: ring, offset: [x, y, angle], .. } = on_hub;
        let square = |a: N| a * a;
        let kinetic = (square(ring.x_speed) + square(ring.y_speed)) * self.mass + square(ring.spin) * self.inertia;
        let sidewall = (square(x) + square(y)) * self.stiffness + square(angle) * self.wind_up_stiffness;
        let compression = height + self.radius - ring.y;
        let residual =
            if compression.re() > 0.0 { square(compression) * self.residual_stiffness } else { N::from(0.0) };
        (kinetic + sidewall + residual) / 2.0 + ring.y * (self.mass * self.gravity)
    }

    /// Estimates a ring that rolls steadily under a load in N: its height over the road, its wind-up relative to the
    /// hub and its slip.
    pub(crate) fn guess(&self, load: f64, traction: f64) -> [f64; 3] {
        let height = self.radius - load / self.residual_stiffness;
        let moment = self.radius * traction + self.rolling_resistance * load;
        [height, moment / self.wind_up_stiffness, traction / self.slip_stiffness]
    }
}

#[cfg(test)]
mod tests;
