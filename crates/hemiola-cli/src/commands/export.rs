//! `hemiola export`: a method in another language or format.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use hemiola::export;
use hemiola::tableau::library::Library;

use crate::arguments::source;
use crate::failure::{Failure, Outcome};
use crate::output::writer::{Output, write};

/// Write a method in another language: explicit methods as a complete step
#[derive(Args)]
#[command(after_help = "\
Explicit methods and pairs, with any number of partitions, are written as a step in python, julia, c, fortran, matlab and rust: a \
right-hand side is evaluated only where the method needs it, and embedded weights give an error estimate. In python, \
diagonally implicit methods and IMEX pairs are written as a step, too, which takes a solver for the stages. All others are tables of \
coefficients. Fractions are exact; other numbers have 40 digits.

Examples:
  hemiola export rk4 --to c --output rk4.c
  hemiola export shome-haug-jay-2-5 --to python > pair.py
  hemiola export kennedy-carpenter-ark-4-3-6 --to sundials
  hemiola export mine.json --to latex --output tableau.tex")]
pub(crate) struct Export {
    /// Library id or method file
    method: String,

    /// The language
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    to: Language,

    /// The file to write (default: standard output)
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Language {
    /// Butcher tableaus, for \input
    Latex,
    /// One row per coefficient, exact and decimal
    Csv,
    /// A NumPy module
    Python,
    /// A function of vectors
    Julia,
    /// C99 without allocation
    C,
    /// A free-form module
    Fortran,
    /// A function file, also for Octave
    Matlab,
    /// Butcher tables for ARKODE
    Sundials,
    /// A function without dependencies or allocation
    Rust,
}

impl Export {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<Outcome, Failure> {
        let text = export::write(&source::method(&self.method, library)?, self.to.into());
        match &self.output {
            Some(file) => write(file, text.as_bytes())?,
            None => output.text(&text)?,
        }
        Ok(Outcome::Done)
    }
}

impl From<Language> for export::Language {
    fn from(language: Language) -> Self {
        match language {
            Language::Latex => Self::Latex,
            Language::Csv => Self::Csv,
            Language::Python => Self::Python,
            Language::Julia => Self::Julia,
            Language::C => Self::C,
            Language::Fortran => Self::Fortran,
            Language::Matlab => Self::Matlab,
            Language::Sundials => Self::Sundials,
            Language::Rust => Self::Rust,
        }
    }
}
