//! Design files, `hemiola-design/1`: what is needed to make a method again.

mod raw;
#[cfg(test)]
mod tests;
mod text;

use std::path::Path;

use hemiola_tableau::json::{self, Object};
use hemiola_tableau::{Method, MethodError, Source, is_id};

use crate::error::DesignError;
use crate::finish::Design;
use crate::specification::Specification;

pub(crate) use self::raw::RawDesign;

/// The format's name, the first field of every file.
const FORMAT: &str = "hemiola-design/1";
/// What the names of design files end in.
const ENDING: &str = ".design.json";

/// A specification together with the id and the name of the method to be: one design file makes one method file.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignFile {
    /// The id of the method.
    pub id: String,
    /// The name of the method.
    pub name: String,
    /// What is designed.
    pub specification: Specification,
}

impl DesignFile {
    /// A design under the default id and name.
    ///
    /// ```
    /// use hemiola_design::{DesignFile, Specification};
    /// let file = DesignFile::new(Specification::new(2, 5, None)?);
    /// assert_eq!(file.id, "dual-rate-2-5");
    /// assert_eq!(DesignFile::from_json(file.to_json().as_bytes(), "dual-rate-2-5.design.json")?, file);
    /// # Ok::<(), hemiola_design::DesignError>(())
    /// ```
    #[must_use]
    pub fn new(specification: Specification) -> Self {
        let Specification { slow, fast, order, .. } = specification;
        let id = format!("dual-rate-{slow}-{fast}");
        Self { id, name: format!("Hemiola {slow}–{fast}, order {order}"), specification }
    }

    /// Reads a design file NAME.design.json or NAME.json. NAME must be the id that it gives, and is the id where it gives none.
    ///
    /// # Errors
    /// [`DesignError`] with the file and the place in it, or with why there is no such method.
    pub fn read(path: &Path) -> Result<Self, DesignError> {
        let origin = path.display().to_string();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let stem = name.strip_suffix(ENDING).or_else(|| name.strip_suffix(".json")).unwrap_or(name);
        let text = json::read_bounded(path)?;
        let Object(raw): Object<RawDesign> = json::read(&text, &origin)?;
        if let Some(id) = raw.id.as_deref().filter(|id| *id != stem) {
            let expected = format!("{stem:?}, the file's name without {ENDING}");
            return Err(invalid(&origin, "id", &format!("{id:?}"), &expected));
        }
        raw.design(Some(stem), &origin)
    }

    /// Reads a design from the text of a file; `origin` names it in errors.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn from_json(text: &[u8], origin: &str) -> Result<Self, DesignError> {
        let Object(raw): Object<RawDesign> = json::read(text, origin)?;
        raw.design(None, origin)
    }

    /// Says in a design where it comes from: the id and the name of its method, and the design file.
    ///
    /// # Errors
    /// [`DesignError::Method`] where the id is none.
    pub fn sign(&self, design: &mut Design) -> Result<(), DesignError> {
        let place = Some(format!("hemiola design {}{ENDING}", self.id));
        let method = &design.method;
        let source = Source { place, ..method.source().clone() };
        let partitions = method.partitions().to_vec();
        design.method = Method::new(&self.id, &self.name, partitions, method.claims(), method.precision(), source)?;
        self.id.clone_into(&mut design.certificate.method);
        Ok(())
    }

    /// Checks all that can be checked without searching.
    fn validated(self, origin: &str) -> Result<Self, DesignError> {
        if !is_id(&self.id) {
            let expected = "lower-case words of letters and digits joined by hyphens";
            return Err(invalid(origin, "id", &format!("{:?}", self.id), expected));
        }
        // It is the heading of the report and a line on the terminal.
        if self.name.trim().is_empty() || self.name.chars().any(char::is_control) {
            return Err(invalid(origin, "name", &format!("{:?}", self.name), "a name of one line"));
        }
        self.specification.validate().map_err(|problem| in_file(problem, origin))?;
        Ok(self)
    }
}

fn in_file(problem: DesignError, origin: &str) -> DesignError {
    DesignError::File { file: origin.to_owned(), problem: Box::new(problem) }
}

fn invalid(origin: &str, path: &str, found: &str, expected: &str) -> DesignError {
    DesignError::Method(MethodError::Invalid {
        file: origin.to_owned(),
        path: path.to_owned(),
        found: found.to_owned(),
        expected: expected.to_owned(),
    })
}
