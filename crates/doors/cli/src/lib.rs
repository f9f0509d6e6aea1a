//! Command line of Hemiola: parses arguments, calls the libraries and prints results.
//!
//! The binary `hemiola` calls [`run`], and so does the command that the Python package installs.

// Without the feature `motion`, some helpers and errors of the commands that run models have no caller.
#![cfg_attr(not(feature = "motion"), allow(dead_code))]

mod arguments;
mod cli;
mod commands;
mod failure;
mod output;
mod ranks;

use std::ffi::OsString;
use std::io::{self, Write};

use clap::{Command, CommandFactory, FromArgMatches};
use hemiola::tableau::is_unprintable;

use crate::cli::Cli;
use crate::failure::{CommandOutcome, Failure};
use crate::output::writer::{Output, WriteError};

/// Runs the command line with these arguments, the first of which is the program's name. Returns the exit code: 0
/// success, 1 a claim or check failed, 2 invalid usage or input, 130 interrupted.
///
/// It handles Ctrl-C and sets the format of errors for the whole process.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    output::interrupt::exit_on_ctrl_c();
    output::writer::install_error_style();
    let outcome = match outcome(&arguments::number::protect(arguments)) {
        Ok(code) => return code,
        Err(failure) if failure.downcast_ref().is_some_and(WriteError::is_closed_pipe) => CommandOutcome::Done,
        Err(failure) => {
            let outcome = failure.outcome();
            output::writer::report(failure);
            outcome
        }
    };
    outcome as u8
}

/// Returns the grammar of the command line, for tests and manuals.
#[must_use]
pub fn command() -> Command {
    Cli::command()
}

fn outcome(arguments: &[OsString]) -> Result<u8, Failure> {
    let mut command = command();
    let parsed = command.try_get_matches_from_mut(arguments);
    let parsed = parsed.and_then(|matches| Cli::from_arg_matches(&matches).map(|cli| (cli, matches)));
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(instead) => return print_instead(&instead, arguments),
    };
    let has_file = arguments::output_file::check(&command, &matches)?;
    let mut output = if has_file { Output::beside_file() } else { Output::new() };
    let outcome = cli.run(&mut output)?;
    output.flush()?;
    Ok(outcome as u8)
}

/// Prints help, the version or a usage error, and returns the exit code.
fn print_instead(message: &clap::Error, arguments: &[OsString]) -> Result<u8, Failure> {
    let is_printable = !arguments.iter().any(|argument| argument.to_string_lossy().contains(is_unprintable));
    match (message.use_stderr(), is_printable) {
        // Clap repeats arguments unescaped among its own colors.
        (true, false) => output::writer::note(message.render().to_string().trim_end()),
        // A closed standard error is ignored.
        (true, true) => drop(message.print()),
        (false, _) => {
            message.print().and_then(|()| io::stdout().flush()).map_err(WriteError::from)?;
        }
    }
    Ok(u8::try_from(message.exit_code()).unwrap_or(CommandOutcome::BadInput as u8))
}
