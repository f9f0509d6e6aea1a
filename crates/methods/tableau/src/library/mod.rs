//! The library of methods: the embedded files of `tableaus/` and the files of a user's folders.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use self::aliases::{id_of, without_separators};
use crate::error::MethodError;
use crate::method::Method;

mod aliases;
mod twin;

pub use aliases::aliases;
pub use twin::{EntryDifference, LibraryTwin, TwinDifference};

mod files {
    include!(concat!(env!("OUT_DIR"), "/library_files.rs"));
}

/// Loads a method of the embedded library by its id or an alias ([`aliases`]).
///
/// # Errors
/// [`MethodError::Unknown`] if there is no such method.
///
/// ```
/// let rk4 = hemiola_tableau::library::method("rk4").unwrap();
/// assert_eq!(rk4.stages(), 4);
/// ```
pub fn method(id: &str) -> Result<Method, MethodError> {
    Library::default().load(id)
}

/// Iterates over the ids of the embedded library in alphabetical order.
pub fn ids() -> impl Iterator<Item = &'static str> {
    files::FILES.iter().map(|(id, _)| *id)
}

/// The embedded library together with folders of the user's own method files.
#[derive(Clone, Debug, Default)]
pub struct Library {
    folders: Vec<PathBuf>,
}

/// The storage of a method of the library.
enum MethodLocation {
    Embedded(&'static [u8]),
    File(PathBuf),
}

impl Library {
    /// Creates a library of the embedded methods and the method files of these folders. Missing folders are
    /// ignored.
    #[must_use]
    pub fn with_folders(folders: Vec<PathBuf>) -> Self {
        Self { folders }
    }

    /// Returns the ids of all methods in alphabetical order.
    ///
    /// # Errors
    /// [`MethodError::DuplicateId`] if two files share an id, [`MethodError::File`] if a folder cannot be read.
    pub fn ids(&self) -> Result<Vec<String>, MethodError> {
        Ok(self.locations()?.into_keys().collect())
    }

    /// Loads a method by id, alias ([`aliases`]) or file name.
    ///
    /// A name that ends in `.json` or contains a path separator denotes a file, with any id in it ([`file_id`]).
    /// In a method folder the file name is the id.
    ///
    /// # Errors
    /// [`MethodError`] if there is no such method or its file is not valid.
    pub fn load(&self, name: &str) -> Result<Method, MethodError> {
        if is_file(name) {
            return Method::read(Path::new(name));
        }
        let places = self.locations()?;
        let id = if places.contains_key(name) {
            Some(name.to_owned())
        } else {
            id_of(name, &places.keys().collect::<Vec<_>>())
        };
        match id.as_ref().and_then(|id| Some((id, places.get(id)?))) {
            Some((id, MethodLocation::Embedded(text))) => Method::from_json(text, &embedded_name(id)),
            Some((id, MethodLocation::File(path))) => Method::read(path)?.with_id(id),
            None => Err(MethodError::Unknown { name: name.to_owned(), suggestion: suggestion(name, places.keys()) }),
        }
    }

    /// Returns the method files in the folders by id, regardless of their format. Methods of the embedded library have
    /// no file.
    ///
    /// # Errors
    /// [`MethodError::DuplicateId`] if two files share an id, [`MethodError::File`] if a folder cannot be read.
    ///
    /// ```
    /// use hemiola_tableau::library::Library;
    /// let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("mine.json"), hemiola_tableau::library::method("rk4")?.to_json())?;
    /// let files = Library::with_folders(vec![folder.path().to_owned()]).files()?;
    /// assert_eq!(files["mine"], folder.path().join("mine.json"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn files(&self) -> Result<BTreeMap<String, PathBuf>, MethodError> {
        let file = |(id, location)| match location {
            MethodLocation::File(path) => Some((id, path)),
            MethodLocation::Embedded(_) => None,
        };
        Ok(self.locations()?.into_iter().filter_map(file).collect())
    }

    fn locations(&self) -> Result<BTreeMap<String, MethodLocation>, MethodError> {
        let embedded = files::FILES.iter().map(|(id, text)| ((*id).to_owned(), MethodLocation::Embedded(text)));
        let mut places: BTreeMap<String, MethodLocation> = embedded.collect();
        for folder in &self.folders {
            for path in method_files(folder)? {
                let id = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
                if let Some(earlier) = places.get(&id) {
                    let first = match earlier {
                        MethodLocation::Embedded(_) => embedded_name(&id),
                        MethodLocation::File(path) => path.display().to_string(),
                    };
                    return Err(MethodError::DuplicateId { id, first, second: path });
                }
                places.insert(id, MethodLocation::File(path));
            }
        }
        Ok(places)
    }
}

fn embedded_name(id: &str) -> String {
    format!("tableaus/{id}.json (embedded)")
}

fn method_files(folder: &Path) -> Result<Vec<PathBuf>, MethodError> {
    let failed = |source| MethodError::File { file: folder.display().to_string(), source };
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if is_method_file(&name) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Returns whether a file name denotes a method file rather than a schema or a file that designs write beside
/// their methods.
///
/// ```
/// use hemiola_tableau::library::is_method_file;
/// assert!(is_method_file("pair.json"));
/// assert!(!is_method_file("pair.certificate.json") && !is_method_file("pair.design.json"));
/// ```
#[must_use]
pub fn is_method_file(name: &str) -> bool {
    const OTHERS: [&str; 5] = [".schema.json", ".certificate.json", ".design.json", ".family.json", ".search.json"];
    name.ends_with(".json") && name != "schema.json" && !OTHERS.iter().any(|ending| name.ends_with(ending))
}

/// Returns whether a name denotes a file.
fn is_file(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "json") || name.contains(['/', '\\'])
}

/// Returns the id that a method file should have according to its name, if `name` denotes a file and the method
/// has another id. The two must agree only in method folders.
///
/// ```
/// use hemiola_tableau::library::{file_id, method};
/// let rk4 = method("rk4").unwrap();
/// assert_eq!(file_id("mine.json", &rk4).as_deref(), Some("mine"));
/// assert_eq!(file_id("copies/rk4.json", &rk4), None);
/// assert_eq!(file_id("rk4", &rk4), None);
/// ```
#[must_use]
pub fn file_id(name: &str, method: &Method) -> Option<String> {
    let stem = Path::new(name).file_stem()?.to_string_lossy().into_owned();
    let is_method_file = Path::new(name).extension().is_some_and(|extension| extension == "json");
    (is_method_file && stem != method.id()).then_some(stem)
}

/// Returns the ids nearest to a name, as a phrase.
fn suggestion<'a>(name: &str, ids: impl Iterator<Item = &'a String>) -> String {
    const SIMILAR: f64 = 0.75;
    let (plain, lower) = (without_separators(name), name.to_lowercase());
    let likeness = |id: &str| {
        // A name that is part of an id counts like a small misprint.
        let contained = if !plain.is_empty() && without_separators(id).contains(&plain) { 0.9 } else { 0.0 };
        strsim::jaro_winkler(&lower, id).max(contained)
    };
    let mut near: Vec<(f64, &str)> = Vec::new();
    for id in ids {
        let other_names =
            aliases::names().filter(|(_, of)| of == id).map(|(alias, _)| strsim::jaro_winkler(&plain, alias));
        near.push((other_names.fold(likeness(id), f64::max), id));
    }
    near.retain(|(likeness, _)| *likeness > SIMILAR);
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    let names: Vec<String> = near.iter().take(3).map(|(_, id)| format!("`{id}`")).collect();
    if names.is_empty() { String::new() } else { format!(" (did you mean {}?)", names.join(", ")) }
}
