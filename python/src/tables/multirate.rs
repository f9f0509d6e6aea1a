//! Multirate infinitesimal methods: loading, verdicts, expansion and output.

use std::path::Path;

use hemiola::atlas::wording::labels_of;
use hemiola::design::complete_multirate;
use hemiola::export;
use hemiola::multirate::{ErrorByRate, InfinitesimalMethod, MultirateError, MultirateReport, RowVerdicts, library};
use pyo3::prelude::*;

use crate::errors::{not_found, of_design, of_method, refused};
use crate::method::Core;
use crate::order::reason;
use crate::running::released;
use crate::tables::language_named;

/// An immutable multirate method of the libraries.
#[pyclass(frozen, module = "hemiola._hemiola", name = "MultirateCore")]
pub(crate) struct MultirateCore {
    pub(crate) method: InfinitesimalMethod,
}

/// Verdicts on the step or the embedded row.
#[derive(IntoPyObject)]
struct Verdicts {
    order: usize,
    order_as_stated: usize,
    exact_order: usize,
    order_checked_to: usize,
    /// Norms of the principal error, and its order, unless all conditions hold.
    error: Option<(usize, f64, f64, f64, f64)>,
    /// Failing trees with their residuals.
    failures: Vec<(String, f64)>,
}

fn verdicts(rows: &RowVerdicts, partitions: &[String]) -> Verdicts {
    let labels: Vec<&str> = partitions.iter().map(String::as_str).collect();
    let error = rows.principal_error().map(|ErrorByRate { order, total, fast, slow, coupling }| {
        (*order, total.two, fast.two, slow.two, coupling.two)
    });
    Verdicts {
        order: rows.order(),
        order_as_stated: rows.order_as_stated(),
        exact_order: rows.exact_order(),
        order_checked_to: rows.orders().len(),
        error,
        failures: rows.failures().map(|failure| (failure.tree.text(&labels), failure.residual)).collect(),
    }
}

fn of_multirate(error: MultirateError) -> PyErr {
    match error {
        MultirateError::Method(error) => of_method(error),
        other => refused(other),
    }
}

#[pymethods]
impl MultirateCore {
    /// Loads a method by its id or another name, or from a method file.
    #[staticmethod]
    pub(crate) fn load(name: &str) -> PyResult<Self> {
        let is_file = Path::new(name).extension().is_some_and(|ending| ending == "json");
        let method = if is_file { InfinitesimalMethod::read(Path::new(name)) } else { library::method(name) };
        Ok(Self { method: method.map_err(of_method)? })
    }

    #[staticmethod]
    fn from_json(text: &str, origin: &str) -> PyResult<Self> {
        Ok(Self { method: InfinitesimalMethod::from_json(text.as_bytes(), origin).map_err(of_method)? })
    }

    fn to_json(&self) -> String {
        self.method.to_json()
    }

    #[getter]
    fn id(&self) -> &str {
        self.method.id()
    }

    #[getter]
    fn name(&self) -> &str {
        self.method.name()
    }

    #[getter]
    fn partitions(&self) -> Vec<String> {
        self.method.partitions().to_vec()
    }

    /// Claims of the order and of the embedded order.
    #[getter]
    fn claims(&self) -> (Option<usize>, Option<usize>) {
        let claims = self.method.claims();
        (claims.order, claims.embedded_order)
    }

    /// Exact abscissae of Y₁ to Y_{s+1}.
    #[getter]
    fn abscissae(&self) -> Vec<String> {
        self.method.abscissae().iter().map(ToString::to_string).collect()
    }

    /// Stages at which each slow partition is evaluated, from 0.
    #[getter]
    fn evaluated_stages(&self) -> Vec<Vec<usize>> {
        (1..self.method.partitions().len()).map(|partition| self.method.evaluated_stages(partition)).collect()
    }

    #[getter]
    fn is_internally_consistent(&self) -> bool {
        self.method.is_internally_consistent()
    }

    fn check(&self, py: Python<'_>, order: Option<usize>) -> PyResult<(Verdicts, Option<Verdicts>)> {
        let report = released(py, None, || MultirateReport::new(&self.method, order).map_err(of_multirate))??;
        let of = |rows: &RowVerdicts| verdicts(rows, self.method.partitions());
        Ok((of(&report.step), report.embedded.as_ref().map(of)))
    }

    fn expand(&self, inner: &Core, substeps: usize) -> PyResult<Core> {
        Ok(Core::new(self.method.expand(&inner.method, substeps).map_err(of_multirate)?))
    }

    /// Adds an embedded row of an order.
    fn complete(&self, py: Python<'_>, embedded: usize) -> PyResult<Self> {
        let found = released(py, None, || complete_multirate(&self.method, embedded).map_err(of_design))??;
        let labels = labels_of(self.method.partitions().iter().map(String::as_str));
        let reason = || reason("an embedded row", &found.outcome, &labels).unwrap_or_default();
        let method = found.method.ok_or_else(|| not_found(format!("{}: {}", self.method.id(), reason())))?;
        Ok(Self { method })
    }

    fn written(&self, language: &str) -> PyResult<String> {
        export::write_multirate(&self.method, language_named(language)?).map_err(refused)
    }
}

/// Ids of the multirate methods of the library.
#[pyfunction]
fn multirate_ids() -> Vec<&'static str> {
    library::ids().collect()
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<MultirateCore>()?;
    module.add_function(wrap_pyfunction!(multirate_ids, module)?)
}
