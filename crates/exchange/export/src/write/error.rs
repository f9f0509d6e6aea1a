//! Errors of exports.

use thiserror::Error;

/// Reason why a method cannot be written in a format that supports only some methods.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The format does not support this number of partitions.
    #[error("{id} has {}; {format} takes {expected} (`{id}@1,2` selects two of them)", counted(*found))]
    Partitions {
        /// Id of the method.
        id: String,
        /// Number of partitions.
        found: usize,
        /// Format.
        format: &'static str,
        /// Supported partitions.
        expected: &'static str,
    },
    /// The format supports explicit methods only.
    #[error("{id} is implicit; {format} takes explicit methods")]
    Implicit {
        /// Id of the method.
        id: String,
        /// Format.
        format: &'static str,
    },
    /// The method does not have the low-storage form.
    #[error("{id} has no {form} form")]
    NoForm {
        /// Id of the method.
        id: String,
        /// Low-storage form.
        form: String,
    },
    /// The language has no exports in low-storage forms.
    #[error("a step in the form {form} can be written in python, julia, c or fortran only")]
    FormLanguage {
        /// Low-storage form.
        form: String,
    },
    /// The format has no form for multirate methods.
    #[error(
        "{id} is a multirate method; expected sundials, julia, json or latex (`hemiola expand` makes it an ordinary \
        method)"
    )]
    Multirate {
        /// Id of the method.
        id: String,
    },
    /// The format has built-in coefficients that differ from those of the method.
    #[error("{id}: {found}; {format} has {expected}")]
    Form {
        /// Id of the method.
        id: String,
        /// Format.
        format: &'static str,
        /// Mismatch.
        found: String,
        /// Built-in form of the format.
        expected: &'static str,
    },
}

fn counted(partitions: usize) -> String {
    if partitions == 1 { "one partition".to_owned() } else { format!("{partitions} partitions") }
}
