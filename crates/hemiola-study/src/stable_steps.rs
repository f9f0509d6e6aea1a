//! The steps at which methods are stable on a linear system in partitions, and in simulations of a model.

use hemiola_integrate::{AnyStepper, Extras, largest_stable_step};
use hemiola_models::Model;
use hemiola_stability::{BlockSystem, Limit, StabilityError};
use hemiola_tableau::{Method, Tableau};

use crate::StudyError;

/// The number of intervals of curves.
const CELLS: usize = 1000;

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
    /// The steps at which it is stable on the coupled system.
    pub steps: hemiola_stability::StableSteps,
    /// The limit that the diagonal blocks alone allow.
    pub decoupled: Limit,
    /// The largest stable step by simulation, if requested; infinite if all steps are stable.
    pub simulated: Option<f64>,
}

impl<'a> StableSteps<'a> {
    /// The stable steps of each method, searched for up to `to` or as far as a method may reach; also by simulation, if
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
        let tableaus: Vec<Tableau<f64>> = methods.iter().map(Method::to_f64).collect();
        let mut found = Vec::with_capacity(methods.len());
        for (method, tableau) in methods.iter().zip(&tableaus) {
            // Each method has its own range, as one that extends far would coarsen the search for the others.
            let decoupled = blocks.decoupled_limit(method)?;
            let farthest = to.unwrap_or_else(|| blocks.range_of(method, decoupled));
            let steps = blocks.stable_steps(tableau, farthest)?;
            let simulated = model.map(|model| simulated(method, model, farthest)).transpose()?;
            found.push(MethodSteps { id: method.id().to_owned(), steps, decoupled, simulated });
        }
        let farthest = common_range(&found);
        Ok(Self { blocks, farthest, methods: found, tableaus })
    }

    /// ρ(M) of each method over the common range.
    ///
    /// # Errors
    /// [`StabilityError`] if a method does not fit the system.
    pub fn curves(&self) -> Result<Curves, StabilityError> {
        let steps: Vec<f64> = (0..=CELLS).map(|k| self.farthest * (k as f64 / CELLS as f64)).collect();
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
