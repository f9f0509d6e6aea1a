//! The files of a design that a command defines.

use std::fs;
use std::path::{Path, PathBuf};

use hemiola::design::Certificate;
use hemiola::multirate::InfinitesimalMethod;
use hemiola::plot::stability_figure;
use hemiola::tableau::Method;
use serde_json::Value;

use crate::arguments::figure::FigureArgs;
use crate::arguments::methods;
use crate::arguments::usage::OptionError;
use crate::commands::design::direct::design_file::CommandFile;
use crate::commands::design::error::DesignJobError;
use crate::failure::Failure;
use crate::output::file_lock::FileLock;
use crate::output::new_method::id;
use crate::output::writer::{WriteError, write};

/// Destination of a design.
pub(crate) struct DirectOutput<'a> {
    /// The method file; by default the id of the design in the current folder.
    pub(crate) method: Option<&'a Path>,
    /// The design file that defines the design, if any. It is not rewritten.
    pub(crate) design: Option<&'a Path>,
    /// Whether methods of other commands are overwritten.
    pub(crate) force: bool,
    /// The appearance of figures.
    pub(crate) look: FigureArgs,
}

/// The method file with its certificate, figure and design file in the same folder.
pub(crate) struct MethodFiles {
    method: PathBuf,
    /// The design file to write, if any.
    design: Option<PathBuf>,
    id: String,
    look: FigureArgs,
    /// Lock that is held while the design exists.
    _claim: FileLock,
}

impl MethodFiles {
    /// Prepares the files of a command's method. Files of another command are overwritten only if this is allowed.
    pub(crate) fn new(output: DirectOutput<'_>, default_id: &str, command: &str) -> Result<Self, Failure> {
        let DirectOutput { method, design: stated, force, look } = output;
        let method = method.map_or_else(|| format!("{default_id}.json").into(), Path::to_path_buf);
        let Some(id) = id(Some(&method))? else { return Err(OptionError::NoId { file: method }.into()) };
        let folder = method.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(OptionError::NoFolder { option: "--output", folder: folder.to_owned() }.into());
        }
        let claim = FileLock::new(&method)?;
        let is_same = || {
            let place = Method::read(&method).map(|there| there.source().place.clone());
            let place = place.or_else(|_| InfinitesimalMethod::read(&method).map(|there| there.source().place.clone()));
            place.is_ok_and(|place| place.as_deref() == Some(command))
        };
        if method.exists() && !force && !is_same() {
            return Err(DesignJobError::OtherFamily { file: method }.into());
        }
        let design = CommandFile::beside(&method);
        let is_stated = stated.is_some_and(|stated| is_one_file(stated, &design));
        let is_same = || {
            let there = CommandFile::read(&design);
            there.is_ok_and(|there| there.is_some_and(|there| there.command() == command))
        };
        if design.exists() && !force && !is_stated && !is_same() {
            return Err(DesignJobError::OtherFamily { file: design }.into());
        }
        Ok(Self { method, design: (!is_stated).then_some(design), id, look, _claim: claim })
    }

    /// Returns the id of the method.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Returns the path of the method.
    pub(crate) fn path(&self) -> &Path {
        &self.method
    }

    /// Writes the text of the method, its certificate and its figure, and returns their paths.
    pub(crate) fn write(
        &self,
        text: &str,
        method: &Method,
        certificate: &Certificate,
    ) -> Result<Vec<PathBuf>, Failure> {
        self.write_with(text, method, Some(certificate.to_json()))
    }

    /// Writes the text of the method, a certificate of its own format if there is one, and the figure.
    pub(crate) fn write_with(
        &self,
        text: &str,
        method: &Method,
        certificate: Option<Value>,
    ) -> Result<Vec<PathBuf>, Failure> {
        write(&self.method, text.as_bytes())?;
        let mut written = vec![self.method.clone()];
        written.extend(self.write_proof(certificate)?);
        let figure = self.method.with_extension("svg");
        self.look.write(
            "--output",
            &figure,
            stability_figure(method)?,
            &methods::labels(std::slice::from_ref(method)),
        )?;
        written.push(figure);
        Ok(written)
    }

    /// Writes the design file, unless it already defines this design, and returns its path.
    pub(crate) fn write_design(&self, command: &str) -> Result<Option<PathBuf>, Failure> {
        if let Some(file) = &self.design {
            write(file, CommandFile::new(&self.id, command).text().as_bytes())?;
        }
        Ok(self.design.clone())
    }

    /// Writes the certificate next to the method; without a certificate, removes an existing one of another method.
    pub(crate) fn write_proof(&self, certificate: Option<Value>) -> Result<Option<PathBuf>, Failure> {
        let proof = self.method.with_extension("certificate.json");
        match certificate {
            Some(certificate) => write(&proof, format!("{certificate:#}\n").as_bytes())?,
            None if proof.exists() => {
                fs::remove_file(&proof).map_err(|problem| WriteError::File { file: proof, problem })?;
                return Ok(None);
            }
            None => return Ok(None),
        }
        Ok(Some(proof))
    }
}

/// Returns whether two paths name the same existing file.
pub(crate) fn is_one_file(one: &Path, other: &Path) -> bool {
    fs::canonicalize(one).is_ok_and(|one| fs::canonicalize(other).is_ok_and(|other| one == other))
}
