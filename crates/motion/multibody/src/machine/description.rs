//! A machine as its user describes it, in the design position and one set of axes.

use crate::forces::description::Forces;

/// Name of the body that does not move.
pub const GROUND: &str = "ground";

/// A machine: bodies, the joints of a spanning tree, loops, forces, and the initial state.
///
/// All data refer to the design position, in which every coordinate is zero, and to the axes of the ground: the
/// positions and axes of joints, and the bodies' centers of mass. Units are SI.
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
    /// The moving bodies.
    pub bodies: Vec<Body>,
    /// The joints of the spanning tree. Every body is the second body of exactly one joint.
    pub joints: Vec<Joint>,
    /// The connections that close loops.
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
    /// The mass in kg; it may be 0 if joints and loops leave the body no freedom of its own.
    pub mass: f64,
    /// The center of mass, in m.
    pub center: [f64; 3],
    /// The tensor about the center (xx, yy, zz, xy, xz, yz), in kg m². The products are entries of the tensor, −∫ x y
    /// dm.
    pub inertia: [f64; 6],
}

/// A joint between two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// The motions that the joint allows.
    pub kind: JointKind,
    /// The carrying body and the carried body.
    pub between: [String; 2],
    /// The position of the joint, in m.
    pub at: [f64; 3],
}

/// The motions of a joint's second body relative to its first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// No motion.
    Fixed,
    /// Rotation about an axis, by an angle.
    Revolute([f64; 3]),
    /// Translation along an axis, by a length.
    Prismatic([f64; 3]),
    /// Rotation about an axis of the first body, then about an axis of the second, by two angles.
    Universal([f64; 3], [f64; 3]),
    /// Any rotation: a quaternion (w, x, y, z), and the angular velocity in the second body's axes.
    Ball,
    /// Any motion: three lengths in the first body's axes, then as [`Ball`](Self::Ball).
    Floating,
}

/// A connection that closes a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Its name.
    pub name: String,
    /// The connected bodies.
    pub between: [String; 2],
    /// A point of each body, in the design position, in m.
    pub points: [[f64; 3]; 2],
    /// The constraint on the points.
    pub kind: LoopKind,
}

/// The constraint of a loop on its two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LoopKind {
    /// The points coincide: a ball joint that was cut, three equations.
    Ball,
    /// The points keep their distance: a massless rod between ball joints, one equation. `None` stands for the length
    /// in the design position.
    Rod(Option<f64>),
}

/// Initial coordinates of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Initial {
    /// The joint's name.
    pub joint: String,
    /// The positions: all of the joint's, or none for the design position.
    pub position: Vec<f64>,
    /// The velocities: all of the joint's, or none for rest.
    pub velocity: Vec<f64>,
}

impl Machine {
    /// Creates a machine without bodies under Earth's gravity, with z pointing up.
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

    /// Sets the acceleration of gravity.
    #[must_use]
    pub fn gravity(self, gravity: [f64; 3]) -> Self {
        Self { gravity, ..self }
    }

    /// Adds a body.
    #[must_use]
    pub fn body(mut self, body: Body) -> Self {
        self.bodies.push(body);
        self
    }

    /// Adds a joint.
    #[must_use]
    pub fn joint(mut self, joint: Joint) -> Self {
        self.joints.push(joint);
        self
    }

    /// Adds a loop.
    #[must_use]
    pub fn closed_by(mut self, closing: Loop) -> Self {
        self.loops.push(closing);
        self
    }

    /// Sets the initial coordinates of a joint.
    #[must_use]
    pub fn starting(mut self, joint: &str, position: &[f64], velocity: &[f64]) -> Self {
        let (position, velocity) = (position.to_vec(), velocity.to_vec());
        self.initial.push(Initial { joint: joint.to_owned(), position, velocity });
        self
    }
}

impl Body {
    /// Creates a body with its principal inertias along the axes of the ground.
    #[must_use]
    pub fn new(name: &str, mass: f64, center: [f64; 3], inertia: [f64; 3]) -> Self {
        let [xx, yy, zz] = inertia;
        Self { name: name.to_owned(), mass, center, inertia: [xx, yy, zz, 0.0, 0.0, 0.0] }
    }

    /// Sets the products of inertia (xy, xz, yz), entries of the tensor.
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

    /// Creates a joint that allows no motion.
    #[must_use]
    pub fn fixed(name: &str, between: [&str; 2], at: [f64; 3]) -> Self {
        Self::new(name, between, at, JointKind::Fixed)
    }

    /// Creates a hinge.
    #[must_use]
    pub fn revolute(name: &str, between: [&str; 2], at: [f64; 3], axis: [f64; 3]) -> Self {
        Self::new(name, between, at, JointKind::Revolute(axis))
    }

    /// Creates a slider.
    #[must_use]
    pub fn prismatic(name: &str, between: [&str; 2], at: [f64; 3], axis: [f64; 3]) -> Self {
        Self::new(name, between, at, JointKind::Prismatic(axis))
    }

    /// Creates a universal joint with two axes, the first fixed in the first body and the second in the second.
    #[must_use]
    pub fn universal(name: &str, between: [&str; 2], at: [f64; 3], axes: [[f64; 3]; 2]) -> Self {
        Self::new(name, between, at, JointKind::Universal(axes[0], axes[1]))
    }

    /// Creates a ball joint.
    #[must_use]
    pub fn ball(name: &str, between: [&str; 2], at: [f64; 3]) -> Self {
        Self::new(name, between, at, JointKind::Ball)
    }

    /// Creates a joint with all six motions. `at` is the point whose position is counted.
    #[must_use]
    pub fn floating(name: &str, between: [&str; 2], at: [f64; 3]) -> Self {
        Self::new(name, between, at, JointKind::Floating)
    }
}

impl JointKind {
    /// Returns the number of position coordinates.
    #[must_use]
    pub fn positions(&self) -> usize {
        match self {
            Self::Ball => 4,
            Self::Floating => 7,
            other => other.velocities(),
        }
    }

    /// Returns the number of velocities, the degrees of freedom.
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
    /// Creates a ball joint between points that coincide in the design position.
    #[must_use]
    pub fn ball(name: &str, between: [&str; 2], at: [f64; 3]) -> Self {
        Self { name: name.to_owned(), between: between.map(str::to_owned), points: [at, at], kind: LoopKind::Ball }
    }

    /// Creates a massless rod with ball joints at its ends.
    #[must_use]
    pub fn rod(name: &str, between: [&str; 2], ends: [[f64; 3]; 2]) -> Self {
        Self { name: name.to_owned(), between: between.map(str::to_owned), points: ends, kind: LoopKind::Rod(None) }
    }

    /// Sets separate points for each body, or a rod's length. The initial state satisfies the constraint even if the
    /// design position does not.
    #[must_use]
    pub fn with(self, points: [[f64; 3]; 2], kind: LoopKind) -> Self {
        Self { points, kind, ..self }
    }
}
