//! `hemiola import`: method files from tables and programs.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use hemiola::export::{self, ImportFormat, ImportedMethods, ReadOptions};
use hemiola::multirate::InfinitesimalMethod;
use hemiola::tableau::library::Library;
use hemiola::tableau::{Method, MethodError, is_id};
use miette::Diagnostic;
use serde::Serialize;
use thiserror::Error;

use crate::arguments::choice::{Choice, Choices, choice};
use crate::arguments::output_file::{OutputFile, is_stream};
use crate::arguments::source::{self, SourceError};
use crate::arguments::usage::{MethodUseError, OptionError};
use crate::failure::{CommandOutcome, Failure, hinted};
use crate::output::writer::{Output, WriteError, expect_ending, write};

/// Reason why imported methods are not written.
#[derive(Debug, Error, Diagnostic)]
enum ImportError {
    #[error("{found} methods were read, but no folder for their files was given")]
    #[diagnostic(help("`--folder DIR` writes each method to its own file"))]
    NoFolder { found: usize },
}

hinted!(ImportError);

/// Import methods from tables and from the source code of other packages
#[derive(Args)]
#[command(after_help = "\
FILE is a table or a program; - is standard input. Formats:
  csv       exported by hemiola, a Butcher tableau, or rows below the labels A, b, c, b_hat
  text      as csv, separated by blanks: c | A with b below, or A, then b, then c
  latex     exported by hemiola, or Butcher tableaus as array or tabular
  numpy     A = np.array([[0, 0], [Fraction(1, 2), 0]]); nodepy: RungeKuttaMethod(A, b, name='…')
  matlab    A = [0 0; 1/2 0]; rkopt: the files that RK-Opt writes
  julia     arrays, a21 = convert(T, 1//3) and so on, ExplicitRKTableau(A, c, α, order)
  c         const double A[2][2] = {{0, 0}, {0.5, 0}}, b[2] = {0, 1};
  sundials  ARK_BUTCHER_TABLE(NAME, { … }), ARK_MRI_TABLE(NAME, { … }) and MRIStepCoupling_Alloc
  petsc     TSRKRegister, TSARKIMEXRegister
  json      {\"A\": [[0, 0], [\"1 / 2\", 0]], \"b\": [0, 1]}: the tables of differential-equations-rs
No code is executed, and all arithmetic is exact: 1.0/3.0 is 1/3, and (2-sqrt(2))/2 remains symbolic. Coefficients \
computed by a loop or a function are not supported; an error names the method with line and column. Unreachable code \
is skipped (if False, #if 0, after return). If a branch contains a whole method, the method is read and a warning \
states the condition; coefficients that depend on a condition in any other way are rejected. In C, 2/3 is 0 and is \
also rejected: write 2.0/3.0, or use --assume-real-division. Orders stated in the text become claims. A difference \
btilde is read as b_hat - b. Coupling tables (ARK_MRI_TABLE, MRIGARKTableau of OrdinaryDiffEq.jl, JSON objects with dc and W0, or with alpha, beta and d) become multirate \
methods; the polynomials of MERK methods in θ/H are converted to polynomials in τ. Other commands accept such files directly: FILE, FILE#ID for one of several methods, or \
- for standard input.

The work grows in proportion to the text. Errors name the limits: 8 MiB of text, 131072 entries in an array, 524288 \
entries that statements copy from other arrays, 362 stages, 32 nested blocks.

Examples:
  hemiola import tableau.csv --output mine.json
  hemiola import A.csv b.csv c.csv --output mine.json
  hemiola import arkode_butcher_erk.def --folder methods
  hemiola import arkode_mri_tables.def --folder multirate
  hemiola import rk.py --id mine > mine.json
  hemiola check arkode_butcher_erk.def#bogacki-shampine-4-2-3
  xclip -o | hemiola check -")]
pub(crate) struct Import {
    /// Tables and programs
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    /// Format of the files
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = choice::<SourceFormat>())]
    format: SourceFormat,

    /// Read 2/3 as a fraction in C, C++ and Python 2
    ///
    /// There, integer division would make it 0.
    #[arg(long)]
    assume_real_division: bool,

    /// Id of the method, if only one is read [default: derived from its name]
    #[arg(long, value_name = "ID")]
    id: Option<String>,

    /// Output file, if only one method is read [default: standard output]
    #[arg(long, value_name = "F.json", conflicts_with = "folder")]
    output: Option<OutputFile>,

    /// Folder to which every method is written as ID.json
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,

    /// Overwrite existing files
    #[arg(long)]
    force: bool,

    /// Print the methods as JSON
    #[arg(long)]
    json: bool,
}

/// Format; `None` is detected.
pub(crate) type SourceFormat = Option<ImportFormat>;

impl Choices for SourceFormat {
    const ALL: &'static [Choice<Self>] = &[
        (None, "auto", "Detect the format"),
        (Some(ImportFormat::Csv), "csv", "Tables as hemiola exports them, or a Butcher tableau"),
        (Some(ImportFormat::Text), "text", "Numbers separated by blanks"),
        (Some(ImportFormat::Latex), "latex", "Butcher tableaus as array or tabular"),
        (Some(ImportFormat::Numpy), "numpy", "Arrays of NumPy"),
        (Some(ImportFormat::NodePy), "nodepy", "Methods of NodePy"),
        (Some(ImportFormat::Matlab), "matlab", "Arrays of MATLAB"),
        (Some(ImportFormat::RkOpt), "rkopt", "Files of RK-Opt"),
        (Some(ImportFormat::Julia), "julia", "Arrays and tableaus of Julia"),
        (Some(ImportFormat::C), "c", "Arrays of C"),
        (Some(ImportFormat::Sundials), "sundials", "Butcher tables of ARKODE"),
        (Some(ImportFormat::Petsc), "petsc", "Registered methods of PETSc"),
        (Some(ImportFormat::Json), "json", "Tables of differential-equations-rs"),
    ];
}

