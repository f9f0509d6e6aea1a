//! The quarter car on a rigid-ring tire: model C of Shome, Haug & Jay (2004), Fig. 2.

use crate::equations::{Equations, Number};
use crate::model::{ModelKind, ModelParts};
use crate::outputs::Output;
use crate::parameter::{AdmissibleValues, Parameter, Values, joined};
use crate::steady_state::steady_state;
use crate::vehicles::drawing::Drawing;
use crate::vehicles::drive::{self, Drive, UndulatingRoad};
use crate::vehicles::quarter_car::QUARTER_CAR;
use crate::vehicles::tire::{self, MountedRing, PlanarMotion, PlanarTire, RING};

const fn parameter(name: &'static str, meaning: &'static str, value: f64, unit: &'static str) -> Parameter {
    Parameter::new(name, meaning, value, unit).from(QUARTER_CAR)
}

const OWN: [Parameter; 7] = [
    parameter("body-mass", "a quarter of the body", 290.0, "kg"),
    Parameter::new("centre-height", "body above the hub at rest", 0.25, "m"),
    Parameter::new("hub-mass", "wheel and hub without the belt", 33.0, "kg"),
    Parameter::new("hub-inertia", "wheel without the belt, brake and share of the driveline", 2.0, "kg m²"),
    parameter("suspension-stiffness", "spring", 16_200.0, "N/m"),
    parameter("suspension-damping", "damper", 1000.0, "N s/m").within(AdmissibleValues::NotNegative),
    Parameter::new("drag", "half of air density times drag area, of a quarter", 0.1, "kg/m")
        .within(AdmissibleValues::NotNegative),
];

const COUNT: usize = OWN.len() + tire::PARAMETERS.len() + drive::PARAMETERS.len();
const WITH_TIRE: [Parameter; OWN.len() + tire::PARAMETERS.len()] = joined(OWN, tire::PARAMETERS);
static PARAMETERS: [Parameter; COUNT] = joined(WITH_TIRE, drive::PARAMETERS);

/// The quarter car on a rigid-ring tire with 15 variables.
///
/// Slow are the common forward motion of body and hub, the heights of both and the hub's spin, with their velocities.
/// Fast are the ring and its slip. The body does not pitch. The car starts in a steady state on a flat road.
pub(crate) static KIND: ModelKind = ModelKind {
    name: "quarter-car-ring",
    title: "quarter car C: a body on its suspension and a rigid-ring tire",
    parameters: &PARAMETERS,
    build: |values| {
        let (car, initial) = QuarterCarOnRing::rolling(values)?;
        let [x, y, angle] = ["ring x", "ring y", "ring angle"].map(|name| car.tire.rings.name(name));
        let variables = [
            ("x", "m"),
            ("body y", "m"),
            ("hub y", "m"),
            ("hub angle", "rad"),
            ("x speed", "m/s"),
            ("body y speed", "m/s"),
            ("hub y speed", "m/s"),
            ("hub spin", "rad/s"),
            (&x, "m"),
            (&y, "m"),
            (&angle, "rad"),
            ("ring x speed", "m/s"),
            ("ring y speed", "m/s"),
            ("ring spin", "rad/s"),
            ("slip", "1"),
        ];
        Some(ModelParts::new(&variables, &SIZES, car).starting(initial).lasting(10.0).drawing(&[1, 2, 4]))
    },
};

const SLOW: usize = 8;
const SIZES: [usize; 2] = [SLOW, RING];

#[derive(Clone)]
struct QuarterCarOnRing {
    body: f64,
    height: f64,
    hub: f64,
    hub_inertia: f64,
    stiffness: f64,
    damping: f64,
    drag: f64,
    tire: PlanarTire,
    drive: Drive,
    road: UndulatingRoad,
}

impl QuarterCarOnRing {
    fn new(values: Values<'_>) -> Option<Self> {
        Some(Self {
            body: values.of("body-mass"),
            height: values.of("centre-height"),
            hub: values.of("hub-mass"),
            hub_inertia: values.of("hub-inertia"),
            stiffness: values.of("suspension-stiffness"),
            damping: values.of("suspension-damping"),
            drag: values.of("drag"),
            tire: PlanarTire::new(values)?,
            drive: Drive { steady: 0.0, pulse: values.of("torque-pulse"), period: values.of("torque-period") },
            road: UndulatingRoad { amplitude: values.of("road-amplitude"), wavelength: values.of("road-wavelength") },
        })
    }

