//! Errors of models.

use thiserror::Error;

/// Failure to create a model.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// No model has this name.
    #[error("no model `{name}`; expected one of: {expected}")]
    UnknownModel {
        /// The name.
        name: String,
        /// The names of all models.
        expected: String,
    },
    /// The model has no parameter of this name.
    #[error("{model} has no parameter `{name}`; expected one of: {expected}")]
    UnknownParameter {
        /// The model.
        model: &'static str,
        /// The name.
        name: String,
        /// The names of its parameters.
        expected: String,
    },
    /// A parameter is out of range.
    #[error("{model}: {name} is {value}; expected {expected}")]
    OutOfRange {
        /// The model.
        model: &'static str,
        /// The parameter.
        name: &'static str,
        /// The value given.
        value: String,
        /// The admissible range.
        expected: String,
    },
    /// The matrix is not the Jacobian of a linear system.
    #[error("a Jacobian of {rows} rows: {problem}")]
    Jacobian {
        /// The number of rows.
        rows: usize,
        /// The fault.
        problem: String,
    },
    /// No initial steady state was found.
    #[error("{model}: no steady state exists with these parameters, but the model starts from one")]
    NoSteadyState {
        /// The model.
        model: &'static str,
    },
}
