//! Multirate methods by id or file, and their expansions: NAME:inner=METHOD,substeps=M realizes an infinitesimal method, NAME@M=N is a
//! method with N micro-steps.

use std::collections::BTreeSet;
use std::path::Path;

use hemiola::multirate::microsteps::{MICRO_STEP_FORMAT, library as micro_step_library};
use hemiola::multirate::{
    FORMAT, InfinitesimalMethod, MicroStepMethod, MultirateError, RealizationName, RealizationNameError, library,
};
use hemiola::tableau::json::{names_format, read_bounded};
use hemiola::tableau::library::Library;
use hemiola::tableau::{Method, MethodError};
use thiserror::Error;

use crate::failure::{CommandError, Failure};

impl CommandError for RealizationNameError {}

/// Text that is not the name of a method with a given number of micro-steps.
#[derive(Debug, Error)]
#[error("found {found:?}; expected NAME@M=N with a number of micro-steps N")]
struct RatioError {
    found: String,
}

impl CommandError for RatioError {}

impl CommandError for MultirateError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Method(error) => error.hint(),
            _ => None,
        }
    }
}

/// Returns the ids of the user's multirate methods, which are not ordinary methods: the infinitesimal ones and those with micro-steps.
fn user_ids(methods: &Library) -> Result<[Vec<String>; 2], Failure> {
    let mut ids = [Vec::new(), Vec::new()];
    for (id, path) in methods.files()? {
        // Files that cannot be read are reported where they are loaded.
        let Ok(text) = read_bounded(&path) else { continue };
        for (ids, format) in ids.iter_mut().zip([FORMAT, MICRO_STEP_FORMAT]) {
            if names_format(&text, format) {
                ids.push(id.clone());
            }
        }
    }
    Ok(ids)
}

/// Returns the ids of all infinitesimal methods in alphabetical order: those of the library and the user's.
pub(crate) fn multirate_ids(methods: &Library) -> Result<BTreeSet<String>, Failure> {
    let [user, _] = user_ids(methods)?;
    Ok(library::ids().map(str::to_owned).chain(user).collect())
}

/// Returns the ids of all methods with micro-steps in alphabetical order: those of the library and the user's.
pub(crate) fn micro_step_ids(methods: &Library) -> Result<BTreeSet<String>, Failure> {
    let [_, user] = user_ids(methods)?;
    Ok(micro_step_library::ids().map(str::to_owned).chain(user).collect())
}

/// Returns the ids of all ordinary methods.
pub(crate) fn ordinary_ids(methods: &Library) -> Result<Vec<String>, Failure> {
    let [infinitesimal, micro_steps] = user_ids(methods)?;
    let is_ordinary = |id: &String| !infinitesimal.contains(id) && !micro_steps.contains(id);
    Ok(methods.ids()?.into_iter().filter(is_ordinary).collect())
}

/// Reads a multirate method by its id or from a method file; `None` if the name denotes anything else. A user's
/// ordinary method with the same id takes precedence.
pub(crate) fn multirate(name: &str, methods: &Library) -> Result<Option<InfinitesimalMethod>, Failure> {
    let library = library::resolved(name).is_some().then_some(|| Ok(library::method(name)?));
    of_format(name, FORMAT, library, |text| Ok(InfinitesimalMethod::from_json(text, name)?), methods)
}

/// Reads a method of the user's folders or of the library, or from a file that names the format; `None` if the name
/// denotes anything else. A user's method of another format with the same id takes precedence.
fn of_format<M>(
    name: &str,
    format: &str,
    library: Option<impl FnOnce() -> Result<M, Failure>>,
    from_json: impl FnOnce(&[u8]) -> Result<M, Failure>,
    methods: &Library,
) -> Result<Option<M>, Failure> {
    if let Some(path) = methods.files()?.get(name) {
        let text = read_bounded(path)?;
        return names_format(&text, format).then(|| from_json(&text)).transpose();
    }
    if let Some(load) = library {
        return load().map(Some);
    }
    let path = Path::new(name);
    if path.extension().is_none_or(|ending| ending != "json") || !path.is_file() {
        return Ok(None);
    }
    let text = read_bounded(path)?;
    names_format(&text, format).then(|| from_json(&text)).transpose()
}

/// Expands NAME:inner=METHOD,substeps=M to an ordinary method; `None` if the name has another form.
pub(crate) fn realization(name: &str, methods: &Library) -> Result<Option<Method>, Failure> {
    let Some(parts) = realization_name(name)? else { return Ok(None) };
    let malformed = || RealizationNameError { found: name.to_owned() };
    let (inner, substeps) = parts.inner.zip(parts.substeps).ok_or_else(malformed)?;
    let outer = multirate(parts.method, methods)?.ok_or_else(|| unknown(parts.method))?;
    Ok(Some(outer.expand(&methods.load(inner)?, substeps)?))
}

/// Splits the name of a realization; `None` if it has another form.
pub(crate) fn realization_name(name: &str) -> Result<Option<RealizationName<'_>>, Failure> {
    if Path::new(name).exists() {
        return Ok(None);
    }
    let parts = RealizationName::parse(name)?;
    Ok(Some(parts).filter(|parts| parts.inner.is_some() || parts.substeps.is_some()))
}

/// Returns the error for a name that denotes no multirate method.
pub(crate) fn unknown(name: &str) -> MethodError {
    let ids: Vec<&str> = library::ids().collect();
    MethodError::Unknown { name: name.to_owned(), suggestion: format!(" of multirate methods ({})", ids.join(", ")) }
}

/// Reads a method with micro-steps by its id or from a file; `None` if the name denotes anything else. A user's ordinary
/// method with the same id takes precedence.
pub(crate) fn micro_steps(name: &str, methods: &Library) -> Result<Option<MicroStepMethod>, Failure> {
    let is_known = micro_step_library::ids().any(|id| id == name);
    let library = is_known.then_some(|| Ok(micro_step_library::method(name)?));
    of_format(name, MICRO_STEP_FORMAT, library, |text| Ok(MicroStepMethod::from_json(text, name)?), methods)
}

/// Builds the pair NAME@M=N; `None` if the name has another form.
pub(crate) fn at_ratio(name: &str, methods: &Library) -> Result<Option<Method>, Failure> {
    let Some((whole, ratio)) = name.rsplit_once("@M=").filter(|_| !Path::new(name).exists()) else {
        return Ok(None);
    };
    let ratio = ratio.parse::<usize>().map_err(|_| RatioError { found: name.to_owned() })?;
    let method = micro_steps(whole, methods)?.ok_or_else(|| {
        let ids: Vec<&str> = micro_step_library::ids().collect();
        let suggestion = format!(" of methods with micro-steps ({})", ids.join(", "));
        MethodError::Unknown { name: whole.to_owned(), suggestion }
    })?;
    Ok(Some(method.at(ratio)?))
}
