//! `hemiola list`: the methods of the library.

use clap::{Args, ValueEnum};
use hemiola::atlas::words;
use hemiola::multirate::{self, InfinitesimalMethod, StageCoupling};
use hemiola::tableau::library::Library;
use hemiola::tableau::{Claims, Method};
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
  hemiola list imex           IMEX methods: a word that is a kind also finds the methods of this kind
  hemiola list --order 4 --kind explicit,embedded
  hemiola list --kind imex
  hemiola list --kind multirate,explicit
  hemiola list --json | jq '.[] | select(.order >= 5) | .id'")]
pub(crate) struct List {
    /// List only methods with all these words in their id or name
    ///
    /// A word that is a kind (see --kind) also finds the methods of this kind.
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
    /// Multirate infinitesimal methods, which are listed apart from all others
    Multirate,
}

impl Kind {
    /// Returns the kind of an ordinary method.
    fn ordinary(self) -> Option<words::Kind> {
        Some(match self {
            Self::Explicit => words::Kind::Explicit,
            Self::Dirk => words::Kind::Dirk,
            Self::Implicit => words::Kind::Implicit,
            Self::Pair => words::Kind::Pair,
            Self::Imex => words::Kind::Imex,
            Self::Symplectic => words::Kind::Symplectic,
            Self::Embedded => words::Kind::Embedded,
            Self::Dense => words::Kind::Dense,
            Self::Multirate => return None,
        })
    }

    /// Returns whether a multirate method is of this kind.
    fn is_kind_of_multirate(self, method: &InfinitesimalMethod) -> bool {
        let is_explicit = method.couplings().iter().all(|coupling| *coupling == StageCoupling::Explicit);
        match self {
            Self::Multirate => true,
            Self::Explicit => is_explicit,
            Self::Implicit => !is_explicit,
            Self::Imex => !is_explicit && method.partitions().len() > 2,
            Self::Embedded => method.embedded().is_some(),
            Self::Dirk | Self::Pair | Self::Symplectic | Self::Dense => false,
        }
    }
}

/// Word of a search: text in an id or a name, or a kind.
struct SearchWord {
    /// Lower-case text.
    text: String,
    kind: Option<Kind>,
}

impl SearchWord {
    fn new(word: &str) -> Self {
        Self { text: word.to_lowercase(), kind: Kind::from_str(word, true).ok() }
    }

    /// Returns whether the word occurs in an id or a name, or is a kind that satisfies `is_of`.
    fn finds(&self, id: &str, name: &str, is_of: impl Fn(Kind) -> bool) -> bool {
        [id, name].iter().any(|text| text.to_lowercase().contains(&self.text)) || self.kind.is_some_and(is_of)
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
        let words: Vec<SearchWord> = self.words.iter().map(|word| SearchWord::new(word)).collect();
        let mut kinds = self.kind.iter().copied().chain(words.iter().filter_map(|word| word.kind));
        if kinds.any(|kind| kind == Kind::Multirate) {
            return self.multirate(&words, output);
        }
        let mut entries = Vec::new();
        let mut outcome = CommandOutcome::Done;
        for id in library.ids()? {
            match library.load(&id) {
                Ok(method) if self.matches(&words, &method) => entries.push(ListEntry::of(&method)),
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

    /// Lists multirate methods.
    fn multirate(&self, words: &[SearchWord], output: &mut Output) -> Result<CommandOutcome, Failure> {
        let mut entries = Vec::new();
        for id in multirate::library::ids() {
            let method = multirate::library::method(id)?;
            let is_of = |kind: Kind| kind.is_kind_of_multirate(&method);
            if self.describes(words, (method.id(), method.name(), method.claims()), is_of) {
                entries.push(MultirateEntry::of(&method));
            }
        }
        if self.json {
            output.json(&entries)?;
        } else if entries.is_empty() {
            output.line(self.nothing())?;
        } else {
            output.text(&multirate_table(&entries))?;
        }
        Ok(CommandOutcome::Done)
    }

    /// Returns whether a method with this id, name and claims meets all conditions.
    fn describes(
        &self,
        words: &[SearchWord],
        (id, name, claims): (&str, &str, Claims),
        is_of: impl Fn(Kind) -> bool,
    ) -> bool {
        words.iter().all(|word| word.finds(id, name, &is_of))
            && self.order.is_none_or(|order| claims.order == Some(order))
            && self.kind.iter().all(|kind| is_of(*kind))
    }

    fn matches(&self, words: &[SearchWord], method: &Method) -> bool {
        let is_of = |kind: Kind| kind.ordinary().is_some_and(|kind| kind.is_kind_of(method));
        self.describes(words, (method.id(), method.name(), method.claims()), is_of)
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

/// Entry of the list of multirate methods.
#[derive(Serialize)]
struct MultirateEntry {
    id: String,
    name: String,
    partitions: Vec<String>,
    stages: usize,
    /// Evaluations of each slow partition; those of the fast one depend on the inner method.
    slow_evaluations: Vec<usize>,
    order: Option<usize>,
    embedded_order: Option<usize>,
    explicit: bool,
}

impl MultirateEntry {
    fn of(method: &InfinitesimalMethod) -> Self {
        Self {
            id: method.id().to_owned(),
            name: method.name().to_owned(),
            partitions: method.partitions().to_vec(),
            stages: method.stages().len(),
            slow_evaluations: (1..method.partitions().len()).map(|r| method.evaluated_stages(r).len()).collect(),
            order: method.claims().order,
            embedded_order: method.claims().embedded_order,
            explicit: Kind::Explicit.is_kind_of_multirate(method),
        }
    }
}

fn multirate_table(entries: &[MultirateEntry]) -> String {
    let columns = [
        ("Id", Column::Left),
        ("Name", Column::Left),
        ("Partitions", Column::Left),
        ("Stages", Column::Right),
        ("Slow evaluations", Column::Right),
        ("Order", Column::Right),
        ("Embedded", Column::Right),
    ];
    let order = |order: Option<usize>| order.map_or_else(|| "-".to_owned(), |order| order.to_string());
    let row = |entry: &MultirateEntry| {
        let evaluations: Vec<String> = entry.slow_evaluations.iter().map(ToString::to_string).collect();
        vec![
            entry.id.clone(),
            entry.name.clone(),
            entry.partitions.join(" + "),
            entry.stages.to_string(),
            evaluations.join(" + "),
            order(entry.order),
            order(entry.embedded_order),
        ]
    };
    text::table(&columns, entries.iter().map(row))
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
