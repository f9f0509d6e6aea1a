//! The planar rigid-ring tire with a brush slip model: Shome, Haug & Jay (2004), Appendix B, after Zegelaar & Pacejka (1997).
//!
//! x is forward, y up, and angles turn from x to y, so that a wheel that rolls forward has a negative spin and the ring slides over the
//! road at V = ẋ + Rθ̇. The scan garbles symbols; what it must mean follows from the mechanics:
//!
//! - (B4): the residual spring is pressed by δ = y_road + R − y. On a road that is not level its damper takes δ̇ = ẏ_road − ẏ; the paper's
//!   −ẏ is that of a level road. A tire only presses: F_N ≥ 0.
//! - (B5): θ = (2/3) c_p a²/(μF_N), so that the brush slides wholly at |s| = 1/θ, where (B6) and (B7) meet with equal slope.
//! - (B11): σṡ = −V − |ẋ| s. Then s → −V/|ẋ|, positive where the road pushes the ring forward, which (B6) needs of its sign.
//! - (B13): C_s = ∂F_road/∂s = 2c_p a² (1 − θ|s|)², so that (B12), σ = C_s/(2ac_p) = a (1 − θ|s|)², is a at rest. It vanishes where the
//!   brush slides; a twentieth of a is kept, so that the equation stays one.

mod ring;

use crate::equations::Number;
use crate::parameter::{Parameter, Range, Values};

pub(crate) use crate::vehicles::tire::ring::{Motion, OnHub, RING, Rings};

const CAR: &str = "chosen, a passenger car's";
const SIZE: &str = "205/60 R15";
/// Rounded numbers of the size of those for this tire in P. W. A. Zegelaar, The dynamic response of tyres to brake torque variations and road
/// unevennesses, PhD thesis, TU Delft 1998.
const BELT: &str = "near Zegelaar 1998, 205/60 R15";

/// The parameters of a [`Tire`]. Stiffness and damping of the sidewalls follow from the modes of the belt about a fixed hub, off the road:
/// K = m(2πf)², C = 2ζm(2πf), and those of rotation with the inertia.
pub(crate) const PARAMETERS: [Parameter; 14] = [
    Parameter::new("tyre-radius", "radius R", 0.3135, "m").from(SIZE),
    Parameter::new("belt-mass", "mass of the belt", 7.0, "kg").from(BELT),
    Parameter::new("belt-inertia", "inertia of the belt", 0.6, "kg m²").from(BELT),
    Parameter::new("belt-frequency", "translation of the belt about a fixed hub", 80.0, "Hz").from(BELT),
    Parameter::new("wind-up-frequency", "rotation of the belt about a fixed hub", 70.0, "Hz").from(BELT),
    Parameter::new("belt-damping", "damping ratio of both", 0.04, "1").from(BELT).within(Range::NotNegative),
    Parameter::new("tyre-stiffness", "vertical, sidewall and residual in series", 2.0e5, "N/m").from(BELT),
    Parameter::new("residual-damping", "vertical, between belt and road", 50.0, "N s/m")
        .from(CAR)
        .within(Range::NotNegative),
    Parameter::new("contact-half-length", "a: half of the contact, and relaxation length at rest", 0.05, "m").from(CAR),
    Parameter::new("tread-stiffness", "c_p: longitudinal, of the tread by length", 1.8e7, "N/m²").from(CAR),
    Parameter::new("friction", "friction coefficient μ", 1.0, "1").from(CAR),
    Parameter::new("rolling-resistance", "arm of the normal force about the hub", 0.0035, "m")
        .from(CAR)
        .within(Range::NotNegative),
    Parameter::new("gravity", "gravity", 9.81, "m/s²"),
    Parameter::choice("rings", "a ring's place: from its hub, or in space", &["relative", "absolute"]),
];

/// The least of (1 − θ|s|)² in the relaxation length.
pub(crate) const LEAST_RELAXATION: f64 = 0.05;

/// A force and its moment.
#[derive(Clone, Copy)]
pub(crate) struct Wrench<N> {
    pub(crate) x: N,
    pub(crate) y: N,
    pub(crate) moment: N,
}

/// What the road does to the ring.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact<N> {
    /// F_N.
    pub(crate) normal: N,
    /// F_road.
    pub(crate) traction: N,
    /// σ.
    pub(crate) relaxation: N,
}

/// A tire on its hub.
#[derive(Clone)]
pub(crate) struct Tire {
    pub(crate) radius: f64,
    pub(crate) mass: f64,
    pub(crate) inertia: f64,
    /// Sidewall, the same in x and y.
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
    pub(crate) wind_up_stiffness: f64,
    pub(crate) wind_up_damping: f64,
    pub(crate) residual_stiffness: f64,
    pub(crate) residual_damping: f64,
    pub(crate) half_length: f64,
    /// C_s at no slip, 2c_p a².
    pub(crate) slip_stiffness: f64,
    pub(crate) friction: f64,
    pub(crate) rolling_resistance: f64,
    pub(crate) gravity: f64,
    /// What the variables of a ring are.
    pub(crate) rings: Rings,
}

