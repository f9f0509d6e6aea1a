//! `hemiola example`: sample input files.

mod input;

use std::path::PathBuf;

use clap::Args;
use hemiola::tableau::library::Library;
use serde_json::json;

use crate::arguments::output_file::{OutputFile, is_stdout, is_stream};
use crate::failure::{CommandOutcome, Failure};
use crate::output::text::{self, Column};
use crate::output::writer::{Output, WriteError, write};

use input::Input;

/// Write an example of an input file: a table, a Jacobian, a design, a machine
#[derive(Args)]
#[command(after_help = "\
Without KIND, the command lists all kinds, each with a command that reads its file.

Examples:
  hemiola example
  hemiola example jacobian
  hemiola example table --output mine.csv")]
pub(crate) struct Example {
    /// Kind of input
    #[arg(value_enum, value_name = "KIND")]
    kind: Option<Input>,

    /// File to write [default: the name in the list]
    #[arg(long, value_name = "FILE", requires = "kind")]
    output: Option<OutputFile>,

    /// Overwrite an existing file
    #[arg(long, requires = "kind")]
    force: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Example {
    pub(crate) fn run(&self, _: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        match self.kind {
            Some(input) => self.write(input, output)?,
            None => self.list(output)?,
        }
        Ok(CommandOutcome::Done)
    }

    fn write(&self, input: Input, output: &mut Output) -> Result<(), Failure> {
        let file = self.output.clone().unwrap_or_else(|| OutputFile::from(PathBuf::from(input.file())));
        if file.exists() && !self.force && !is_stream(&file) {
            return Err(WriteError::Exists { file: file.to_path_buf() }.into());
        }
        write(&file, input.text().as_bytes())?;
        if is_stdout(&file) {
            return Ok(());
        }
        let name = file.to_string();
        if self.json {
            return output.json(&json!({ "file": name, "command": input.command(&name) }));
        }
        output.text(&format!("wrote {name}\ntry: {}\n", input.command(&name)))
    }

    fn list(&self, output: &mut Output) -> Result<(), Failure> {
        let all = Input::all();
        if self.json {
            let entry = |input: &Input| {
                let (file, kind) = (input.file(), input.kind());
                json!({ "kind": kind, "file": file, "contents": input.contents(), "command": input.command(file) })
            };
            return output.json(&all.iter().map(entry).collect::<Vec<_>>());
        }
        let columns = ["Kind", "Contents", "Command that reads it"].map(|name| (name, Column::Left));
        let row = |input: &Input| vec![input.kind(), input.contents(), input.command(input.file())];
        output.text(&text::table(&columns, all.iter().map(row)))
    }
}