    /// Creates the car with the torque that keeps its speed, and its steady state at that speed on a flat road.
    fn rolling(values: Values<'_>) -> Option<(Self, Vec<f64>)> {
        let mut car = Self::new(values)?;
        let (tire, speed) = (&car.tire, values.of("speed"));
        let sprung = car.body + car.hub;
        let load = (sprung + tire.mass) * tire.gravity;
        let thrust = car.drag * speed * speed;
        // The ring rolls steadily if the torque is R F_road + c F_N.
        car.drive.steady = tire.radius * thrust + tire.rolling_resistance * load;
        let [height, wind_up, slip] = tire.guess(load, thrust);
        let hub = height - sprung * tire.gravity / tire.stiffness;
        let mut guess = vec![0.0; SLOW + RING];
        (guess[1], guess[2], guess[4]) = (hub + car.height, hub, speed);
        let [x, y, angle] = tire.rings.variables([0.0, height, wind_up], [0.0, hub, 0.0]);
        guess[SLOW..].copy_from_slice(&[x, y, angle, speed, 0.0, 0.0, slip]);
        let level = Self { road: UndulatingRoad::FLAT, ..car.clone() };
        let (unknowns, accelerations) = ([1, 2, 8, 9, 10, 14], [5, 6, 7, 11, 12, 13]);
        let roll = |y: &mut [f64]| {
            let spin = -speed * (1.0 + y[14]) / level.tire.radius;
            (y[7], y[13]) = (spin, spin);
        };
        let initial = steady_state(&level, &SIZES, guess, &unknowns, &accelerations, roll)?;
        Some((car, initial))
    }

    /// Splits a state into its slow part, the hub, and the ring on it.
    #[inline]
    fn parts<'a, N: Number>(&self, y: &'a [N]) -> Option<(&'a [N; SLOW], PlanarMotion<N>, MountedRing<N>)> {
        let (slow, ring) = y.split_first_chunk()?;
        let &[x, _, y, angle, x_speed, _, y_speed, spin] = slow;
        let hub = PlanarMotion { x, y, angle, x_speed, y_speed, spin };
        Some((slow, hub, self.tire.rings.on_hub(&hub, ring.try_into().ok()?)))
    }
}

impl Equations for QuarterCarOnRing {
    fn rate<N: Number>(&self, partition: usize, t: f64, y: &[N], rate: &mut [N]) {
        let Some((slow, hub, ring)) = self.parts(y) else { return };
        if partition == 0 {
            let gravity = self.tire.gravity;
            let pull = self.tire.sidewall(&ring);
            let speed = if hub.x_speed.re() < 0.0 { -hub.x_speed } else { hub.x_speed };
            let (travel, approach) = (hub.y - slow[1] + self.height, hub.y_speed - slow[5]);
            // Force in excess of the weight of the body, which the spring carries at rest.
            let spring = travel * self.stiffness + approach * self.damping;
            rate.copy_from_slice(&[
                hub.x_speed,
                slow[5],
                hub.y_speed,
                hub.spin,
                (pull.x - hub.x_speed * speed * self.drag) / (self.body + self.hub),
                spring / self.body,
                (pull.y - spring - (self.body + self.hub) * gravity) / self.hub,
                (pull.moment - self.drive.torque(t)) / self.hub_inertia,
            ]);
        } else {
            rate.copy_from_slice(&self.tire.rate(&ring, self.road.profile(ring.motion.x)));
        }
    }

    fn energy<N: Number>(&self, _t: f64, y: &[N]) -> Option<N> {
        let (slow, hub, ring) = self.parts(y)?;
        let square = |a: N| a * a;
        let (mass, travel) = (self.body + self.hub, hub.y - slow[1] + self.height);
        let kinetic = square(hub.x_speed) * mass
            + square(slow[5]) * self.body
            + square(hub.y_speed) * self.hub
            + square(hub.spin) * self.hub_inertia;
        // The spring carries the weight of the body at zero travel. Its potential and that of the body together equal
        // the body's weight times the height of the hub.
        let heights = hub.y * (mass * self.tire.gravity);
        let spring = square(travel) * (self.stiffness / 2.0);
        Some(kinetic / 2.0 + heights + spring + self.tire.energy(&ring, self.road.profile(ring.motion.x)))
    }

    fn outline(&self, y: &[f64]) -> Option<Vec<Vec<[f64; 3]>>> {
        let (slow, hub, ring) = self.parts(y)?;
        let (radius, low) = (self.tire.radius, [hub.x, hub.y]);
        // The strut ends at the lower side of the body as drawn.
        let body = [hub.x, slow[1] + 0.5 * self.height];
        let drawing = Drawing::default().road([hub.x - 2.0 * radius, hub.x + 2.0 * radius], |x| self.road.profile(x).0);
        let drawing = drawing.rigid_ring([hub.x, hub.y, hub.angle], &ring, radius).strut(low, body, [0.0, 1.0]);
        Some(drawing.body(body[0], body[1]).lines())
    }

