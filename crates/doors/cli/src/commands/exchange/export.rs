//! `hemiola export`: a method in another language or format.

use clap::{Args, ValueEnum};
use hemiola::export;
use hemiola::tableau::Method;
use hemiola::tableau::library::Library;

use crate::arguments::output_file::OutputFile;
use crate::arguments::source;
use crate::failure::{CommandOutcome, Failure};
use crate::output::writer::{Output, write};

/// Export a method as source code: explicit methods as a complete step
#[derive(Args)]
#[command(after_help = "\
In python, julia, c, fortran, matlab and rust, explicit methods and pairs with any number of partitions become the \
code of a complete step. It evaluates each right-hand side only where the method needs it, and estimates the error if \
there are embedded weights. In python, diagonally implicit methods and IMEX pairs also become a step, which takes a \
solver for the stages as an argument. All other methods become tables of coefficients. Fractions are exact; other \
numbers have 40 digits.

Multirate methods become coupling tables: sundials for MRIStep, julia for OrdinaryDiffEqMultirate.jl, and latex.

petsc accepts explicit methods with two or three partitions; trixi accepts P-ERK4 methods and families of order two. \
METHOD@I,J selects two partitions of a method that has more. trixi writes one file per level to the folder given by \
--output.

Examples:
  hemiola export rk4 --to c --output rk4.c
  hemiola export shome-haug-jay-2-5 --to python > pair.py
  hemiola export kennedy-carpenter-ark-4-3-6 --to sundials
  hemiola export mri-gark-erk45a --to sundials
  hemiola export hemiola-family-2-4-8 --to petsc --output register.c
  hemiola export perk-4-16-10-5 --to trixi --output coefficients
  hemiola export mine.json --to latex --output tableau.tex")]
pub(crate) struct Export {
    /// Library id or method file
    method: String,

    /// Target language
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    to: Language,

    /// Output file; for trixi a folder [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<OutputFile>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Language {
    /// Butcher tableaus, for \input
    Latex,
    /// One row per coefficient, exact and decimal
    Csv,
    /// NumPy module
    Python,
    /// Function of vectors
    Julia,
    /// C99 without allocation
    C,
    /// Free-form module
    Fortran,
    /// Function file, also for Octave
    Matlab,
    /// Butcher tables for ARKODE, coupling tables for MRIStep
    Sundials,
    /// Function without dependencies or allocation
    Rust,
    /// Function that registers two or three rates with TSMPRK
    Petsc,
    /// Files for the paired explicit Runge–Kutta methods of Trixi.jl
    Trixi,
}

impl Export {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let language = self.to.language();
        let text = match (source::multirate_method(&self.method, library)?, language) {
            (Some(method), Some(language)) => export::write_multirate(&method, language)?,
            (None, Some(language)) => export::write(&source::method(&self.method, library)?, language)?,
            (_, None) => return self.trixi(&source::method(&self.method, library)?, output),
        };
        match &self.output {
            Some(file) => write(file, text.as_bytes())?,
            None => output.text(&text)?,
        }
        Ok(CommandOutcome::Done)
    }

    /// Writes a file for each level and the call that reads them.
    fn trixi(&self, method: &Method, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let trixi = export::trixi_files(method)?;
        let folder = self.output.as_ref().ok_or(Failure::NoTrixiFolder)?;
        if !folder.is_dir() {
            return Err(Failure::NoFolder { option: "--output", folder: folder.to_path_buf() });
        }
        let mut page = String::new();
        for (name, text) in &trixi.files {
            let file = folder.join(name);
            write(&file, text.as_bytes())?;
            page += &format!("wrote {}\n", file.display());
        }
        let note = trixi.note.map_or_else(String::new, |note| format!("{note}\n"));
        output.text(&format!("{page}use {} with the path of this folder\n{note}", trixi.call))?;
        Ok(CommandOutcome::Done)
    }
}

impl Language {
    /// Returns the language; `None` for formats that consist of several files.
    fn language(self) -> Option<export::Language> {
        Some(match self {
            Self::Latex => export::Language::Latex,
            Self::Csv => export::Language::Csv,
            Self::Python => export::Language::Python,
            Self::Julia => export::Language::Julia,
            Self::C => export::Language::C,
            Self::Fortran => export::Language::Fortran,
            Self::Matlab => export::Language::Matlab,
            Self::Sundials => export::Language::Sundials,
            Self::Rust => export::Language::Rust,
            Self::Petsc => export::Language::Petsc,
            Self::Trixi => return None,
        })
    }
}
