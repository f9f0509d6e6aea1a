//! Method arguments of a command. All methods that cannot be found are reported together.

use hemiola::integrate::Integrator;
use hemiola::tableau::library::file_id;
use hemiola::tableau::{Method, MethodError};
use miette::Diagnostic;
use thiserror::Error;

use crate::failure::{CommandError, Failure, hinted};
use crate::output::writer::Output;

const METHODS_HINT: &str = "`hemiola list` shows all methods; `hemiola list WORD` shows those with WORD in their name";

impl CommandError for MethodError {
    fn hint(&self) -> Option<String> {
        matches!(self, Self::Unknown { .. }).then_some(METHODS_HINT.to_owned())
    }
}

/// Errors of several arguments.
#[derive(Debug, Error, Diagnostic)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
#[diagnostic(help("{METHODS_HINT}"))]
struct SeveralErrors(Vec<Failure>);

hinted!(SeveralErrors);

/// Reads every argument; returns all failures if there are any.
pub(crate) fn each<A, T>(arguments: &[A], read: impl Fn(&A) -> Result<T, Failure>) -> Result<Vec<T>, Failure> {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for argument in arguments {
        match read(argument) {
            Ok(one) => found.push(one),
            Err(fault) => faults.push(fault),
        }
    }
    match faults.len() {
        0 => Ok(found),
        1 => Err(faults.swap_remove(0)),
        _ => Err(SeveralErrors(faults).into()),
    }
}

/// Returns the ids and names of methods, for labels in figures.
pub(crate) fn labels(methods: &[Method]) -> Vec<(String, String)> {
    methods.iter().map(|method| (method.id().to_owned(), method.name().to_owned())).collect()
}

/// Returns the ids and names of the integrators, for labels in figures.
pub(crate) fn run_labels(schemes: &[Integrator]) -> Vec<(String, String)> {
    schemes.iter().map(|scheme| (scheme.label(), scheme.name())).collect()
}

/// Warns on standard error if the id of a method in a file differs from the file name.
pub(crate) fn warn_of_id(name: &str, method: &Method, output: &mut Output) -> Result<(), Failure> {
    match file_id(name, method) {
        Some(expected) => output.warn(&format!(
            "{name}: the id is `{}`, but the file name is `{expected}`; in a method folder the file name must equal the id \
             (`hemiola show {name} --id NEW --json` changes the id)",
            method.id()
        )),
        None => Ok(()),
    }
}
