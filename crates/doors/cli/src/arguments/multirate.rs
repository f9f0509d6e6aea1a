//! Multirate methods by id or file, and their realizations: NAME:inner=METHOD,substeps=M.

use std::path::Path;

use hemiola::multirate::{FORMAT, InfinitesimalMethod, library};
use hemiola::tableau::json::read_bounded;
use hemiola::tableau::library::Library;
use hemiola::tableau::{Method, MethodError};

use crate::failure::Failure;

/// Reads a multirate method by its id or from a method file; `None` if the name denotes anything else. A user's
/// ordinary method with the same id takes precedence.
pub(crate) fn multirate(name: &str, methods: &Library) -> Result<Option<InfinitesimalMethod>, Failure> {
    if library::resolved(name).is_some() {
        let is_ordinary = methods.ids()?.iter().any(|id| id == name);
        return if is_ordinary { Ok(None) } else { Ok(Some(library::method(name)?)) };
    }
    let path = Path::new(name);
    if path.extension().is_none_or(|ending| ending != "json") || !path.is_file() {
        return Ok(None);
    }
    let text = read_bounded(path)?;
    let is_multirate = text.windows(FORMAT.len()).any(|window| window == FORMAT.as_bytes());
    Ok(is_multirate.then(|| InfinitesimalMethod::from_json(&text, name)).transpose()?)
}

/// Expands NAME:inner=METHOD,substeps=M to an ordinary method; `None` if the name has another form.
pub(crate) fn realization(name: &str, methods: &Library) -> Result<Option<Method>, Failure> {
    let Some((multirate_name, options)) = name.split_once(":inner=").filter(|_| !Path::new(name).exists()) else {
        return Ok(None);
    };
    let malformed = || Failure::NotARealization { found: name.to_owned() };
    let (inner, substeps) = options.rsplit_once(",substeps=").ok_or_else(malformed)?;
    let substeps = substeps.parse::<usize>().map_err(|_| malformed())?;
    let outer = multirate(multirate_name, methods)?.ok_or_else(|| {
        let ids: Vec<&str> = library::ids().collect();
        let suggestion = format!(" of multirate methods ({})", ids.join(", "));
        MethodError::Unknown { name: multirate_name.to_owned(), suggestion }
    })?;
    Ok(Some(outer.expand(&methods.load(inner)?, substeps)?))
}
