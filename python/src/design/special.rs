//! Designs with large radii of absolute monotonicity, and designs in low-storage forms.

use hemiola::design::{SspDesign, SspSpecification, StorageDesign, StorageSpecification, design_ssp, design_storage};
use hemiola::number::parse_number;
use hemiola::polynomial::Spectrum;
use hemiola::stability::monotonicity::MonotonicityRadius;
use hemiola::tableau::low_storage::StorageClass;
use num_complex::Complex64;
use pyo3::prelude::*;

use crate::errors::{of_design, refused};
use crate::method::Core;
use crate::running::{LatestUpdate, SharedProgress, watched};

/// Arguments of an SSP design.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct SspRequest {
    id: Option<String>,
    evaluations: Vec<usize>,
    order: usize,
    ratio: Option<String>,
    by_parts: bool,
    shared_weights: bool,
    shared_abscissae: bool,
    slow_stages: Option<Vec<usize>>,
    embedded: Option<usize>,
    seed: Option<u64>,
    starts: Option<usize>,
}

impl SspRequest {
    fn specification(&self) -> PyResult<SspSpecification> {
        let default = SspSpecification::new(self.evaluations.clone(), self.order);
        let ratio = match &self.ratio {
            None => default.ratio.clone(),
            Some(text) => {
                let number = parse_number(text).map_err(refused)?;
                let rational = number.as_rational().cloned();
                rational.ok_or_else(|| refused(format!("ratio: found {text}; expected a rational number")))?
            }
        };
        Ok(SspSpecification {
            ratio,
            by_parts: self.by_parts,
            shared_weights: self.shared_weights,
            shared_abscissae: self.shared_abscissae,
            slow_stages: self.slow_stages.clone(),
            embedded: self.embedded,
            seed: self.seed.unwrap_or(default.seed),
            starts: self.starts.unwrap_or(default.starts),
            ..default
        })
    }
}

/// Arguments of a low-storage design.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct StorageRequest {
    id: Option<String>,
    form: String,
    stages: usize,
    order: usize,
    shape: Option<String>,
    eigenvalues: Option<Vec<Complex64>>,
    share: Option<f64>,
    embedded: Option<usize>,
    internal: Option<f64>,
    seed: Option<u64>,
    starts: Option<usize>,
}

impl StorageRequest {
    fn specification(&self) -> PyResult<StorageSpecification> {
        let class = self.form.parse::<StorageClass>().map_err(refused)?;
        let default = StorageSpecification::new(class, self.stages, self.order);
        let spectrum = match (&self.shape, &self.eigenvalues) {
            (Some(shape), _) => Some(shape.parse::<Spectrum>().map_err(refused)?),
            (None, eigenvalues) => eigenvalues.clone().map(Spectrum::Eigenvalues),
        };
        Ok(StorageSpecification {
            spectrum,
            spectrum_text: self.shape.clone(),
            share: self.share.unwrap_or(default.share),
            embedded: self.embedded,
            internal: self.internal.unwrap_or(default.internal),
            seed: self.seed.unwrap_or(default.seed),
            starts: self.starts.unwrap_or(default.starts),
            ..default
        })
    }
}

#[derive(IntoPyObject)]
struct SspResult {
    method: Core,
    certificate: String,
    radius: f64,
    /// SSP coefficient and upper bound of each partition.
    coefficients: Vec<f64>,
    bounds: Vec<f64>,
    diagonal: Option<f64>,
    along_ratio: Option<f64>,
}

#[derive(IntoPyObject)]
struct StorageResult {
    method: Core,
    certificate: String,
    /// The text of the method file, with the coefficients of the form.
    text: String,
    error_norm: f64,
    limit: Option<f64>,
    optimum: Option<f64>,
    amplification: Option<f64>,
    form_amplification: f64,
    registers: usize,
    registers_with_embedded: Option<usize>,
    /// Bound on the distance of an exact solution in the same form, if it is proved.
    distance: Option<f64>,
}

fn of_ssp(design: SspDesign, specification: &SspSpecification) -> SspResult {
    let value = |radius: &MonotonicityRadius| radius.value().unwrap_or(f64::INFINITY);
    SspResult {
        radius: design.radius(specification),
        certificate: format!("{:#}\n", design.certificate.to_json()),
        coefficients: design.coefficients.iter().map(value).collect(),
        bounds: design.bounds.iter().map(value).collect(),
        diagonal: design.diagonal.as_ref().map(value),
        along_ratio: design.along_ratio.as_ref().map(value),
        method: Core::new(design.method),
    }
}

fn of_storage(design: StorageDesign) -> StorageResult {
    StorageResult {
        certificate: format!("{:#}\n", design.certificate.to_json()),
        text: design.to_json(),
        error_norm: design.error_norm,
        limit: design.limit,
        optimum: design.optimum,
        amplification: design.amplification,
        form_amplification: design.form_amplification,
        registers: design.form.registers,
        registers_with_embedded: design.form.registers_with_embedded,
        distance: design.proof.map(|proof| proof.radius),
        method: Core::new(design.method),
    }
}

/// Reports the completed fraction of the starts.
fn tell(progress: Option<&Bound<'_, PyAny>>, latest: &LatestUpdate) -> PyResult<()> {
    let fraction = latest.done as f64 / latest.total.max(1) as f64;
    progress.map_or(Ok(()), |progress| progress.call1((fraction,)).map(|_| ()))
}

/// Designs a method with a large SSP coefficient. Returns the method and the exception that stopped the search.
#[pyfunction]
fn ssp_design(
    py: Python<'_>,
    request: SspRequest,
    threads: Option<usize>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(Option<SspResult>, Option<PyErr>)> {
    let specification = request.specification()?;
    let id = request.id.clone().unwrap_or_else(|| specification.default_id());
    let work = |shared: &SharedProgress| design_ssp(&specification, &id, shared);
    let (result, exception) = watched(py, threads, work, |latest: LatestUpdate| tell(progress.as_ref(), &latest))?;
    if exception.is_some() {
        return Ok((None, exception));
    }
    let design = result.map_err(of_design)?;
    Ok((Some(of_ssp(design, &specification)), None))
}

/// Designs a method in a low-storage form. Returns the method and the exception that stopped the search.
#[pyfunction]
fn storage_design(
    py: Python<'_>,
    request: StorageRequest,
    threads: Option<usize>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(Option<StorageResult>, Option<PyErr>)> {
    let specification = request.specification()?;
    let id = request.id.clone().unwrap_or_else(|| specification.default_id());
    let work = |shared: &SharedProgress| design_storage(&specification, &id, shared);
    let (result, exception) = watched(py, threads, work, |latest: LatestUpdate| tell(progress.as_ref(), &latest))?;
    if exception.is_some() {
        return Ok((None, exception));
    }
    let design = result.map_err(of_design)?;
    Ok((Some(of_storage(design)), None))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(ssp_design, module)?)?;
    module.add_function(wrap_pyfunction!(storage_design, module)?)
}
