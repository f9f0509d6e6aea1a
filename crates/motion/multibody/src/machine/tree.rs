//! Spanning tree of a machine, ordered such that every body follows its carrier.

use std::collections::BTreeMap;

use crate::error::MachineError;
use crate::machine::description::{GROUND, Joint, JointKind, LoopKind, Machine};
use crate::machine::values::{direction, finite, inertia, not_negative};

/// Bodies with the joints that carry them. Number 0 is the ground.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    /// The body that each velocity coordinate moves.
    pub(crate) mover: Vec<usize>,
    pub(crate) positions: usize,
    pub(crate) velocities: usize,
    pub(crate) gravity: [f64; 3],
    pub(crate) closures: Vec<Closure>,
    /// The body relative to which positions are computed, so that a machine far from the origin loses no digits: the
    /// first that floats on the ground.
    pub(crate) reference: Option<usize>,
}

/// A body and the joint that carries it. Its axes are those of the ground in the design position; its origin is at the
/// joint.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) body: String,
    pub(crate) joint: String,
    pub(crate) kind: JointKind,
    pub(crate) parent: usize,
    /// The position of the joint in the parent's axes, relative to the parent's origin.
    pub(crate) offset: [f64; 3],
    /// The position of the joint in the design position.
    pub(crate) at: [f64; 3],
    pub(crate) mass: f64,
    pub(crate) center: [f64; 3],
    pub(crate) inertia: [f64; 6],
    /// The indices of its first position coordinate and its first velocity.
    pub(crate) first: [usize; 2],
}

impl Node {
    pub(crate) fn velocities(&self) -> std::ops::Range<usize> {
        self.first[1]..self.first[1] + self.kind.velocities()
    }

    pub(crate) fn positions(&self) -> std::ops::Range<usize> {
        self.first[0]..self.first[0] + self.kind.positions()
    }

    /// Returns the index of the quaternion among the joint's positions.
    pub(crate) fn quaternion(&self) -> Option<usize> {
        match self.kind {
            JointKind::Ball => Some(0),
            JointKind::Floating => Some(3),
            _ => None,
        }
    }
}

/// A connection that closes a loop: points of two bodies, in their axes.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    pub(crate) name: String,
    pub(crate) bodies: [usize; 2],
    pub(crate) points: [[f64; 3]; 2],
    /// The length of a rod; `None` for a ball joint.
    pub(crate) rod: Option<f64>,
    /// The index of its first equation.
    pub(crate) first: usize,
    /// The coordinates that move only one of its bodies, and whether that is the first body.
    pub(crate) movers: Vec<(usize, bool)>,
}

impl Closure {
    pub(crate) fn equations(&self) -> std::ops::Range<usize> {
        self.first..self.first + if self.rod.is_some() { 1 } else { 3 }
    }
}

impl Tree {
    pub(crate) fn new(machine: &Machine) -> Result<Self, MachineError> {
        if machine.bodies.is_empty() {
            return Err(MachineError::NoBodies { machine: machine.name.clone() });
        }
        finite("gravity", &machine.gravity)?;
        let bodies = numbered(machine)?;
        let carriers = carriers(machine, &bodies)?;
        let mut tree = Self::ground(machine.gravity);
        // The number of each body in the tree once it has been added. The last entry is the ground.
        let mut placed = vec![None; machine.bodies.len() + 1];
        placed[machine.bodies.len()] = Some(0);
        while tree.nodes.len() <= machine.bodies.len() {
            let before = tree.nodes.len();
            for (body, &(joint, parent)) in carriers.iter().enumerate() {
                if let (None, Some(parent)) = (placed[body], placed[parent]) {
                    placed[body] = Some(tree.nodes.len());
                    tree.push(machine, body, joint, parent)?;
                }
            }
            if tree.nodes.len() == before {
                let body = (0..carriers.len()).find(|&body| placed[body].is_none()).unwrap_or(0);
                let joint = machine.joints[carriers[body].0].name.clone();
                return Err(MachineError::NotOnGround { body: machine.bodies[body].name.clone(), joint });
            }
        }
        let is_base = |node: &Node| node.parent == 0 && node.kind == JointKind::Floating;
        tree.reference = tree.nodes.iter().skip(1).position(is_base).map(|k| k + 1);
        tree.close(machine)?;
        Ok(tree)
    }

