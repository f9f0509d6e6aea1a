//! `hemiola export`: a method in another language or format.

use clap::Args;
use hemiola::export::{self, Language};
use hemiola::tableau::Method;
use hemiola::tableau::library::Library;
use hemiola::tableau::low_storage::StorageClass;
use thiserror::Error;

use crate::arguments::choice::{Choice, Choices, choice};
use crate::arguments::output_file::{OutputFile, is_stdout};
use crate::arguments::source;
use crate::arguments::usage::{MethodUseError, OptionError};
use crate::failure::{CommandError, CommandOutcome, Failure};
use crate::output::writer::{Output, write};

/// Several files without a folder for them.
#[derive(Debug, Error)]
#[error("--language trixi writes one file per level; expected --output with a folder")]
struct NoTrixiFolder;

impl CommandError for NoTrixiFolder {}

impl CommandError for export::WriteError {}

/// Export a method as source code: explicit methods as a complete step
#[derive(Args)]
#[command(after_help = "\
In python, julia, c, fortran, matlab and rust, explicit methods and pairs with any number of partitions become the \
code of a complete step. It evaluates each right-hand side only where the method needs it, and estimates the error if \
there are embedded weights. In python, diagonally implicit methods and IMEX pairs also become a step, which takes a \
solver for the stages as an argument. All other methods become tables of coefficients. Fractions are exact; other \
numbers have 40 digits.

Multirate methods become coupling tables: sundials for MRIStep, julia for OrdinaryDiffEqMultirate.jl, and latex.

petsc accepts explicit methods with two or three partitions, and diagonally implicit ones alone or with one explicit partner; trixi accepts P-ERK4 methods and families of order two. \
METHOD@I,J selects two partitions of a method that has more. trixi writes one file per level to the folder given by \
--output.

Examples:
  hemiola export rk4 --language c --output rk4.c
  hemiola export shome-haug-jay-2-5 --language python > pair.py
  hemiola export kennedy-carpenter-ark-4-3-6 --language sundials
  hemiola export mri-gark-erk45a --language sundials
  hemiola export hemiola-family-2-4-8 --language petsc --output register.c
  hemiola export perk-4-16-10-5 --language trixi --output coefficients
  hemiola export williamson-3 --language fortran --form 2N
  hemiola export mine.json --language latex --output tableau.tex")]
pub(crate) struct Export {
    /// Library id or method file
    method: String,

    /// Target language
    #[arg(long, alias = "to", value_parser = choice::<TargetLanguage>())]
    language: TargetLanguage,

    /// Write the step of an explicit method in a low-storage form: a loop with few registers
    ///
    /// Forms are 2N, 2R, 3R, …, 2S, 2S* and 3S*; languages are python, julia, c and fortran.
    #[arg(long, value_name = "FORM")]
    form: Option<StorageClass>,

    /// Output file; for trixi a folder [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<OutputFile>,
}

/// Language; `None` is Trixi.jl, which reads several files.
type TargetLanguage = Option<Language>;

impl Choices for TargetLanguage {
    const ALL: &'static [Choice<Self>] = &[
        (Some(Language::Latex), "latex", "Butcher tableaus, for \\input"),
        (Some(Language::Csv), "csv", "One row per coefficient, exact and decimal"),
        (Some(Language::Python), "python", "NumPy module"),
        (Some(Language::Julia), "julia", "Function of vectors"),
        (Some(Language::C), "c", "C99 without allocation"),
        (Some(Language::Fortran), "fortran", "Free-form module"),
        (Some(Language::Matlab), "matlab", "Function file, also for Octave"),
        (Some(Language::Sundials), "sundials", "Butcher tables for ARKODE, coupling tables for MRIStep"),
        (Some(Language::Rust), "rust", "Function without dependencies or allocation"),
        (
            Some(Language::Petsc),
            "petsc",
            "Function that registers two or three rates with TSMPRK, IMEX methods with TSARKIMEX, implicit ones with TSDIRK",
        ),
        (
            Some(Language::Json),
            "json",
            "Table of differential-equations-rs (`hemiola show --json` writes a method file)",
        ),
        (None, "trixi", "Files for the paired explicit Runge–Kutta methods of Trixi.jl"),
    ];
}

impl Export {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let text = match (source::multirate_method(&self.method, library)?, self.language) {
            (Some(method), _) if self.form.is_some() => {
                let id = method.id().to_owned();
                return Err(MethodUseError::NotForMultirate { option: "--form", id }.into());
            }
            (None, Some(language)) if self.form.is_some() => self.low_storage(language, library)?,
            (_, None) if self.form.is_some() => {
                return Err(OptionError::Contradiction {
                    option: "--form",
                    with: "--language python, julia, c or fortran",
                }
                .into());
            }
            (Some(method), Some(language)) => export::write_multirate(&method, language)?,
            (None, Some(language)) => export::write(&source::method(&self.method, library)?, language)?,
            (_, None) => return self.trixi(&source::method(&self.method, library)?, output),
        };
        match &self.output {
            Some(file) => {
                write(file, text.as_bytes())?;
                if !is_stdout(file) {
                    output.line(&format!("wrote {file}"))?;
                }
            }
            None => output.text(&text)?,
        }
        Ok(CommandOutcome::Done)
    }

    /// Writes a step in the low-storage form of the options.
    fn low_storage(&self, language: Language, library: &Library) -> Result<String, Failure> {
        let method = source::method(&self.method, library)?;
        let Some(class) = self.form else { return Ok(export::write(&method, language)?) };
        Ok(export::write_low_storage(&method, class, language)?)
    }

    /// Writes a file for each level and the call that reads them.
    fn trixi(&self, method: &Method, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let trixi = export::trixi_files(method)?;
        let folder = self.output.as_ref().ok_or(NoTrixiFolder)?;
        if !folder.is_dir() {
            return Err(OptionError::NoFolder { option: "--output", folder: folder.to_path_buf() }.into());
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
