//! Shu–Osher and low-storage forms of a method, as tables and JSON.

use hemiola::stability::monotonicity::{ShuOsherForm, optimal_shu_osher};
use hemiola::tableau::low_storage::{FoundForm, StorageClass, storage_form};
use hemiola::tableau::{Exact, Method, printable};
use miette::Diagnostic;
use serde::Serialize;
use thiserror::Error;

use crate::failure::{CommandOutcome, Failure, hinted};
use crate::output::text::{self, Column};
use crate::output::writer::Output;

/// Reason why a form is not shown.
#[derive(Debug, Error, Diagnostic)]
enum FormError {
    #[error("{id} has no {form} form")]
    #[diagnostic(help("`hemiola stability {id}` lists its low-storage forms and its SSP coefficient"))]
    None { form: String, id: String },
    #[error("{id} has several partitions; a method file of the form {form} has one")]
    #[diagnostic(help("without --json, the forms of all partitions are shown"))]
    SeveralPartitions { form: String, id: String },
}

hinted!(FormError);

/// A form of a method other than its Butcher tableau.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The canonical Shu–Osher form for the largest radius.
    ShuOsher,
    LowStorage(StorageClass),
}

/// Reads the name of a form.
pub(super) fn parse(name: &str) -> Result<Form, String> {
    if name.eq_ignore_ascii_case("shu-osher") {
        return Ok(Form::ShuOsher);
    }
    name.parse().map(Form::LowStorage).map_err(|error| format!("{error}, or shu-osher"))
}

#[derive(Serialize)]
struct ShuOsherReport {
    id: String,
    partition: String,
    radius: String,
    v: Vec<String>,
    alpha: Vec<Vec<String>>,
    beta: Vec<Vec<String>>,
}

/// Prints a form of every partition.
pub(super) fn show(method: &Method, form: Form, json: bool, output: &mut Output) -> Result<CommandOutcome, Failure> {
    match form {
        Form::ShuOsher => shu_osher(method, json, output),
        Form::LowStorage(class) => low_storage(method, class, json, output),
    }
}

fn low_storage(
    method: &Method,
    class: StorageClass,
    json: bool,
    output: &mut Output,
) -> Result<CommandOutcome, Failure> {
    if json && method.partitions().len() > 1 {
        return Err(FormError::SeveralPartitions { form: class.to_string(), id: method.id().to_owned() }.into());
    }
    let found: Vec<Option<FoundForm>> =
        (0..method.partitions().len()).map(|partition| storage_form(method, partition, class)).collect();
    if found.iter().all(Option::is_none) {
        return Err(FormError::None { form: class.to_string(), id: method.id().to_owned() }.into());
    }
    if let (true, Some(Some(form))) = (json, found.first()) {
        output.file(&method.to_json_in_form(form))?;
        return Ok(CommandOutcome::Done);
    }
    let mut page = format!("{}\n", printable(method.name()));
    for (partition, form) in method.partitions().iter().zip(&found) {
        page += &match form {
            Some(form) => format!("\n{}", storage_page(&partition.name, form)),
            None => format!("\n {}: not of the form {class}\n", printable(&partition.name)),
        };
    }
    output.text(&page)?;
    Ok(CommandOutcome::Done)
}

fn storage_page(partition: &str, found: &FoundForm) -> String {
    let mut entries = vec![
        ("partition", partition.to_owned()),
        ("form", format!("{}, {}", found.form.class(), found.agreement)),
        ("registers", found.registers.to_string()),
    ];
    let embedded = found.registers_with_embedded.map(|count| ("with the embedded solution", count.to_string()));
    entries.extend(embedded);
    let vectors = found.texts();
    let columns: Vec<(&str, Column)> = [("i", Column::Right)]
        .into_iter()
        .chain(vectors.iter().map(|(name, _)| (name.as_str(), Column::Right)))
        .collect();
    let longest = vectors.iter().map(|(_, vector)| vector.len()).max().unwrap_or(0);
    let rows = (0..longest).map(|i| {
        let cells = vectors.iter().map(|(_, vector)| vector.get(i).cloned().unwrap_or_default());
        [(i + 1).to_string()].into_iter().chain(cells).collect()
    });
    format!("{}\n{}", text::entries(&entries), text::table(&columns, rows))
}

fn shu_osher(method: &Method, json: bool, output: &mut Output) -> Result<CommandOutcome, Failure> {
    let mut reports = Vec::new();
    let mut page = format!("{}\n", printable(method.name()));
    for (index, partition) in method.partitions().iter().enumerate() {
        match optimal_shu_osher(method, index)? {
            Some(form) => {
                page += &format!("\n{}", shu_osher_page(&partition.name, &form));
                reports.push(ShuOsherReport::new(method, &partition.name, &form));
            }
            None => {
                let name = printable(&partition.name);
                page += &format!("\n {name}: no such form, its SSP coefficient is 0 or unbounded\n");
            }
        }
    }
    if reports.is_empty() {
        return Err(FormError::None { form: "shu-osher".to_owned(), id: method.id().to_owned() }.into());
    }
    if json {
        output.json(&reports)?;
    } else {
        output.text(&page)?;
    }
    Ok(CommandOutcome::Done)
}

impl ShuOsherReport {
    fn new(method: &Method, partition: &str, form: &ShuOsherForm) -> Self {
        let texts = |row: &Vec<Exact>| row.iter().map(ToString::to_string).collect::<Vec<String>>();
        Self {
            id: method.id().to_owned(),
            partition: partition.to_owned(),
            radius: form.radius.to_string(),
            v: texts(&form.v),
            alpha: form.alpha.iter().map(texts).collect(),
            beta: form.beta.iter().map(texts).collect(),
        }
    }
}

/// Formats yᵢ = vᵢuₙ + Σⱼ αᵢⱼ(yⱼ + h/r f(yⱼ)), with a column for each j.
fn shu_osher_page(partition: &str, form: &ShuOsherForm) -> String {
    let count = form.v.len();
    let entries = [
        ("partition", partition.to_owned()),
        ("form", "y_i = v_i u + sum of alpha_ij (y_j + h/r f(y_j)), for r = SSP coefficient".to_owned()),
        ("r", text::exact(&form.radius)),
    ];
    let names: Vec<String> = (1..count).map(|j| format!("alpha_i{j}")).collect();
    let columns: Vec<(&str, Column)> = [("i", Column::Left), ("v", Column::Right)]
        .into_iter()
        .chain(names.iter().map(|name| (name.as_str(), Column::Right)))
        .collect();
    let rows = (0..count).map(|i| {
        let label = if i + 1 == count { "step".to_owned() } else { (i + 1).to_string() };
        let factors = form.alpha[i][..count - 1].iter().map(text::exact);
        [label, text::exact(&form.v[i])].into_iter().chain(factors).collect()
    });
    format!("{}\n{}", text::entries(&entries), text::table(&columns, rows))
}
