//! Preparation of a described machine at its initial state.

use crate::dynamics::kinematics::positions;
use crate::dynamics::loops::{choose_dependents, close};
use crate::dynamics::partition::CoordinatePartition;
use crate::error::{MachineError, MotionError};
use crate::forces::elements::Elements;
use crate::machine::description::{Initial, Machine};
use crate::machine::tree::{Node, Tree};
use crate::machine::values::finite;
use crate::mechanism::definition::{Mechanism, Workspace};

impl Machine {
    /// Checks the machine and closes its loops at the start.
    ///
    /// # Errors
    /// [`MachineError`] with the place in the description, or with the body and joint at fault.
    pub fn build(&self) -> Result<Mechanism, MachineError> {
        let tree = Tree::new(self)?;
        let elements = Elements::new(&tree, &self.forces)?;
        let partition = CoordinatePartition::free(tree.velocities);
        let (name, duration) = (self.name.clone(), self.duration);
        let mut mechanism = Mechanism { tree, elements, partition, name, duration, initial: Vec::new() };
        mechanism.start(&self.initial)?;
        Ok(mechanism)
    }
}

impl Mechanism {
    /// Computes the initial state: positions and velocities as given, with loops closed. Also chooses the dependents
    /// and checks for mass.
    fn start(&mut self, initial: &[Initial]) -> Result<(), MachineError> {
        let tree = &self.tree;
        let mut y = vec![0.0; tree.positions + tree.velocities];
        for node in &tree.nodes[1..] {
            if let Some(at) = node.quaternion() {
                y[node.first[0] + at] = 1.0;
            }
        }
        for (k, entry) in initial.iter().enumerate() {
            let place = |field: &str| format!("initial[{k}] ({}).{field}", entry.joint);
            let node = tree.joint(&entry.joint, || place("joint"))?;
            set(&mut y, node.first[0], node.kind.positions(), &entry.position, &place("position"))?;
            set(&mut y, tree.positions + node.first[1], node.kind.velocities(), &entry.velocity, &place("velocity"))?;
            unit(node, &mut y, &place("position"))?;
        }
        let mut workspace = self.workspace::<f64>();
        if !tree.closures.is_empty() {
            let room = &mut workspace.room;
            room.q.copy_from_slice(&y[..tree.positions]);
            positions(tree, room);
            choose_dependents(tree, room)?;
            close(tree, room)?;
            choose_dependents(tree, room)?;
            y[..tree.positions].copy_from_slice(&room.q);
            self.partition = room.partition.clone();
        }
        if self.partition.independents.is_empty() {
            return Err(MachineError::Rigid { machine: self.name.clone(), coordinates: tree.velocities });
        }
        self.project(&mut y, &mut workspace)?;
        self.partition = workspace.room.partition.clone();
        self.has_mass(&y, &mut workspace)?;
        self.initial = y;
        Ok(())
    }

    fn has_mass(&self, y: &[f64], workspace: &mut Workspace<f64>) -> Result<(), MachineError> {
        let mut rate = vec![0.0; y.len()];
        self.rates(0.0, y, &mut rate, workspace).map_err(|error| match error {
            MotionError::SingularMass { joint, body } => MachineError::Massless { body, joint },
            other => other.into(),
        })
    }
}

fn set(y: &mut [f64], first: usize, count: usize, values: &[f64], place: &str) -> Result<(), MachineError> {
    finite(place, values)?;
    if values.is_empty() {
        return Ok(());
    }
    if values.len() != count {
        let found = format!("{} numbers", values.len());
        return Err(MachineError::Value {
            place: place.to_owned(),
            found,
            expected: "as many numbers as the joint has",
        });
    }
    y[first..first + count].copy_from_slice(values);
    Ok(())
}

fn unit(node: &Node, y: &mut [f64], place: &str) -> Result<(), MachineError> {
    let Some(at) = node.quaternion() else { return Ok(()) };
    let q = &mut y[node.first[0] + at..][..4];
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length == 0.0 {
        let (place, found) = (place.to_owned(), format!("{q:?}"));
        return Err(MachineError::Value { place, found, expected: "a nonzero quaternion" });
    }
    q.iter_mut().for_each(|x| *x /= length);
    Ok(())
}