impl Tire {
    /// None where the tire would be stiffer than its sidewall alone.
    pub(crate) fn new(values: Values<'_>) -> Option<Self> {
        let (mass, inertia) = (values.of("belt-mass"), values.of("belt-inertia"));
        let [belt, wind_up] =
            ["belt-frequency", "wind-up-frequency"].map(|name| std::f64::consts::TAU * values.of(name));
        let (ratio, half_length) = (values.of("belt-damping"), values.of("contact-half-length"));
        let stiffness = mass * belt * belt;
        // In series: 1/K = 1/K_sidewall + 1/K_residual.
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
            rings: Rings::of(values),
        })
    }

    /// What springs and dampers of the sidewall do to the hub, (B1)–(B3); the ring feels the opposite at its own center. So the dampers, whose
    /// force is off the line of the centers, leave a small moment on the whole: it is the paper's model.
    #[inline]
    pub(crate) fn sidewall<N: Number>(&self, ring: &OnHub<N>) -> Wrench<N> {
        let ([x, y, angle], [x_speed, y_speed, spin]) = (ring.offset, ring.offset_speed);
        Wrench {
            x: x * self.stiffness + x_speed * self.damping,
            y: y * self.stiffness + y_speed * self.damping,
            moment: angle * self.wind_up_stiffness + spin * self.wind_up_damping,
        }
    }

    /// (B4)–(B7), (B12), (B13) where the road under the ring has this height and slope.
    #[inline]
    pub(crate) fn contact<N: Number>(&self, ring: &Motion<N>, slip: N, (height, slope): (N, N)) -> Contact<N> {
        let compression = height + self.radius - ring.y;
        let closing = slope * ring.x_speed - ring.y_speed;
        let pressed = compression * self.residual_stiffness + closing * self.residual_damping;
        let normal = if pressed.re() > 0.0 { pressed } else { N::from(0.0) };
        let size = if slip.re() < 0.0 { -slip } else { slip };
        let limit = normal * self.friction;
        // θ|s|, the part of the contact that slides.
        let sliding = size * (self.slip_stiffness / 3.0) / limit;
        if normal.re() > 0.0 && sliding.re() < 1.0 {
            let adhering = -sliding + 1.0;
            let square = adhering * adhering;
            // 3θs − 3θ²s² + θ³s³ = 1 − (1 − θs)³.
            let traction = limit * (-square * adhering + 1.0);
            let part = if square.re() > LEAST_RELAXATION { square } else { N::from(LEAST_RELAXATION) };
            Contact {
                normal,
                traction: if slip.re() < 0.0 { -traction } else { traction },
                relaxation: part * self.half_length,
            }
        } else {
            let traction = if slip.re() < 0.0 { -limit } else { limit };
            Contact { normal, traction, relaxation: N::from(LEAST_RELAXATION * self.half_length) }
        }
    }

    /// The rates of ring and slip, (B8)–(B11).
    #[inline]
    pub(crate) fn rate<N: Number>(&self, on_hub: &OnHub<N>, road: (N, N)) -> [N; RING] {
        let &OnHub { motion: ring, slip, .. } = on_hub;
        let pull = self.sidewall(on_hub);
        let Contact { normal, traction, relaxation } = self.contact(&ring, slip, road);
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

    /// F_N and F_road.
    pub(crate) fn forces(&self, on_hub: &OnHub<f64>, road: (f64, f64)) -> [f64; 2] {
        let Contact { normal, traction, .. } = self.contact(&on_hub.motion, on_hub.slip, road);
        [normal, traction]
    }

    /// Of ring and springs, the pressed residual one included.
    pub(crate) fn energy<N: Number>(&self, on_hub: &OnHub<N>, (height, _): (N, N)) -> N {
        let &OnHub { motion: ring, offset: [x, y, angle], .. } = on_hub;
        let square = |a: N| a * a;
        let kinetic = (square(ring.x_speed) + square(ring.y_speed)) * self.mass + square(ring.spin) * self.inertia;
        let sidewall = (square(x) + square(y)) * self.stiffness + square(angle) * self.wind_up_stiffness;
        let compression = height + self.radius - ring.y;
        let residual =
            if compression.re() > 0.0 { square(compression) * self.residual_stiffness } else { N::from(0.0) };
        (kinetic + sidewall + residual) / 2.0 + ring.y * (self.mass * self.gravity)
    }

    /// A ring that rolls steadily under a load in N, as a first guess: its height over the road, its wind-up against the hub and its slip.
    pub(crate) fn guess(&self, load: f64, traction: f64) -> [f64; 3] {
        let height = self.radius - load / self.residual_stiffness;
        let moment = self.radius * traction + self.rolling_resistance * load;
        [height, moment / self.wind_up_stiffness, traction / self.slip_stiffness]
    }
}

#[cfg(test)]
mod tests;
