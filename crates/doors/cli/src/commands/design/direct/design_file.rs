//! Design files, `hemiola-design-command/1`: the command of a design that options state completely.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use hemiola::tableau::is_id;
use serde::Deserialize;
use serde_json::json;

use crate::arguments::number;
use crate::commands::design::Design;
use crate::commands::design::error::DesignJobError;
use crate::failure::Failure;

/// Name of the format.
const FORMAT: &str = "hemiola-design-command/1";
/// Beginning of every command.
const COMMAND: &str = "hemiola design ";

/// The content of a design file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CommandFile {
    format: String,
    /// The id of the method.
    pub(crate) id: String,
    /// The command, `hemiola design` with its options; words have no spaces.
    pub(crate) command: String,
}

/// Reads the options of a command.
#[derive(Parser)]
#[command(name = "hemiola design", no_binary_name = true)]
struct Words {
    #[command(flatten)]
    design: Design,
}

impl CommandFile {
    pub(crate) fn new(id: &str, command: &str) -> Self {
        Self { format: FORMAT.to_owned(), id: id.to_owned(), command: command.to_owned() }
    }

    /// Returns the path of the design file of a method file.
    pub(crate) fn beside(method: &Path) -> PathBuf {
        method.with_extension("design.json")
    }

    /// Returns whether a file names this format. Files that cannot be read are left to other readers.
    pub(crate) fn is_one(path: &Path) -> bool {
        #[derive(Deserialize)]
        struct Format {
            format: String,
        }
        let format = fs::read(path).ok().and_then(|text| serde_json::from_slice::<Format>(&text).ok());
        format.is_some_and(|Format { format }| format == FORMAT)
    }

    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let invalid = |problem: String| DesignJobError::Command { file: path.to_owned(), problem };
        let text = fs::read_to_string(path).map_err(|problem| invalid(problem.to_string()))?;
        let file: Self = serde_json::from_str(&text).map_err(|problem| invalid(problem.to_string()))?;
        if !is_id(&file.id) {
            let expected = "expected lower-case words of letters and digits joined by hyphens";
            return Err(invalid(format!("id {:?}: {expected}", file.id)).into());
        }
        Ok(file)
    }

    /// Returns the text of the file.
    pub(crate) fn text(&self) -> String {
        let Self { format, id, command } = self;
        format!("{:#}\n", json!({ "format": format, "id": id, "command": command }))
    }

    /// Reads the options of the command.
    pub(crate) fn options(&self, path: &Path) -> Result<Design, Failure> {
        let invalid = |problem: String| DesignJobError::Command { file: path.to_owned(), problem };
        let words = self.command.strip_prefix(COMMAND).map(|words| words.split_whitespace().map(Into::into));
        let words = words.ok_or_else(|| invalid(format!("{:?}: expected `{COMMAND}…`", self.command)))?;
        let first_line = |problem: clap::Error| {
            let text = problem.to_string();
            invalid(text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned())
        };
        Ok(Words::try_parse_from(number::protect(words)).map_err(first_line)?.design)
    }
}
