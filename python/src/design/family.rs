//! Design of families: methods with several rates, any two of which can be coupled.

use hemiola::design::{Certificate, DesignError, Family, FamilyFile, FamilyLevel, design_family};
use hemiola::study::stable_steps::linearized;
use pyo3::prelude::*;

use crate::errors::{of_design, refused};
use crate::method::Core;
use crate::models::Equations;
use crate::running::{LatestUpdate, SharedProgress, watched};

/// A level of a family.
#[derive(IntoPyObject)]
struct Level {
    evaluations: usize,
    polynomial: Vec<f64>,
    limit: f64,
    optimum: f64,
    amplification: f64,
}

#[derive(IntoPyObject)]
struct FamilyResult {
    method: Core,
    certificate: String,
    levels: Vec<Level>,
    error_norm: f64,
    largest_coefficient: f64,
    /// For each system, the smallest ratio of the coupled step to the smallest step of the parts by themselves.
    coupled: Vec<f64>,
}

fn found((family, certificate): (Family, Certificate)) -> FamilyResult {
    let level = |level: FamilyLevel| Level {
        evaluations: level.evaluations,
        polynomial: level.polynomial,
        limit: level.limit,
        optimum: level.optimum,
        amplification: level.amplification,
    };
    FamilyResult {
        certificate: format!("{:#}\n", certificate.to_json()),
        levels: family.levels.into_iter().map(level).collect(),
        error_norm: family.error_norm,
        largest_coefficient: family.largest_coefficient,
        coupled: family.coupled.iter().map(|least| least.ratio).collect(),
        method: Core::new(family.method),
    }
}

/// Designs a family from the text of its design file, on the linearized models that it names. Returns the family, the
/// completed design file, and the exception that stopped the search.
#[pyfunction]
#[pyo3(name = "family")]
fn run_family(
    py: Python<'_>,
    text: &str,
    models: Vec<PyRef<'_, Equations>>,
    threads: Option<usize>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(Option<FamilyResult>, String, Option<PyErr>)> {
    let file = FamilyFile::from_json(text.as_bytes(), "the family").map_err(of_design)?;
    let systems = models.iter().map(|equations| linearized(&equations.model).map_err(refused));
    let systems = systems.collect::<PyResult<Vec<_>>>()?;
    let work = |shared: &SharedProgress| -> Result<(Family, Certificate), DesignError> {
        let mut family = design_family(&file.specification, &systems, shared)?;
        file.sign(&mut family)?;
        let certificate = Certificate::new(&family.method, file.specification.order, &[])?;
        Ok((family, certificate))
    };
    let tell = |latest: LatestUpdate| {
        let fraction = latest.done as f64 / latest.total.max(1) as f64;
        progress.as_ref().map_or(Ok(()), |progress| progress.call1((fraction,)).map(|_| ()))
    };
    let (result, exception) = watched(py, threads, work, tell)?;
    let result = match (result, &exception) {
        (Ok(result), _) => Some(found(result)),
        (Err(_), Some(_)) => None,
        (Err(error), None) => return Err(of_design(error)),
    };
    Ok((result, file.to_json(), exception))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run_family, module)?)
}
