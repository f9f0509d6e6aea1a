//! Evaluation of the rates with memory: the factor from which refinement starts, and counts.

use crate::algebra::dense::solve_cholesky;
use crate::dynamics::loops::DependentsPolicy;
use crate::error::MotionError;
use crate::mechanism::definition::{Mechanism, Workspace, expand};
use crate::solution::refinement::{AccelerationSolver, ResidualForm};

/// Evaluates the rates of a [`Mechanism`] with one of the solvers.
///
/// With refinement every second evaluation factorizes, and those between refine with the last factor. In RK4 the second
/// and fourth evaluations factorize, and the third and first refine, as in Pan & He.
///
/// ```
/// use hemiola_multibody::{Evaluator, Maneuver, Refinement, ResidualForm, AccelerationSolver, vehicles};
/// let sedan = vehicles::sedan(&Maneuver::coasting(15.0)).build()?;
/// let mut evaluator = Evaluator::new(&sedan, AccelerationSolver::Refined(Refinement::new(1e-9, ResidualForm::MatrixFree)));
/// let mut rate = sedan.initial().to_vec();
/// for _ in 0..5 {
///     evaluator.rates(&sedan, 0.0, sedan.initial(), &mut rate)?;
/// }
/// assert_eq!((evaluator.counts().factorizations, evaluator.counts().refined), (3, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Evaluator {
    solver: AccelerationSolver,
    pub(crate) workspace: Workspace<f64>,
    /// The number of the choice of dependents to which the factor belongs; `None` if there is no factor yet.
    factor: Option<u64>,
    counts: SolverCounts,
}

/// Counts of the work done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolverCounts {
    /// The number of evaluations of the accelerations.
    pub evaluations: u64,
    /// The number of factorizations of the mass matrix of the independents.
    pub factorizations: u64,
    /// The number of refined evaluations.
    pub refined: u64,
    /// The total number of refinement iterations.
    pub iterations: u64,
    /// The largest number of iterations in one evaluation.
    pub most_iterations: u32,
    /// The number of times dependents were chosen again.
    pub choices: u64,
}

impl Evaluator {
    /// Creates an evaluator without a factor.
    #[must_use]
    pub fn new(mechanism: &Mechanism, solver: AccelerationSolver) -> Self {
        Self { solver, workspace: mechanism.workspace(), factor: None, counts: SolverCounts::default() }
    }

    /// Returns the solver.
    #[must_use]
    pub fn solver(&self) -> AccelerationSolver {
        self.solver
    }

    /// Returns the work done so far.
    #[must_use]
    pub fn counts(&self) -> SolverCounts {
        SolverCounts { choices: self.workspace.room.choices, ..self.counts }
    }

    /// Returns the storage, for other queries to the mechanism.
    pub fn workspace(&mut self) -> &mut Workspace<f64> {
        &mut self.workspace
    }

    /// Computes the rates of a state.
    ///
    /// # Errors
    /// See [`Mechanism::rates`].
    pub fn rates(&mut self, mechanism: &Mechanism, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), MotionError> {
        if self.workspace.room.choices > 0 {
            mechanism.reset_dependents(&mut self.workspace.room);
            self.factor = None;
        }
        let may_refine = self.counts.evaluations.is_multiple_of(2);
        self.evaluate(mechanism, may_refine, (t, y), rate)?;
        mechanism.finite(&self.workspace.room)
    }

    /// Computes the rates, with refinement if it is allowed and there is a factor.
    pub(crate) fn evaluate(
        &mut self,
        mechanism: &Mechanism,
        may_refine: bool,
        (t, y): (f64, &[f64]),
        rate: &mut [f64],
    ) -> Result<(), MotionError> {
        let room = &mut self.workspace.room;
        self.counts.evaluations += 1;
        mechanism.kinematics(t, y, room, DependentsPolicy::Late)?;
        let refinement = match self.solver {
            AccelerationSolver::Direct => {
                self.counts.factorizations += u64::from(mechanism.constraints() > 0);
                mechanism.solve(room)?;
                mechanism.write_rates(room, rate);
                return Ok(());
            }
            AccelerationSolver::Cholesky => None,
            AccelerationSolver::Refined(refinement) => {
                (may_refine && self.factor == Some(room.choices)).then_some(refinement)
            }
        };
        mechanism.prepare(room);
        mechanism.right_side(room);
        if refinement.is_none_or(|refinement| refinement.residual == ResidualForm::Assembled) {
            mechanism.matrix(room);
        }
        let iterations = refinement.and_then(|refinement| refinement.solve(&mechanism.tree, room));
        if let Some(iterations) = iterations {
            self.counts.refined += 1;
            self.counts.iterations += u64::from(iterations);
            self.counts.most_iterations = self.counts.most_iterations.max(iterations);
        } else {
            if refinement.is_some() {
                mechanism.matrix(room);
            }
            let f = mechanism.degrees_of_freedom();
            let reduced = &mut room.reduced;
            std::mem::swap(&mut reduced.matrix, &mut reduced.factor);
            mechanism.factorize(room)?;
            self.counts.factorizations += 1;
            self.factor = Some(room.choices);
            let reduced = &mut room.reduced;
            reduced.solution.copy_from_slice(&reduced.right);
            solve_cholesky(&reduced.factor, f, &mut reduced.solution);
        }
        expand(room);
        mechanism.write_rates(room, rate);
        Ok(())
    }
}
