//! `hemiola list`: the methods of the library.

use clap::{Args, ValueEnum};
use hemiola::atlas::words;
use hemiola::tableau::Method;
use hemiola::tableau::library::Library;
use serde::Serialize;

use crate::failure::{CommandOutcome, Failure};
use crate::output::text;
use crate::output::text::Column;
use crate::output::writer::Output;

/// List the methods of the library
#[derive(Args)]
#[command(after_help = "\
Examples:
  hemiola list
  hemiola list gauss          methods with “gauss” in their id or name
  hemiola list --order 4 --kind explicit,embedded
  hemiola list --kind imex
  hemiola list --json | jq '.[] | select(.order >= 5) | .id'")]
pub(crate) struct List {
    /// List only methods with all these words in their id or name
    #[arg(value_name = "WORD")]
    words: Vec<String>,

    /// List only methods that claim this order
    #[arg(long, value_name = "P")]
    order: Option<usize>,

    /// List only methods of all these kinds
    #[arg(long, value_enum, value_name = "KIND,…", value_delimiter = ',')]
    kind: Vec<Kind>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The kinds of methods; a method may be of several kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Explicit in every partition: each stage uses only earlier stages
    Explicit,
    /// Diagonally implicit in some partition: its stages are solved one at a time
    Dirk,
    /// Implicit in some partition
    Implicit,
    /// Two or more partitions
    Pair,
    /// One explicit and one implicit partition
    Imex,
    /// Symplectic as a single method, or as a pair for positions and momenta
    Symplectic,
    /// Embedded weights
    Embedded,
    /// Dense output
    Dense,
}

impl From<Kind> for words::Kind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Explicit => Self::Explicit,
            Kind::Dirk => Self::Dirk,
            Kind::Implicit => Self::Implicit,
            Kind::Pair => Self::Pair,
            Kind::Imex => Self::Imex,
            Kind::Symplectic => Self::Symplectic,
            Kind::Embedded => Self::Embedded,
            Kind::Dense => Self::Dense,
        }
    }
}

/// Entry of the list.
#[derive(Serialize)]
struct ListEntry {
    id: String,
    name: String,
    partitions: Vec<String>,
    stages: usize,
    evaluations: Vec<usize>,
    order: Option<usize>,
    explicit: bool,
}

impl List {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let mut entries = Vec::new();
        let mut outcome = CommandOutcome::Done;
        for id in library.ids()? {
            match library.load(&id) {
                Ok(method) if self.matches(&method) => entries.push(ListEntry::of(&method)),
                Ok(_) => {}
                Err(error) => {
                    output.report(error.into())?;
                    outcome = CommandOutcome::BadInput;
                }
            }
        }
        if self.json {
            output.json(&entries)?;
        } else if entries.is_empty() {
            output.line(self.nothing())?;
        } else {
            output.text(&table(&entries))?;
        }
        Ok(outcome)
    }

    fn nothing(&self) -> &'static str {
        if self.order.is_none() && self.kind.is_empty() {
            "no method has all of these words in its id or name"
        } else {
            "no method meets all of these conditions"
        }
    }

    fn matches(&self, method: &Method) -> bool {
        let text = format!("{} {}", method.id(), method.name()).to_lowercase();
        self.words.iter().all(|word| text.contains(&word.to_lowercase()))
            && self.order.is_none_or(|order| method.claims().order == Some(order))
            && self.kind.iter().all(|kind| words::Kind::from(*kind).is_kind_of(method))
    }
}

impl ListEntry {
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

fn table(entries: &[ListEntry]) -> String {
    let columns = [
        ("Id", Column::Left),
        ("Name", Column::Left),
        ("Partitions", Column::Left),
        ("Stages", Column::Right),
        ("Evaluations", Column::Right),
        ("Order", Column::Right),
    ];
    let row = |entry: &ListEntry| {
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
