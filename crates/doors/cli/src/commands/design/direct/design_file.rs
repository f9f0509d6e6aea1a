//! Design files, `hemiola-design-command/1`, which contain the command of a design.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use hemiola::tableau::json::read_bounded;
use serde::Deserialize;
use serde_json::json;

use crate::arguments::number;
use crate::commands::design::error::DesignJobError;
use crate::failure::Failure;

/// Name of the format.
const FORMAT: &str = "hemiola-design-command/1";
/// Beginning of every command.
const COMMAND: &str = "hemiola design ";
/// Ending of the names of design files.
const ENDING: &str = ".design.json";

/// The content of a design file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CommandFile {
    format: String,
    id: String,
    command: String,
}

impl CommandFile {
    /// Returns the path of the design file of a method file.
    pub(crate) fn beside(method: &Path) -> PathBuf {
        method.with_extension("design.json")
    }

    /// Reads a file; `None` if it has another format or cannot be read, so that other readers handle it.
    ///
    /// A pipe can be read only once, so only regular files are considered.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, Failure> {
        #[derive(Deserialize)]
        struct Format {
            format: String,
        }
        let is_file = path.metadata().is_ok_and(|data| data.is_file());
        let text = is_file.then(|| read_bounded(path).ok()).flatten().unwrap_or_default();
        if !serde_json::from_slice::<Format>(&text).is_ok_and(|Format { format }| format == FORMAT) {
            return Ok(None);
        }
        let invalid = |problem: String| DesignJobError::Command { file: path.to_owned(), problem };
        let file: Self = serde_json::from_slice(&text).map_err(|problem| invalid(problem.to_string()))?;
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.strip_suffix(ENDING) != Some(&file.id) {
            return Err(invalid(format!("id {:?}: expected the file name without {ENDING}", file.id)).into());
        }
        Ok(Some(file))
    }

    /// Creates the content for the command of a method.
    pub(crate) fn new(id: &str, command: &str) -> Self {
        Self { format: FORMAT.to_owned(), id: id.to_owned(), command: command.to_owned() }
    }

    /// Returns the text of the file.
    pub(crate) fn text(&self) -> String {
        let Self { format, id, command } = self;
        format!("{:#}\n", json!({ "format": format, "id": id, "command": command }))
    }

    /// Returns the command.
    pub(crate) fn command(&self) -> &str {
        &self.command
    }

    /// Returns the options of the command as words. Words with spaces are in single quotes.
    pub(crate) fn options(&self, path: &Path) -> Result<Vec<OsString>, Failure> {
        let invalid = |problem: String| DesignJobError::Command { file: path.to_owned(), problem };
        let options = self.command.strip_prefix(COMMAND);
        let options = options.ok_or_else(|| invalid(format!("{:?}: expected `{COMMAND}…`", self.command)))?;
        let (mut words, mut word, mut is_quoted) = (Vec::new(), None::<String>, false);
        for letter in options.chars() {
            if letter == '\'' {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            } else if letter.is_whitespace() && !is_quoted {
                words.extend(word.take());
            } else {
                word.get_or_insert_default().push(letter);
            }
        }
        if is_quoted {
            return Err(invalid(format!("{:?}: expected a closing quote", self.command)).into());
        }
        words.extend(word);
        Ok(number::protect(words.into_iter().map(OsString::from)))
    }
}
