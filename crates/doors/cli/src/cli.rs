//! Commands, and the method library that they share.

use std::env;
use std::path::{Path, PathBuf};

use clap::{CommandFactory, Parser, Subcommand};
use hemiola::tableau::library::Library;

use crate::commands::atlas::Atlas;
use crate::commands::check::Check;
use crate::commands::complete::Complete;
use crate::commands::completions::Completions;
#[cfg(feature = "motion")]
use crate::commands::converge::Converge;
use crate::commands::design::Design;
use crate::commands::diagnose::Diagnose;
use crate::commands::draw::Draw;
use crate::commands::exchange::expand::Expand;
use crate::commands::exchange::export::Export;
use crate::commands::exchange::import::Import;
#[cfg(feature = "motion")]
use crate::commands::identify::Identify;
use crate::commands::lint::Lint;
use crate::commands::list::List;
use crate::commands::map::Map;
use crate::commands::matrix::Matrix;
use crate::commands::merge::Merge;
#[cfg(feature = "motion")]
use crate::commands::models::Models;
#[cfg(feature = "motion")]
use crate::commands::optimize::Optimize;
use crate::commands::polish::Polish;
use crate::commands::polynomial::Polynomial;
#[cfg(feature = "motion")]
use crate::commands::reproduce::Reproduce;
use crate::commands::show::Show;
#[cfg(feature = "motion")]
use crate::commands::simulate::Simulate;
use crate::commands::stability::Stability;
use crate::commands::sweep::Sweep;
#[cfg(feature = "motion")]
use crate::commands::system::System;
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

#[derive(Subcommand)]
enum Command {
    List(List),
    Show(Show),
    Expand(Expand),
    Export(Export),
    Import(Import),
    Check(Check),
    Lint(Lint),
    Diagnose(Diagnose),
    Complete(Complete),
    Polish(Polish),
    Stability(Stability),
    Matrix(Matrix),
    Map(Map),
    Draw(Draw),
    #[cfg(feature = "motion")]
    System(System),
    #[cfg(feature = "motion")]
    Models(Models),
    #[cfg(feature = "motion")]
    Simulate(Simulate),
    #[cfg(feature = "motion")]
    Converge(Converge),
    #[cfg(feature = "motion")]
    Optimize(Optimize),
    #[cfg(feature = "motion")]
    Identify(Box<Identify>),
    #[cfg(feature = "motion")]
    Reproduce(Reproduce),
    Atlas(Atlas),
    Polynomial(Polynomial),
    Design(Box<Design>),
    Merge(Merge),
    Sweep(Sweep),
    Completions(Completions),
}

impl Cli {
    pub(crate) fn run(&self, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let library = Library::with_folders(folders(&self.folders)?);
        match &self.command {
            Command::List(list) => list.run(&library, output),
            Command::Show(show) => show.run(&library, output),
            Command::Expand(expand) => expand.run(&library, output),
            Command::Export(export) => export.run(&library, output),
            Command::Import(import) => import.run(output),
            Command::Check(check) => check.run(&library, output),
            Command::Lint(lint) => lint.run(output),
            Command::Diagnose(diagnose) => diagnose.run(&library, output),
            Command::Complete(complete) => complete.run(&library, output),
            Command::Polish(polish) => polish.run(&library, output),
            Command::Stability(stability) => stability.run(&library, output),
            Command::Matrix(matrix) => matrix.run(&library, output),
            Command::Map(map) => map.run(&library, output),
            Command::Draw(draw) => draw.run(output),
            #[cfg(feature = "motion")]
            Command::System(system) => system.run(&library, output),
            #[cfg(feature = "motion")]
            Command::Models(models) => models.run(output),
            #[cfg(feature = "motion")]
            Command::Simulate(simulate) => simulate.run(&library, output),
            #[cfg(feature = "motion")]
            Command::Converge(converge) => converge.run(&library, output),
            #[cfg(feature = "motion")]
            Command::Optimize(optimize) => optimize.run(&library, output),
            #[cfg(feature = "motion")]
            Command::Identify(identify) => identify.run(&library, output),
            #[cfg(feature = "motion")]
            Command::Reproduce(reproduce) => reproduce.run(output),
            Command::Atlas(atlas) => atlas.run(&library, output),
            Command::Polynomial(polynomial) => polynomial.run(output),
            Command::Design(design) => design.run(output),
            Command::Merge(merge) => merge.run(output),
            Command::Sweep(sweep) => sweep.run(output),
            Command::Completions(completions) => completions.run(Self::command(), output),
        }
    }
}

/// Returns the given folders, which must exist, and those of the environment, which need not. Duplicates are dropped.
fn folders(asked: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    if let Some(folder) = asked.iter().find(|folder| !folder.is_dir()) {
        return Err(Failure::NoFolder { option: "--methods", folder: folder.clone() });
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
