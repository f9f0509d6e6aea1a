//! `hemiola completions`: shell completion scripts.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::failure::{CommandOutcome, Failure};
use crate::output::writer::Output;

/// Print a shell completion script
#[derive(Args)]
#[command(after_help = "\
Examples:
  hemiola completions bash > ~/.local/share/bash-completion/completions/hemiola
  hemiola completions fish > ~/.config/fish/completions/hemiola.fish")]
pub(crate) struct Completions {
    /// Shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, mut commands: Command, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut commands, "hemiola", &mut script);
        output.text(&String::from_utf8_lossy(&script))?;
        Ok(CommandOutcome::Done)
    }
}
