//! `hemiola lint`: what a maintainer of a solver runs before a change lands.

mod files;
mod findings;
mod github;
mod json;
mod page;
mod sarif;

use clap::{Args, ValueEnum};
use hemiola::lint::{Linted, Severity, lint};

use crate::commands::lint::findings::findings;
use crate::failure::{Failure, Outcome};
use crate::output::text::counted;
use crate::output::writer::Output;

/// Check method files as a maintainer of a solver does: claims, row sums, digits, sources, duplicates
#[derive(Args)]
#[command(after_help = "\
Errors: a file that holds no method; an order, separable, embedded or dense order that is claimed and not reached; embedded weights that are \
those of the step; an id that two files have; a name or note that says FSAL, stiffly accurate or a stage order wrongly. \
Warnings: an order that is higher than claimed, or not claimed; abscissae that are not row sums where that costs order; coefficients that \
have their order to rounding only, without a stated precision; the same coefficients in two files, unless a note names the other's id; an incomplete \
source; an id that is not the file's name.

Exit code 1 where there are errors, with --deny-warnings also where there are warnings.

Examples:
  hemiola lint tableaus
  hemiola lint tableaus --format github                 annotations of a GitHub workflow
  hemiola lint tableaus --format sarif > lint.sarif     for code scanning
  hemiola lint mine.json --facts --deny-warnings")]
pub(crate) struct Lint {
    /// Method files, or folders of them
    #[arg(required = true, value_name = "FOLDER|FILE")]
    paths: Vec<String>,

    /// How findings are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// End with exit code 1 where there are warnings, too
    #[arg(long)]
    deny_warnings: bool,

    /// List orders, stage orders and what is first same as last or stiffly accurate, too; with --format text
    #[arg(long)]
    facts: bool,

    /// Print JSON, as --format json does
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    /// A line for each finding
    Text,
    /// Findings and facts, file by file
    Json,
    /// Static Analysis Results Interchange Format 2.1.0
    Sarif,
    /// Workflow commands that annotate the files
    Github,
}

impl Lint {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Outcome, Failure> {
        let all = lint(&files::files(&self.paths)?);
        let [errors, warnings] = [Severity::Error, Severity::Warning].map(|severity| count(&all, severity));
        let summary = format!(
            "{}: {}, {}",
            counted(all.len(), "method file"),
            counted(errors, "error"),
            counted(warnings, "warning")
        );
        match if self.json { Format::Json } else { self.format } {
            Format::Text => output.text(&page::page(&all, self.facts, &summary))?,
            Format::Json => output.json(&json::report(&all, errors, warnings))?,
            Format::Sarif => output.json(&sarif::log(&all))?,
            Format::Github => output.text(&github::commands(&all, &summary))?,
        }
        let fails = errors > 0 || self.deny_warnings && warnings > 0;
        Ok(if fails { Outcome::CheckFailed } else { Outcome::Done })
    }
}

fn count(all: &[Linted], severity: Severity) -> usize {
    findings(all).filter(|(_, finding)| finding.rule.severity() == severity).count()
}
