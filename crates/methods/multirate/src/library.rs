//! The library of multirate methods: the embedded files of `tableaus/multirate/`.

use hemiola_tableau::MethodError;

use crate::method::InfinitesimalMethod;

mod files {
    include!(concat!(env!("OUT_DIR"), "/library_files.rs"));
}

/// Other names of methods, from the papers. SUNDIALS appends the order of the embedded row to some of them.
const ALIASES: [(&str, &str); 5] = [
    ("merk2", "merk21"),
    ("merk3", "merk32"),
    ("merk4", "merk43"),
    ("merk5", "merk54"),
    ("mis-knoth-wolke-3", "mis-kw3"),
];

/// Returns the id that a name denotes: an id, another name of the method, or its name in SUNDIALS.
///
/// ```
/// use hemiola_multirate::library::resolved;
/// assert_eq!(resolved("ARKODE_MRI_GARK_ERK45a"), Some("mri-gark-erk45a"));
/// assert_eq!(resolved("merk4"), Some("merk43"));
/// assert_eq!(resolved("rk4"), None);
/// ```
#[must_use]
pub fn resolved(name: &str) -> Option<&'static str> {
    let of_sundials = name.strip_prefix("ARKODE_").map(|rest| rest.to_lowercase().replace('_', "-"));
    let name = of_sundials.as_deref().unwrap_or(name);
    let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, id)| *id);
    ids().find(|id| *id == name)
}

/// Iterates over the other names of a method.
pub fn aliases(id: &str) -> impl Iterator<Item = &'static str> {
    ALIASES.iter().filter(move |(_, of)| *of == id).map(|(alias, _)| *alias)
}

/// Loads a method of the embedded library by its id or another name.
///
/// # Errors
/// Returns [`MethodError::Unknown`] if there is no such method.
///
/// ```
/// let method = hemiola_multirate::library::method("mri-gark-erk33a").unwrap();
/// assert_eq!(method.stages().len(), 3);
/// ```
pub fn method(id: &str) -> Result<InfinitesimalMethod, MethodError> {
    let file = resolved(id).and_then(|id| files::FILES.iter().find(|(name, _)| *name == id));
    let (id, text) = file.ok_or_else(|| MethodError::Unknown { name: id.to_owned(), suggestion: names() })?;
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
