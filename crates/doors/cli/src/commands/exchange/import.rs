//! `hemiola import`: method files from tables and programs.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use hemiola::export::{self, ReadOptions};
use hemiola::tableau::{Method, is_id};
use serde::Serialize;

use crate::arguments::output_file::{OutputFile, is_stream};
use crate::arguments::source;
use crate::failure::{CommandOutcome, Failure};
use crate::output::writer::{Output, expect_ending, write};

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
  sundials  ARK_BUTCHER_TABLE(NAME, { … }); petsc: TSRKRegister, TSARKIMEXRegister
No code is executed, and all arithmetic is exact: 1.0/3.0 is 1/3, and (2-sqrt(2))/2 remains symbolic. Coefficients \
computed by a loop or a function are not supported; an error names the method with line and column. Unreachable code \
is skipped (if False, #if 0, after return). If a branch contains a whole method, the method is read and a warning \
states the condition; coefficients that depend on a condition in any other way are rejected. In C, 2/3 is 0 and is \
also rejected: write 2.0/3.0, or use --assume-real-division. Orders stated in the text become claims. A difference \
btilde is read as b_hat - b. Other commands accept such files directly: FILE, FILE#ID for one of several methods, or \
- for standard input.

Examples:
  hemiola import tableau.csv --output mine.json
  hemiola import A.csv b.csv c.csv --output mine.json
  hemiola import arkode_butcher_erk.def --folder methods
  hemiola import rk.py --id mine > mine.json
  hemiola check arkode_butcher_erk.def#bogacki-shampine-4-2-3
  xclip -o | hemiola check -")]
pub(crate) struct Import {
    /// Tables and programs
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    /// Format of the files
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Auto)]
    format: Format,

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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Detect the format
    Auto,
    Csv,
    Text,
    Latex,
    Numpy,
    Nodepy,
    Matlab,
    Rkopt,
    Julia,
    C,
    Sundials,
    Petsc,
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
    method: Method,
}

impl Import {
    pub(crate) fn run(&self, output: &mut Output) -> Result<CommandOutcome, Failure> {
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
    fn pieces(&self) -> Result<Option<Vec<(&'static str, Method)>>, Failure> {
        let takes_input = self.files.iter().any(|file| file == source::STDIN);
        if self.files.len() < 2 || self.format != Format::Auto || takes_input {
            return Ok(None);
        }
        // A file that cannot be opened is reported later, when it is read on its own.
        let files: Option<Vec<_>> =
            self.files.iter().map(|file| Some((file.clone(), source::bytes(file).ok()?))).collect();
        let Some(reading) = files.and_then(|files| export::read_pieces(&files)) else { return Ok(None) };
        let reading = reading.map_err(|error| Failure::Table(error.to_string()))?;
        let format = reading.format;
        source::report_import(&self.files.join(", "), format, reading.methods.len(), &reading.warnings);
        Ok(Some(reading.methods.into_iter().map(|method| (format.name(), method)).collect()))
    }

    /// Reads the methods of a file. Returns them with the name of its format, and the errors of those that could not be
    /// read.
    #[expect(clippy::type_complexity, reason = "two lists that are read together")]
    fn read(&self, file: &str) -> Result<(Vec<(&'static str, Method)>, Vec<Failure>), Failure> {
        let bytes = source::bytes(file)?;
        if let Some(method) = source::method_file(&bytes, file)? {
            return Ok((vec![("method file", method)], Vec::new()));
        }
        let options = ReadOptions {
            format: self.format.into(),
            assume_real_division: self.assume_real_division,
            ..ReadOptions::default()
        };
        let reading = source::reading(&bytes, file, &options)?;
        source::report_import(file, reading.format, reading.methods.len(), &reading.warnings);
        let format = reading.format.name();
        let failures = reading.failures.iter().map(|failure| Failure::Table(failure.to_string())).collect();
        Ok((reading.methods.into_iter().map(|method| (format, method)).collect(), failures))
    }

    /// Gives a single method the requested id, or that of its file.
    fn name(&self, entries: &mut [ImportEntry]) -> Result<(), Failure> {
        let option = self.id.as_ref().map(|_| "--id").or(self.output.as_ref().map(|_| "--output"));
        let Some(option) = option else { return Ok(()) };
        let [entry] = entries else {
            return if entries.is_empty() {
                Ok(())
            } else {
                Err(Failure::NotOneMethod { option, found: entries.len() })
            };
        };
        let named = self.output.as_deref().filter(|file| !is_stream(file));
        let stem = named.and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
        let Some(id) = self.id.clone().or(stem) else { return Ok(()) };
        if self.id.is_none() && !is_id(&id) {
            return Err(Failure::NoId { file: named.unwrap_or(Path::new("")).to_owned() });
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
                [entry] => output.method(&entry.method),
                several => Err(Failure::NoFolderForMethods { found: several.len() }),
            };
        }
        if let Some(folder) = &self.folder {
            let failed = |problem| Failure::Write { file: folder.clone(), problem };
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let files: Vec<PathBuf> = entries.iter().map(|entry| self.file(entry)).collect();
        if let Some(file) = files.iter().find(|file| !self.force && file.exists() && !is_stream(file)) {
            return Err(Failure::Exists { file: file.clone() });
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
fn numbered(method: Method, entries: &[ImportEntry]) -> Result<Method, Failure> {
    let is_used = |id: &str| entries.iter().any(|entry| entry.id == id);
    if !is_used(method.id()) {
        return Ok(method);
    }
    let id = (2..).map(|k| format!("{}-{k}", method.id())).find(|id| !is_used(id)).unwrap_or_default();
    Ok(method.with_id(&id)?)
}

impl ImportEntry {
    fn new(file: &str, format: &'static str, method: Method) -> Self {
        Self {
            file: file.to_owned(),
            format,
            id: method.id().to_owned(),
            name: method.name().to_owned(),
            partitions: method.partitions().iter().map(|partition| partition.name.clone()).collect(),
            stages: method.stages(),
            order: method.claims().order,
            embedded_order: method.claims().embedded_order,
            output: None,
            method,
        }
    }
}

impl From<Format> for Option<export::ImportFormat> {
    fn from(format: Format) -> Self {
        Some(match format {
            Format::Auto => return None,
            Format::Csv => export::ImportFormat::Csv,
            Format::Text => export::ImportFormat::Text,
            Format::Latex => export::ImportFormat::Latex,
            Format::Numpy => export::ImportFormat::Numpy,
            Format::Nodepy => export::ImportFormat::NodePy,
            Format::Matlab => export::ImportFormat::Matlab,
            Format::Rkopt => export::ImportFormat::RkOpt,
            Format::Julia => export::ImportFormat::Julia,
            Format::C => export::ImportFormat::C,
            Format::Sundials => export::ImportFormat::Sundials,
            Format::Petsc => export::ImportFormat::Petsc,
        })
    }
}
