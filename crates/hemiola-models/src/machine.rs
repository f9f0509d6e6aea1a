//! Multibody systems as models.

use std::sync::{Arc, Mutex, PoisonError};

use hemiola_multibody::{Coordinate, Mechanism, MotionError, Workspace};

use crate::equations::{Dual, Dynamics, dual_jacobian};
use crate::model::{Built, Model, Variable};

/// A model of a machine, in one partition; its variables are all positions and velocities of its joints.
///
/// A method that runs on it integrates all of them, but the dependents of its loops are only where the closing of loops starts in each
/// evaluation. A state in which a loop cannot be closed has rates that are not numbers.
///
/// ```
/// use hemiola_integrate::System;
/// use hemiola_multibody::{Body, Joint, Machine};
/// let pendulum = Machine::new("pendulum")
///     .body(Body::new("bar", 2.0, [0.5, 0.0, 0.0], [0.0, 0.2, 0.2]))
///     .joint(Joint::revolute("hinge", ["ground", "bar"], [0.0; 3], [0.0, 1.0, 0.0]))
///     .build()?;
/// let model = hemiola_models::machine(pendulum);
/// assert_eq!(model.sizes(), [2]);
/// assert_eq!((model.variables[0].name.as_str(), model.variables[1].unit), ("hinge angle", "rad/s"));
/// # Ok::<(), hemiola_multibody::MachineError>(())
/// ```
#[must_use]
pub fn machine(mechanism: Mechanism) -> Model {
    Model::of_parts("machine", "multibody system", Vec::new(), built(mechanism))
}

/// What a model is built of.
pub(crate) fn built(mechanism: Mechanism) -> Built {
    let variable = |Coordinate { name, unit }| Variable { name, unit };
    let variables: Vec<Variable> = mechanism.coordinates().into_iter().map(variable).collect();
    Built {
        sizes: vec![variables.len()],
        variables,
        initial: mechanism.initial().to_vec(),
        duration: mechanism.duration(),
        drawn: (0..mechanism.positions().min(3)).collect(),
        dynamics: Arc::new(Machinery { workspace: Mutex::new(mechanism.workspace()), mechanism }),
    }
}

struct Machinery {
    mechanism: Mechanism,
    /// Nothing of it outlasts an evaluation: it is there so that nothing is allocated.
    workspace: Mutex<Workspace<f64>>,
}

impl Machinery {
    fn with_room<T>(&self, work: impl FnOnce(&mut Workspace<f64>) -> T) -> T {
        work(&mut self.workspace.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Dynamics for Machinery {
    fn rate(&self, _partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        match self.with_room(|workspace| self.mechanism.rates(t, y, rate, workspace)) {
            Ok(()) | Err(MotionError::Length { .. }) => {}
            Err(_) => rate.fill(f64::NAN),
        }
    }

    fn jacobian(&self, _sizes: &[usize], t: f64, y: &[f64], jacobian: &mut [f64]) {
        let mut workspace = self.mechanism.workspace::<Dual>();
        dual_jacobian(y, jacobian, |point, rate| {
            if self.mechanism.rates(t, point, rate, &mut workspace).is_err() {
                rate.fill(Dual::from_re(f64::NAN));
            }
        });
    }

    fn exact(&self, _t: f64) -> Option<Vec<f64>> {
        None
    }

    fn energy(&self, t: f64, y: &[f64]) -> Option<f64> {
        let energy = self.with_room(|workspace| self.mechanism.energy(t, y, workspace)).ok()?;
        Some(energy.kinetic + energy.gravity + energy.elastic)
    }
}
