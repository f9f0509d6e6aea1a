//! A machine as its user describes it, in its design position and one set of axes.

use crate::forces::description::Forces;

/// The name of the body that does not move.
pub const GROUND: &str = "ground";

/// A machine: bodies, the joints of a spanning tree, loops, forces, and where it starts.
///
/// Everything is given in the design position, in which every coordinate is zero, and in the axes of the ground: where a joint is, how its
/// axis points, where a body's center of mass is. Units are SI.
///
/// ```
/// use hemiola_multibody::{Body, Joint, Machine};
/// let pendulum = Machine::new("pendulum")
///     .body(Body::new("bar", 2.0, [0.5, 0.0, 0.0], [0.0, 0.2, 0.2]))
///     .joint(Joint::revolute("hinge", ["ground", "bar"], [0.0; 3], [0.0, 1.0, 0.0]));
/// let tree = pendulum.build()?;
/// assert_eq!((tree.positions(), tree.velocities(), tree.degrees_of_freedom()), (1, 1, 1));
/// # Ok::<(), hemiola_multibody::MachineError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// The acceleration of gravity, in m/s².
    pub gravity: [f64; 3],
    /// The bodies that move.
    pub bodies: Vec<Body>,
    /// The joints of the spanning tree: every body is the second body of exactly one.
    pub joints: Vec<Joint>,
    /// What closes loops.
    pub loops: Vec<Loop>,
    /// The force elements.
    pub forces: Forces,
    /// Joints that do not start in the design position or at rest.
    pub initial: Vec<Initial>,
    /// The duration of the usual simulation, in s.
    pub duration: f64,
}

/// A rigid body.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// In kg; 0 if loops and joints leave it no freedom of its own.
    pub mass: f64,
    /// The center of mass, in m.
    pub center: [f64; 3],
    /// The tensor about the center (xx, yy, zz, xy, xz, yz), in kg m²; products are entries of the tensor, −∫ x y dm.
    pub inertia: [f64; 6],
}

/// A joint between two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// Which motions it leaves.
    pub kind: JointKind,
    /// The body that carries it, and the one that moves.
    pub between: [String; 2],
    /// Where it is, in m.
    pub at: [f64; 3],
}

/// The motions of a joint's second body against its first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// None.
    Fixed,
    /// Turning about an axis, by an angle.
    Revolute([f64; 3]),
    /// Sliding along an axis, by a length.
    Prismatic([f64; 3]),
    /// Turning about an axis of the first body, then about one of the second, by two angles.
    Universal([f64; 3], [f64; 3]),
    /// Turning in all ways: a quaternion (w, x, y, z), and the angular velocity in the second body's axes.
    Ball,
    /// Moving freely: three lengths in the first body's axes, then as [`Ball`](Self::Ball).
    Floating,
}

/// What closes a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Its name.
    pub name: String,
    /// The bodies that it ties.
    pub between: [String; 2],
    /// A point of each, in the design position, in m.
    pub points: [[f64; 3]; 2],
    /// What it asks of the points.
    pub kind: LoopKind,
}

/// What a loop asks of its two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LoopKind {
    /// That they meet: a ball joint that was cut, three equations.
    Ball,
    /// That they keep their distance: a massless rod between ball joints, one equation. Without a length, that of the design position.
    Rod(Option<f64>),
}

/// Where a joint starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Initial {
    /// The joint's name.
    pub joint: String,
    /// Its positions: as many as its kind has, or none for those of the design.
    pub position: Vec<f64>,
    /// Its velocities, or none for rest.
    pub velocity: Vec<f64>,
}

impl Machine {
    /// A machine without bodies, on Earth: z points up.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            gravity: [0.0, 0.0, -9.81],
            bodies: Vec::new(),
            joints: Vec::new(),
            loops: Vec::new(),
            forces: Forces::default(),
            initial: Vec::new(),
            duration: 10.0,
        }
    }

    /// With another gravity.
    #[must_use]
    pub fn gravity(self, gravity: [f64; 3]) -> Self {
        Self { gravity, ..self }
    }

    /// With another body.
    #[must_use]
    pub fn body(mut self, body: Body) -> Self {
        self.bodies.push(body);
        self
    }

    /// With another joint.
    #[must_use]
    pub fn joint(mut self, joint: Joint) -> Self {
        self.joints.push(joint);
        self
    }

    /// With another loop.
    #[must_use]
    pub fn closed_by(mut self, closing: Loop) -> Self {
        self.loops.push(closing);
        self
    }

    /// With a joint that starts elsewhere.
    #[must_use]
    pub fn starting(mut self, joint: &str, position: &[f64], velocity: &[f64]) -> Self {
        let (position, velocity) = (position.to_vec(), velocity.to_vec());
        self.initial.push(Initial { joint: joint.to_owned(), position, velocity });
        self
    }
}

