//! Design files, `hemiola-design/1`: everything needed to repeat a design.

use hemiola_tableau::{Method, MethodError, Source, is_id};

use crate::error::DesignError;
use crate::refinement::design::Design;
use crate::specification::definition::Specification;

/// The name of the format, the first field of every file.
pub(crate) const FORMAT: &str = "hemiola-design/1";
/// The ending of the names of design files.
pub(crate) const ENDING: &str = ".design.json";
/// Value of a weight that the search chooses.
pub(crate) const AUTO: &str = "auto";

/// A specification together with the id and the name of the method. One design file gives one method file.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignFile {
    /// The id of the method.
    pub id: String,
    /// The name of the method.
    pub name: String,
    /// The specification of the method.
    pub specification: Specification,
}

impl DesignFile {
    /// Creates a design with the default id and name.
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

    /// Sets the id and the name of the designed method, and names the design file as its source.
    ///
    /// # Errors
    /// Returns [`DesignError::Method`] if the id is invalid.
    pub fn sign(&self, design: &mut Design) -> Result<(), DesignError> {
        self.sign_as(design, format!("hemiola design {}{ENDING}", self.id))
    }

    /// Sets id, name and source as [`sign`](Self::sign) does, with another command as the source.
    pub(crate) fn sign_as(&self, design: &mut Design, command: String) -> Result<(), DesignError> {
        let method = &design.method;
        let source = Source { place: Some(command), ..method.source().clone() };
        let partitions = method.partitions().to_vec();
        design.method = Method::new(&self.id, &self.name, partitions, method.claims(), method.precision(), source)?;
        self.id.clone_into(&mut design.certificate.method);
        Ok(())
    }

    /// Checks everything that can be checked without a search.
    pub(crate) fn validated(self, origin: &str) -> Result<Self, DesignError> {
        if !is_id(&self.id) {
            let expected = "lower-case words of letters and digits joined by hyphens";
            return Err(invalid(origin, "id", &format!("{:?}", self.id), expected));
        }
        // The name is the heading of the report and a line on the terminal.
        if self.name.trim().is_empty() || self.name.chars().any(char::is_control) {
            return Err(invalid(origin, "name", &format!("{:?}", self.name), "a single line"));
        }
        self.specification.validate().map_err(|problem| in_file(problem, origin))?;
        Ok(self)
    }
}

pub(crate) fn in_file(problem: DesignError, origin: &str) -> DesignError {
    DesignError::File { file: origin.to_owned(), problem: Box::new(problem) }
}

pub(crate) fn invalid(origin: &str, path: &str, found: &str, expected: &str) -> DesignError {
    DesignError::Method(MethodError::Invalid {
        file: origin.to_owned(),
        path: path.to_owned(),
        found: found.to_owned(),
        expected: expected.to_owned(),
    })
}
