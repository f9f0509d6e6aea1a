//! Force elements as their users describe them: points and axes in the design position, SI units.

use crate::forces::curve::Curve;

/// All force elements of a machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forces {
    /// Springs and dampers between points.
    pub springs: Vec<Spring>,
    /// Springs and dampers on joint coordinates, with a rest position that may move: anti-roll bars, shafts, actuators.
    pub torsions: Vec<Torsion>,
    /// Elastic mounts.
    pub bushings: Vec<Bushing>,
    /// Forces that are given over time.
    pub loads: Vec<Load>,
    /// Aerodynamic drag.
    pub drags: Vec<Drag>,
    /// Wheels on a road.
    pub tires: Vec<Tire>,
    /// Engines.
    pub drivetrains: Vec<Drivetrain>,
    /// Brakes.
    pub brakes: Vec<Brake>,
}

/// A spring with a damper between two points: a force along their line.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// Its name.
    pub name: String,
    /// The bodies.
    pub between: [String; 2],
    /// A point of each.
    pub points: [[f64; 3]; 2],
    /// Its length without force, in m; none for that of the design position.
    pub free_length: Option<f64>,
    /// The pull in N over the extension in m.
    pub stiffness: Curve,
    /// The pull in N over the rate of extension in m/s.
    pub damping: Curve,
}

/// A spring with a damper on s = Σ factor · coordinate − rest(t).
#[derive(Clone, Debug, PartialEq)]
pub struct Torsion {
    /// Its name.
    pub name: String,
    /// The coordinates: of revolute, prismatic and universal joints.
    pub terms: Vec<Term>,
    /// The rest position over time.
    pub rest: Curve,
    /// The restoring force or moment over s.
    pub stiffness: Curve,
    /// The restoring force or moment over ṡ.
    pub damping: Curve,
}

/// A coordinate with a factor.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The joint.
    pub joint: String,
    /// Which of its coordinates, from 0.
    pub coordinate: usize,
    /// The factor.
    pub factor: f64,
}

/// An elastic mount: forces along and moments about the axes of the first body, linear in the displacement and the turning of the second.
#[derive(Clone, Debug, PartialEq)]
pub struct Bushing {
    /// Its name.
    pub name: String,
    /// The bodies.
    pub between: [String; 2],
    /// Where it is.
    pub at: [f64; 3],
    /// Along x, y, z in N/m, then about x, y, z in N m/rad.
    pub stiffness: [f64; 6],
    /// In N s/m, then in N m s/rad.
    pub damping: [f64; 6],
}

/// A force with a fixed direction in the axes of the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// Its name.
    pub name: String,
    /// The body.
    pub body: String,
    /// Its point.
    pub at: [f64; 3],
    /// The direction; its length multiplies the force.
    pub direction: [f64; 3],
    /// The force in N over time in s.
    pub force: Curve,
}

/// ½ ρ c_d A v² against the velocity of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Drag {
    /// Its name.
    pub name: String,
    /// The body.
    pub body: String,
    /// The center of pressure.
    pub at: [f64; 3],
    /// c_d A, in m².
    pub area: f64,
    /// The air's density, in kg/m³.
    pub density: f64,
}

/// A wheel on a road: a spring along the road's normal, and slip forces in proportion to the load that saturate together with friction.
#[derive(Clone, Debug, PartialEq)]
pub struct Tire {
    /// Its name.
    pub name: String,
    /// The wheel: it turns in a revolute joint, whose axis points to the left of its path.
    pub body: String,
    /// The center of the wheel.
    pub center: [f64; 3],
    /// Its radius without load, in m.
    pub radius: f64,
    /// The normal force in N over the deflection in m; what is below zero counts as zero.
    pub stiffness: Curve,
    /// By which part the normal force rises with each m/s of deflection, in s/m.
    pub damping: f64,
    /// The longitudinal force at small slip, as a multiple of the load.
    pub slip: f64,
    /// The lateral force at small angles, as a multiple of the load per radian.
    pub cornering: f64,
    /// Friction.
    pub friction: f64,
    /// The speed below which slip is blurred, in m/s: at rest it is not defined.
    pub crawl: f64,
    /// The road.
    pub road: Road,
    /// The height from which its heights count, in m.
    pub level: f64,
}

/// Heights of a road, along x.
#[derive(Clone, Debug, PartialEq)]
pub enum Road {
    /// None.
    Flat,
    /// A bump: half a sine from x = `start`.
    HalfSine {
        /// Where it begins, in m.
        start: f64,
        /// Its length, in m.
        length: f64,
        /// Its height, in m.
        height: f64,
    },
    /// A profile, in m over m.
    Profile(Curve),
}

/// An engine that drives joints through a transmission and differentials which share its torque.
#[derive(Clone, Debug, PartialEq)]
pub struct Drivetrain {
    /// Its name.
    pub name: String,
    /// The engine's torque at full throttle, in N m over rad/s.
    pub torque: Curve,
    /// The throttle over time, from 0 to 1.
    pub throttle: Curve,
    /// Turns of the engine for a turn of the wheels.
    pub ratio: f64,
    /// Which joint gets which share; the engine's speed is the mean of theirs by the same shares.
    pub shares: Vec<Term>,
}

/// A brake: a moment against the motion of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Brake {
    /// Its name.
    pub name: String,
    /// The revolute joint.
    pub joint: String,
    /// The moment in N m over time.
    pub moment: Curve,
    /// The speed at which it reaches three quarters of that, in rad/s.
    pub crawl: f64,
}
