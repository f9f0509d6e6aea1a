//! The planar vehicle on two rigid-ring tires: Shome, Haug & Jay (2004), Fig. 3.

use crate::equations::{Equations, Number};
use crate::model::{ModelKind, ModelParts};
use crate::outputs::Output;
use crate::parameter::{AdmissibleValues, Parameter, Values, joined};
use crate::steady_state::steady_state;
use crate::vehicles::chassis::{Chassis, Hub, SLOW};
use crate::vehicles::drawing::Drawing;
use crate::vehicles::drive::{self, Drive, UndulatingRoad};
use crate::vehicles::quarter_car::QUARTER_CAR;
use crate::vehicles::tire::{self, MountedRing, PlanarTire, RING, RingCoordinates};

const fn parameter(name: &'static str, meaning: &'static str, value: f64, unit: &'static str) -> Parameter {
    Parameter::new(name, meaning, value, unit).from("chosen, one side of a passenger car")
}

const OWN: [Parameter; 10] = [
    parameter("chassis-mass", "half of the body", 580.0, "kg"),
    parameter("chassis-inertia", "in pitch, half of the body", 800.0, "kg m²"),
    parameter("front-arm", "from the center of mass to the front axle", 1.25, "m"),
    parameter("rear-arm", "from the center of mass to the rear axle", 1.35, "m"),
    parameter("centre-height", "center of mass above the hubs", 0.25, "m"),
    parameter("hub-mass", "wheel and hub without the belt", 33.0, "kg"),
    parameter("hub-inertia", "wheel without the belt, brake and share of the driveline", 2.0, "kg m²"),
    Parameter::new("suspension-stiffness", "spring of each axle", 16_200.0, "N/m").from(QUARTER_CAR),
    Parameter::new("suspension-damping", "damper of each axle", 1000.0, "N s/m")
        .from(QUARTER_CAR)
        .within(AdmissibleValues::NotNegative),
    parameter("drag", "half of air density times drag area", 0.2, "kg/m").within(AdmissibleValues::NotNegative),
];

const COUNT: usize = OWN.len() + tire::PARAMETERS.len() + drive::PARAMETERS.len();
const WITH_TIRE: [Parameter; OWN.len() + tire::PARAMETERS.len()] = joined(OWN, tire::PARAMETERS);
static PARAMETERS: [Parameter; COUNT] = joined(WITH_TIRE, drive::PARAMETERS);

