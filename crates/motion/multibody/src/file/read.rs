//! A machine as written in a file.

use std::path::Path;

use hemiola_tableau::MethodError;
use hemiola_tableau::json::{self, StrictObject};
use serde::Deserialize;
use thiserror::Error;

use crate::error::MachineError;
use crate::file::elements::{
    RawBrake, RawBushing, RawDrag, RawDrivetrain, RawLoad, RawSpring, RawTire, RawTorsion, all,
};
use crate::forces::Forces;
use crate::machine::{Body, Initial, Joint, JointKind, Loop, LoopKind, Machine};

/// Name and version of the format.
const FORMAT: &str = "hemiola-multibody/1";

/// Failure to read a machine from a file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MachineFileError {
    /// The file cannot be read, or is not JSON of the expected shape. The error names the position and the expected
    /// content.
    #[error(transparent)]
    Text(#[from] MethodError),
    /// The text does not describe a valid machine.
    #[error("{file}: {problem}")]
    Machine {
        /// The file.
        file: String,
        /// The fault, with its place in the description.
        problem: MachineError,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMachine {
    format: String,
    name: String,
    gravity: Option<[f64; 3]>,
    duration: Option<f64>,
    bodies: Vec<StrictObject<RawBody>>,
    joints: Vec<StrictObject<RawJoint>>,
    #[serde(default)]
    loops: Vec<StrictObject<RawLoop>>,
    #[serde(default)]
    springs: Vec<StrictObject<RawSpring>>,
    #[serde(default)]
    torsions: Vec<StrictObject<RawTorsion>>,
    #[serde(default)]
    bushings: Vec<StrictObject<RawBushing>>,
    #[serde(default)]
    loads: Vec<StrictObject<RawLoad>>,
    #[serde(default)]
    drags: Vec<StrictObject<RawDrag>>,
    #[serde(default)]
    tires: Vec<StrictObject<RawTire>>,
    #[serde(default)]
    drivetrains: Vec<StrictObject<RawDrivetrain>>,
    #[serde(default)]
    brakes: Vec<StrictObject<RawBrake>>,
    #[serde(default)]
    initial: Vec<StrictObject<RawInitial>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBody {
    name: String,
    mass: f64,
    center: [f64; 3],
    inertia: [f64; 3],
    #[serde(default)]
    products: [f64; 3],
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RawKind {
    Fixed,
    Revolute,
    Prismatic,
    Universal,
    Ball,
    Floating,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawJoint {
    name: Option<String>,
    #[serde(rename = "type")]
    kind: RawKind,
    between: [String; 2],
    at: [f64; 3],
    axis: Option<[f64; 3]>,
    second_axis: Option<[f64; 3]>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RawLoopKind {
    Ball,
    Rod,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLoop {
    name: String,
    #[serde(rename = "type")]
    kind: RawLoopKind,
    between: [String; 2],
    points: [[f64; 3]; 2],
    length: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawInitial {
    joint: String,
    #[serde(default)]
    position: Vec<f64>,
    #[serde(default)]
    velocity: Vec<f64>,
}

impl Machine {
    /// Reads a machine from a file.
    ///
    /// # Errors
    /// [`MachineFileError`] with the file, the position in it and the expected content.
    pub fn read(path: &Path) -> Result<Self, MachineFileError> {
        Self::from_json(&json::read_bounded(path)?, &path.display().to_string())
    }

    /// Reads a machine from the text of a file. `origin` names the file in errors.
    ///
    /// ```
    /// let text = br#"{ "format": "hemiola-multibody/1", "name": "pendulum",
    ///   "bodies": [{ "name": "bar", "mass": 2, "center": [0.5, 0, 0], "inertia": [0, 0.2, 0.2] }],
    ///   "joints": [{ "type": "revolute", "between": ["ground", "bar"], "at": [0, 0, 0], "axis": [0, 1, 0] }] }"#;
    /// let pendulum = hemiola_multibody::Machine::from_json(text, "pendulum.json")?.build()?;
    /// assert_eq!(pendulum.degrees_of_freedom(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`read`](Self::read).
    pub fn from_json(text: &[u8], origin: &str) -> Result<Self, MachineFileError> {
        let StrictObject(raw): StrictObject<RawMachine> = json::read(text, origin)?;
        raw.machine().map_err(|problem| MachineFileError::Machine { file: origin.to_owned(), problem })
    }
}

impl RawMachine {
    fn machine(self) -> Result<Machine, MachineError> {
        if self.format != FORMAT {
            let (place, found) = ("format".to_owned(), format!("{:?}", self.format));
            return Err(MachineError::Value { place, found, expected: "\"hemiola-multibody/1\"" });
        }
        let new = Machine::new(&self.name);
        let duration = self.duration.unwrap_or(new.duration);
        crate::machine::values::positive("duration", duration)?;
        let joint = |(k, StrictObject(joint)): (usize, StrictObject<RawJoint>)| joint.joint(k);
        let closing = |(k, StrictObject(closing)): (usize, StrictObject<RawLoop>)| closing.closing(k);
        Ok(Machine {
            gravity: self.gravity.unwrap_or(new.gravity),
            duration,
            bodies: self.bodies.into_iter().map(|StrictObject(body)| body.body()).collect(),
            joints: self.joints.into_iter().enumerate().map(joint).collect::<Result<_, _>>()?,
            loops: self.loops.into_iter().enumerate().map(closing).collect::<Result<_, _>>()?,
            forces: Forces {
                springs: all(self.springs),
                torsions: all(self.torsions),
                bushings: all(self.bushings),
                loads: all(self.loads),
                drags: all(self.drags),
                tires: all(self.tires),
                drivetrains: all(self.drivetrains),
                brakes: all(self.brakes),
            },
            initial: all(self.initial),
            ..new
        })
    }
}

impl RawBody {
    fn body(self) -> Body {
        let Self { name, mass, center, inertia: [xx, yy, zz], products: [xy, xz, yz] } = self;
        Body { name, mass, center, inertia: [xx, yy, zz, xy, xz, yz] }
    }
}

impl RawJoint {
    fn joint(self, k: usize) -> Result<Joint, MachineError> {
        let name = self.name.unwrap_or_else(|| self.between[1].clone());
        let place = |field: &str| format!("joints[{k}] ({name}).{field}");
        let needed = |axis: Option<[f64; 3]>, field: &str, expected| {
            let missing = MachineError::Value { place: place(field), found: "nothing".to_owned(), expected };
            axis.ok_or(missing)
        };
        let first = || needed(self.axis, "axis", "the joint's axis, three numbers");
        let second = || needed(self.second_axis, "second_axis", "the second axis of a universal joint, three numbers");
        let kind = match self.kind {
            RawKind::Fixed => JointKind::Fixed,
            RawKind::Revolute => JointKind::Revolute(first()?),
            RawKind::Prismatic => JointKind::Prismatic(first()?),
            RawKind::Universal => JointKind::Universal(first()?, second()?),
            RawKind::Ball => JointKind::Ball,
            RawKind::Floating => JointKind::Floating,
        };
        let axes = match kind {
            JointKind::Revolute(_) | JointKind::Prismatic(_) => 1,
            JointKind::Universal(..) => 2,
            _ => 0,
        };
        for (surplus, field) in
            [(axes < 1 && self.axis.is_some(), "axis"), (axes < 2 && self.second_axis.is_some(), "second_axis")]
        {
            if surplus {
                let expected = "no such axis for this type of joint";
                return Err(MachineError::Value { place: place(field), found: "an axis".to_owned(), expected });
            }
        }
        Ok(Joint { kind, between: self.between, at: self.at, name })
    }
}

impl RawLoop {
    fn closing(self, k: usize) -> Result<Loop, MachineError> {
        let kind = match (self.kind, self.length) {
            (RawLoopKind::Rod, length) => LoopKind::Rod(length),
            (RawLoopKind::Ball, None) => LoopKind::Ball,
            (RawLoopKind::Ball, Some(length)) => {
                let (place, found) = (format!("loops[{k}] ({}).length", self.name), length.to_string());
                return Err(MachineError::Value { place, found, expected: "no length for a ball joint" });
            }
        };
        Ok(Loop { name: self.name, between: self.between, points: self.points, kind })
    }
}

impl From<RawInitial> for Initial {
    fn from(RawInitial { joint, position, velocity }: RawInitial) -> Self {
        Self { joint, position, velocity }
    }
}
