//! Force elements as users describe them: points and axes in the design position, SI units.

use crate::forces::curve::Characteristic;

/// All force elements of a machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forces {
    /// Springs and dampers between points.
    pub springs: Vec<Spring>,
    /// Springs and dampers on joint coordinates, with a rest position that may move, such as anti-roll bars, shafts and
    /// actuators.
    pub torsions: Vec<Torsion>,
    /// Elastic mounts.
    pub bushings: Vec<Bushing>,
    /// Prescribed forces over time.
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

/// A spring with a damper between two points, whose force acts along their line.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// Its name.
    pub name: String,
    /// The bodies.
    pub between: [String; 2],
    /// The end point on each body.
    pub points: [[f64; 3]; 2],
    /// The length without force, in m; `None` for the length in the design position.
    pub free_length: Option<f64>,
    /// The tension in N over the extension in m.
    pub stiffness: Characteristic,
    /// The tension in N over the rate of extension in m/s.
    pub damping: Characteristic,
}

/// A spring with a damper on s = Σ factor · coordinate − rest(t).
#[derive(Clone, Debug, PartialEq)]
pub struct Torsion {
    /// Its name.
    pub name: String,
    /// The coordinates, of revolute, prismatic and universal joints.
    pub terms: Vec<Term>,
    /// The rest position over time.
    pub rest: Characteristic,
    /// The restoring force or moment over s.
    pub stiffness: Characteristic,
    /// The restoring force or moment over ṡ.
    pub damping: Characteristic,
}

/// A coordinate with a factor.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The joint.
    pub joint: String,
    /// The index of the coordinate among those of the joint.
    pub coordinate: usize,
    /// The factor.
    pub factor: f64,
}

/// An elastic mount: forces along and moments about the axes of the first body, linear in the relative displacement and
/// rotation of the second.
#[derive(Clone, Debug, PartialEq)]
pub struct Bushing {
    /// Its name.
    pub name: String,
    /// The bodies.
    pub between: [String; 2],
    /// The position of the mount.
    pub at: [f64; 3],
    /// The stiffness along x, y, z in N/m, then about x, y, z in N m/rad.
    pub stiffness: [f64; 6],
    /// The damping along x, y, z in N s/m, then about x, y, z in N m s/rad.
    pub damping: [f64; 6],
}

/// A force with a fixed direction in the axes of the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// Its name.
    pub name: String,
    /// The body.
    pub body: String,
    /// The point of application.
    pub at: [f64; 3],
    /// The direction. Its length multiplies the force.
    pub direction: [f64; 3],
    /// The force in N over time in s.
    pub force: Characteristic,
}

/// Aerodynamic drag ½ ρ c_d A v² against the velocity of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Drag {
    /// Its name.
    pub name: String,
    /// The body.
    pub body: String,
    /// The center of pressure.
    pub at: [f64; 3],
    /// The drag area c_d A, in m².
    pub area: f64,
    /// The density of the air, in kg/m³.
    pub density: f64,
}

/// A wheel on a road: a spring along the road's normal, and slip forces proportional to the load that saturate jointly
/// at the friction limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Tire {
    /// Its name.
    pub name: String,
    /// The wheel. Its revolute joint's axis points to the left of its path.
    pub body: String,
    /// The center of the wheel.
    pub center: [f64; 3],
    /// The unloaded radius, in m.
    pub radius: f64,
    /// The normal force in N over the deflection in m. Negative values count as zero.
    pub stiffness: Characteristic,
    /// The relative increase of the normal force per m/s of deflection rate, in s/m.
    pub damping: f64,
    /// The longitudinal force at small slip, as a multiple of the load.
    pub slip: f64,
    /// The lateral force at small angles, as a multiple of the load per radian.
    pub cornering: f64,
    /// The friction coefficient.
    pub friction: f64,
    /// The speed below which slip is smoothed, in m/s, since slip is undefined at rest.
    pub crawl: f64,
    /// The road.
    pub road: Road,
    /// The height of the road's zero level, in m.
    pub level: f64,
}

/// Heights of a road along x.
#[derive(Clone, Debug, PartialEq)]
pub enum Road {
    /// A flat road.
    Flat,
    /// A bump: half a sine from x = `start`.
    HalfSine {
        /// The start of the bump, in m.
        start: f64,
        /// The length of the bump, in m.
        length: f64,
        /// The height of the bump, in m.
        height: f64,
    },
    /// A height profile, in m over m.
    Profile(Characteristic),
}

/// An engine that drives joints through a transmission and differentials that distribute its torque.
#[derive(Clone, Debug, PartialEq)]
pub struct Drivetrain {
    /// Its name.
    pub name: String,
    /// The engine's torque at full throttle, in N m over rad/s.
    pub torque: Characteristic,
    /// The throttle over time, from 0 to 1.
    pub throttle: Characteristic,
    /// The revolutions of the engine per revolution of the wheels.
    pub ratio: f64,
    /// The driven joints and their shares of the torque. The engine's speed is `ratio` times the mean of the joints'
    /// speeds weighted by the shares.
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
    pub moment: Characteristic,
    /// The speed at which the brake reaches three quarters of its moment, in rad/s.
    pub crawl: f64,
}
