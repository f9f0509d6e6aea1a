//! `hemiola show`: one method in readable form.

mod form;

use clap::{Args, ValueEnum};
use hemiola::atlas::wording::Kind;
use hemiola::export::{describe, latex_decimals, multirate_latex};
use hemiola::multirate::{self, InfinitesimalMethod, StageCoupling};
use hemiola::order::stages_off_row_sums;
use hemiola::tableau::library::{self, Library};
use hemiola::tableau::{Method, butcher_latex, butcher_text, printable};

use crate::arguments::source;
use crate::arguments::usage::{MethodUseError, OptionError};
use crate::failure::{CommandOutcome, Failure};
use crate::output::text::{self, Column};
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
        if let Some(method) = source::multirate_method(&self.method, library)? {
            return self.multirate(method, output);
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

    fn multirate(&self, method: InfinitesimalMethod, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let method = match &self.id {
            Some(id) => method.with_id(id).map_err(|_| not_an_id(id))?,
            None => method,
        };
        let refused = |option| Err(MethodUseError::NotForMultirate { option, id: method.id().to_owned() }.into());
        match self.format() {
            _ if self.digits.is_some() => return refused("--digits"),
            _ if self.form.is_some() => return refused("--form"),
            Format::Latex => output.text(&multirate_latex(&method))?,
            Format::Text => output.text(&multirate_page(&method))?,
            Format::Json => output.file(&method.to_json())?,
        }
        Ok(CommandOutcome::Done)
    }
}

fn not_an_id(id: &str) -> OptionError {
    OptionError::NotAnId { option: "--id", found: id.to_owned() }
}

/// Describes a multirate method, with a table of its stages and one of their coefficients.
fn multirate_page(method: &InfinitesimalMethod) -> String {
    let mut entries = vec![("id", method.id().to_owned())];
    let names: Vec<&str> = multirate::library::aliases(method.id()).collect();
    if !names.is_empty() {
        entries.push(("also", names.join(", ")));
    }
    entries.extend(describe::publication(method.source()).map(|text| ("source", text)));
    entries.push(("claims", describe::claimed(method.claims())));
    entries.push(("partitions", method.partitions().join(", ")));
    let slow = method.partitions().iter().enumerate().skip(1);
    let evaluations = slow.map(|(r, name)| {
        format!("{name}: {} a step", describe::counted(method.evaluated_stages(r).len(), "evaluation"))
    });
    entries.push(("structure", evaluations.collect::<Vec<_>>().join("; ")));
    let consistency = if method.is_internally_consistent() { "yes" } else { "no" };
    entries.push(("internally consistent", consistency.to_owned()));
    entries.extend(method.source().note.clone().map(|note| ("note", note)));
    entries.iter_mut().for_each(|(_, text)| *text = printable(text).into_owned());
    let (name, entries) = (printable(method.name()), text::entries(&entries));
    format!("{name}\n\n{entries}\n{}\n{}", multirate_stages(method), multirate_coefficients(method))
}

fn multirate_stages(method: &InfinitesimalMethod) -> String {
    let columns = text::columns("<Stage|<From|<Interval|<Abscissa|<Solution");
    let abscissae = method.abscissae();
    let stages = method.stages().iter().zip(method.couplings()).enumerate().map(|(e, (stage, coupling))| {
        let solution = match coupling {
            StageCoupling::Explicit => "explicit",
            StageCoupling::Decoupled => "implicit, decoupled",
            StageCoupling::Coupled => "implicit, coupled",
        };
        let abscissa = text::exact(&abscissae[e + 1]);
        vec![
            format!("Y{}", e + 2),
            format!("Y{}", stage.from),
            stage.interval.text().to_owned(),
            abscissa,
            solution.to_owned(),
        ]
    });
    let embedded = method.embedded().map(|row| {
        vec![
            "embedded".to_owned(),
            format!("Y{}", row.from),
            row.interval.text().to_owned(),
            String::new(),
            String::new(),
        ]
    });
    text::table(&columns, stages.chain(embedded))
}

fn multirate_coefficients(method: &InfinitesimalMethod) -> String {
    let count = method.stages().len() + 1;
    let names: Vec<String> = (1..=count).map(|j| format!("Y{j}")).collect();
    let mut columns = text::columns("<Stage|<Partition|<Term");
    columns.extend(names.iter().map(|name| (name.as_str(), Column::Right)));
    let mut rows = Vec::new();
    for (e, stage) in method.stages().iter().chain(method.embedded()).enumerate() {
        let number = if e + 1 < count { format!("Y{}", e + 2) } else { "embedded".to_owned() };
        for (name, (powers, correction)) in
            method.partitions()[1..].iter().zip(stage.forcing.iter().zip(&stage.correction))
        {
            let powers = powers.iter().enumerate().map(|(k, row)| (format!("τ^{k}"), row));
            let correction = Some(correction).filter(|row| !row.is_empty()).map(|row| ("correction".to_owned(), row));
            for (term, row) in powers.chain(correction) {
                let mut cells = vec![number.clone(), name.clone(), term];
                cells.extend(row.iter().map(|coefficient| coefficient.text().to_owned()));
                cells.resize(columns.len(), String::new());
                rows.push(cells);
            }
        }
    }
    text::table(&columns, rows)
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
