//! Export to and import from tables and programs of other packages.

pub(crate) mod multirate;

use std::borrow::Cow;
use std::path::PathBuf;

use hemiola::export::{self, ImportFormat, Language, ReadOptions};
use hemiola::tableau::json::read_bounded;
use pyo3::prelude::*;

use crate::errors::{of_method, refused};
use crate::method::Core;
use crate::running::released;

/// Export languages, by their names on the command line.
const LANGUAGES: [(&str, Language); 11] = [
    ("latex", Language::Latex),
    ("csv", Language::Csv),
    ("python", Language::Python),
    ("julia", Language::Julia),
    ("c", Language::C),
    ("fortran", Language::Fortran),
    ("matlab", Language::Matlab),
    ("sundials", Language::Sundials),
    ("petsc", Language::Petsc),
    ("json", Language::Json),
    ("rust", Language::Rust),
];
/// Import formats.
const FORMATS: [(&str, ImportFormat); 12] = [
    ("csv", ImportFormat::Csv),
    ("text", ImportFormat::Text),
    ("latex", ImportFormat::Latex),
    ("numpy", ImportFormat::Numpy),
    ("nodepy", ImportFormat::NodePy),
    ("matlab", ImportFormat::Matlab),
    ("rk-opt", ImportFormat::RkOpt),
    ("julia", ImportFormat::Julia),
    ("c", ImportFormat::C),
    ("sundials", ImportFormat::Sundials),
    ("petsc", ImportFormat::Petsc),
    ("json", ImportFormat::Json),
];

fn named<T: Copy>(what: &str, name: &str, known: &[(&str, T)]) -> PyResult<T> {
    let found = known.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    let names = || known.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| refused(format!("found the {what} {name:?}; expected one of: {}", names())))
}

/// Returns the language with this name.
pub(crate) fn language_named(name: &str) -> PyResult<Language> {
    named("language", name, &LANGUAGES)
}

/// Writes the method in a language.
#[pyfunction]
fn written(core: &Core, language: &str) -> PyResult<String> {
    export::write(&core.method, language_named(language)?).map_err(refused)
}

/// Reads the methods of a text, and warnings about those that are valid only under a condition; `origin` names it in
/// errors.
#[pyfunction]
fn read(
    py: Python<'_>,
    text: &[u8],
    origin: &str,
    format: Option<&str>,
    assume_real_division: bool,
) -> PyResult<(Vec<Core>, Vec<String>)> {
    let format = format.map(|format| named("format", format, &FORMATS)).transpose()?;
    let options = ReadOptions { format, assume_real_division, ..ReadOptions::default() };
    let reading = released(py, None, || export::read_with(text, origin, &options).map_err(refused))??;
    let warnings = reading.warnings.iter().map(ToString::to_string).collect();
    Ok((reading.methods.into_iter().map(Core::new).collect(), warnings))
}

/// Reads a file of limited size; rejects endless devices.
#[pyfunction]
fn contents(py: Python<'_>, path: PathBuf) -> PyResult<Cow<'static, [u8]>> {
    py.detach(|| read_bounded(&path)).map(Cow::Owned).map_err(of_method)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(contents, module)?)?;
    module.add_function(wrap_pyfunction!(written, module)?)?;
    module.add_function(wrap_pyfunction!(read, module)?)
}
