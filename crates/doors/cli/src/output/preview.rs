//! `--preview`: a figure as text in the terminal.

use std::convert::Infallible;
use std::env;
use std::io::{self, IsTerminal};

use clap::Args;
use hemiola::figure::{DrawOnError, Drawing, TerminalColors};

use crate::arguments::figure::FigureArgs;
use crate::failure::{CommandError, Failure};
use crate::output::writer::Output;

impl CommandError for DrawOnError<Infallible> {}

/// Option for a figure in the terminal.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct PreviewArgs {
    /// Show the figure in the terminal, as wide as the terminal allows
    ///
    /// The figure consists of letters and Braille dots, in colors if the terminal has them and NO_COLOR is not set.
    #[arg(long, conflicts_with = "json", help_heading = "Figures")]
    pub(crate) preview: bool,
}

impl PreviewArgs {
    /// Prints a drawing if the option is given. `names` are ids and names of the methods.
    pub(crate) fn show(
        self,
        figure: &FigureArgs,
        drawing: impl FnOnce() -> Drawing,
        names: &[(String, String)],
        output: &mut Output,
    ) -> Result<(), Failure> {
        if !self.preview {
            return Ok(());
        }
        let scene = figure.fitted(drawing(), names, textwrap::termwidth())?;
        output.picture(&scene.to_terminal(colors())?)
    }
}

/// Returns the colors of the terminal on standard output, according to the usual environment variables.
fn colors() -> TerminalColors {
    let variable = |name: &str| env::var(name).unwrap_or_default();
    if !io::stdout().is_terminal() || !variable("NO_COLOR").is_empty() {
        return TerminalColors::None;
    }
    match (variable("COLORTERM").as_str(), variable("TERM").contains("256color")) {
        ("truecolor" | "24bit", _) => TerminalColors::Full,
        (_, true) => TerminalColors::Indexed,
        _ => TerminalColors::None,
    }
}
