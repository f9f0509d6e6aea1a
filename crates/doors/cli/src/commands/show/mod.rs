//! `hemiola show`: one method in readable form.

mod form;
mod micro_steps;
mod multirate;

use clap::{Args, ValueEnum};
use hemiola::atlas::wording::Kind;
use hemiola::export::{describe, latex_decimals};
use hemiola::order::stages_off_row_sums;
use hemiola::tableau::library::{self, Library};
use hemiola::tableau::{Method, butcher_latex, butcher_text, printable};

use crate::arguments::multirate::micro_steps;
use crate::arguments::source;
use crate::arguments::usage::{MethodUseError, OptionError};
use crate::commands::show::multirate::MultirateMethod;
use crate::failure::{CommandOutcome, Failure};
use crate::output::text;
use crate::output::writer::Output;

/// Show the source, structure and Butcher tableaus of a method
#[derive(Args)]
#[command(after_help = "\
Examples:
  hemiola show shome-haug-jay-2-5
  hemiola show gauss-2 --format latex
  hemiola show merk43 --format latex        matrices of a multirate method
  hemiola show verner-efficient-9 --format latex --digits 12    decimals, in tables that fit on a page
  hemiola show williamson-3 --form 2N
  hemiola show williamson-3 --form 2N --json > mine.json    a method file with these coefficients
  hemiola show ssp-rk-10-4 --form shu-osher
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

    /// Show the coefficients of a low-storage form or of the optimal Shu–Osher form
    ///
    /// Forms are 2N, 2R, 3R, …, 2S, 2S*, 3S* and shu-osher. With --json, a low-storage form is a
    /// method file.
    #[arg(long, value_name = "FORM", value_parser = form::parse, conflicts_with_all = ["format", "digits"])]
    form: Option<form::Form>,

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
        if let Some(method) = self.multirate_method(library)? {
            return self.multirate(&method, output);
        }
        let method = source::method(&self.method, library)?;
        let method = match &self.id {
            Some(id) => method.with_id(id).map_err(|_| not_an_id(id))?,
            None => method,
        };
        if let Some(form) = self.form {
            return form::show(&method, form, self.json, output);
        }
        let format = self.format();
        if self.digits.is_some() && format != Format::Latex {
            return Err(OptionError::Contradiction { option: "--digits", with: "--format latex" }.into());
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

    fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    /// Shows a multirate method; some options do not apply to it.
    fn multirate(&self, method: &MultirateMethod, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let refused = |option| Err(MethodUseError::NotForMultirate { option, id: method.id().to_owned() }.into());
        match self.format() {
            _ if self.digits.is_some() => return refused("--digits"),
            _ if self.form.is_some() => return refused("--form"),
            Format::Latex => output.text(&method.latex())?,
            Format::Text => output.text(&method.page()?)?,
            Format::Json => output.file(&method.to_json())?,
        }
        Ok(CommandOutcome::Done)
    }

    /// Reads a multirate method of either form, with the new id if there is one.
    fn multirate_method(&self, library: &Library) -> Result<Option<MultirateMethod>, Failure> {
        let method = match source::multirate_method(&self.method, library)? {
            Some(method) => Some(MultirateMethod::Infinitesimal(Box::new(method))),
            None => micro_steps(&self.method, library)?.map(|method| MultirateMethod::MicroSteps(Box::new(method))),
        };
        let renamed = |method: MultirateMethod| match &self.id {
            Some(id) => method.with_id(id).map_err(|_| not_an_id(id)),
            None => Ok(method),
        };
        Ok(method.map(renamed).transpose()?)
    }
}

fn not_an_id(id: &str) -> OptionError {
    OptionError::NotAnId { option: "--id", found: id.to_owned() }
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
    let kinds: Vec<&str> = Kind::ALL.into_iter().filter(|kind| kind.is_kind_of(method)).map(Kind::name).collect();
    entries.push(("kinds", kinds.join(", ")));
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
