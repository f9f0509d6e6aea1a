//! Stable step sizes of methods on a partitioned linear system and in simulations of a model.

use hemiola_integrate::{AnyStepper, Extras, System, largest_stable_step};
use hemiola_models::{Model, part_alone};
use hemiola_multirate::{InfinitesimalMethod, InfinitesimalStage, MultirateError, SystemFlow};
use hemiola_number::Progress;
use hemiola_stability::{
    BlockSystem, DecoupledBound, Limit, StabilityError, StableSteps, SystemStep, real_eigenvalues,
};
use hemiola_tableau::{Method, Tableau};

use crate::StudyError;

/// Number of intervals of a curve; the second value is for partitioned methods on large systems, where each point
/// takes a second.
const CELLS: [usize; 2] = [1000, 100];

/// Largest number of variables of a dense Jacobian, whose eigenvalues take minutes.
const MOST_VARIABLES: usize = 4000;

/// Returns the dense Jacobian of a model, row by row.
///
/// # Errors
/// Returns [`StabilityError::LargeJacobian`] for more than 4000 variables.
pub fn dense_jacobian(model: &Model, t: f64, state: &[f64]) -> Result<Vec<Vec<f64>>, StabilityError> {
    let found = model.initial.len();
    if found > MOST_VARIABLES {
        return Err(StabilityError::LargeJacobian { found, most: MOST_VARIABLES });
    }
    Ok(model.jacobian_at(t, state))
}

/// Linearizes a model at its initial state.
///
/// The decoupled parts are uniform meshes of each cell width for models on meshes, and the diagonal blocks for
/// other models.
///
/// ```
/// use hemiola_study::stable_steps::linearized;
/// // Beside a fine mesh the coarse cells of P-ERK4 take a step that is longer than what their own mesh allows.
/// let mesh = hemiola_models::model_with("dg-advection", &[("cells", 8.0.into()), ("nodes", "lobatto".into())])?;
/// let system = linearized(&mesh)?;
/// let perk = hemiola_tableau::library::method("perk-4-9-5")?;
/// let alone = system.decoupled_limit(&perk)?.value();
/// let whole = system.stable_steps(&perk.to_f64(), 2.0 * alone, &())?.first_exit;
/// assert!((whole / alone - 1.16).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`StabilityError::LargeJacobian`] if the model or a part alone has more than 4000 variables, and other errors if
/// eigenvalues cannot be found.
pub fn linearized(model: &Model) -> Result<BlockSystem, StabilityError> {
    let system = BlockSystem::new(&dense_jacobian(model, 0.0, &model.initial)?, model.partition())?;
    let parts: Option<Vec<Model>> = (0..model.sizes().len()).map(|partition| part_alone(model, partition)).collect();
    let Some(parts) = parts else { return Ok(system) };
    let eigenvalues = |part: &Model| real_eigenvalues(&dense_jacobian(part, 0.0, &part.initial)?);
    Ok(system.with_decoupled_eigenvalues(parts.iter().map(eigenvalues).collect::<Result<_, _>>()?))
}

/// A method whose stable steps are computed.
pub enum SteppedMethod {
    /// A method with a tableau.
    Tableau(Box<Method>, Tableau<f64>),
    /// A multirate method whose fast part is solved exactly, with the method of its slow partition alone.
    ExactFlow {
        /// The id.
        id: String,
        /// The name.
        name: String,
        /// Whether the fast part alone is solved exactly, which requires a method without starts and drifts.
        is_exact: bool,
        /// The step.
        flow: SystemFlow,
        /// The slow partition.
        slow: Box<Method>,
    },
}

impl SteppedMethod {
    /// Prepares a multirate method with one slow partition; its fast part is solved exactly.
    ///
    /// # Errors
    /// [`MultirateError`] if stages are coupled or there are several slow partitions.
    pub fn exact_flow(method: &InfinitesimalMethod) -> Result<Self, MultirateError> {
        let (flow, slow) = (SystemFlow::new(method)?, Box::new(method.slow_method()?));
        let is_exact = method.exact_rows().iter().take(method.stages().len()).all(InfinitesimalStage::is_simple);
        let fast = if is_exact { "exact fast part" } else { "exact fast flow" };
        let (id, name) = (method.id().to_owned(), format!("{}, {fast}", method.name()));
        Ok(Self::ExactFlow { id, name, is_exact, flow, slow })
    }

    /// Returns the id.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Tableau(method, _) => method.id(),
            Self::ExactFlow { id, .. } => id,
        }
    }

    /// Returns the display name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Tableau(method, _) => method.name(),
            Self::ExactFlow { name, .. } => name,
        }
    }

    /// Returns the number of partitions.
    #[must_use]
    pub fn partitions(&self) -> usize {
        match self {
            Self::Tableau(method, _) => method.partitions().len(),
            Self::ExactFlow { .. } => 2,
        }
    }

    fn decoupled_bound(&self, blocks: &BlockSystem) -> Result<Option<DecoupledBound>, StabilityError> {
        match self {
            Self::Tableau(method, _) => blocks.decoupled_bound(method),
            Self::ExactFlow { slow, flow, is_exact, .. } => {
                let fast: Option<&dyn SystemStep> = if *is_exact { None } else { Some(flow) };
                blocks.decoupled_bound_by(slow, fast)
            }
        }
    }

    fn step(&self) -> &dyn SystemStep {
        match self {
            Self::Tableau(_, tableau) => tableau,
            Self::ExactFlow { flow, .. } => flow,
        }
    }
}

