//! A sedan with 16 degrees of freedom.

use crate::forces::{Characteristic, Drag, Drivetrain, Term, Torsion};
use crate::machine::{Body, Joint, Machine};
use crate::vehicles::hmmwv::{half, steering};
use crate::vehicles::maneuver::Maneuver;
use crate::vehicles::wheel::{WheelAssembly, put_on_road, rolling};
use crate::vehicles::wishbone::{Part, Wishbone};

/// Spindle, wheel and tire (Chrono: 1.103, 13.2 and 11.5 kg), with the axle's shaft (.4 kg m²) about the axis. Ours:
/// stiffness and brake.
const RIM: WheelAssembly = WheelAssembly {
    mass: 1.103 + 13.2 + 11.5,
    inertia: [0.000_496 + 0.42 + 0.679 + 0.4, 0.000_478 + 0.24 + 0.156],
    radius: 0.3266,
    stiffness: 220e3,
    brake: 1500.0,
};

/// Suspension of both axles. Chrono: `suspension/Sedan_DoubleWishbone.json`, with its spring of 500 kN/m and damper of
/// 10 kN s/m. Ours: the free length, such that the spring carries the car in the design position.
const AXLE: Wishbone = Wishbone {
    axle: [1.388, 0.0, 0.25],
    wheel_center: [0.0, 0.7979, -0.1199],
    upright: Part { mass: 1.397, center: [-0.0224, 0.7470, -0.1118], inertia: [0.0138, 0.0146, 0.00283] },
    upper: Part { mass: 1.032, center: [-0.1083, 0.5972, 0.1063], inertia: [0.00591, 0.00190, 0.00769] },
    upper_points: [[-0.1, 0.47, 0.105], [-0.25, 0.51, 0.11], [-0.04, 0.695, 0.105]],
    lower: Part { mass: 1.611, center: [0.0048, 0.6112, -0.2932], inertia: [0.0151, 0.0207, 0.0355] },
    lower_points: [[0.2, 0.42, -0.27], [-0.2, 0.47, -0.265], [0.0, 0.77, -0.32]],
    tie_rod: [[-0.2, 0.42, -0.12], [-0.15, 0.77, -0.12]],
    spring: [[-0.04, 0.52, 0.23], [0.0, 0.62, -0.27]],
    free_length: 0.528,
    stiffness: &[[0.1, 50_000.0], [0.2, 100_000.0]],
    shock: [[-0.04, 0.52, 0.23], [0.0, 0.62, -0.27]],
    damping: 10_000.0,
    rim: RIM,
};

/// Builds the sedan: chassis, rack, four double wishbones, and a torsional shaft that connects the engine with the rear
/// wheels; 19 bodies, 32 coordinates and 16 equations.
///
/// Data: Project Chrono. Chrono gives both axles the same suspension, the rear one 12.5 cm lower; here both are at the
/// height of the front.
#[must_use]
pub fn sedan(maneuver: &Maneuver) -> Machine {
    let mut machine = Machine::new("sedan");
    machine.duration = maneuver.duration;
    // Chrono: chassis/Sedan_Chassis.json; the rack's mass is ours.
    let (center, rack) = ([0.0, 0.0, 0.7], [1.388 - 0.2, 0.0, 0.13]);
    machine = machine
        .body(Body::new("chassis", 1550.0, center, [222.8, 944.1, 1053.5]))
        .body(Body::new("rack", 5.0, rack, [0.1, 0.1, 0.1]))
        .body(Body::new("engine shaft", 10.0, [1.0, 0.0, 0.4], [0.1, RATIO * RATIO * 0.075, 0.1]))
        .joint(Joint::floating("chassis", ["ground", "chassis"], center))
        .joint(Joint::prismatic("rack", ["chassis", "rack"], rack, [0.0, 1.0, 0.0]))
        .joint(Joint::revolute("engine shaft", ["chassis", "engine shaft"], [1.0, 0.0, 0.4], [0.0, 1.0, 0.0]));
    AXLE.mount(&mut machine, "front", "chassis", "rack", maneuver);
    Wishbone { axle: [-1.388, 0.0, 0.25], ..AXLE }.mount(&mut machine, "rear", "chassis", "chassis", maneuver);
    machine.forces.torsions.push(steering("rack", -0.06, [1e6, 1e4], maneuver));
    let minus = |joint: &str| Term { factor: -0.5, ..half(joint) };
    machine.forces.torsions.push(Torsion {
        name: "driveline".to_owned(),
        terms: vec![
            Term { joint: "engine shaft".to_owned(), coordinate: 0, factor: 1.0 },
            minus("rear left wheel spin"),
            minus("rear right wheel spin"),
        ],
        rest: Characteristic::constant(0.0),
        // Ours: half shafts of 15 kN m/rad, lightly damped.
        stiffness: Characteristic::linear(15e3),
        damping: Characteristic::linear(60.0),
    });
    machine.forces.drags.push(Drag {
        name: "air".to_owned(),
        body: "chassis".to_owned(),
        at: center,
        area: 0.65, // ours
        density: 1.225,
    });
    machine.forces.drivetrains.push(Drivetrain {
        name: "engine".to_owned(),
        torque: Characteristic::table(&TORQUE),
        throttle: maneuver.throttle.clone(),
        ratio: RATIO,
        shares: vec![Term { joint: "engine shaft".to_owned(), coordinate: 0, factor: 1.0 }],
    });
    put_on_road(&mut machine, 0.018);
    let spin = maneuver.speed / RIM.radius;
    rolling(machine, "chassis", maneuver.speed).starting("engine shaft", &[], &[spin])
}

/// Revolutions of the engine per revolution of the wheels (ours). The shaft turns with the wheels and has the engine's
/// inertia (Chrono: .075 kg m²).
const RATIO: f64 = 8.0;

/// Torque of the engine in N m over rad/s. Chrono: `powertrain/Sedan_EngineShafts.json`, at every few hundred
/// revolutions per minute.
const TORQUE: [[f64; 2]; 9] = [
    [0.0, 104.64],
    [104.72, 236.8],
    [167.55, 370.0],
    [471.24, 370.0],
    [523.60, 353.3],
    [575.96, 321.2],
    [628.32, 294.4],
    [680.68, 244.6],
    [837.76, 0.0],
];