/// Method with its source and its destination.
#[derive(Serialize)]
struct ImportEntry {
    file: String,
    format: &'static str,
    id: String,
    name: String,
    partitions: Vec<String>,
    stages: usize,
    order: Option<usize>,
    embedded_order: Option<usize>,
    output: Option<String>,
    #[serde(skip)]
    method: Imported,
}

/// Imported method of either kind.
#[derive(Clone)]
enum Imported {
    Ordinary(Box<Method>),
    Multirate(Box<InfinitesimalMethod>),
}

impl Imported {
    fn id(&self) -> &str {
        match self {
            Self::Ordinary(method) => method.id(),
            Self::Multirate(method) => method.id(),
        }
    }

    fn with_id(self, id: &str) -> Result<Self, MethodError> {
        Ok(match self {
            Self::Ordinary(method) => Self::Ordinary(Box::new(method.with_id(id)?)),
            Self::Multirate(method) => Self::Multirate(Box::new(method.with_id(id)?)),
        })
    }

    fn to_json(&self) -> String {
        match self {
            Self::Ordinary(method) => method.to_json(),
            Self::Multirate(method) => method.to_json(),
        }
    }
}

/// Returns all methods of a text.
fn imported(reading: ImportedMethods) -> Vec<(&'static str, Imported)> {
    let format = reading.format.name();
    let ordinary = reading.methods.into_iter().map(|method| Imported::Ordinary(Box::new(method)));
    let multirate = reading.multirate.into_iter().map(|method| Imported::Multirate(Box::new(method)));
    ordinary.chain(multirate).map(|method| (format, method)).collect()
}

impl Import {
    pub(crate) fn run(&self, _: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        expect_ending("--output", self.output.as_deref(), ".json")?;
        let mut entries: Vec<ImportEntry> = Vec::new();
        let mut outcome = CommandOutcome::Done;
        let pieces = self.pieces()?;
        entries.extend(pieces.iter().flatten().map(|(format, method)| {
            let files = self.files.join(", ");
            ImportEntry::new(&files, format, method.clone())
        }));
        for file in self.files.iter().filter(|_| pieces.is_none()) {
            match self.read(file) {
                Ok((methods, failures)) => {
                    for (format, method) in methods {
                        entries.push(ImportEntry::new(file, format, numbered(method, &entries)?));
                    }
                    for failure in failures {
                        output.report(failure)?;
                        outcome = CommandOutcome::BadInput;
                    }
                }
                Err(failure) => {
                    output.report(failure)?;
                    outcome = CommandOutcome::BadInput;
                }
            }
        }
        self.name(&mut entries)?;
        self.write(&mut entries, output)?;
        if self.json {
            output.json(&entries)?;
        }
        Ok(outcome)
    }

    /// Reads a method from files named after its arrays: A.csv, b.csv, c.csv.
    fn pieces(&self) -> Result<Option<Vec<(&'static str, Imported)>>, Failure> {
        let takes_input = self.files.iter().any(|file| file == source::STDIN);
        if self.files.len() < 2 || self.format.is_some() || takes_input {
            return Ok(None);
        }
        // A file that cannot be opened causes an error later, when it is read by itself.
        let files: Option<Vec<_>> =
            self.files.iter().map(|file| Some((file.clone(), source::bytes(file).ok()?))).collect();
        let Some(reading) = files.and_then(|files| export::read_pieces(&files)) else { return Ok(None) };
        let reading = reading.map_err(|error| SourceError::Table(error.to_string()))?;
        source::report_import(&self.files.join(", "), reading.format, reading.methods.len(), &reading.warnings);
        Ok(Some(imported(reading)))
    }

