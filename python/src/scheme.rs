//! Schemes: methods, and integrators without a tableau.

use std::path::{Path, PathBuf};

use hemiola::integrate::{Integrator, Realization};
use hemiola::multirate::{FORMAT, RealizationName, library as multirates};
use hemiola::tableau::json::{names_format, read_bounded};
use hemiola::tableau::library::Library;
use hemiola::tableau::{Jacobian, MOST_ITERATIONS, Method, MethodError, Scheme, SchemeError};
use pyo3::prelude::*;

use crate::errors::{of_method, refused};
use crate::method::Core;
use crate::tables::multirate::MultirateCore;

/// Parts of a scheme: its kind, its method, its Newton iterations, and whether their Jacobian has only diagonal blocks.
#[derive(IntoPyObject)]
struct Parts {
    kind: &'static str,
    method: Option<Core>,
    iterations: usize,
    is_decoupled: bool,
}

/// A method, the parts of a scheme, or a multirate method with its inner method and its substeps.
#[derive(FromPyObject)]
pub(crate) enum SchemeArgument<'py> {
    Method(PyRef<'py, Core>),
    Scheme(String, Option<PyRef<'py, Core>>, usize, bool),
    Multirate(PyRef<'py, MultirateCore>, Option<PyRef<'py, Core>>, Option<usize>),
}

impl SchemeArgument<'_> {
    pub(crate) fn scheme(&self) -> PyResult<Scheme> {
        let known = |core: &PyRef<'_, Core>| core.method.clone();
        match self {
            Self::Method(core) => Ok(Scheme::Method(known(core))),
            Self::Scheme(kind, method, iterations, is_decoupled) => match (kind.as_str(), method) {
                ("singular-perturbation", method) => Ok(Scheme::SingularPerturbation(method.as_ref().map(known))),
                ("linearized", Some(_)) if *iterations > MOST_ITERATIONS => {
                    Err(refused(format!("found {iterations} Newton iterations; expected 0 to {MOST_ITERATIONS}")))
                }
                ("linearized", Some(method)) => {
                    let jacobian = if *is_decoupled { Jacobian::Decoupled } else { Jacobian::Exact };
                    Ok(Scheme::Linearized { method: known(method), iterations: *iterations, jacobian })
                }
                (kind, _) => {
                    Err(refused(format!("found the scheme {kind:?}; expected linearized or singular-perturbation")))
                }
            },
            Self::Multirate(outer, _, _) => {
                let id = outer.method.id();
                Err(refused(format!(
                    "found the multirate method {id}; expected an ordinary one, such as its `expand` makes"
                )))
            }
        }
    }

    /// Converts the argument to the integrator of a run.
    pub(crate) fn integrator(&self) -> PyResult<Integrator> {
        let Self::Multirate(outer, inner, substeps) = self else { return Ok(self.scheme()?.into()) };
        let inner = inner.as_ref().map(|inner| inner.method.clone());
        Ok(Realization::new(outer.method.clone(), inner, *substeps).map_err(of_method)?.into())
    }
}

/// Error in the text of a scheme, or in loading its method.
enum SchemeTextError {
    Scheme(SchemeError),
    Method(MethodError),
}

impl From<SchemeError> for SchemeTextError {
    fn from(error: SchemeError) -> Self {
        Self::Scheme(error)
    }
}

/// Parses a scheme in the notation of the command line into its parts; methods are looked up as in `load`.
#[pyfunction]
fn scheme_parts(text: &str, folders: Vec<PathBuf>) -> PyResult<Parts> {
    let library = Library::with_folders(folders);
    let find = |name: &str| library.load(name).map_err(SchemeTextError::Method);
    let scheme = Scheme::parse(text, find).map_err(|fault| match fault {
        SchemeTextError::Scheme(error) => refused(error),
        SchemeTextError::Method(error) => of_method(error),
    })?;
    let parts = |kind, method: Option<Method>, iterations, is_decoupled| Parts {
        kind,
        method: method.map(Core::new),
        iterations,
        is_decoupled,
    };
    Ok(match scheme {
        Scheme::Method(method) => parts("method", Some(method), 0, false),
        Scheme::SingularPerturbation(method) => parts("singular-perturbation", method, 0, false),
        Scheme::Linearized { method, iterations, jacobian } => {
            parts("linearized", Some(method), iterations, jacobian == Jacobian::Decoupled)
        }
    })
}

/// Returns the label of a scheme in legends, in the notation of the command line.
#[pyfunction]
fn scheme_label(scheme: SchemeArgument<'_>) -> PyResult<String> {
    Ok(scheme.integrator()?.label())
}

/// Returns the display name of a scheme.
#[pyfunction]
fn scheme_name(scheme: SchemeArgument<'_>) -> PyResult<String> {
    Ok(scheme.integrator()?.name())
}

/// Returns the claimed order and the order of the error estimate.
#[pyfunction]
fn run_orders(scheme: SchemeArgument<'_>) -> PyResult<(Option<usize>, Option<usize>)> {
    let integrator = scheme.integrator()?;
    Ok((integrator.order(), integrator.estimate_order()))
}

/// Parts of a multirate method: itself, its inner method and the substeps.
type RealizationParts = (MultirateCore, Option<Core>, Option<usize>);

/// Parses the name or the file of a multirate method with its inner method and its substeps; `None` if it is neither.
#[pyfunction]
fn realization_parts(text: &str) -> PyResult<Option<RealizationParts>> {
    let name = RealizationName::parse(text).map_err(refused)?;
    let is_alone = name.inner.is_none() && name.substeps.is_none();
    if is_alone && multirates::resolved(text).is_none() && !is_multirate_file(Path::new(text)) {
        return Ok(None);
    }
    let library = Library::with_folders(Vec::new());
    let inner = name.inner.map(|inner| library.load(inner).map_err(of_method)).transpose()?;
    Ok(Some((MultirateCore::load(name.method)?, inner.map(Core::new), name.substeps)))
}

/// Returns whether a file names the format of multirate methods.
fn is_multirate_file(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "json")
        && read_bounded(path).is_ok_and(|text| names_format(&text, FORMAT))
}

/// Returns the default inner method of a multirate method.
#[pyfunction]
fn default_inner(outer: &MultirateCore) -> PyResult<Core> {
    let realization = Realization::new(outer.method.clone(), None, None).map_err(of_method)?;
    Ok(Core::new(realization.inner().clone()))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(scheme_parts, module)?)?;
    module.add_function(wrap_pyfunction!(run_orders, module)?)?;
    module.add_function(wrap_pyfunction!(realization_parts, module)?)?;
    module.add_function(wrap_pyfunction!(default_inner, module)?)?;
    module.add_function(wrap_pyfunction!(scheme_name, module)?)?;
    module.add_function(wrap_pyfunction!(scheme_label, module)?)
}
