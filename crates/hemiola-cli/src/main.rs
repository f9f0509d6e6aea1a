//! The command line of Hemiola: it parses arguments, calls the libraries and prints results.

mod arguments;
mod cli;
mod commands;
mod failure;
mod output;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::Cli;
use crate::failure::Outcome;
use crate::output::writer::Output;

/// Exact numbers and searches allocate much, on all threads: with the allocator of the system they take up to a third longer.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    output::interrupt::exit_on_ctrl_c();
    output::writer::install_error_style();
    let cli = Cli::parse_from(arguments::number::protect(std::env::args_os()));
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
    outcome.into()
}
