//! Multibody systems as models.

use std::sync::{Arc, Mutex, PoisonError};

use hemiola_multibody::{
    AccelerationSolver, Coordinate, Evaluator, Mechanism, MotionError, Refinement, ResidualForm, SolverCounts,
};

use crate::equations::{Dual, Dynamics, along, dual_jacobian, slope};
use crate::error::ModelError;
use crate::model::{Model, ModelParts, Variable, changed};
use crate::outputs::Output;
use crate::parameter::{Parameter, Value, Values};

/// Parameters of the solution for accelerations.
pub(crate) const SOLVER: [Parameter; 2] = [
    Parameter::choice(
        "solver",
        "accelerations: the fastest direct way, Cholesky in each evaluation, or in every other one with refinement",
        &WORDS,
    ),
    Parameter::new("refinement-tolerance", "tolerance of the refinement, relative and absolute", 1e-6, "1"),
];
const WORDS: [&str; 4] = ["direct", "cholesky", "refined", "matrix-free"];

/// Creates a model of a machine in one partition. Its variables are all positions and velocities of the joints.
///
/// A method integrates all variables, but the dependents of loops only serve as starting points for closing the loops
/// in each evaluation. The rates are NaN in a state in which a loop cannot be closed.
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
    let built = built(mechanism, Values(&SOLVER));
    Model::of_parts("machine", "multibody system", SOLVER.to_vec(), built)
}

/// Creates a model of a machine like [`machine`], with some parameters changed.
///
/// `solver` selects the solution for accelerations. Without refinement, `direct` is the fastest: it uses articulated
/// inertias, in linear time, for trees, and dense factorizations for machines with loops. `cholesky` factorizes in each
/// evaluation. `refined` and `matrix-free` factorize in every second evaluation and refine to `refinement-tolerance` in
/// those between, which pays only in comparison with dense factorizations.
///
/// ```
/// use hemiola_integrate::System;
/// use hemiola_multibody::{Maneuver, vehicles};
/// let sedan = vehicles::sedan(&Maneuver::coasting(10.0)).build()?;
/// let model = hemiola_models::machine_with(sedan, &[("solver", "refined".into())])?;
/// let mut rate = model.initial.clone();
/// for _ in 0..4 {
///     model.rate(0, 0.0, &model.initial, &mut rate);
/// }
/// assert_eq!(model.solved().map(|counts| (counts.factorizations, counts.refined)), Some((3, 1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ModelError`] if a parameter does not exist or is out of range.
pub fn machine_with(mechanism: Mechanism, changes: &[(&str, Value<'_>)]) -> Result<Model, ModelError> {
    let parameters = changed("machine", &SOLVER, changes)?;
    let built = built(mechanism, Values(&parameters));
    Ok(Model::of_parts("machine", "multibody system", parameters, built))
}

/// Builds the parts of a model, with the solver given by `values`.
pub(crate) fn built(mechanism: Mechanism, values: Values<'_>) -> ModelParts {
    let refined = |residual| AccelerationSolver::Refined(Refinement::new(values.of("refinement-tolerance"), residual));
    let solver = match () {
        () if values.is("solver", "cholesky") => AccelerationSolver::Cholesky,
        () if values.is("solver", "refined") => refined(ResidualForm::Assembled),
        () if values.is("solver", "matrix-free") => refined(ResidualForm::MatrixFree),
        () => AccelerationSolver::Direct,
    };
    let variable = |Coordinate { name, unit }| Variable { name, unit };
    let variables: Vec<Variable> = mechanism.coordinates().into_iter().map(variable).collect();
    ModelParts {
        sizes: vec![variables.len()],
        variables,
        initial: mechanism.initial().to_vec(),
        duration: mechanism.duration(),
        drawn: (0..mechanism.positions().min(3)).collect(),
        dynamics: Arc::new(MachineDynamics::new(Arc::new(mechanism), solver)),
    }
}

/// Lists the forces of the road on the wheels, and the energies.
pub(crate) fn machine_outputs(mechanism: &Mechanism) -> Vec<Output> {
    let wheels = mechanism.tires().flat_map(Output::forces);
    let energies = ["kinetic", "gravity", "elastic"].map(|of| Output::new(of, "energy", "J"));
    wheels.chain(energies).collect()
}

pub(crate) fn machine_output_values(mechanism: &Mechanism, t: f64, y: &[f64]) -> Option<Vec<f64>> {
    let mut workspace = mechanism.workspace();
    let forces = mechanism.tire_forces(y, &mut workspace).ok()?;
    let energy = mechanism.energy(t, y, &mut workspace).ok()?;
    let forces = forces.into_iter().flat_map(|force| [force.load, force.along, force.aside]);
    Some(forces.chain([energy.kinetic, energy.gravity, energy.elastic]).collect())
}

struct MachineDynamics {
    mechanism: Arc<Mechanism>,
    /// Evaluator. It keeps only one thing from one evaluation to the next: the factor from which refinement starts.
    evaluator: Mutex<Evaluator>,
}

impl MachineDynamics {
    fn new(mechanism: Arc<Mechanism>, solver: AccelerationSolver) -> Self {
        Self { evaluator: Mutex::new(Evaluator::new(&mechanism, solver)), mechanism }
    }

    fn with<T>(&self, work: impl FnOnce(&mut Evaluator) -> T) -> T {
        work(&mut self.evaluator.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn another(&self, solver: AccelerationSolver) -> Arc<dyn Dynamics> {
        Arc::new(Self::new(Arc::clone(&self.mechanism), solver))
    }
}

impl Dynamics for MachineDynamics {
    fn rate(&self, _partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        match self.with(|evaluator| evaluator.rates(&self.mechanism, t, y, rate)) {
            Ok(()) | Err(MotionError::Length { .. }) => {}
            Err(_) => rate.fill(f64::NAN),
        }
    }

    fn renewed(&self) -> Option<Arc<dyn Dynamics>> {
        Some(self.another(self.with(|evaluator| evaluator.solver())))
    }

    fn most_accurate(&self) -> Option<Arc<dyn Dynamics>> {
        Some(self.another(AccelerationSolver::Direct))
    }

    fn outline(&self, y: &[f64]) -> Option<Vec<Vec<[f64; 3]>>> {
        self.with(|evaluator| self.mechanism.outline(y, evaluator.workspace())).ok()
    }

    fn solved(&self) -> Option<SolverCounts> {
        Some(self.with(|evaluator| evaluator.counts()))
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
        let energy = self.with(|evaluator| self.mechanism.energy(t, y, evaluator.workspace())).ok()?;
        Some(energy.kinetic + energy.gravity + energy.elastic)
    }

    fn power(&self, _sizes: &[usize], t: f64, y: &[f64]) -> Option<f64> {
        let (mut rate, mut workspace) = (vec![0.0; y.len()], self.mechanism.workspace());
        self.mechanism.rates(t, y, &mut rate, &mut workspace).ok()?;
        let steered = self.mechanism.rest_power(t, y, &mut workspace).ok()?;
        let energy = self.mechanism.energy(t, &along(y, &rate), &mut self.mechanism.workspace()).ok()?;
        Some(slope(&(energy.kinetic + energy.gravity + energy.elastic)) + steered)
    }

    fn outputs(&self) -> Vec<Output> {
        machine_outputs(&self.mechanism)
    }

    fn output_values(&self, t: f64, y: &[f64]) -> Option<Vec<f64>> {
        machine_output_values(&self.mechanism, t, y)
    }
}
