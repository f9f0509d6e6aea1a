//! `hemiola polish`: the exact solution near a table with few digits.

use clap::Args;
use hemiola::design::{PolishError, PolishOptions, Polished, polish};
use hemiola::tableau::library::Library;
use hemiola::tableau::{Method, butcher_text};
use miette::Diagnostic;
use serde_json::{Value, json};
use thiserror::Error;

use crate::arguments::output_file::OutputFile;
use crate::arguments::source;
use crate::arguments::usage::MethodUseError;
use crate::failure::{CommandOutcome, Failure, hinted};
use crate::output::new_method::{id, named, save};
use crate::output::text::{counted, entries};
use crate::output::writer::Output;
use hemiola::atlas::wording;

/// Table that cannot be refined.
#[derive(Debug, Error, Diagnostic)]
#[error("{id}: {problem}")]
#[diagnostic(help("`--nearest` selects the nearest point of a family; `hemiola diagnose` searches for a wrong digit"))]
struct UnpolishedTable {
    id: String,
    problem: Box<PolishError>,
}

hinted!(UnpolishedTable);

/// Refine a table with few digits to the nearest exact solution, with a proof
#[derive(Args)]
#[command(after_help = "\
The unknowns are the decimal coefficients. Zeros, integers and fractions are kept, and equal decimals stay equal. Row \
sums are kept if they are given exactly, are 0 or 1, or are common to the partitions. The solution of the order \
conditions is refined to 50 decimals, and the Krawczyk operator proves that an exact solution of the independent \
conditions lies nearby.

If the conditions admit a family of solutions, its dimension is reported as an error; --nearest selects the point of \
the family that is nearest to the table in the 2-norm.

Exit code 1: there is no solution nearby, the conditions admit a family, the digits do not explain the distance, or \
the proof fails.

Examples:
  hemiola polish mine.json --output mine-polished.json
  hemiola polish shome-haug-jay-2-5 --nearest
  hemiola polish mine.json --order 4 --decimals 34 --json")]
pub(crate) struct Polish {
    /// Library id or method file
    method: String,

    /// Order whose conditions must hold [default: the claim]
    #[arg(long, value_name = "P")]
    order: Option<usize>,

    /// Number of decimals to write
    #[arg(long, value_name = "D", default_value_t = 50)]
    decimals: usize,

    /// Select the nearest solution if the conditions admit a family
    #[arg(long)]
    nearest: bool,

    /// Write the refined method to FILE.json
    ///
    /// The file name becomes the id of the method.
    #[arg(long, value_name = "FILE.json")]
    output: Option<OutputFile>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Polish {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let id = id(self.output.as_deref())?;
        let method = source::method(&self.method, library)?;
        let order = self.order.or(method.claims().order);
        let order = order.ok_or_else(|| MethodUseError::NoClaim { id: method.id().to_owned() })?;
        let options = PolishOptions { order, decimals: self.decimals, nearest: self.nearest };
        let mut polished = match polish(&method, options) {
            Ok(polished) => polished,
            Err(problem) if problem.is_about_input() => {
                return Err(UnpolishedTable { id: method.id().to_owned(), problem: Box::new(problem) }.into());
            }
            Err(problem) => {
                output.report(UnpolishedTable { id: method.id().to_owned(), problem: Box::new(problem) })?;
                return Ok(CommandOutcome::CheckFailed);
            }
        };
        polished.method = named(polished.method, id.as_deref())?;
        save(&polished.method, self.output.as_ref())?;
        if self.json {
            output.json(&report(&method, order, &polished))?;
        } else {
            output.text(&page(&method, order, &polished))?;
            if self.output.is_none() {
                output.line("\nFor all digits use --output FILE.json or --json")?;
            }
            output.wrote(&[&self.output])?;
        }
        let is_sound = polished.is_explained && polished.proof.is_some();
        Ok(if is_sound { CommandOutcome::Done } else { CommandOutcome::CheckFailed })
    }
}

fn page(method: &Method, order: usize, polished: &Polished) -> String {
    let Polished { unknowns, dimension, moved, farthest, .. } = polished;
    let solution = match dimension {
        0 => "isolated".to_owned(),
        _ => format!("the nearest point of a family of dimension {dimension}"),
    };
    let mut rows = vec![
        ("order", order.to_string()),
        ("unknown", counted(*unknowns, "decimal")),
        ("solution", solution),
        ("moved", format!("by up to {moved:.2} units of the last printed place ({farthest})")),
    ];
    if !polished.is_explained {
        rows.push(("", "more than the printed digits explain: a digit or the order is wrong".to_owned()));
    }
    rows.push(("proved", proved(polished)));
    if let Some(found) = &polished.certificate {
        rows.push(("", wording::certificate(found)));
    }
    if polished.lost_dense {
        rows.push(("left out", "the dense output; `hemiola complete --dense` finds a new one".to_owned()));
    }
    format!("{}\n\n{}\n{}", method.id(), entries(&rows), butcher_text(&polished.method))
}

fn proved(polished: &Polished) -> String {
    let Some(proof) = &polished.proof else { return "nothing".to_owned() };
    let fixed = match proof.fixed {
        0 => String::new(),
        more => format!(" with {} held fixed", counted(more, "unknown")),
    };
    let others = match proof.others {
        0 => String::new(),
        more => format!(
            "; {}, dependent on these to first order, hold there to within {:.0e}",
            counted(more, "further equation"),
            upwards(proof.others_within)
        ),
    };
    format!(
        "within {:.0e} of the decimals, {} hold exactly{fixed}{others}",
        upwards(proof.radius),
        counted(proof.equations, "independent equation")
    )
}

/// Rounds a bound up to one digit.
fn upwards(x: f64) -> f64 {
    let unit = 10f64.powi(x.log10().floor() as i32);
    if x > 0.0 { (x / unit).ceil() * unit } else { x }
}

fn report(method: &Method, order: usize, polished: &Polished) -> Value {
    let proof = polished.proof.map(|proof| {
        json!({
            "equations": proof.equations, "fixed": proof.fixed, "radius": proof.radius, "residual": proof.residual,
            "contraction": proof.contraction, "others": proof.others, "others_within": proof.others_within,
        })
    });
    json!({
        "id": method.id(),
        "order": order,
        "unknowns": polished.unknowns,
        "family_dimension": polished.dimension,
        "moved_units": polished.moved,
        "farthest": polished.farthest,
        "explained": polished.is_explained,
        "proof": proof,
        "certificate": polished.certificate.as_ref().map(hemiola::design::Certificate::to_json),
        "lost_dense": polished.lost_dense,
        "method": serde_json::from_str::<Value>(&polished.method.to_json()).ok(),
    })
}
