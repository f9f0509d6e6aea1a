//! The HMMWV with 31 coordinates, 16 loop equations and 15 degrees of freedom.

use crate::forces::{Characteristic, Drag, Drivetrain, Term, Torsion};
use crate::machine::{Body, Joint, Machine};
use crate::vehicles::maneuver::Maneuver;
use crate::vehicles::wheel::{WheelAssembly, put_on_road, rolling};
use crate::vehicles::wishbone::{Part, Wishbone};

/// Spindle, wheel and tire (Chrono: 14.705, 18.8 and 37.6 kg), with the axle's shaft (.4 kg m²) about the axis. Ours:
/// the stiffness of 411 kN/m, after the rigid-ring tire scaled to the HMMWV, and the brake.
const RIM: WheelAssembly = WheelAssembly {
    mass: 14.705 + 18.8 + HMMWV_TIRE.0,
    inertia: [0.07352 + 0.6243 + HMMWV_TIRE.1[0] + 0.4, 0.04117 + 0.4634 + HMMWV_TIRE.1[1]],
    radius: 0.4699,
    stiffness: 411e3,
    brake: 4000.0,
};

/// Front axle. Chrono: `suspension/HMMWV_DoubleWishboneFront.json` at 1.688965 m.
const FRONT: Wishbone = Wishbone {
    axle: [1.688_965, 0.0, 0.0],
    wheel_center: [-0.040, 0.910, -0.026],
    upright: Part { mass: 19.450, center: [-0.040, 0.751, -0.026], inertia: [0.1656, 0.1934, 0.04367] },
    upper: Part { mass: 5.813, center: [-0.106, 0.589, 0.218], inertia: [0.03, 0.03, 0.06276] },
    upper_points: [[-0.048, 0.446, 0.245], [-0.268, 0.478, 0.196], [-0.053, 0.716, 0.215]],
    lower: Part { mass: 23.965, center: [0.0, 0.547, -0.059], inertia: [0.4, 0.4, 0.8938] },
    lower_points: [[0.223, 0.307, 0.0], [-0.223, 0.307, 0.0], [-0.036, 0.787, -0.118]],
    tie_rod: [[-0.250, 0.448, 0.054], [-0.176, 0.821, -0.016]],
    spring: [[0.104, 0.510, 0.197], [0.097, 0.543, -0.047]],
    free_length: 0.339,
    stiffness: &[
        [0.02, 3629.923],
        [0.04, 8991.945],
        [0.06, 17818.165],
        [0.08, 31840.681],
        [0.1, 52791.592],
        [0.12, 82402.997],
        [0.14, 122_406.996],
        [0.16, 174_535.686],
        [0.18, 240_521.166],
        [0.2, 322_095.536],
    ],
    shock: [[0.104, 0.498, 0.323], [0.097, 0.543, -0.047]],
    damping: 19015.5692,
    rim: RIM,
};

/// Rear axle. Chrono: `suspension/HMMWV_DoubleWishboneRear.json` at −1.688965 m.
const REAR: Wishbone = Wishbone {
    axle: [-1.688_965, 0.0, 0.0],
    wheel_center: [0.036, 0.910, -0.026],
    upright: Part { mass: 19.450, center: [0.036, 0.751, -0.026], inertia: [0.1656, 0.1934, 0.04367] },
    upper: Part { mass: 5.813, center: [0.124, 0.589, 0.221], inertia: [0.03, 0.03, 0.06276] },
    upper_points: [[0.349, 0.462, 0.228], [0.077, 0.462, 0.224], [0.036, 0.716, 0.216]],
    lower: Part { mass: 23.965, center: [0.0, 0.547, -0.059], inertia: [0.4, 0.4, 0.8938] },
    lower_points: [[0.223, 0.307, 0.0], [-0.223, 0.307, 0.0], [0.036, 0.787, -0.118]],
    tie_rod: [[0.223, 0.416, 0.059], [0.170, 0.821, -0.009]],
    spring: [[-0.104, 0.502, 0.256], [-0.097, 0.543, -0.047]],
    free_length: 0.382,
    stiffness: &[
        [0.02, 8020.869],
        [0.04, 19869.076],
        [0.06, 39371.956],
        [0.08, 70356.846],
        [0.1, 116_651.084],
        [0.12, 182_082.006],
        [0.14, 270_476.949],
        [0.16, 385_663.250],
        [0.18, 531_468.245],
        [0.2, 711_719.272],
    ],
    shock: [[-0.104, 0.498, 0.323], [-0.097, 0.544, -0.038]],
    damping: 36725.2201,
    rim: RIM,
};

