//! `hemiola lint`: checks for maintainers of method collections.

mod files;
mod github;
mod json;
mod page;
mod sarif;

use clap::{Args, ValueEnum};
use hemiola::lint::{LintReport, Severity, lint};
use hemiola::tableau::library::Library;

use crate::commands::lint::page::findings;
use crate::failure::{CommandOutcome, Failure};
use crate::output::text::counted;
use crate::output::writer::Output;

/// Check method files for publication: claims, row sums, digits, sources, duplicates
#[derive(Args)]
#[command(after_help = "\
Errors: a file without a method; a claimed order, separable order, embedded order or dense order that is not reached; \
embedded weights equal to those of the step; an id used by two files; a name or note that wrongly states FSAL, stiff \
accuracy or a stage order.
Warnings: an order that is higher than claimed, or not claimed; abscissae that are not row sums, if that reduces the \
order; multirate methods that are not internally consistent; the same coefficients in two files, unless a note names \
the other id; an incomplete source; an id that differs from the file name.
Notes: coefficients that reach their order up to rounding in double precision, but not exactly, as in most published \
tables.

Exit code 1: there are errors or, with --deny-warnings, warnings.

Examples:
  hemiola lint tableaus
  hemiola lint tableaus --format github                 annotations of a GitHub workflow
  hemiola lint tableaus --format sarif > lint.sarif     for code scanning
  hemiola lint mine.json --facts --deny-warnings")]
pub(crate) struct Lint {
    /// Method files, or folders of method files
    #[arg(required = true, value_name = "FOLDER|FILE")]
    paths: Vec<String>,

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
        let all = lint(&files::files(&self.paths)?);
        let counts @ [errors, warnings, notes] =
            [Severity::Error, Severity::Warning, Severity::Note].map(|severity| count(&all, severity));
        let summary = format!(
            "{}: {}, {}{}",
            counted(all.len(), "method file"),
            counted(errors, "error"),
            counted(warnings, "warning"),
            if notes > 0 { format!(", {}", counted(notes, "note")) } else { String::new() }
        );
        match if self.json { Format::Json } else { self.format } {
            Format::Text => output.text(&page::page(&all, self.facts, &summary))?,
            Format::Json => output.json(&json::report(&all, counts))?,
            Format::Sarif => output.json(&sarif::log(&all))?,
            Format::Github => output.text(&github::commands(&all, &summary))?,
        }
        let fails = errors > 0 || self.deny_warnings && warnings > 0;
        Ok(if fails { CommandOutcome::CheckFailed } else { CommandOutcome::Done })
    }
}

fn count(all: &[LintReport], severity: Severity) -> usize {
    findings(all).filter(|(_, finding)| finding.rule.severity() == severity).count()
}
