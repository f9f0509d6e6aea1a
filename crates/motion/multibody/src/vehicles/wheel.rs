//! Wheels with tires.

use crate::forces::{Brake, Characteristic, Tire};
use crate::machine::{Body, Joint, Machine};
use crate::vehicles::maneuver::Maneuver;

/// A wheel with all parts that turn with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WheelAssembly {
    /// The mass, in kg.
    pub(crate) mass: f64,
    /// The inertia about the axle and across it, in kg m².
    pub(crate) inertia: [f64; 2],
    /// The unloaded radius, in m.
    pub(crate) radius: f64,
    /// The stiffness of the tire, in N/m.
    pub(crate) stiffness: f64,
    /// The moment of the brake, in N m.
    pub(crate) brake: f64,
}

/// Damping of a tire relative to its load (ours): a tenth of critical for a quarter of a car.
const TIRE_DAMPING: f64 = 0.05;
/// Slip force at small slip relative to the load (ours), typical of tires at their rated load (Pacejka 2012, ch. 1).
const SLIP: f64 = 12.0;
const CORNERING: f64 = 9.0;
/// Friction coefficient. Chrono: `Coefficient of Friction` of its tires.
const FRICTION: f64 = 0.8;
/// Speed in m/s below which slip is smoothed (ours).
const CRAWL: f64 = 1.0;

impl WheelAssembly {
    /// Adds a wheel to a carrier: a body, its joint, its tire and its brake.
    pub(crate) fn mount(
        &self,
        machine: &mut Machine,
        carrier: &str,
        name: &str,
        center: [f64; 3],
        maneuver: &Maneuver,
    ) {
        let [about, across] = self.inertia;
        let joint = format!("{name} spin");
        machine.bodies.push(Body::new(name, self.mass, center, [across, about, across]));
        machine.joints.push(Joint::revolute(&joint, [carrier, name], center, [0.0, 1.0, 0.0]));
        let road = maneuver.roads[usize::from(center[1] < 0.0)].clone();
        machine.forces.tires.push(Tire {
            name: name.to_owned(),
            body: name.to_owned(),
            center,
            radius: self.radius,
            stiffness: Characteristic::linear(self.stiffness),
            damping: TIRE_DAMPING,
            slip: SLIP,
            cornering: CORNERING,
            friction: FRICTION,
            crawl: CRAWL,
            road,
            level: 0.0,
        });
        let points: Vec<[f64; 2]> = maneuver.brake.points().iter().map(|[t, pedal]| [*t, pedal * self.brake]).collect();
        machine.forces.brakes.push(Brake {
            name: name.to_owned(),
            joint,
            moment: Characteristic::table(&points),
            crawl: 1.0,
        });
    }
}

/// Puts the road below the wheels, such that the tires of the first axle have the given deflection in the design
/// position.
pub(crate) fn put_on_road(machine: &mut Machine, deflection: f64) {
    let level = machine.forces.tires.first().map_or(0.0, |tire| tire.center[2] - tire.radius + deflection);
    machine.forces.tires.iter_mut().for_each(|tire| tire.level = level);
}

/// Lets all wheels roll at the initial speed of the chassis.
pub(crate) fn rolling(mut machine: Machine, base: &str, speed: f64) -> Machine {
    let wheels: Vec<(String, f64)> =
        machine.forces.tires.iter().map(|tire| (format!("{} spin", tire.name), speed / tire.radius)).collect();
    for (joint, spin) in wheels {
        machine = machine.starting(&joint, &[], &[spin]);
    }
    machine.starting(base, &[], &[speed, 0.0, 0.0, 0.0, 0.0, 0.0])
}
