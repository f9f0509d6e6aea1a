//! Commands, and the method library that they share.

use std::env;
use std::path::{Path, PathBuf};

use clap::{CommandFactory, Parser, Subcommand};
use hemiola::tableau::library::Library;

use crate::arguments::usage::OptionError;
use crate::commands::completions::Completions;
use crate::failure::{CommandOutcome, Failure};
use crate::output::writer::Output;

/// Design, verify and map (partitioned) Runge–Kutta methods.
#[derive(Parser)]
#[command(
    name = "hemiola",
    version,
    after_help = "\
METHOD is the id of a library method, one of its aliases (RK4, dopri5, backward-euler, …), a method file (*.json), or \
any table or program that `hemiola import` reads: FILE, FILE#ID for one of its methods, or - for standard input. \
METHOD@I,J selects two partitions, by number or name, of a method that has more. \
NAME:inner=METHOD,substeps=M is a multirate method (`hemiola list --kind multirate`) with M steps of an inner one; \
NAME@M=N is a method with micro-steps (multirate-midpoint, …) with N of them.
Your own method files are also found by id, in the folders given by --methods, in those of the environment variable \
HEMIOLA_METHODS (a list like PATH), and in $XDG_DATA_HOME/hemiola/tableaus (~/.local/share/hemiola/tableaus).
Any output file can be - for standard output; printed results then go to standard error. An existing file is replaced \
only when the new one is complete, and keeps its mode. A symbolic link stays, and its target is replaced. Devices and \
pipes are written to directly.

Exit codes: 0 success, 1 a claim or check failed, 2 invalid usage or input, 130 interrupted.

Examples:
  hemiola design --slow 2 --fast 5
  hemiola list gauss
  hemiola check shome-haug-jay-2-5
  hemiola map shome-haug-jay-2-5 --output regions.svg"
)]
pub(crate) struct Cli {
    /// Folder with your own method files (repeatable)
    #[arg(long = "methods", value_name = "DIR", global = true)]
    folders: Vec<PathBuf>,

    #[command(subcommand)]
    command: Command,
}

/// Defines the subcommands by the types of their options; these types run the commands.
macro_rules! subcommands {
    ($($(#[$attribute:meta])? $name:ident($($type:tt)+);)+) => {
        #[derive(Subcommand)]
        enum Command {
            $($(#[$attribute])? $name($($type)+),)+
            Completions(Completions),
        }

        impl Command {
            fn run(&self, library: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
                match self {
                    $($(#[$attribute])? Self::$name(command) => command.run(library, output),)+
                    Self::Completions(command) => command.run(Cli::command(), output),
                }
            }
        }
    };
}

subcommands! {
    List(crate::commands::list::List);
    Show(crate::commands::show::Show);
    Expand(crate::commands::exchange::expand::Expand);
    Export(crate::commands::exchange::export::Export);
    Import(crate::commands::exchange::import::Import);
    Check(crate::commands::check::Check);
    Lint(crate::commands::lint::Lint);
    Diagnose(crate::commands::diagnose::Diagnose);
    Complete(crate::commands::complete::Complete);
    Polish(crate::commands::polish::Polish);
    Stability(crate::commands::stability::Stability);
    Matrix(crate::commands::matrix::Matrix);
    Map(crate::commands::map::Map);
    Draw(crate::commands::draw::Draw);
    #[cfg(feature = "motion")] System(crate::commands::system::System);
    #[cfg(feature = "motion")] Models(crate::commands::models::Models);
    #[cfg(feature = "motion")] Simulate(crate::commands::simulate::Simulate);
    #[cfg(feature = "motion")] Converge(crate::commands::converge::Converge);
    #[cfg(feature = "motion")] Optimize(crate::commands::optimize::Optimize);
    #[cfg(feature = "motion")] Identify(Box<crate::commands::identify::Identify>);
    #[cfg(feature = "motion")] Reproduce(crate::commands::reproduce::Reproduce);
    Atlas(crate::commands::atlas::Atlas);
    Polynomial(crate::commands::polynomial::Polynomial);
    Design(Box<crate::commands::design::Design>);
    Merge(crate::commands::merge::Merge);
    Sweep(crate::commands::sweep::Sweep);
    Example(crate::commands::example::Example);
}

impl Cli {
    pub(crate) fn run(&self, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let library = Library::with_folders(folders(&self.folders)?);
        self.command.run(&library, output)
    }
}

/// Returns the given folders, which must exist, and those of the environment, which need not exist, without duplicates.
fn folders(asked: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    if let Some(folder) = asked.iter().find(|folder| !folder.is_dir()) {
        return Err(OptionError::NoFolder { option: "--methods", folder: folder.clone() }.into());
    }
    let listed = env::var_os("HEMIOLA_METHODS").unwrap_or_default();
    let listed: Vec<PathBuf> = env::split_paths(&listed).filter(|folder| !folder.as_os_str().is_empty()).collect();
    let mut folders = Vec::new();
    let mut seen = Vec::new();
    for folder in asked.iter().cloned().chain(listed).chain(user_folder()) {
        let place = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        if !seen.contains(&place) {
            seen.push(place);
            folders.push(folder);
        }
    }
    Ok(folders)
}

/// Returns the user's data folder according to the XDG base directory specification, which ignores relative paths.
fn user_folder() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = absolute("XDG_DATA_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/share")))?;
    Some(data.join(Path::new("hemiola/tableaus")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_command_has_an_option_twice() {
        Cli::command().debug_assert();
    }
}
