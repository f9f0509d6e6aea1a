//! A method with its coefficients as text, and the interpretation of a pasted text.

use hemiola_export::describe;
use hemiola_tableau::{Coefficient, Method, Partition, library};
use serde::{Deserialize, Serialize};

use crate::subject::{PastedText, Subject};
use crate::wording::Fact;

#[derive(Deserialize)]
pub(crate) struct MethodQuestion {
    subject: Subject,
}

#[derive(Serialize)]
pub(crate) struct MethodAnswer {
    id: String,
    name: String,
    facts: Vec<Fact>,
    partitions: Vec<Tableau>,
    /// Interpretation of the pasted text.
    reading: Option<Reading>,
    /// Invalid changes: the names of their coefficients and the problems.
    problems: Vec<(String, String)>,
    /// Text of the method file.
    json: String,
}

#[derive(Serialize)]
struct Tableau {
    name: String,
    a: Vec<Vec<String>>,
    b: Vec<String>,
    /// Abscissae as published, otherwise the row sums of A.
    c: Vec<String>,
    b_hat: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Reading {
    /// Summary such as `read as csv, 2 methods`.
    note: String,
    /// Ids and names of the methods.
    methods: Vec<(String, String)>,
    failures: Vec<String>,
}

impl MethodQuestion {
    pub(crate) fn answer(&self) -> Result<MethodAnswer, String> {
        let reading = self.subject.pasted().transpose()?.map(Reading::from);
        let (method, problems) = self.subject.with_problems()?;
        Ok(MethodAnswer {
            id: method.id().to_owned(),
            name: method.name().to_owned(),
            facts: facts(&method),
            partitions: method.partitions().iter().enumerate().map(|(k, own)| Tableau::new(&method, k, own)).collect(),
            reading,
            problems,
            json: method.to_json(),
        })
    }
}

/// Returns the facts that `hemiola show` prints above the tableaus.
fn facts(method: &Method) -> Vec<Fact> {
    let also: Vec<&str> = library::aliases(method.id()).collect();
    let mut facts = Vec::new();
    if !also.is_empty() {
        facts.push(Fact::new("also", also.join(", ")));
    }
    facts.extend(describe::source(method).map(|text| Fact::new("source", text)));
    facts.push(Fact::new("claims", describe::claims(method)));
    facts.push(Fact::new("coefficients", describe::precision(method)));
    facts.push(Fact::new("structure", describe::structure(method)));
    facts.extend(method.source().note.clone().map(|note| Fact::new("note", note)));
    facts
}

impl Tableau {
    fn new(method: &Method, place: usize, partition: &Partition) -> Self {
        let texts = |row: &Vec<Coefficient>| row.iter().map(|entry| entry.text().to_owned()).collect::<Vec<_>>();
        let sums = || method.exact().partitions[place].c.iter().map(describe::exact).collect();
        Self {
            name: partition.name.clone(),
            a: partition.a.iter().map(texts).collect(),
            b: texts(&partition.b),
            c: partition.c.as_ref().map_or_else(sums, texts),
            b_hat: partition.b_hat.as_ref().map(texts),
        }
    }
}

impl From<PastedText> for Reading {
    fn from(pasted: PastedText) -> Self {
        let PastedText { format, methods, failures } = pasted;
        let note = format!("read as {format}, {}", describe::counted(methods.len(), "method"));
        let methods = methods.iter().map(|method| (method.id().to_owned(), method.name().to_owned())).collect();
        Self { note, methods, failures }
    }
}