/// The planar vehicle with 28 variables.
///
/// Slow are the chassis, and each hub's travel along the chassis's vertical axis and its spin, with their velocities.
/// Fast are each ring and its slip. Equal torques act on both wheels from the chassis. They keep both slips positive,
/// away from zero slip, where the brush model has no second derivative. The vehicle starts in a steady state on a flat
/// road.
pub(crate) static KIND: ModelKind = ModelKind {
    name: "planar-vehicle",
    title: "planar vehicle with rigid-ring tires, 28 variables",
    parameters: &PARAMETERS,
    build: |values| {
        let (vehicle, initial) = PlanarVehicle::rolling(values)?;
        let names = variables(vehicle.tire.rings);
        let names: Vec<(&str, &'static str)> = names.iter().map(|(name, unit)| (name.as_str(), *unit)).collect();
        let built = ModelParts::new(&names, &SIZES, vehicle).starting(initial);
        Some(built.lasting(10.0).drawing(&[1, 2, 7]))
    },
};

/// Returns the variables for a choice of ring coordinates.
fn variables(rings: RingCoordinates) -> Vec<(String, &'static str)> {
    let position = |k: usize| k >= SLOW && (k - SLOW) % RING < 3;
    let named = |(k, (name, unit)): (usize, &(&str, &'static str))| {
        (if position(k) { rings.name(name) } else { (*name).to_owned() }, *unit)
    };
    VARIABLES.iter().enumerate().map(named).collect()
}

const VARIABLES: [(&str, &str); 28] = [
    ("chassis x", "m"),
    ("chassis y", "m"),
    ("chassis pitch", "rad"),
    ("front hub travel", "m"),
    ("front hub angle", "rad"),
    ("rear hub travel", "m"),
    ("rear hub angle", "rad"),
    ("chassis x speed", "m/s"),
    ("chassis y speed", "m/s"),
    ("chassis pitch speed", "rad/s"),
    ("front hub travel speed", "m/s"),
    ("front hub spin", "rad/s"),
    ("rear hub travel speed", "m/s"),
    ("rear hub spin", "rad/s"),
    ("front ring x", "m"),
    ("front ring y", "m"),
    ("front ring angle", "rad"),
    ("front ring x speed", "m/s"),
    ("front ring y speed", "m/s"),
    ("front ring spin", "rad/s"),
    ("front slip", "1"),
    ("rear ring x", "m"),
    ("rear ring y", "m"),
    ("rear ring angle", "rad"),
    ("rear ring x speed", "m/s"),
    ("rear ring y speed", "m/s"),
    ("rear ring spin", "rad/s"),
    ("rear slip", "1"),
];

const SIZES: [usize; 2] = [SLOW, 2 * RING];

#[derive(Clone)]
struct PlanarVehicle {
    chassis: Chassis,
    tire: PlanarTire,
    drive: Drive,
    road: UndulatingRoad,
}

impl PlanarVehicle {
    fn new(values: Values<'_>) -> Option<Self> {
        let (mass, gravity) = (values.of("chassis-mass"), values.of("gravity"));
        let (front, rear) = (values.of("front-arm"), values.of("rear-arm"));
        // The axles carry the chassis without a moment.
        let hub = |arm: f64, other: f64| Hub {
            arm,
            mass: values.of("hub-mass"),
            inertia: values.of("hub-inertia"),
            stiffness: values.of("suspension-stiffness"),
            damping: values.of("suspension-damping"),
            preload: mass * gravity * other / (front + rear),
        };
        let chassis = Chassis {
            mass,
            inertia: values.of("chassis-inertia"),
            height: values.of("centre-height"),
            drag: values.of("drag"),
            hubs: [hub(front, rear), hub(-rear, front)],
            gravity,
        };
        let drive = Drive { steady: 0.0, pulse: values.of("torque-pulse"), period: values.of("torque-period") };
        let road = UndulatingRoad { amplitude: values.of("road-amplitude"), wavelength: values.of("road-wavelength") };
        Some(Self { chassis, tire: PlanarTire::new(values)?, drive, road })
    }

    /// Creates the vehicle with the torque that keeps its speed, and its steady state at that speed on a flat road.
    fn rolling(values: Values<'_>) -> Option<(Self, Vec<f64>)> {
        let mut vehicle = Self::new(values)?;
        let (chassis, tire, speed) = (&vehicle.chassis, &vehicle.tire, values.of("speed"));
        let unsprung = chassis.hubs[0].mass + tire.mass;
        let weight = (chassis.mass + 2.0 * unsprung) * chassis.gravity;
        let thrust = chassis.drag * speed * speed;
        // A ring rolls steadily if the torque is R F_road + c F_N; sum over both.
        vehicle.drive.steady = (tire.radius * thrust + tire.rolling_resistance * weight) / 2.0;

        let mut guess = vec![0.0; 28];
        guess[7] = speed;
        for (i, hub) in chassis.hubs.iter().enumerate() {
            let load = hub.preload + unsprung * chassis.gravity;
            let [height, wind_up, slip] = tire.guess(load, thrust / 2.0);
            let ring = SLOW + RING * i;
            let sag = (hub.preload + hub.mass * chassis.gravity) / tire.stiffness;
            guess[1] += (height - sag + chassis.height) / 2.0;
            let at_rest = tire.rings.variables([hub.arm, height, wind_up], [hub.arm, height - sag, 0.0]);
            guess[ring..ring + 3].copy_from_slice(&at_rest);
            guess[ring + 3] = speed;
            guess[ring + 6] = slip;
        }
        let level = Self { road: UndulatingRoad::FLAT, ..vehicle.clone() };
        // The unknowns are positions, and slips with their spins; the speed is given.
        let unknowns = [1, 2, 3, 5, 14, 15, 16, 20, 21, 22, 23, 27];
        let accelerations = [8, 9, 10, 11, 12, 13, 17, 18, 19, 24, 25, 26];
        let roll = |y: &mut [f64]| {
            for i in 0..2 {
                let ring = SLOW + RING * i;
                let spin = -speed * (1.0 + y[ring + 6]) / level.tire.radius;
                (y[11 + 2 * i], y[ring + 5]) = (spin, spin);
            }
        };
        let initial = steady_state(&level, &SIZES, guess, &unknowns, &accelerations, roll)?;
        Some((vehicle, initial))
    }

    /// Splits a state into its slow part and the rings on their hubs.
    #[inline]
    fn parts<'a, N: Number>(&self, y: &'a [N]) -> Option<(&'a [N; SLOW], [MountedRing<N>; 2])> {
        let (slow, rest) = y.split_first_chunk()?;
        let (front, rear) = rest.split_first_chunk()?;
        let [front_hub, rear_hub] = self.chassis.motions(slow);
        let rings = self.tire.rings;
        Some((slow, [rings.on_hub(&front_hub, front), rings.on_hub(&rear_hub, rear.try_into().ok()?)]))
    }
}

impl Equations for PlanarVehicle {
    fn rate<N: Number>(&self, partition: usize, t: f64, y: &[N], rate: &mut [N]) {
        let Some((slow, rings)) = self.parts(y) else { return };
        if partition == 0 {
            let pulls = [self.tire.sidewall(&rings[0]), self.tire.sidewall(&rings[1])];
            rate.copy_from_slice(&self.chassis.rate(slow, pulls, self.drive.torque(t)));
        } else {
            for (ring, rate) in rings.iter().zip(rate.chunks_exact_mut(RING)) {
                rate.copy_from_slice(&self.tire.rate(ring, self.road.profile(ring.motion.x)));
            }
        }
    }

    fn energy<N: Number>(&self, _t: f64, y: &[N]) -> Option<N> {
        let (slow, rings) = self.parts(y)?;
        let mut energy = self.chassis.energy(slow);
        for ring in &rings {
            energy += self.tire.energy(ring, self.road.profile(ring.motion.x));
        }
        Some(energy)
    }

    fn outline(&self, y: &[f64]) -> Option<Vec<Vec<[f64; 3]>>> {
        let (slow, rings) = self.parts(y)?;
        let (sin, cos) = slow[2].sin_cos();
        let place = |along: f64, up: f64| [slow[0] + along * cos - up * sin, slow[1] + along * sin + up * cos];
        let (hubs, motions) = (&self.chassis.hubs, self.chassis.motions(slow));
        let (height, radius) = (self.chassis.height, self.tire.radius);
        let ends = [hubs[1].arm - radius, hubs[0].arm + radius];
        let corners = [(ends[0], 0.0), (ends[1], 0.0), (ends[1], height), (ends[0], height)];
        // The body is drawn above its center of mass, so that the struts are visible below it.
        let raised = 0.75 * height;
        let drawing = Drawing::default()
            .road([slow[0] + ends[0] - radius, slow[0] + ends[1] + radius], |x| self.road.profile(x).0);
        let drawing = drawing.polygon(&corners.map(|(along, up)| place(along, up + raised)));
        let wheels = hubs.iter().zip(&motions).zip(&rings);
        let drawing = wheels.fold(drawing, |drawing, ((hub, motion), ring)| {
            let drawing = drawing.rigid_ring([motion.x, motion.y, motion.angle], ring, radius);
            drawing.strut([motion.x, motion.y], place(hub.arm, raised), [-sin, cos])
        });
        Some(drawing.lines())
    }

    fn outputs(&self) -> Vec<Output> {
        ["front wheel", "rear wheel"].iter().flat_map(|wheel| Output::plane_forces(wheel)).collect()
    }

    fn output_values(&self, _t: f64, y: &[f64]) -> Option<Vec<f64>> {
        let (_, rings) = self.parts(y)?;
        Some(rings.iter().flat_map(|ring| self.tire.forces(ring, self.road.profile(ring.motion.x))).collect())
    }
}

#[cfg(test)]
mod tests;