    fn outputs(&self) -> Vec<Output> {
        Output::plane_forces("wheel").to_vec()
    }

    fn output_values(&self, _t: f64, y: &[f64]) -> Option<Vec<f64>> {
        let (_, _, ring) = self.parts(y)?;
        Some(self.tire.forces(&ring, self.road.profile(ring.motion.x)).to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{energy_rate, rates, rk4, shaken};
    use crate::registry::{model, model_with};

    const RINGS: [&str; 2] = ["relative", "absolute"];

    fn car(rings: &str) -> (QuarterCarOnRing, Vec<f64>) {
        let model = model_with("quarter-car-ring", &[("rings", rings.into())]).unwrap();
        QuarterCarOnRing::rolling(Values(&model.parameters)).unwrap()
    }

    #[test]
    fn it_begins_in_a_steady_state_where_the_tire_carries_the_weight() {
        for rings in RINGS {
            let changes = [("road-amplitude", 0.0.into()), ("rings", rings.into())];
            let flat = model_with("quarter-car-ring", &changes).unwrap();
            let rate = rates(&flat, 0.0, &flat.initial);
            // Rounding of K x / m with K = 1.8e6 N/m, x = .3 m and m = 7 kg, or of the wind-up.
            assert!(rate[4..8].iter().chain(&rate[11..]).all(|rate| rate.abs() < 1e-9), "{rate:?}");
            // Relative to its hub the ring is at rest; in space it moves.
            assert!(rings == "absolute" || rate[8..11].iter().all(|rate| rate.abs() < 1e-12), "{rate:?}");
        }
        let (car, y) = car("relative");
        let (_, _, ring) = car.parts(&y).unwrap();
        let contact = car.tire.contact(&ring.motion, ring.slip, (0.0, 0.0));
        assert!((contact.normal / (330.0 * 9.81) - 1.0).abs() < 1e-12);
        // Drag at 20 m/s.
        assert!((contact.traction - 40.0).abs() < 1e-9);
        // The vertical stiffness of the tire is that of both springs in series. Of 330 kg, all but the belt's own 7 kg
        // load the sidewall.
        let sag = car.tire.radius - y[2];
        assert!((sag - (330.0 * 9.81 / 2.0e5 - 7.0 * 9.81 / car.tire.stiffness)).abs() < 1e-12);
    }

    #[test]
    fn energy_changes_by_drive_dampers_drag_and_road() {
        for (rings, t, size) in RINGS.iter().flat_map(|r| [(*r, 0.0, 0.0), (*r, 0.7, 1e-3), (*r, 1.3, 3e-3)]) {
            let (car, initial) = car(rings);
            let mut y = shaken(&initial, size);
            y[0] += 40.0;
            if rings == "absolute" {
                y[8] += 40.0;
            }
            let (slow, hub, ring) = car.parts(&y).unwrap();
            let (ring, slip) = (ring.motion, ring.slip);
            let road = car.road.profile(ring.x);
            let contact = car.tire.contact(&ring, slip, road);
            let square = |a: f64| a * a;
            let climb = road.1 * ring.x_speed;
            let expected = -car.drive.torque(t) * hub.spin
                - car.drag * hub.x_speed.powi(3)
                - car.damping * square(hub.y_speed - slow[5])
                - car.tire.damping * (square(ring.x_speed - hub.x_speed) + square(ring.y_speed - hub.y_speed))
                - car.tire.wind_up_damping * square(ring.spin - hub.spin)
                - car.tire.residual_damping * square(climb - ring.y_speed)
                + contact.normal * (climb + car.tire.rolling_resistance * ring.spin)
                + contact.traction * (ring.x_speed + car.tire.radius * ring.spin);
            let found = energy_rate(&car, &SIZES, t, &y);
            // Sidewall forces of about 1e6 N/m times a millimeter, at 20 m/s.
            assert!((found - expected).abs() < 1e-10 * (1.0 + 1e6 * size) * 20.0, "{found} {expected}");
        }
    }

    #[test]
    fn it_rolls_on_with_a_loaded_tire() {
        let model = model("quarter-car-ring", &[]).unwrap();
        let (car, _) = car("relative");
        rk4(&model, 2e-4, 50_000, |_, y| {
            let (_, _, ring) = car.parts(y).unwrap();
            let (ring, slip) = (ring.motion, ring.slip);
            let contact = car.tire.contact(&ring, slip, car.road.profile(ring.x));
            assert!(y[4] > 19.0 && contact.normal > 1000.0 && slip > 1e-4 && slip < 0.03, "{y:?}");
        });
    }
}