impl From<Method> for SteppedMethod {
    fn from(method: Method) -> Self {
        let tableau = method.to_f64();
        Self::Tableau(Box::new(method), tableau)
    }
}

/// Stable steps of methods on a linear system.
pub struct StableStepStudy<'a> {
    /// The system.
    pub blocks: &'a BlockSystem,
    /// The largest step examined.
    pub farthest: f64,
    /// The results for each method.
    pub methods: Vec<MethodSteps>,
    stepped: &'a [SteppedMethod],
}

/// Step sizes from zero up, and ρ(M) of each method at them.
pub struct Curves {
    /// The step sizes.
    pub steps: Vec<f64>,
    /// ρ(M) of each method at each step size.
    pub radii: Vec<Vec<f64>>,
}

/// The stable steps of one method.
pub struct MethodSteps {
    /// The id of the method.
    pub id: String,
    /// The number of partitions of the method.
    pub partitions: usize,
    /// The step sizes at which the method is stable on the coupled system.
    pub steps: StableSteps,
    /// The step limit of the decoupled parts.
    pub decoupled: Limit,
    /// The eigenvalue of a decoupled part that determines this limit.
    pub bound: Option<DecoupledBound>,
    /// The largest stable step by simulation, if requested; infinite if all steps are stable.
    pub simulated: Option<f64>,
}

impl<'a> StableStepStudy<'a> {
    /// Computes the stable steps of each method, up to `to` or, without it, up to the first exit of the coupled
    /// system.
    ///
    /// If a model is given, the largest stable step is also determined by simulation.
    ///
    /// `progress` counts the steps at which each method was examined.
    ///
    /// # Errors
    /// Returns a [`StudyError`] if a method does not fit the system or `progress` stops the search, and for a simulation of
    /// a multirate method.
    pub fn new(
        blocks: &'a BlockSystem,
        methods: &'a [SteppedMethod],
        to: Option<f64>,
        model: Option<&Model>,
        progress: &dyn Progress,
    ) -> Result<Self, StudyError> {
        let mut found = Vec::with_capacity(methods.len());
        for method in methods {
            // Each method has its own range: a wide one would coarsen the search for the others.
            let bound = method.decoupled_bound(blocks)?;
            let decoupled = bound.map_or(Limit::Unbounded, |bound| Limit::Finite(bound.step));
            let steps = match to {
                Some(farthest) => blocks.stable_steps(method.step(), farthest, progress)?,
                None => blocks.stable_steps_to_exit(method.step(), decoupled, progress)?,
            };
            let simulated = model.map(|model| simulated(method, model, steps.farthest)).transpose()?;
            let (id, partitions) = (method.id().to_owned(), method.partitions());
            found.push(MethodSteps { id, partitions, steps, decoupled, bound, simulated });
        }
        let farthest = common_range(&found);
        Ok(Self { blocks, farthest, methods: found, stepped: methods })
    }

    /// Computes ρ(M) of each method over the common range.
    ///
    /// # Errors
    /// Returns a [`StabilityError`] if a method does not fit the system.
    pub fn curves(&self) -> Result<Curves, StabilityError> {
        let is_exact = |method: &SteppedMethod| method.partitions() == 1 && self.blocks.is_decomposed();
        let is_slow = self.blocks.is_large() && !self.stepped.iter().all(is_exact);
        let cells = CELLS[usize::from(is_slow)];
        let steps: Vec<f64> = (0..=cells).map(|k| self.farthest * (k as f64 / cells as f64)).collect();
        let radii = self.stepped.iter().map(|method| self.blocks.spectral_radii(method.step(), &steps));
        Ok(Curves { radii: radii.collect::<Result<_, _>>()?, steps })
    }
}

/// Determines the largest stable step of a method on a model by simulation from its initial state.
fn simulated(method: &SteppedMethod, model: &Model, farthest: f64) -> Result<f64, StudyError> {
    let SteppedMethod::Tableau(method, _) = method else {
        return Err(StudyError::ExactFlow { id: method.id().to_owned() });
    };
    let stepper = AnyStepper::new(method, model, Extras::default())?;
    let step = largest_stable_step(&stepper, model, (0.0, &model.initial), farthest);
    Ok(step.unwrap_or(f64::INFINITY))
}

/// Returns the widest range of the methods with a decoupled limit, or of all methods if none has one.
fn common_range(methods: &[MethodSteps]) -> f64 {
    let is_bounded = |method: &&MethodSteps| matches!(method.decoupled, Limit::Finite(_));
    let any_bounded = methods.iter().any(|method| is_bounded(&method));
    let counted = methods.iter().filter(|method| !any_bounded || is_bounded(method));
    counted.map(|method| method.steps.farthest).fold(0.0, f64::max)
}
