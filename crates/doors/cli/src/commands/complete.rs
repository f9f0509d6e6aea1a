//! `hemiola complete`: embedded weights and dense output for methods without them.

use clap::Args;
use hemiola::atlas::wording::{self, completion, completion_json};
use hemiola::design::{
    Completion, CompletionOutcome, CompletionRequests, MultirateCompletion, allows_extra_stage, complete,
    complete_multirate,
};
use hemiola::multirate::InfinitesimalMethod;
use hemiola::tableau::library::Library;
use hemiola::tableau::{Coefficient, Method};
use serde_json::{Value, json};

use crate::arguments::output_file::OutputFile;
use crate::arguments::source;
use crate::arguments::usage::MethodUseError;
use crate::failure::{CommandOutcome, Failure};
use crate::output::new_method::{id, named, save};
use crate::output::text::{entries, exact};
use crate::output::writer::{Output, write};

/// Find embedded weights and dense output for a method, or prove that none exist
#[derive(Args)]
#[command(after_help = "\
For given stages, the order conditions are linear in the weights. Among the solutions the best one is chosen: \
embedded weights with a reliable error estimate (the quantities B, C and E of Prince & Dormand), or a dense output \
with small errors for all θ. Only stages that are evaluated anyway are used, including the last stage if it is the \
first of the next step; --extra-stage adds that stage. Partitions with common weights also get common embedded \
weights if possible.

For exact coefficients all results are exact, including the proof that there is no solution: multipliers of \
contradictory conditions, or a determinant that admits only the weights of the method itself. For decimal \
coefficients, a proof holds for every table within their precision.

A multirate method gets an embedded row of an order up to four, below its own, in place of the forcing of its last \
stage. The row uses the slow evaluations that are made anyway and estimates the error of every slow partition. Only for \
exact coefficients is there a proof that no such row exists. --dense and --extra-stage do not apply.

Exit code 1: there is no solution, or the precision of the coefficients does not decide.

Examples:
  hemiola complete ars-4-4-3 --embedded 2
  hemiola complete rk4 --embedded 3 --extra-stage --dense 3 --output rk4-embedded.json
  hemiola complete gauss-3 --dense 3 --json
  hemiola complete mis-kw3 --embedded 2 --output kw3-embedded.json")]
pub(crate) struct Complete {
    /// Library id or method file
    method: String,

    /// Order of the embedded weights to find
    #[arg(long, value_name = "Q", required_unless_present = "dense")]
    embedded: Option<usize>,

    /// Order of the dense output to find
    #[arg(long, value_name = "Q")]
    dense: Option<usize>,

    /// Allow weights for the first stage of the next step
    #[arg(long)]
    extra_stage: bool,

    /// Write the completed method to FILE.json
    ///
    /// The file name becomes the id of the method.
    #[arg(long, value_name = "FILE.json")]
    output: Option<OutputFile>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Complete {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let id = id(self.output.as_deref())?;
        if let Some(method) = source::multirate_method(&self.method, library)? {
            return self.multirate(&method, id.as_deref(), output);
        }
        let method = source::method(&self.method, library)?;
        let wishes = CompletionRequests { embedded: self.embedded, dense: self.dense, extra_stage: self.extra_stage };
        let mut found = complete(&method, wishes)?;
        found.method = found.method.map(|method| named(method, id.as_deref())).transpose()?;
        let saved = found.method.as_ref().and(self.output.as_ref());
        if let Some(completed) = &found.method {
            save(completed, saved)?;
        }
        if self.json {
            output.json(&report(&method, &found))?;
        } else {
            output.text(&page(&method, &found, self.embedded, !self.extra_stage && allows_extra_stage(&method)))?;
            output.wrote(&[&saved.cloned()])?;
        }
        Ok(if found.method.is_some() { CommandOutcome::Done } else { CommandOutcome::CheckFailed })
    }

    /// Adds an embedded row to a multirate method.
    fn multirate(
        &self,
        method: &InfinitesimalMethod,
        id: Option<&str>,
        output: &mut Output,
    ) -> Result<CommandOutcome, Failure> {
        let of_pairs = [("--dense", self.dense.is_some()), ("--extra-stage", self.extra_stage)];
        if let Some((option, _)) = of_pairs.into_iter().find(|(_, is_given)| *is_given) {
            return Err(MethodUseError::NotForMultirate { option, id: method.id().to_owned() }.into());
        }
        // Without --dense, clap requires --embedded.
        let mut found = complete_multirate(method, self.embedded.unwrap_or_default())?;
        found.method = match (found.method.take(), id) {
            (Some(completed), Some(id)) => Some(completed.with_id(id)?),
            (completed, _) => completed,
        };
        let saved = found.method.as_ref().and(self.output.as_ref());
        if let (Some(completed), Some(file)) = (&found.method, saved) {
            write(file, completed.to_json().as_bytes())?;
        }
        if self.json {
            output.json(&multirate_report(method, &found))?;
        } else {
            output.text(&multirate_page(method, &found))?;
            output.wrote(&[&saved.cloned()])?;
        }
        Ok(if found.method.is_some() { CommandOutcome::Done } else { CommandOutcome::CheckFailed })
    }
}

