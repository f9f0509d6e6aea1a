//! Export of methods as programs and tables in other languages: `hemiola export`.

use hemiola_export::{Language, write};
use serde::{Deserialize, Serialize};

use crate::subject::Subject;
use crate::wording::message;

#[derive(Deserialize)]
pub(crate) struct ExportQuestion {
    subject: Subject,
    language: String,
}

#[derive(Serialize)]
pub(crate) struct ExportAnswer {
    text: String,
    /// Name of the file.
    file: String,
}

impl ExportQuestion {
    pub(crate) fn answer(&self) -> Result<ExportAnswer, String> {
        let method = self.subject.method()?;
        let (language, ending) = match self.language.as_str() {
            "json" => return Ok(ExportAnswer { text: method.to_json(), file: format!("{}.json", method.id()) }),
            "latex" => (Language::Latex, "tex"),
            "csv" => (Language::Csv, "csv"),
            "python" => (Language::Python, "py"),
            "julia" => (Language::Julia, "jl"),
            "c" => (Language::C, "c"),
            "fortran" => (Language::Fortran, "f90"),
            "matlab" => (Language::Matlab, "m"),
            "sundials" => (Language::Sundials, "c"),
            "petsc" => (Language::Petsc, "c"),
            "rust" => (Language::Rust, "rs"),
            other => return Err(format!("found {other:?}; expected a language of `hemiola export`")),
        };
        let text = write(&method, language).map_err(message)?;
        Ok(ExportAnswer { text, file: format!("{}.{ending}", method.id()) })
    }
}
