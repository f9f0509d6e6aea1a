//! `hemiola lint`: checks for maintainers of method collections.

mod files;
mod page;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use hemiola::export::ReadOptions;
use hemiola::lint::{Baseline, BaselineCounts, LintReport, Severity, formats, lint_files};
use hemiola::tableau::json::read_bounded;
use hemiola::tableau::library::Library;
use miette::Diagnostic;
use thiserror::Error;

use crate::arguments::choice::choice;
use crate::commands::exchange::import::SourceFormat;
use crate::failure::{CommandOutcome, Failure, hinted};
use crate::output::text::counted;
use crate::output::writer::{Output, write};

/// File that is not a baseline.
#[derive(Debug, Error, Diagnostic)]
#[error("{file}: {problem}")]
#[diagnostic(help("`hemiola lint … --baseline FILE --write-baseline` writes a baseline"))]
struct NotABaseline {
    file: PathBuf,
    problem: hemiola::lint::BaselineError,
}

hinted!(NotABaseline);

/// Check method files and the tables of programs: claims, row sums, digits, sources, duplicates
#[derive(Args)]
#[command(after_help = "\
Errors: a file without a method; a claimed order, separable order, embedded order or dense order that is not reached, \
also for y' = f(t, y) with the abscissae of the table; b and b̂ that are exchanged; embedded weights equal to those of \
the step; an id used by two files; intervals of a multirate method that do not end at 1; a name or note that wrongly \
states FSAL, stiff accuracy or a stage order.
Warnings: an order that is higher than claimed, or not claimed; abscissae that are not row sums, if that reduces the \
order; an error estimate that vanishes on linear problems or on quadrature; a table that is a method of the library but \
for one entry or for last digits; multirate methods that are not internally consistent; the same coefficients in two files, unless a note names \
the other id; an incomplete source; an id that differs from the file name; a table of a program that could not be read.
Notes: coefficients that reach their order up to rounding in double precision, but not exactly, as in most published \
tables.

Programs are read as by import, without running them. Tables found in a folder are checked against the orders that the \
program states; without such a statement, weights that do not sum to 1 are errors, and abscissae that are not row sums \
are warnings. Orders above 10 are checked up to 10. If one entry explains a failing claim, the finding is located there. A difference btilde is read as \
b_hat - b, even if its sum is not 0.

Exit code 1: there are errors or, with --deny-warnings, warnings that the baseline does not list.

Examples:
  hemiola lint tableaus
  hemiola lint tableaus --format github                 annotations of a GitHub workflow
  hemiola lint tableaus --format sarif > lint.sarif     for code scanning
  hemiola lint mine.json --facts --deny-warnings
  hemiola lint src/arkode --from sundials
  hemiola lint src --baseline lint.json --write-baseline
  hemiola lint src --baseline lint.json                 only new findings count")]
pub(crate) struct Lint {
    /// Method files, tables, programs, or folders of them
    ///
    /// In a folder, tables are looked for in *.def, *.jl, *.py, *.c, *.h and *.csv, also in the folders inside it.
    #[arg(required = true, value_name = "FOLDER|FILE")]
    paths: Vec<String>,

    /// Format of the tables and programs
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = choice::<SourceFormat>())]
    from: SourceFormat,

    /// Read 2/3 as a fraction in C, C++ and Python 2
    #[arg(long)]
    assume_real_division: bool,

    /// File of known findings, which do not count
    ///
    /// A finding is known by its file, rule and message, not by its line. Paths are those given on the command line.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Write all findings to the baseline instead of reporting them
    #[arg(long, requires = "baseline")]
    write_baseline: bool,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Exit with code 1 if there are warnings
    #[arg(long)]
    deny_warnings: bool,

    /// List orders, stage orders and properties of the methods, too
    ///
    /// The properties are first same as last and stiff accuracy. Applies to --format text.
    #[arg(long)]
    facts: bool,

    /// Print JSON, like --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    /// One line per finding
    Text,
    /// Findings and facts, file by file
    Json,
    /// Static Analysis Results Interchange Format 2.1.0
    Sarif,
    /// Workflow commands that annotate the files
    Github,
}

impl Lint {
    pub(crate) fn run(&self, _: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let options = ReadOptions {
            format: self.from,
            assume_real_division: self.assume_real_division,
            keep_contradictions: true,
        };
        let files = files::files(&self.paths, options)?;
        let mut all = lint_files(&files);
        let known = match &self.baseline {
            Some(file) if self.write_baseline => {
                let baseline = Baseline::of(&all);
                write(file, baseline.to_json().as_bytes())?;
                output.line(&format!("wrote {}: {}", file.display(), counted(baseline.count(), "known finding")))?;
                return Ok(CommandOutcome::Done);
            }
            Some(file) => read_baseline(file)?.remove_from(&mut all),
            None => BaselineCounts::default(),
        };
        let counts @ [errors, warnings, _] = Severity::ALL.map(|severity| formats::count(&all, severity));
        let summary = summary(&all, counts, known);
        match if self.json { Format::Json } else { self.format } {
            Format::Text => output.text(&page::page(&all, self.facts, &summary))?,
            Format::Json => output.json(&formats::to_json(&all, known.known))?,
            Format::Sarif => output.json(&formats::sarif(&all))?,
            Format::Github => output.text(&format!("{}{summary}\n", formats::github(&all)))?,
        }
        let fails = errors > 0 || self.deny_warnings && warnings > 0;
        Ok(if fails { CommandOutcome::CheckFailed } else { CommandOutcome::Done })
    }
}

/// Returns the last line: the numbers of checked files and of findings.
fn summary(all: &[LintReport], [errors, warnings, notes]: [usize; 3], counts: BaselineCounts) -> String {
    let tables: Vec<&LintReport> = all.iter().filter(|linted| linted.is_table()).collect();
    let mut programs: Vec<&str> = tables.iter().map(|linted| linted.file.as_str()).collect();
    programs.dedup();
    let method_files =
        all.iter().filter(|linted| !linted.is_table() && !programs.contains(&linted.file.as_str())).count();
    let mut checked = Vec::new();
    if method_files > 0 || tables.is_empty() {
        checked.push(counted(method_files, "method file"));
    }
    if !tables.is_empty() {
        checked.push(format!("{} in {}", counted(tables.len(), "table"), counted(programs.len(), "program")));
    }
    let mut found = vec![counted(errors, "error"), counted(warnings, "warning")];
    if notes > 0 {
        found.push(counted(notes, "note"));
    }
    if counts.known > 0 {
        found.push(format!("{} known", counts.known));
    }
    if counts.gone > 0 {
        found.push(format!("{} of the baseline no longer found", counts.gone));
    }
    format!("{}: {}", checked.join(", "), found.join(", "))
}

fn read_baseline(file: &Path) -> Result<Baseline, Failure> {
    let failed = |problem| NotABaseline { file: file.to_owned(), problem };
    Ok(Baseline::from_json(&read_bounded(file)?).map_err(failed)?)
}