    /// Reads the methods of a file. Returns them with the name of its format, and the errors of those that could not be
    /// read.
    #[expect(clippy::type_complexity, reason = "two lists that are read together")]
    fn read(&self, file: &str) -> Result<(Vec<(&'static str, Imported)>, Vec<Failure>), Failure> {
        let bytes = source::bytes(file)?;
        if let Some(method) = source::method_file(&bytes, file)? {
            return Ok((vec![("method file", Imported::Ordinary(Box::new(method)))], Vec::new()));
        }
        if let Some(method) = source::multirate_file(&bytes, file)? {
            return Ok((vec![("method file", Imported::Multirate(Box::new(method)))], Vec::new()));
        }
        let options = ReadOptions {
            format: self.format,
            assume_real_division: self.assume_real_division,
            ..ReadOptions::default()
        };
        let reading = source::reading(&bytes, file, &options)?;
        let count = reading.methods.len() + reading.multirate.len();
        source::report_import(file, reading.format, count, &reading.warnings);
        let failures = reading.failures.iter().map(|failure| SourceError::Table(failure.to_string()).into()).collect();
        Ok((imported(reading), failures))
    }

    /// Gives a single method the requested id, or that of its file.
    fn name(&self, entries: &mut [ImportEntry]) -> Result<(), Failure> {
        let option = self.id.as_ref().map(|_| "--id").or(self.output.as_ref().map(|_| "--output"));
        let Some(option) = option else { return Ok(()) };
        let [entry] = entries else {
            return if entries.is_empty() {
                Ok(())
            } else {
                Err(MethodUseError::NotOneMethod { option, found: entries.len() }.into())
            };
        };
        let named = self.output.as_deref().filter(|file| !is_stream(file));
        let stem = named.and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
        let Some(id) = self.id.clone().or(stem) else { return Ok(()) };
        if self.id.is_none() && !is_id(&id) {
            return Err(OptionError::NoId { file: named.unwrap_or(Path::new("")).to_owned() }.into());
        }
        entry.method = entry.method.clone().with_id(&id)?;
        entry.id = id;
        Ok(())
    }

    fn write(&self, entries: &mut [ImportEntry], output: &mut Output) -> Result<(), Failure> {
        if self.folder.is_none() && self.output.is_none() {
            return match entries {
                _ if self.json => Ok(()),
                [] => Ok(()),
                [entry] => output.file(&entry.method.to_json()),
                several => Err(ImportError::NoFolder { found: several.len() }.into()),
            };
        }
        if let Some(folder) = &self.folder {
            let failed = |problem| WriteError::File { file: folder.clone(), problem };
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let files: Vec<PathBuf> = entries.iter().map(|entry| self.file(entry)).collect();
        if let Some(file) = files.iter().find(|file| !self.force && file.exists() && !is_stream(file)) {
            return Err(WriteError::Exists { file: file.clone() }.into());
        }
        for (entry, file) in entries.iter_mut().zip(files) {
            write(&file, entry.method.to_json().as_bytes())?;
            entry.output = Some(file.display().to_string());
            if !self.json {
                output.line(&format!("wrote {}", file.display()))?;
            }
        }
        Ok(())
    }

    fn file(&self, entry: &ImportEntry) -> PathBuf {
        let in_folder = || self.folder.clone().unwrap_or_default().join(format!("{}.json", entry.id));
        self.output.as_deref().map_or_else(in_folder, Path::to_path_buf)
    }
}

/// Appends a number to the id of a method if a method from another file has the same id.
fn numbered(method: Imported, entries: &[ImportEntry]) -> Result<Imported, Failure> {
    let is_used = |id: &str| entries.iter().any(|entry| entry.id == id);
    if !is_used(method.id()) {
        return Ok(method);
    }
    let id = (2..).map(|k| format!("{}-{k}", method.id())).find(|id| !is_used(id)).unwrap_or_default();
    Ok(method.with_id(&id)?)
}

impl ImportEntry {
    fn new(file: &str, format: &'static str, method: Imported) -> Self {
        let (name, partitions, stages, claims) = match &method {
            Imported::Ordinary(method) => {
                let names = method.partitions().iter().map(|partition| partition.name.clone()).collect();
                (method.name(), names, method.stages(), method.claims())
            }
            Imported::Multirate(method) => {
                (method.name(), method.partitions().to_vec(), method.stages().len(), method.claims())
            }
        };
        Self {
            file: file.to_owned(),
            format,
            id: method.id().to_owned(),
            name: name.to_owned(),
            partitions,
            stages,
            order: claims.order,
            embedded_order: claims.embedded_order,
            output: None,
            method,
        }
    }
}