    fn ground(gravity: [f64; 3]) -> Self {
        let ground = Node {
            body: GROUND.to_owned(),
            joint: GROUND.to_owned(),
            kind: JointKind::Fixed,
            parent: 0,
            offset: [0.0; 3],
            at: [0.0; 3],
            mass: 0.0,
            center: [0.0; 3],
            inertia: [0.0; 6],
            first: [0, 0],
        };
        Self {
            nodes: vec![ground],
            mover: Vec::new(),
            positions: 0,
            velocities: 0,
            gravity,
            closures: Vec::new(),
            reference: None,
        }
    }

    fn push(&mut self, machine: &Machine, body: usize, joint: usize, parent: usize) -> Result<(), MachineError> {
        let described = &machine.bodies[body];
        let place = |field: &str| format!("bodies[{body}] ({}).{field}", described.name);
        not_negative(&place("mass"), described.mass)?;
        finite(&place("center"), &described.center)?;
        inertia(&place("inertia"), &described.inertia)?;
        let Joint { name, kind, at, .. } = &machine.joints[joint];
        let place = |field: &str| format!("joints[{joint}] ({name}).{field}");
        finite(&place("at"), at)?;
        let kind = match *kind {
            JointKind::Revolute(axis) => JointKind::Revolute(direction(&place("axis"), axis)?),
            JointKind::Prismatic(axis) => JointKind::Prismatic(direction(&place("axis"), axis)?),
            JointKind::Universal(first, second) => {
                let [first, second] = [direction(&place("axis"), first)?, direction(&place("second axis"), second)?];
                let across: f64 = (0..3).map(|k| first[k] * second[k]).sum();
                if across.abs() > 1.0 - 1e-12 {
                    let (found, expected) = (format!("{second:?}"), "an axis that is not parallel to the first");
                    return Err(MachineError::Value { place: place("second axis"), found, expected });
                }
                JointKind::Universal(first, second)
            }
            other => other,
        };
        let from = self.nodes[parent].at;
        let number = self.nodes.len();
        self.nodes.push(Node {
            body: described.name.clone(),
            joint: name.clone(),
            kind,
            parent,
            offset: [0, 1, 2].map(|k| at[k] - from[k]),
            at: *at,
            mass: described.mass,
            center: [0, 1, 2].map(|k| described.center[k] - at[k]),
            inertia: described.inertia,
            first: [self.positions, self.velocities],
        });
        self.positions += kind.positions();
        self.velocities += kind.velocities();
        self.mover.resize(self.velocities, number);
        Ok(())
    }

    fn close(&mut self, machine: &Machine) -> Result<(), MachineError> {
        let mut first = 0;
        for (k, closing) in machine.loops.iter().enumerate() {
            let place = |field: &str| format!("loops[{k}] ({}).{field}", closing.name);
            if machine.loops[..k].iter().any(|other| other.name == closing.name) {
                return Err(MachineError::Taken { place: place("name"), kind: "loop", name: closing.name.clone() });
            }
            let [a, b] = &closing.between;
            let bodies = [self.body(a, || place("between"))?, self.body(b, || place("between"))?];
            if bodies[0] == bodies[1] {
                let (found, expected) = (format!("{:?}", closing.between), "two bodies");
                return Err(MachineError::Value { place: place("between"), found, expected });
            }
            closing.points.iter().try_for_each(|point| finite(&place("points"), point))?;
            let distance = (0..3).map(|k| (closing.points[0][k] - closing.points[1][k]).powi(2)).sum::<f64>().sqrt();
            let rod = match closing.kind {
                LoopKind::Ball => None,
                LoopKind::Rod(length) => Some(length.unwrap_or(distance)),
            };
            if rod.is_some_and(|length| length.is_nan() || length <= 0.0 || length.is_infinite()) {
                let (found, expected) = (format!("{rod:?}"), "a rod of positive length");
                return Err(MachineError::Value { place: place("length"), found, expected });
            }
            let points = [0, 1].map(|side| self.local(bodies[side], closing.points[side]));
            let movers = self.movers(bodies);
            let closure = Closure { name: closing.name.clone(), bodies, points, rod, first, movers };
            first = closure.equations().end;
            self.closures.push(closure);
        }
        Ok(())
    }