fn exactness(is_exact: bool) -> &'static str {
    if is_exact { "exactly" } else { "to the precision of its coefficients" }
}

fn multirate_page(method: &InfinitesimalMethod, found: &MultirateCompletion) -> String {
    let labels = wording::labels_of(method.partitions().iter().map(String::as_str));
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let finding = match found.outcome {
        CompletionOutcome::Undecided { order, .. } => {
            format!("none of order {order} was found that estimates the error of every slow partition")
        }
        _ => completion(&found.outcome, "an embedded row", &labels),
    };
    let mut page = format!("{}: order {} {}\n\n", method.id(), found.order, exactness(found.is_exact));
    page += &entries(&[("embedded row", finding)]);
    // A row is unique only among those that are searched.
    if !matches!(found.outcome, CompletionOutcome::Found { free: 1.., .. }) {
        let sought = "the search covers rows with the powers of τ of the last stage and without corrections";
        page += &entries(&[("", sought.to_owned())]);
    }
    let embedded = found.method.as_ref().and_then(InfinitesimalMethod::embedded);
    for (name, powers) in embedded.iter().flat_map(|row| method.partitions()[1..].iter().zip(&row.forcing)) {
        page += &format!("\n{name} γ(τ), the coefficients of 1, τ, …:\n");
        page += &numbered(
            (0..powers[0].len())
                .map(|column| powers.iter().map(|columns| shown(&columns[column])).collect::<Vec<_>>().join(", ")),
        );
    }
    page
}

fn multirate_report(method: &InfinitesimalMethod, found: &MultirateCompletion) -> Value {
    let labels = wording::labels_of(method.partitions().iter().map(String::as_str));
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let completed = found.method.as_ref().and_then(|method| serde_json::from_str::<Value>(&method.to_json()).ok());
    json!({
        "id": method.id(),
        "order": found.order,
        "exact": found.is_exact,
        "embedded": completion_json(&found.outcome, &labels),
        "method": completed,
    })
}

fn page(method: &Method, found: &Completion, asked: Option<usize>, may_be_longer: bool) -> String {
    let mut page = format!("{}: order {} {}\n\n", method.id(), found.order, exactness(found.is_exact));
    let findings = [("embedded weights", &found.embedded), ("dense output", &found.dense)];
    let conditions = match found.embedded {
        Some(CompletionOutcome::Found { conditions, .. }) if Some(conditions) > asked => Some(conditions),
        _ => None,
    };
    let labels = wording::labels(method);
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    for (what, finding) in findings {
        let Some(finding) = finding else { continue };
        page += &entries(&[(what, completion(finding, what, &labels))]);
        if let Some(conditions) = conditions.filter(|_| what == "embedded weights") {
            page += &entries(&[("", format!("all weights of the requested order have order {conditions}"))]);
        }
        if !finding.is_found() && may_be_longer {
            page += &entries(&[(
                "",
                "--extra-stage allows weights at the first stage of the next step as well".to_owned(),
            )]);
        }
    }
    let Some(completed) = &found.method else { return page };
    for part in completed.partitions() {
        if found.embedded.is_some() {
            page += &format!("\n{} b̂:\n", part.name);
            page += &numbered(part.b_hat.iter().flatten().map(shown));
        }
        if found.dense.is_some() {
            page += &format!("\n{} b(θ), the coefficients of θ, θ², …:\n", part.name);
            page +=
                &numbered(part.dense.iter().flatten().map(|row| row.iter().map(shown).collect::<Vec<_>>().join(", ")));
        }
    }
    page
}

/// Formats a coefficient as written if its text is short.
fn shown(coefficient: &Coefficient) -> String {
    const LONGEST: usize = 54;
    let text = coefficient.text();
    if text.chars().count() <= LONGEST { text.to_owned() } else { exact(coefficient.value()) }
}

fn numbered(lines: impl Iterator<Item = String>) -> String {
    lines.enumerate().map(|(k, line)| format!("  {:>2}  {line}\n", k + 1)).collect()
}

fn report(method: &Method, found: &Completion) -> Value {
    let labels = wording::labels(method);
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let completed = found.method.as_ref().and_then(|method| serde_json::from_str::<Value>(&method.to_json()).ok());
    json!({
        "id": method.id(),
        "order": found.order,
        "exact": found.is_exact,
        "embedded": found.embedded.as_ref().map(|finding| completion_json(finding, &labels)),
        "dense": found.dense.as_ref().map(|finding| completion_json(finding, &labels)),
        "method": completed,
    })
}