impl Body {
    /// A body with its principal inertias in the axes of the ground.
    #[must_use]
    pub fn new(name: &str, mass: f64, center: [f64; 3], inertia: [f64; 3]) -> Self {
        let [xx, yy, zz] = inertia;
        Self { name: name.to_owned(), mass, center, inertia: [xx, yy, zz, 0.0, 0.0, 0.0] }
    }

    /// With products of inertia (xy, xz, yz), entries of the tensor.
    #[must_use]
    pub fn products(mut self, products: [f64; 3]) -> Self {
        self.inertia[3..].copy_from_slice(&products);
        self
    }
}

impl Joint {
    fn new(name: &str, between: [&str; 2], at: [f64; 3], kind: JointKind) -> Self {
        Self { name: name.to_owned(), kind, between: between.map(str::to_owned), at }
    }

    /// A joint that leaves no motion.
    #[must_use]
    pub fn fixed(name: &str, between: [&str; 2], at: [f64; 3]) -> Self {
        Self::new(name, between, at, JointKind::Fixed)
    }

    /// A hinge.
    #[must_use]
    pub fn revolute(name: &str, between: [&str; 2], at: [f64; 3], axis: [f64; 3]) -> Self {
        Self::new(name, between, at, JointKind::Revolute(axis))
    }

    /// A slider.
    #[must_use]
    pub fn prismatic(name: &str, between: [&str; 2], at: [f64; 3], axis: [f64; 3]) -> Self {
        Self::new(name, between, at, JointKind::Prismatic(axis))
    }

    /// Two axes, the first fixed in the first body and the second in the second.
    #[must_use]
    pub fn universal(name: &str, between: [&str; 2], at: [f64; 3], axes: [[f64; 3]; 2]) -> Self {
        Self::new(name, between, at, JointKind::Universal(axes[0], axes[1]))
    }

    /// A ball joint.
    #[must_use]
    pub fn ball(name: &str, between: [&str; 2], at: [f64; 3]) -> Self {
        Self::new(name, between, at, JointKind::Ball)
    }

    /// All six motions; `at` is the point whose position is counted.
    #[must_use]
    pub fn floating(name: &str, between: [&str; 2], at: [f64; 3]) -> Self {
        Self::new(name, between, at, JointKind::Floating)
    }
}

impl JointKind {
    /// The number of position coordinates.
    #[must_use]
    pub fn positions(&self) -> usize {
        match self {
            Self::Ball => 4,
            Self::Floating => 7,
            other => other.velocities(),
        }
    }

    /// The number of velocities: the degrees of freedom.
    #[must_use]
    pub fn velocities(&self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute(_) | Self::Prismatic(_) => 1,
            Self::Universal(..) => 2,
            Self::Ball => 3,
            Self::Floating => 6,
        }
    }
}

impl Loop {
    /// A ball joint between points that meet in the design position.
    #[must_use]
    pub fn ball(name: &str, between: [&str; 2], at: [f64; 3]) -> Self {
        Self { name: name.to_owned(), between: between.map(str::to_owned), points: [at, at], kind: LoopKind::Ball }
    }

    /// A massless rod with ball joints at its ends.
    #[must_use]
    pub fn rod(name: &str, between: [&str; 2], ends: [[f64; 3]; 2]) -> Self {
        Self { name: name.to_owned(), between: between.map(str::to_owned), points: ends, kind: LoopKind::Rod(None) }
    }

    /// With points of its own for each body, or a rod's length: what the design position does not fulfill, the start will.
    #[must_use]
    pub fn with(self, points: [[f64; 3]; 2], kind: LoopKind) -> Self {
        Self { points, kind, ..self }
    }
}