    /// Finds the number of a body.
    pub(crate) fn body(&self, name: &str, place: impl Fn() -> String) -> Result<usize, MachineError> {
        self.nodes.iter().position(|node| node.body == name).ok_or_else(|| {
            let expected = self.nodes.iter().map(|node| node.body.as_str()).collect::<Vec<_>>().join(", ");
            MachineError::Unknown { place: place(), kind: "body", name: name.to_owned(), expected }
        })
    }

    /// Finds the body carried by a joint.
    pub(crate) fn joint(&self, name: &str, place: impl Fn() -> String) -> Result<&Node, MachineError> {
        self.nodes[1..].iter().find(|node| node.joint == name).ok_or_else(|| {
            let expected = self.nodes[1..].iter().map(|node| node.joint.as_str()).collect::<Vec<_>>().join(", ");
            MachineError::Unknown { place: place(), kind: "joint", name: name.to_owned(), expected }
        })
    }

    /// Converts a point of the design position to the axes of a body.
    pub(crate) fn local(&self, body: usize, point: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|k| point[k] - self.nodes[body].at[k])
    }

    /// Lists the coordinates that move only one of two bodies, and whether that is the first.
    fn movers(&self, bodies: [usize; 2]) -> Vec<(usize, bool)> {
        let [first, second] = bodies.map(|body| self.coordinates_of(body));
        let of_first = first.iter().filter(|k| !second.contains(k)).map(|&k| (k, true));
        let of_second = second.iter().filter(|k| !first.contains(k)).map(|&k| (k, false));
        of_first.chain(of_second).collect()
    }

    /// Lists the coordinates that move a body.
    pub(crate) fn coordinates_of(&self, mut body: usize) -> Vec<usize> {
        let mut coordinates = Vec::new();
        while body != 0 {
            coordinates.extend(self.nodes[body].velocities().rev());
            body = self.nodes[body].parent;
        }
        coordinates.reverse();
        coordinates
    }

    /// Returns the number of equations of all loops.
    pub(crate) fn equations(&self) -> usize {
        self.closures.last().map_or(0, |closure| closure.equations().end)
    }
}

fn numbered(machine: &Machine) -> Result<BTreeMap<&str, usize>, MachineError> {
    let mut bodies = BTreeMap::from([(GROUND, machine.bodies.len())]);
    for (k, body) in machine.bodies.iter().enumerate() {
        if bodies.insert(body.name.as_str(), k).is_some() {
            let (place, name) = (format!("bodies[{k}].name"), body.name.clone());
            return Err(MachineError::Taken { place, kind: "body", name });
        }
    }
    Ok(bodies)
}

/// Finds the joint that carries each body, and the body that carries that joint.
fn carriers(machine: &Machine, bodies: &BTreeMap<&str, usize>) -> Result<Vec<(usize, usize)>, MachineError> {
    let mut carriers: Vec<Option<(usize, usize)>> = vec![None; machine.bodies.len()];
    for (k, joint) in machine.joints.iter().enumerate() {
        let place = || format!("joints[{k}] ({}).between", joint.name);
        if machine.joints[..k].iter().any(|other| other.name == joint.name) {
            let (place, name) = (format!("joints[{k}].name"), joint.name.clone());
            return Err(MachineError::Taken { place, kind: "joint", name });
        }
        let number = |name: &String| {
            bodies.get(name.as_str()).copied().ok_or_else(|| {
                let expected = bodies.keys().copied().collect::<Vec<_>>().join(", ");
                MachineError::Unknown { place: place(), kind: "body", name: name.clone(), expected }
            })
        };
        let [parent, child] = [number(&joint.between[0])?, number(&joint.between[1])?];
        let Some(carrier) = carriers.get_mut(child) else {
            let expected = "a moving body as the second one: the ground is the root of the tree";
            return Err(MachineError::Value { place: place(), found: format!("{:?}", joint.between), expected });
        };
        if let Some((first, _)) = *carrier {
            let (first, second) = (machine.joints[first].name.clone(), joint.name.clone());
            return Err(MachineError::TwoJoints { body: joint.between[1].clone(), first, second });
        }
        *carrier = Some((k, parent));
    }
    let missing = |k: usize| MachineError::MissingJoint { body: machine.bodies[k].name.clone() };
    carriers.into_iter().enumerate().map(|(k, carrier)| carrier.ok_or_else(|| missing(k))).collect()
}
