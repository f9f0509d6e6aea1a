//! A tractor with its semitrailer and 40 degrees of freedom.

use crate::forces::{Bushing, Characteristic, Drag, Drivetrain, Spring, Term};
use crate::machine::{Body, Joint, Loop, Machine};
use crate::vehicles::hmmwv::{half, steering};
use crate::vehicles::maneuver::Maneuver;
use crate::vehicles::wheel::{WheelAssembly, put_on_road, rolling};

/// Wheel and tire of the tractor (Chrono: 30 and 90 kg) with spindle and shaft. Ours: stiffness and brake.
const TRACTOR_RIM: WheelAssembly = WheelAssembly {
    mass: 14.705 + 30.0 + 90.0,
    inertia: [0.07352 + 0.63 + 20.9672 + 0.4, 0.04117 + 0.6 + 11.5173],
    radius: 0.5588,
    stiffness: 1e6,
    brake: 8000.0,
};
/// Twin wheels of a driven axle, combined.
const TWIN_RIM: WheelAssembly = WheelAssembly {
    mass: 14.705 + 2.0 * 120.0,
    inertia: [0.07352 + 2.0 * 21.5972 + 0.4, 0.04117 + 2.0 * 12.1173],
    stiffness: 2e6,
    ..TRACTOR_RIM
};
/// Wheel and tire of the trailer (Chrono: 30 and 69.3 kg).
const TRAILER_RIM: WheelAssembly = WheelAssembly {
    mass: 14.705 + 30.0 + 69.3,
    inertia: [0.07352 + 0.63 + 16.326 + 0.4, 0.04117 + 0.6 + 9.41035],
    radius: 0.536,
    stiffness: 1e6,
    brake: 8000.0,
};

/// A rigid axle: its tube, springs and dampers, from Chrono's files of the Kraz.
struct RigidAxle {
    x: f64,
    mass: f64,
    /// The inertia of the tube about x (= z) and y.
    inertia: [f64; 2],
    /// The distance of the springs from the middle, in m.
    spring: f64,
    /// The distance of the wheels from the middle, in m.
    track: f64,
    stiffness: f64,
    damping: f64,
    rim: WheelAssembly,
    /// The distance from the axle forward to the rods' ends on the frame (ours).
    reach: f64,
}

/// Guidance of a rigid axle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AxleGuidance {
    /// The axle slides vertically and rolls, without loops.
    Slide,
    /// Four rods leave heave and roll of the axle's six degrees of freedom.
    Rods,
}

const FRONT: RigidAxle = RigidAxle {
    x: 0.0,
    mass: 581.0,
    inertia: [160.314, 1.0458],
    spring: 0.529,
    track: 1.0 - 0.081,
    stiffness: 592_176.264_1,
    damping: 94_247.779_61,
    rim: TRACTOR_RIM,
    reach: -0.8,
};
const DRIVE: RigidAxle = RigidAxle {
    x: -4.08,
    mass: 717.0,
    inertia: [240.842, 1.2906],
    spring: 0.429,
    track: 0.832,
    stiffness: 1_026_438.858,
    damping: 163_362.818,
    rim: TWIN_RIM,
    reach: 0.8,
};
const TRAILER: RigidAxle = RigidAxle {
    x: -4.6 - 6.32,
    mass: 500.0,
    inertia: [178.476, 1.6],
    spring: 0.729,
    track: 1.0325,
    stiffness: 710_611.516_9,
    damping: 113_097.335_5,
    rim: TRAILER_RIM,
    reach: 0.8,
};

/// Compression of the springs in the design position, in m, from Chrono's rest lengths.
const PRELOAD: f64 = 0.062_122_551;

/// Builds the tractor with its trailer, a tree with 40 degrees of freedom.
///
/// The tractor has 6 degrees of freedom. The front axle has 5 (heave, roll, steering and two spins); two driven axles
/// and three trailer axles have 4 each (heave, roll and two spins); the fifth wheel, the cab and the powertrain on its
/// mount have 3 each.
///
/// Masses, inertias, positions and springs: Project Chrono's Kraz. Ours: simplified leaf springs and knuckles (axles
/// slide vertically and roll, and the front wheels steer together), no stops, linear dampers, and the drag. The cab
/// (1000 kg) and the powertrain (1500 kg) are parts of Chrono's chassis of 10 t, here on mounts.
#[must_use]
pub fn truck(maneuver: &Maneuver) -> Machine {
    on_axles(maneuver, Machine::new("truck"), AxleGuidance::Slide)
}

