//! The steps at which methods are stable on a linear system in partitions, and in simulations of a model.

use hemiola_integrate::{AnyStepper, Extras, System, largest_stable_step};
use hemiola_models::{Model, part_alone};
use hemiola_stability::{BlockSystem, DecoupledBound, Limit, StabilityError, real_eigenvalues};
use hemiola_tableau::{Method, Tableau};

use crate::StudyError;

/// The number of intervals of curves, and of those of partitioned methods on large systems, where each takes a second.
const CELLS: [usize; 2] = [1000, 100];

/// A model linearized at its initial state; what its parts are alone is a mesh of each width for models on meshes, and the diagonal
/// blocks for others.
///
/// ```
/// use hemiola_study::stable_steps::linearized;
/// // Beside a fine mesh the coarse cells of P-ERK4 take a step that is longer than what their own mesh allows.
/// let mesh = hemiola_models::model_with("dg-advection", &[("cells", 8.0.into()), ("nodes", "lobatto".into())])?;
/// let system = linearized(&mesh)?;
/// let perk = hemiola_tableau::library::method("perk-4-9-5")?;
/// let alone = system.decoupled_limit(&perk)?.value();
/// let whole = system.stable_steps(&perk.to_f64(), 2.0 * alone)?.first_exit;
/// assert!((whole / alone - 1.16).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`StabilityError`] if eigenvalues cannot be found.
pub fn linearized(model: &Model) -> Result<BlockSystem, StabilityError> {
    let system = BlockSystem::new(&model.jacobian_at(0.0, &model.initial), model.partition())?;
    let parts: Option<Vec<Model>> = (0..model.sizes().len()).map(|partition| part_alone(model, partition)).collect();
    let Some(parts) = parts else { return Ok(system) };
    let eigenvalues = |part: &Model| real_eigenvalues(&part.jacobian_at(0.0, &part.initial));
    Ok(system.with_parts_alone(parts.iter().map(eigenvalues).collect::<Result<_, _>>()?))
}

/// Methods on a linear system.
pub struct StableSteps<'a> {
    /// The system.
    pub blocks: &'a BlockSystem,
    /// The largest step examined.
    pub farthest: f64,
    /// The results for each method.
    pub methods: Vec<MethodSteps>,
    tableaus: Vec<Tableau<f64>>,
}

/// Steps from zero up, and ρ(M) of each method there.
pub struct Curves {
    /// The steps.
    pub steps: Vec<f64>,
    /// ρ(M), method by method.
    pub radii: Vec<Vec<f64>>,
}

/// One method.
pub struct MethodSteps {
    /// Its id.
    pub id: String,
    /// How many partitions it has.
    pub partitions: usize,
    /// The steps at which it is stable on the coupled system.
    pub steps: hemiola_stability::StableSteps,
    /// The limit that the parts alone allow.
    pub decoupled: Limit,
    /// The eigenvalue of a part alone that bounds it.
    pub bound: Option<DecoupledBound>,
    /// The largest stable step by simulation, if requested; infinite if all steps are stable.
    pub simulated: Option<f64>,
}

impl<'a> StableSteps<'a> {
    /// The stable steps of each method, searched for up to `to` or until the coupled system has an exit; also by simulation, if
    /// a model is given.
    ///
    /// # Errors
    /// [`StudyError`] if a method does not fit the system.
    pub fn new(
        blocks: &'a BlockSystem,
        methods: &[Method],
        to: Option<f64>,
        model: Option<&Model>,
    ) -> Result<Self, StudyError> {
        Self::watched(blocks, methods, to, model, &|_| ())
    }

    /// The same; `watch` is told of how many more steps a method was looked at.
    ///
    /// # Errors
    /// As of [`new`](Self::new).
    pub fn watched(
        blocks: &'a BlockSystem,
        methods: &[Method],
        to: Option<f64>,
        model: Option<&Model>,
        watch: &(dyn Fn(usize) + Sync),
    ) -> Result<Self, StudyError> {
        let tableaus: Vec<Tableau<f64>> = methods.iter().map(Method::to_f64).collect();
        let mut found = Vec::with_capacity(methods.len());
        for (method, tableau) in methods.iter().zip(&tableaus) {
            // Each method has its own range, as one that extends far would coarsen the search for the others.
            let bound = blocks.decoupled_bound(method)?;
            let decoupled = bound.map_or(Limit::Unbounded, |bound| Limit::Finite(bound.step));
            let steps = match to {
                Some(farthest) => blocks.stable_steps_watched(tableau, farthest, watch)?,
                None => blocks.stable_steps_to_exit(tableau, decoupled, watch)?,
            };
            let simulated = model.map(|model| simulated(method, model, steps.farthest)).transpose()?;
            let (id, partitions) = (method.id().to_owned(), method.partitions().len());
            found.push(MethodSteps { id, partitions, steps, decoupled, bound, simulated });
        }
        let farthest = common_range(&found);
        Ok(Self { blocks, farthest, methods: found, tableaus })
    }

    /// ρ(M) of each method over the common range.
    ///
    /// # Errors
    /// [`StabilityError`] if a method does not fit the system.
    pub fn curves(&self) -> Result<Curves, StabilityError> {
        let is_exact = |tableau: &Tableau<f64>| tableau.partitions.len() == 1 && self.blocks.is_decomposed();
        let is_slow = self.blocks.is_large() && !self.tableaus.iter().all(is_exact);
        let cells = CELLS[usize::from(is_slow)];
        let steps: Vec<f64> = (0..=cells).map(|k| self.farthest * (k as f64 / cells as f64)).collect();
        let radii = self.tableaus.iter().map(|tableau| self.blocks.spectral_radii(tableau, &steps));
        Ok(Curves { radii: radii.collect::<Result<_, _>>()?, steps })
    }
}

/// The largest stable step of a method on a model by simulation from its initial state.
fn simulated(method: &Method, model: &Model, farthest: f64) -> Result<f64, StudyError> {
    let stepper = AnyStepper::new(method, model, Extras::default())?;
    let step = largest_stable_step(&stepper, model, (0.0, &model.initial), farthest);
    Ok(step.unwrap_or(f64::INFINITY))
}

/// The widest range of the methods limited by the blocks, or of all methods if none is.
fn common_range(methods: &[MethodSteps]) -> f64 {
    let is_bounded = |method: &&MethodSteps| matches!(method.decoupled, Limit::Finite(_));
    let any_bounded = methods.iter().any(|method| is_bounded(&method));
    let counted = methods.iter().filter(|method| !any_bounded || is_bounded(method));
    counted.map(|method| method.steps.farthest).fold(0.0, f64::max)
}
