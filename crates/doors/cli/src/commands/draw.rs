//! `hemiola draw`: converts a figure file to any format.

use std::path::PathBuf;

use clap::Args;
use hemiola::figure::{Drawing, FigureError};
use hemiola::tableau::library::Library;
use miette::Diagnostic;
use thiserror::Error;

use crate::arguments::figure::FigureArgs;
use crate::arguments::output_file::OutputFile;
use crate::arguments::source::SourceError;
use crate::arguments::{format, input_file};
use crate::failure::{CommandOutcome, Failure, hinted};
use crate::output::writer::Output;

/// File that contains no figure.
#[derive(Debug, Error, Diagnostic)]
#[error("{file}: {problem}")]
#[diagnostic(help("drawing commands write a figure file if their output file ends in .json"))]
struct FigureFileError {
    file: PathBuf,
    problem: FigureError,
}

hinted!(FigureFileError);

/// Draw a figure file again, in any format and with other options
#[derive(Args)]
#[command(after_help = "\
A figure file contains everything that a figure shows: its panels with their axes, curves, regions and points, and \
their style and font. Every command that draws writes such a file if the extension of its figure is .json. You can edit \
colors, dash patterns, labels and ranges in it.

Examples:
  hemiola map rk4 dormand-prince-5 --output regions.json
  hemiola draw regions.json --output regions.pdf --font serif --width one
  hemiola draw regions.json --output regions.tex --label \"Dormand–Prince 5(4)=DOPRI5\"")]
pub(crate) struct Draw {
    /// Figure file
    #[arg(value_name = "FIGURE.json")]
    file: PathBuf,

    /// Figure to write
    ///
    /// The extension selects the format.
    #[arg(long, value_name = format::VALUE_NAME)]
    output: OutputFile,

    #[command(flatten)]
    figure: FigureArgs,
}

impl Draw {
    pub(crate) fn run(&self, _: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        self.figure.check("--output", Some(&self.output))?;
        let name = || self.file.display().to_string();
        let text = input_file::text(&self.file, input_file::LONGEST_TEXT)
            .map_err(|problem| SourceError::Unreadable { file: name(), problem })?;
        let fault = |problem| FigureFileError { file: self.file.clone(), problem };
        let drawing = Drawing::from_json_with_fonts(&text, |family| self.figure.font_of_file(family)).map_err(fault)?;
        self.figure.write("--output", &self.output, drawing, &[])?;
        output.line(&format!("wrote {}", self.output.display()))?;
        Ok(CommandOutcome::Done)
    }
}