/// Builds the [`truck`] with loops, also with 40 degrees of freedom.
///
/// Each axle floats on its springs, guided by two lower rods, an upper and a lateral one. The front wheels steer on two
/// king pins connected by a tie rod. There are 65 coordinates and 25 equations. Data are those of the truck. Ours: the
/// positions of rods, king pins and arms.
///
/// ```
/// use hemiola_multibody::{Maneuver, vehicles};
/// let truck = vehicles::truck_on_rods(&Maneuver::coasting(15.0)).build()?;
/// assert_eq!((truck.velocities(), truck.constraints(), truck.degrees_of_freedom()), (65, 25, 40));
/// # Ok::<(), hemiola_multibody::MachineError>(())
/// ```
#[must_use]
pub fn truck_on_rods(maneuver: &Maneuver) -> Machine {
    on_axles(maneuver, Machine::new("truck on rods"), AxleGuidance::Rods)
}

fn on_axles(maneuver: &Maneuver, mut machine: Machine, location: AxleGuidance) -> Machine {
    machine.duration = maneuver.duration;
    let (center, trailer_center, fifth) = ([-2.0, 0.0, 0.8], [-10.6, 0.0, 2.0], [-4.64, 0.0, 0.82]);
    let (cab, powertrain) = ([-0.4, 0.0, 1.8], [-0.9, 0.0, 0.7]);
    machine = machine
        .body(Body::new("tractor", 7500.0, center, [2400.0, 22_000.0, 23_000.0]))
        .body(Body::new("cab", 1000.0, cab, [600.0, 700.0, 600.0]))
        .body(Body::new("powertrain", 1500.0, powertrain, [120.0, 500.0, 480.0]))
        .body(Body::new("trailer", 20_000.0, trailer_center, [23_904.0, 322_240.0, 320_011.0]))
        .joint(Joint::floating("tractor", ["ground", "tractor"], center))
        .joint(Joint::ball("cab", ["tractor", "cab"], [cab[0], cab[1], 1.0]))
        .joint(Joint::ball("powertrain", ["tractor", "powertrain"], powertrain))
        .joint(Joint::ball("fifth wheel", ["tractor", "trailer"], fifth));
    FRONT.mount(&mut machine, "front", "tractor", location, maneuver);
    DRIVE.mount(&mut machine, "drive 1", "tractor", location, maneuver);
    RigidAxle { x: -5.48, ..DRIVE }.mount(&mut machine, "drive 2", "tractor", location, maneuver);
    for (name, x) in [("trailer 1", -6.32), ("trailer 2", -7.63), ("trailer 3", -8.94)] {
        RigidAxle { x: -4.6 + x, ..TRAILER }.mount(&mut machine, name, "trailer", location, maneuver);
    }
    let mount = |name: &str, at: [f64; 3], stiffness: f64, damping: f64| Bushing {
        name: name.to_owned(),
        between: ["tractor".to_owned(), name.to_owned()],
        at,
        stiffness: [0.0, 0.0, 0.0, stiffness, stiffness, stiffness],
        damping: [0.0, 0.0, 0.0, damping, damping, damping],
    };
    machine.forces.bushings.push(mount("cab", [cab[0], cab[1], 1.0], 1.2e5, 6e3));
    machine.forces.bushings.push(mount("powertrain", powertrain, 3e5, 3e3));
    machine.forces.torsions.push(steering(STEERING, 0.4, [2e5, 4e3], maneuver));
    machine.forces.drags.push(Drag {
        name: "air".to_owned(),
        body: "tractor".to_owned(),
        at: [0.0, 0.0, 2.0],
        area: 6.0,
        density: 1.225,
    });
    let wheels = ["drive 1 left", "drive 1 right", "drive 2 left", "drive 2 right"];
    let quarter = |wheel: &str| Term { factor: 0.25, ..half(&format!("{wheel} wheel spin")) };
    machine.forces.drivetrains.push(Drivetrain {
        name: "engine".to_owned(),
        // Ours: 1200 N m, falling to zero at 250 rad/s.
        torque: Characteristic::table(&[[0.0, 1200.0], [150.0, 1200.0], [250.0, 0.0]]),
        throttle: maneuver.throttle.clone(),
        ratio: 12.0,
        shares: wheels.map(quarter).to_vec(),
    });
    put_on_road(&mut machine, 0.025);
    rolling(machine, "tractor", maneuver.speed)
}

