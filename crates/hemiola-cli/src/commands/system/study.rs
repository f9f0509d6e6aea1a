//! What is found out about a system: its eigenvalues, and the stable steps of each method.

use hemiola::integrate::{AnyStepper, Extras, largest_stable_step};
use hemiola::models::Model;
use hemiola::stability::{Limit, StabilityError, StableSteps};
use hemiola::tableau::{Method, Tableau};
use serde::Serialize;

use super::source::NamedSystem;
use crate::failure::Failure;

/// The intervals of curves.
const CELLS: usize = 1000;

pub(crate) struct Study<'a> {
    pub(crate) system: &'a NamedSystem,
    /// The farthest of all steps looked at.
    pub(crate) farthest: f64,
    pub(crate) rows: Vec<Row>,
    tableaus: Vec<Tableau<f64>>,
}

/// Steps from zero to a farthest one, and ρ(M) of each method there.
pub(crate) struct Curves {
    pub(crate) steps: Vec<f64>,
    pub(crate) radii: Vec<Vec<f64>>,
}

/// One method.
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) steps: StableSteps,
    pub(crate) decoupled: Limit,
    /// The largest stable step by simulation, where that was asked for; infinite where all steps are stable.
    pub(crate) simulated: Option<f64>,
}

#[derive(Serialize)]
pub(crate) struct Report<'a> {
    system: &'a str,
    variables: &'a [String],
    partition: &'a [usize],
    /// Real and imaginary parts, the smallest modulus first.
    eigenvalues: Vec<[f64; 2]>,
    farthest: f64,
    methods: Vec<RowReport<'a>>,
}

/// `null` where there is no exit, or no limit.
#[derive(Serialize)]
struct RowReport<'a> {
    id: &'a str,
    first_exit: Option<f64>,
    decoupled: Option<f64>,
    /// The largest step looked at for this method.
    farthest: f64,
    gaps: &'a [(f64, f64)],
    last_stable: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated: Option<f64>,
}

impl<'a> Study<'a> {
    pub(crate) fn new(
        system: &'a NamedSystem,
        methods: &[Method],
        to: Option<f64>,
        simulate: bool,
    ) -> Result<Self, Failure> {
        let blocks = &system.blocks;
        let tableaus: Vec<Tableau<f64>> = methods.iter().map(Method::to_f64).collect();
        let mut rows = Vec::with_capacity(methods.len());
        for (method, tableau) in methods.iter().zip(&tableaus) {
            // Each method has a range of its own: one that reaches far would coarsen the search of the others.
            let decoupled = blocks.decoupled_limit(method)?;
            let farthest = to.unwrap_or_else(|| blocks.range_of(method, decoupled));
            let steps = blocks.stable_steps(tableau, farthest)?;
            let model = system.model.as_ref().filter(|_| simulate);
            let simulated = model.map(|model| simulated(method, model, farthest)).transpose()?;
            rows.push(Row { id: method.id().to_owned(), steps, decoupled, simulated });
        }
        let farthest = common_range(&rows);
        Ok(Self { system, farthest, rows, tableaus })
    }

    /// ρ(M) of each method over the range that all share.
    pub(crate) fn curves(&self) -> Result<Curves, StabilityError> {
        let steps: Vec<f64> = (0..=CELLS).map(|k| self.farthest * (k as f64 / CELLS as f64)).collect();
        let radii = self.tableaus.iter().map(|tableau| self.system.blocks.spectral_radii(tableau, &steps));
        Ok(Curves { radii: radii.collect::<Result<_, _>>()?, steps })
    }

    pub(crate) fn report(&'a self) -> Report<'a> {
        let finite = |value: f64| value.is_finite().then_some(value);
        let row = |row: &'a Row| RowReport {
            id: &row.id,
            first_exit: finite(row.steps.first_exit),
            decoupled: finite(row.decoupled.value()),
            farthest: row.steps.farthest,
            gaps: &row.steps.gaps,
            last_stable: row.steps.last,
            simulated: row.simulated,
        };
        let blocks = &self.system.blocks;
        Report {
            system: &self.system.name,
            variables: &self.system.variables,
            partition: blocks.partition_of(),
            eigenvalues: blocks.eigenvalues().iter().map(|value| [value.re, value.im]).collect(),
            farthest: self.farthest,
            methods: self.rows.iter().map(row).collect(),
        }
    }

    /// A line for each step: h and ρ(M) of each method, `inf` where a stage equation is singular.
    pub(crate) fn csv(&self, curves: &Curves) -> String {
        let mut text = format!("h{}\n", self.rows.iter().map(|row| format!(",{}", row.id)).collect::<String>());
        for (k, step) in curves.steps.iter().enumerate() {
            let values: String = curves.radii.iter().map(|radii| format!(",{}", radii[k])).collect();
            text += &format!("{step}{values}\n");
        }
        text
    }
}

/// The largest stable step of a method on a model by simulation from its initial state.
fn simulated(method: &Method, model: &Model, farthest: f64) -> Result<f64, Failure> {
    let stepper = AnyStepper::new(method, model, Extras::default())?;
    let step = largest_stable_step(&stepper, model, (0.0, &model.initial), farthest);
    Ok(step.unwrap_or(f64::INFINITY))
}

/// The widest range of the methods that the blocks limit; of all, where they limit none.
fn common_range(rows: &[Row]) -> f64 {
    let is_bounded = |row: &&Row| matches!(row.decoupled, Limit::Finite(_));
    let any_bounded = rows.iter().any(|row| is_bounded(&row));
    let counted = rows.iter().filter(|row| !any_bounded || is_bounded(row));
    counted.map(|row| row.steps.farthest).fold(0.0, f64::max)
}
