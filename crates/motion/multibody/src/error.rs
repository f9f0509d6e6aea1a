//! Errors of machine descriptions and of their motion.

use thiserror::Error;

/// Fault of a machine description.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MachineError {
    /// A value is out of range.
    #[error("{place}: found {found}; expected {expected}")]
    Value {
        /// The place in the description, such as `bodies[2] (wheel).mass`.
        place: String,
        /// The value.
        found: String,
        /// The admissible values.
        expected: &'static str,
    },
    /// No body or joint has this name.
    #[error("{place}: there is no {kind} `{name}`; expected one of: {expected}")]
    Unknown {
        /// The place in the description.
        place: String,
        /// The kind: a body or a joint.
        kind: &'static str,
        /// The name.
        name: String,
        /// The existing names.
        expected: String,
    },
    /// Two items of a kind have the same name.
    #[error("{place}: the name `{name}` is already in use; expected another name for the {kind}")]
    Taken {
        /// The place in the description.
        place: String,
        /// The kind: a body, a joint or a loop.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// The machine has no bodies.
    #[error("{machine} has no bodies; expected at least one")]
    NoBodies {
        /// The machine.
        machine: String,
    },
    /// No joint carries a body.
    #[error("body `{body}` has no joint; expected one joint with this body as its second body")]
    MissingJoint {
        /// The body.
        body: String,
    },
    /// Two joints carry the same body.
    #[error(
        "body `{body}` is carried by joint `{first}` and by joint `{second}`; expected one joint, and a loop instead \
         of the other"
    )]
    TwoJoints {
        /// The body.
        body: String,
        /// The first joint.
        first: String,
        /// The second joint.
        second: String,
    },
    /// Bodies carry each other in a cycle.
    #[error(
        "joint `{joint}` carries body `{body}`, but no chain of joints leads from the ground to it; expected a tree that is rooted in the ground"
    )]
    NotOnGround {
        /// The body.
        body: String,
        /// Its joint.
        joint: String,
    },
    /// A coordinate moves no mass.
    #[error(
        "body `{body}` can move in joint `{joint}` without moving any mass; expected a body with mass or inertia on it, or a loop that holds it"
    )]
    Massless {
        /// The body.
        body: String,
        /// Its joint.
        joint: String,
    },
    /// The machine has no degree of freedom.
    #[error(
        "{machine} cannot move: its loops determine all {coordinates} coordinates of its joints; expected at least one degree of freedom"
    )]
    Rigid {
        /// The machine.
        machine: String,
        /// The number of coordinates of the tree.
        coordinates: usize,
    },
    /// The initial state cannot be reached.
    #[error("at the start: {0}")]
    Start(#[from] MotionError),
}

/// Failure of a machine's motion.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MotionError {
    /// A loop cannot be closed.
    #[error(
        "loop `{name}` between `{first}` and `{second}` cannot be closed: a gap of {gap:.3e} m remains; expected a \
         machine whose loops can close"
    )]
    Open {
        /// The loop.
        name: String,
        /// Its first body.
        first: String,
        /// Its second body.
        second: String,
        /// The remaining gap, in m.
        gap: f64,
    },
    /// Loops determine fewer coordinates than they have equations.
    #[error(
        "loop `{name}` between `{first}` and `{second}` is redundant or in a singular position: {rank} of {equations} \
         loop equations are independent; expected all"
    )]
    Dependent {
        /// One of the loops.
        name: String,
        /// Its first body.
        first: String,
        /// Its second body.
        second: String,
        /// The rank of the loops' Jacobian.
        rank: usize,
        /// The number of equations.
        equations: usize,
    },
    /// The mass matrix is not positive definite.
    #[error(
        "the mass matrix is singular: joint `{joint}` can move body `{body}` without moving mass; expected positive masses and inertias"
    )]
    SingularMass {
        /// The joint of the coordinate at which the factorization fails.
        joint: String,
        /// The joint's second body.
        body: String,
    },
    /// A coordinate or its rate is infinite or NaN.
    #[error("joint `{joint}` of body `{body}`: {what} is {value}; expected a finite number")]
    NotFinite {
        /// The joint.
        joint: String,
        /// Its second body.
        body: String,
        /// The quantity: a position, a velocity, the inertia or an acceleration.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// The state does not have the machine's length.
    #[error("the state has {found} numbers; expected {expected}")]
    Length {
        /// The length of the state.
        found: usize,
        /// The number of positions and velocities of the machine.
        expected: usize,
    },
}