impl RigidAxle {
    /// Adds an axle tube with springs and dampers to its frame, and two wheels. The front wheels are carried by the
    /// steered knuckles.
    fn mount(&self, machine: &mut Machine, name: &str, frame: &str, location: AxleGuidance, maneuver: &Maneuver) {
        let tube = match location {
            AxleGuidance::Slide => self.slide(machine, name, frame),
            AxleGuidance::Rods => self.rods(machine, name, frame),
        };
        let carriers = match location {
            _ if name != "front" => [tube.clone(), tube.clone()],
            AxleGuidance::Slide => self.knuckles(machine, &tube),
            AxleGuidance::Rods => self.king_pins(machine, &tube),
        };
        for ((side, y), carrier) in SIDES.into_iter().zip(&carriers) {
            let foot = [self.x, y * self.spring, 0.06];
            machine.forces.springs.push(Spring {
                name: format!("{name} {side} spring"),
                between: [frame.to_owned(), tube.clone()],
                points: [[foot[0], foot[1], 0.26], foot],
                free_length: Some(0.2 + PRELOAD),
                stiffness: Characteristic::linear(self.stiffness),
                damping: Characteristic::linear(self.damping),
            });
            // Smaller wheels have lower centers.
            let center = [self.x, y * self.track, self.rim.radius - TRACTOR_RIM.radius];
            self.rim.mount(machine, carrier, &format!("{name} {side} wheel"), center, maneuver);
        }
    }

    fn tube(&self, name: &str) -> Body {
        let [across, about] = self.inertia;
        Body::new(&format!("{name} axle"), self.mass, [self.x, 0.0, 0.0], [across, about, across])
    }

    /// Adds the tube on a slide and a hinge.
    fn slide(&self, machine: &mut Machine, name: &str, frame: &str) -> String {
        let (slide, tube, middle) = (format!("{name} slide"), self.tube(name), [self.x, 0.0, 0.0]);
        let carried = tube.name.clone();
        machine.bodies.extend([Body::new(&slide, 0.0, middle, [0.0; 3]), tube]);
        machine.joints.push(Joint::prismatic(&format!("{name} heave"), [frame, &slide], middle, [0.0, 0.0, 1.0]));
        machine.joints.push(Joint::revolute(&format!("{name} roll"), [&slide, &carried], middle, [1.0, 0.0, 0.0]));
        carried
    }

    /// Adds the tube on four rods: two lower ones and an upper one along the frame, which also constrain its yaw and
    /// pitch, and one across.
    fn rods(&self, machine: &mut Machine, name: &str, frame: &str) -> String {
        let tube = self.tube(name);
        let carried = tube.name.clone();
        machine.bodies.push(tube);
        machine.joints.push(Joint::floating(&format!("{name} place"), [frame, &carried], [self.x, 0.0, 0.0]));
        let along = |y: f64, z: f64| [[self.x + self.reach, y, z], [self.x, y, z]];
        let rods = [
            ("lower left", along(0.45, -0.1)),
            ("lower right", along(-0.45, -0.1)),
            ("upper", along(0.0, 0.25)),
            ("lateral", [[self.x - 0.1, -0.4, 0.1], [self.x - 0.1, 0.4, 0.1]]),
        ];
        machine.loops.extend(rods.map(|(rod, ends)| Loop::rod(&format!("{name} {rod} rod"), [frame, &carried], ends)));
        carried
    }

    /// Adds both knuckles as one body (Chrono: 68 kg each) that turns about the middle of the axle.
    fn knuckles(&self, machine: &mut Machine, tube: &str) -> [String; 2] {
        let (carrier, middle) = ("front knuckles", [self.x, 0.0, 0.0]);
        machine.bodies.push(Body::new(carrier, 136.0, middle, [0.2; 3]));
        machine.joints.push(Joint::revolute(STEERING, [tube, carrier], middle, [0.0, 0.0, 1.0]));
        [carrier.to_owned(), carrier.to_owned()]
    }

    /// Adds two knuckles on king pins. A tie rod behind the axle connects their arms, which are inclined for Ackermann
    /// steering; the left one is steered.
    fn king_pins(&self, machine: &mut Machine, tube: &str) -> [String; 2] {
        let carriers = SIDES.map(|(side, _)| format!("front {side} knuckle"));
        for ((side, y), carrier) in SIDES.into_iter().zip(&carriers) {
            let pin = [self.x, y * (self.track - 0.15), 0.0];
            let joint = if side == "left" { STEERING } else { "front right king pin" };
            machine.bodies.push(Body::new(carrier, 68.0, pin, [0.1; 3]));
            machine.joints.push(Joint::revolute(joint, [tube, carrier], pin, [0.0, 0.0, 1.0]));
        }
        let arms = SIDES.map(|(_, y)| [self.x - 0.25, y * (self.track - 0.2), 0.0]);
        machine.loops.push(Loop::rod("front tie rod", [&carriers[0], &carriers[1]], arms));
        carriers
    }
}

/// Name of the joint whose angle is set by the steering wheel.
const STEERING: &str = "front steering";
const SIDES: [(&str, f64); 2] = [("left", 1.0), ("right", -1.0)];
