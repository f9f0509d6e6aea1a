//! The command line of Hemiola: it parses, calls the libraries and prints.

mod certificate;
mod check;
mod cli;
mod complete;
mod completions;
mod converge;
mod data;
mod design;
mod diagnose;
mod export;
mod failure;
mod import;
mod interrupt;
mod lint;
mod list;
mod map;
mod matrix;
mod methods;
mod model;
mod models;
mod new_method;
mod number;
mod output;
mod picture;
mod polish;
mod polynomial;
mod progress;
mod reproduce;
mod scheme;
mod show;
mod simulate;
mod source;
mod stability;
mod system;
mod text;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::Cli;
use crate::failure::Outcome;
use crate::output::Output;

fn main() -> ExitCode {
    interrupt::exit_on_ctrl_c();
    output::install_error_style();
    let cli = Cli::parse_from(number::protect(std::env::args_os()));
    let mut output = Output::new();
    let result = cli.run(&mut output).and_then(|outcome| output.flush().map(|()| outcome));
    let outcome = match result {
        Ok(outcome) => outcome,
        Err(failure) if failure.is_closed_pipe() => Outcome::Done,
        Err(failure) => {
            output::report(failure);
            Outcome::BadInput
        }
    };
    outcome.into()
}