/// Builds the HMMWV: chassis, rack and four double wishbones with tie rods; 18 bodies.
///
/// The chassis floats. Each wheel has a lower arm, an upper arm, an upright on a ball joint of the lower arm, and the
/// wheel itself. The ball joints between upper arms and uprights are cut; tie rods are massless. A spring and a damper
/// (ours: 1 MN/m, 20 kN s/m) hold the rack at the driver's setting, within 8 cm. The rear wheels are driven. Data:
/// Project Chrono.
#[must_use]
pub fn hmmwv(maneuver: &Maneuver) -> Machine {
    let mut machine = chassis(maneuver, [FRONT, REAR]);
    machine.forces.drivetrains.push(Drivetrain {
        name: "engine".to_owned(),
        // Ours: 300 N m, falling to zero at 400 rad/s.
        torque: Characteristic::table(&[[0.0, 300.0], [200.0, 300.0], [400.0, 0.0]]),
        throttle: maneuver.throttle.clone(),
        ratio: 10.0,
        shares: ["rear left wheel spin", "rear right wheel spin"].map(half).to_vec(),
    });
    put_on_road(&mut machine, 0.016);
    rolling(machine, "chassis", maneuver.speed)
}

/// Mass of the HMMWV's tire in kg, and its inertia about the axle and across it in kg m² (Chrono).
pub const HMMWV_TIRE: (f64, [f64; 2]) = (37.6, [6.69, 3.84]);
/// Unloaded radius of the HMMWV's tire, in m.
pub const HMMWV_TIRE_RADIUS: f64 = RIM.radius;
/// Bodies that carry the HMMWV's tires.
pub const HMMWV_WHEELS: [&str; 4] = ["front left wheel", "front right wheel", "rear left wheel", "rear right wheel"];

/// Builds the HMMWV of ten bodies with mass, without tires and engine: chassis, rack, four uprights and four wheels, on
/// massless arms.
///
/// The belt of each tire belongs to another model: `mass` and `inertia`, about the axle and across it, are subtracted
/// from the wheel's. The initial position is that of [`hmmwv`], at rest. Serban's model, as given by Shome, Haug & Jay
/// (2004), has ten bodies; here this is achieved by dropping the masses of the arms.
///
/// ```
/// use hemiola_multibody::{Maneuver, vehicles};
/// let machine = vehicles::hmmwv_without_belts(&Maneuver::coasting(0.0), 28.2, [5.486, 3.341]).build()?;
/// assert_eq!((machine.degrees_of_freedom(), machine.axles(&vehicles::HMMWV_WHEELS)?.count()), (15, 4));
/// # Ok::<(), hemiola_multibody::MachineError>(())
/// ```
#[must_use]
pub fn hmmwv_without_belts(maneuver: &Maneuver, mass: f64, inertia: [f64; 2]) -> Machine {
    let massless = |part: Part| Part { mass: 0.0, inertia: [0.0; 3], ..part };
    let [about, across] = RIM.inertia;
    let rim = WheelAssembly { mass: RIM.mass - mass, inertia: [about - inertia[0], across - inertia[1]], ..RIM };
    let light = |side: Wishbone| Wishbone { upper: massless(side.upper), lower: massless(side.lower), rim, ..side };
    let mut machine = chassis(maneuver, [light(FRONT), light(REAR)]);
    machine.forces.tires.clear();
    machine
}

/// Builds the chassis with its rack, axles and drag.
fn chassis(maneuver: &Maneuver, [front, rear]: [Wishbone; 2]) -> Machine {
    let mut machine = Machine::new("hmmwv");
    machine.duration = maneuver.duration;
    // Chrono: chassis/HMMWV_Chassis.json; steering/HMMWV_RackPinion.json, with the front tie rods' positions.
    let center = [0.056, 0.0, 0.213];
    let rack = [1.688_965 - 0.250, 0.0, 0.054];
    machine = machine
        .body(Body::new("chassis", 2086.52, center, [1078.52, 2955.66, 3570.20]))
        .body(Body::new("rack", 9.072, rack, [1.0, 1.0, 1.0]))
        .joint(Joint::floating("chassis", ["ground", "chassis"], center))
        .joint(Joint::prismatic("rack", ["chassis", "rack"], rack, [0.0, 1.0, 0.0]));
    front.mount(&mut machine, "front", "chassis", "rack", maneuver);
    rear.mount(&mut machine, "rear", "chassis", "chassis", maneuver);
    machine.forces.torsions.push(steering("rack", -0.08, [1e6, 2e4], maneuver));
    machine.forces.drags.push(Drag {
        name: "air".to_owned(),
        body: "chassis".to_owned(),
        at: center,
        area: 1.8, // ours
        density: 1.225,
    });
    machine
}

/// Returns half of the torque for a wheel.
pub(crate) fn half(joint: &str) -> Term {
    Term { joint: joint.to_owned(), coordinate: 0, factor: 0.5 }
}

/// Creates the actuator that holds a joint at the driver's setting: `travel` at full steering to the left.
pub(crate) fn steering(joint: &str, travel: f64, [stiffness, damping]: [f64; 2], maneuver: &Maneuver) -> Torsion {
    let points: Vec<[f64; 2]> = maneuver.steering.points().iter().map(|[t, wheel]| [*t, wheel * travel]).collect();
    Torsion {
        name: "steering".to_owned(),
        terms: vec![Term { joint: joint.to_owned(), coordinate: 0, factor: 1.0 }],
        rest: Characteristic::table(&points),
        stiffness: Characteristic::linear(stiffness),
        damping: Characteristic::linear(damping),
    }
}
