//! `hemiola show`: one method in readable form.

use clap::{Args, ValueEnum};
use hemiola::export::{describe, latex_decimals};
use hemiola::order::stages_off_row_sums;
use hemiola::tableau::library::{self, Library};
use hemiola::tableau::{Method, butcher_latex, butcher_text, printable};

use crate::arguments::source;
use crate::failure::{CommandOutcome, Failure};
use crate::output::text;
use crate::output::writer::Output;

/// Show the source, structure and Butcher tableaus of a method
#[derive(Args)]
#[command(after_help = "\
Examples:
  hemiola show shome-haug-jay-2-5
  hemiola show gauss-2 --format latex
  hemiola show verner-efficient-9 --format latex --digits 12    decimals, in tables that fit on a page
  hemiola show rk4 --json > mine.json       a method file to start from
  hemiola show rk4 --id mine --json > mine.json       the same with a new id")]
pub(crate) struct Show {
    /// Library id or method file
    method: String,

    /// New id for the method
    ///
    /// An id consists of lower-case words joined by hyphens.
    #[arg(long, value_name = "NEW")]
    id: Option<String>,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Number of digits of decimals, for --format latex
    ///
    /// Decimals replace fractions, and tables are no wider than a page.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    digits: Option<u16>,

    /// Print the method file, like --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    /// Source, structure and tableaus as text
    Text,
    /// Tableaus as LaTeX arrays
    Latex,
    /// Method file
    Json,
}

impl Show {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let method = source::method(&self.method, library)?;
        let method = match &self.id {
            Some(id) => method.with_id(id).map_err(|_| Failure::NotAnId { option: "--id", found: id.clone() })?,
            None => method,
        };
        let format = if self.json { Format::Json } else { self.format };
        if self.digits.is_some() && format != Format::Latex {
            return Err(Failure::Contradiction { option: "--digits", with: "--format latex" });
        }
        match format {
            Format::Text => output.text(&page(&method))?,
            Format::Latex if self.digits.is_some() => {
                output.text(&latex_decimals(&method, self.digits.map_or(0, usize::from)))?;
            }
            Format::Latex => output.text(&butcher_latex(&method))?,
            Format::Json => output.method(&method)?,
        }
        Ok(CommandOutcome::Done)
    }
}

fn page(method: &Method) -> String {
    let mut entries = vec![("id", method.id().to_owned())];
    let names: Vec<&str> = library::aliases(method.id()).collect();
    if !names.is_empty() {
        entries.push(("also", names.join(", ")));
    }
    entries.extend(describe::source(method).map(|text| ("source", text)));
    entries.push(("claims", describe::claims(method)));
    entries.push(("coefficients", describe::precision(method)));
    entries.push(("structure", describe::structure(method)));
    entries.extend(abscissae(method).map(|text| ("abscissae", text)));
    entries.extend(method.source().note.clone().map(|note| ("note", note)));
    entries.iter_mut().for_each(|(_, text)| *text = printable(text).into_owned());
    format!("{}\n\n{}\n{}", printable(method.name()), text::entries(&entries), butcher_text(method))
}

/// Lists the stages whose abscissa differs from the row sum of A, if any.
fn abscissae(method: &Method) -> Option<String> {
    let several = method.partitions().len() > 1;
    let off = stages_off_row_sums(method);
    let differing = method.partitions().iter().zip(&off).filter(|(_, stages)| !stages.is_empty());
    let texts = differing.map(|(partition, stages)| {
        let owner = if several { format!("{}: ", partition.name) } else { String::new() };
        let plural = if stages.len() == 1 { "" } else { "s" };
        let stages: Vec<String> = stages.iter().map(|stage| (stage + 1).to_string()).collect();
        format!("{owner}c differs from the row sums of A in stage{plural} {}", stages.join(", "))
    });
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}
