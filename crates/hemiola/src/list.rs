//! `hemiola list`: the methods there are.

use clap::Args;
use hemiola::tableau::Method;
use hemiola::tableau::library::Library;
use serde::Serialize;

use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::text::{self, Column};

/// List the methods of the library
#[derive(Args)]
#[command(after_help = "\
Examples:
  hemiola list
  hemiola list gauss          methods with “gauss” in their id or name
  hemiola list --json | jq '.[] | select(.order >= 5) | .id'")]
pub(crate) struct List {
    /// List only methods with all these words in their id or name
    #[arg(value_name = "WORD")]
    words: Vec<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A method as it is listed.
#[derive(Serialize)]
struct Entry {
    id: String,
    name: String,
    partitions: Vec<String>,
    stages: usize,
    evaluations: Vec<usize>,
    order: Option<usize>,
    explicit: bool,
}

impl List {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<Outcome, Failure> {
        let mut entries = Vec::new();
        let mut outcome = Outcome::Done;
        for id in library.ids()? {
            match library.load(&id) {
                Ok(method) if self.matches(&method) => entries.push(Entry::of(&method)),
                Ok(_) => {}
                Err(error) => {
                    output.report(error.into())?;
                    outcome = Outcome::BadInput;
                }
            }
        }
        if self.json {
            output.json(&entries)?;
        } else if entries.is_empty() {
            output.line("no method has these words in its id or name")?;
        } else {
            output.text(&table(&entries))?;
        }
        Ok(outcome)
    }

    fn matches(&self, method: &Method) -> bool {
        let text = format!("{} {}", method.id(), method.name()).to_lowercase();
        self.words.iter().all(|word| text.contains(&word.to_lowercase()))
    }
}

impl Entry {
    fn of(method: &Method) -> Self {
        let tableau = method.exact();
        Self {
            id: method.id().to_owned(),
            name: method.name().to_owned(),
            partitions: method.partitions().iter().map(|partition| partition.name.clone()).collect(),
            stages: method.stages(),
            evaluations: tableau.partitions.iter().map(|butcher| butcher.evaluated_stages().len()).collect(),
            order: method.claims().order,
            explicit: tableau.is_explicit(),
        }
    }
}

fn table(entries: &[Entry]) -> String {
    let columns = [
        ("Id", Column::Left),
        ("Name", Column::Left),
        ("Partitions", Column::Left),
        ("Stages", Column::Right),
        ("Evaluations", Column::Right),
        ("Order", Column::Right),
    ];
    let row = |entry: &Entry| {
        let evaluations: Vec<String> = entry.evaluations.iter().map(ToString::to_string).collect();
        vec![
            entry.id.clone(),
            entry.name.clone(),
            entry.partitions.join(" + "),
            entry.stages.to_string(),
            evaluations.join(" + "),
            entry.order.map_or_else(|| "-".to_owned(), |order| order.to_string()),
        ]
    };
    text::table(&columns, entries.iter().map(row))
}
