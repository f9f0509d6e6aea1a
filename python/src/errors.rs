//! Errors of the libraries as Python exceptions, with the same messages.

use std::fmt::Display;
use std::io;

use hemiola::design::DesignError;
use hemiola::study::StudyError;
use hemiola::tableau::MethodError;
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::panic::PanicException;
use pyo3::prelude::*;
use pyo3::types::PyType;

create_exception!(
    hemiola,
    HemiolaError,
    PyValueError,
    "Invalid input; the message names the value, its place, and what was expected."
);
create_exception!(hemiola, UnknownMethod, HemiolaError, "No method of the library has this name.");
create_exception!(
    hemiola,
    NotFound,
    HemiolaError,
    "A search ended without a result: there is no such object, or the message suggests how to find one."
);

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("InternalError", internal_error(py)?)?;
    module.add("HemiolaError", py.get_type::<HemiolaError>())?;
    module.add("UnknownMethod", py.get_type::<UnknownMethod>())?;
    module.add("NotFound", py.get_type::<NotFound>())
}

/// Converts the exception of a panic to a `RuntimeError` named `InternalError`. The exception of PyO3 derives only from
/// `BaseException`, so that a panic would terminate a session that catches every `Exception`.
fn internal_error(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
    let internal = py.get_type::<PanicException>();
    internal.setattr("__bases__", (py.get_type::<PyRuntimeError>(),))?;
    internal.setattr("__module__", "hemiola")?;
    internal.setattr("__name__", "InternalError")?;
    internal.setattr("__qualname__", "InternalError")?;
    internal.setattr("__doc__", "A bug in Hemiola: please report the call that leads to it.")?;
    Ok(internal)
}

/// Creates the exception for an error of a library.
pub(crate) fn refused(error: impl Display) -> PyErr {
    HemiolaError::new_err(error.to_string())
}

/// Creates the exception for an unsuccessful search.
pub(crate) fn not_found(error: impl Display) -> PyErr {
    NotFound::new_err(error.to_string())
}

/// Converts an error of a method. Unreadable files raise an `OSError`, as usual in Python.
pub(crate) fn of_method(error: MethodError) -> PyErr {
    match error {
        MethodError::File { file, source } => io::Error::new(source.kind(), format!("{file}: {source}")).into(),
        MethodError::Unknown { .. } => UnknownMethod::new_err(error.to_string()),
        other => refused(other),
    }
}

pub(crate) fn of_design(error: DesignError) -> PyErr {
    match error {
        DesignError::Method(error) => of_method(error),
        DesignError::NotFound { .. } | DesignError::NoWeights { .. } | DesignError::Unmeasured => not_found(error),
        other => refused(other),
    }
}

pub(crate) fn of_study(error: StudyError) -> PyErr {
    match error {
        StudyError::NoReference { .. } => not_found(error),
        other => refused(other),
    }
}
