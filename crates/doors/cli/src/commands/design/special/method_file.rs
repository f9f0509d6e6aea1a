//! The file of a method whose source names the command that reproduces it.

use std::path::{Path, PathBuf};

use hemiola::tableau::Method;

use crate::arguments::usage::OptionError;
use crate::commands::design::error::DesignJobError;
use crate::failure::Failure;
use crate::output::file_lock::FileLock;
use crate::output::new_method::id;

/// A method file to write, with the id of the method.
pub(crate) struct MethodFile {
    pub(crate) path: PathBuf,
    pub(crate) id: String,
    /// Lock that is held while the file is in use.
    _claim: FileLock,
}

impl MethodFile {
    /// Claims the file, by default that of the id. A method with another command is overwritten only with `force`.
    pub(crate) fn new(default_id: &str, command: &str, output: Option<&Path>, force: bool) -> Result<Self, Failure> {
        let path = output.map_or_else(|| format!("{default_id}.json").into(), Path::to_path_buf);
        let Some(id) = id(Some(&path))? else { return Err(OptionError::NoId { file: path }.into()) };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(OptionError::NoFolder { option: "--output", folder: folder.to_owned() }.into());
        }
        let claim = FileLock::new(&path)?;
        let is_same = || {
            let place = Method::read(&path).ok().and_then(|there| there.source().place.clone());
            place.is_some_and(|place| place == command)
        };
        if path.exists() && !force && !is_same() {
            return Err(DesignJobError::OtherFamily { file: path }.into());
        }
        Ok(Self { path, id, _claim: claim })
    }
}
