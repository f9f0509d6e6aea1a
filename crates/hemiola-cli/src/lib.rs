//! The command line of Hemiola: it parses arguments, calls the libraries and prints results.
//!
//! The binary `hemiola` calls [`run`], and so does the command that the Python package installs.

mod arguments;
mod cli;
mod commands;
mod failure;
mod output;
mod ranks;

use std::ffi::OsString;

use clap::Parser;

use crate::cli::Cli;
use crate::failure::Outcome;
use crate::output::writer::Output;

/// Runs the command line with these arguments, the first of which is the program's name, and returns the exit code: 0 done and
/// true, 1 a claim or check failed, 2 invalid usage or input, 130 interrupted.
///
/// It takes over Ctrl-C and the wording of errors for the whole process, and ends the process itself where there is nothing to
/// run: for `--help`, `--version` and invalid usage.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    output::interrupt::exit_on_ctrl_c();
    output::writer::install_error_style();
    let cli = Cli::parse_from(arguments::number::protect(arguments));
    let mut output = Output::new();
    let result = cli.run(&mut output).and_then(|outcome| output.flush().map(|()| outcome));
    let outcome = match result {
        Ok(outcome) => outcome,
        Err(failure) if failure.is_closed_pipe() => Outcome::Done,
        Err(failure) => {
            output::writer::report(failure);
            Outcome::BadInput
        }
    };
    outcome as u8
}
