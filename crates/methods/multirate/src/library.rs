//! The library of multirate methods: the embedded files of `tableaus/multirate/`.

use hemiola_tableau::MethodError;

use crate::method::InfinitesimalMethod;

mod files {
    include!(concat!(env!("OUT_DIR"), "/library_files.rs"));
}

/// Loads a method of the embedded library by its id.
///
/// # Errors
/// [`MethodError::Unknown`] if there is no such method.
///
/// ```
/// let method = hemiola_multirate::library::method("mri-gark-erk33a").unwrap();
/// assert_eq!(method.stages().len(), 3);
/// ```
pub fn method(id: &str) -> Result<InfinitesimalMethod, MethodError> {
    let file = files::FILES.iter().find(|(name, _)| *name == id);
    let (_, text) = file.ok_or_else(|| MethodError::Unknown { name: id.to_owned(), suggestion: names() })?;
    InfinitesimalMethod::from_json(text, &format!("tableaus/multirate/{id}.json (embedded)"))
}

/// Iterates over the ids of the embedded library in alphabetical order.
pub fn ids() -> impl Iterator<Item = &'static str> {
    files::FILES.iter().map(|(id, _)| *id)
}

/// Returns the ids of the multirate methods, as a phrase.
fn names() -> String {
    let all: Vec<String> = ids().map(|id| format!("`{id}`")).collect();
    format!(" of multirate methods ({})", all.join(", "))
}
