//! What can be wrong with a machine, or go wrong with its motion.

use thiserror::Error;

/// Why a description is not a machine.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MachineError {
    /// A value is out of range.
    #[error("{place}: found {found}; expected {expected}")]
    Value {
        /// Where in the description, such as `bodies[2] (wheel).mass`.
        place: String,
        /// The value.
        found: String,
        /// What it may be.
        expected: &'static str,
    },
    /// A name that nothing has.
    #[error("{place}: there is no {kind} `{name}`; expected one of: {expected}")]
    Unknown {
        /// Where in the description.
        place: String,
        /// A body or a joint.
        kind: &'static str,
        /// The name.
        name: String,
        /// The names that there are.
        expected: String,
    },
    /// Two things of the same name.
    #[error("{place}: the name `{name}` is taken; expected a {kind} of another name")]
    Taken {
        /// Where in the description.
        place: String,
        /// A body, a joint or a loop.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// There is nothing to move.
    #[error("{machine} has no bodies; expected at least one")]
    NoBodies {
        /// The machine.
        machine: String,
    },
    /// A body that no joint carries.
    #[error("body `{body}` has no joint; expected one joint whose second body it is")]
    MissingJoint {
        /// The body.
        body: String,
    },
    /// A body that two joints carry.
    #[error(
        "body `{body}` is carried by joint `{first}` and by joint `{second}`; expected one joint, and a loop for the other"
    )]
    TwoJoints {
        /// The body.
        body: String,
        /// The first joint.
        first: String,
        /// The second joint.
        second: String,
    },
    /// Bodies that carry each other.
    #[error(
        "joint `{joint}` carries body `{body}`, but no chain of joints leads from the ground to it; expected a tree that is rooted in the ground"
    )]
    NotOnGround {
        /// The body.
        body: String,
        /// Its joint.
        joint: String,
    },
    /// A coordinate that moves no mass.
    #[error(
        "body `{body}` can move in joint `{joint}` without moving any mass; expected a body with mass or inertia on it, or a loop that holds it"
    )]
    Massless {
        /// The body.
        body: String,
        /// Its joint.
        joint: String,
    },
    /// Nothing can move.
    #[error(
        "{machine} cannot move: its loops take all {coordinates} coordinates of its joints; expected at least one degree of freedom"
    )]
    Rigid {
        /// The machine.
        machine: String,
        /// The coordinates of the tree.
        coordinates: usize,
    },
    /// The initial state cannot be reached.
    #[error("at the start: {0}")]
    Start(#[from] MotionError),
}

/// Why a machine's motion ends.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MotionError {
    /// A loop that stays open.
    #[error(
        "loop `{name}` between `{first}` and `{second}` cannot be closed: a gap of {gap:.3e} m remains; expected a position in which it is closed"
    )]
    Open {
        /// The loop.
        name: String,
        /// Its first body.
        first: String,
        /// Its second body.
        second: String,
        /// What remains open, in m.
        gap: f64,
    },
    /// Loops that do not determine as many coordinates as they have equations.
    #[error(
        "loop `{name}` between `{first}` and `{second}` asks for what other loops ask for, or stands in a singular position: {rank} of {equations} equations of the loops are independent; expected all"
    )]
    Dependent {
        /// A loop among them.
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
    /// A mass matrix that is not positive definite.
    #[error(
        "the mass matrix is singular: joint `{joint}` can move body `{body}` without moving mass; expected positive masses and inertias"
    )]
    SingularMass {
        /// The joint of the coordinate at which its factorization fails.
        joint: String,
        /// The joint's second body.
        body: String,
    },
    /// A coordinate or its rate is infinite or not a number.
    #[error("joint `{joint}` of body `{body}`: {what} is {value}; expected a finite number")]
    NotFinite {
        /// The joint.
        joint: String,
        /// Its second body.
        body: String,
        /// A position, a velocity, the inertia or an acceleration.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A state of another machine.
    #[error("the state has {found} numbers; expected {expected}")]
    Length {
        /// Its length.
        found: usize,
        /// Positions and velocities of the machine.
        expected: usize,
    },
}
