//! What can go wrong with a model.

use thiserror::Error;

/// Why there is no such model.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// No model has this name.
    #[error("there is no model `{name}`; expected one of: {expected}")]
    UnknownModel {
        /// The name.
        name: String,
        /// The names of all models.
        expected: String,
    },
    /// The model has no such parameter.
    #[error("{model} has no parameter `{name}`; expected one of: {expected}")]
    UnknownParameter {
        /// The model.
        model: &'static str,
        /// The name.
        name: String,
        /// The names of its parameters.
        expected: String,
    },
    /// The parameter is out of range.
    #[error("{model}: {name} is {value}; expected {expected}")]
    OutOfRange {
        /// The model.
        model: &'static str,
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The range.
        expected: &'static str,
    },
    /// The state in which the model would begin was not found.
    #[error("{model}: no steady state with these parameters; expected one from which the model can begin")]
    NoSteadyState {
        /// The model.
        model: &'static str,
    },
}
