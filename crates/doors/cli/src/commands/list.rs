//! `hemiola list`: the methods of the library.

use clap::{Args, ValueEnum};
use hemiola::atlas::words;
use hemiola::multirate::{self, InfinitesimalMethod, StageCoupling};
use hemiola::stability::monotonicity::MonotonicityRegion;
use hemiola::tableau::library::Library;
use hemiola::tableau::low_storage::{StorageClass, storage_form};
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
  hemiola list --order 4 --kind explicit,embedded
  hemiola list --kind imex
  hemiola list --kind multirate,explicit
  hemiola list --low-storage 2N --order 4
  hemiola list --ssp --kind explicit
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

    /// List only methods whose partitions have this form: 2N, 2R, 3R, …, 2S, 2S* or 3S*
    #[arg(long, value_name = "FORM")]
    low_storage: Option<StorageClass>,

    /// List only methods with a positive SSP radius, all partitions together
    #[arg(long)]
    ssp: bool,

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
        if self.kind.contains(&Kind::Multirate) {
            let option = self.low_storage.map(|_| "--low-storage").or(self.ssp.then_some("--ssp"));
            if let Some(option) = option {
                return Err(Failure::NotForMultirate { option, id: "--kind multirate".to_owned() });
            }
            return self.multirate(output);
        }
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
        let is_only_words = self.order.is_none() && self.kind.is_empty() && self.low_storage.is_none() && !self.ssp;
        if is_only_words {
            "no method has all of these words in its id or name"
        } else {
            "no method meets all of these conditions"
        }
    }

    /// Lists multirate methods.
    fn multirate(&self, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let mut entries = Vec::new();
        for id in multirate::library::ids() {
            let method = multirate::library::method(id)?;
            let is_of_all = self.kind.iter().all(|kind| kind.is_kind_of_multirate(&method));
            if is_of_all && self.describes(method.id(), method.name(), method.claims()) {
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

    /// Returns whether the words occur in an id or a name and the order is claimed.
    fn describes(&self, id: &str, name: &str, claims: Claims) -> bool {
        let text = format!("{id} {name}").to_lowercase();
        self.words.iter().all(|word| text.contains(&word.to_lowercase()))
            && self.order.is_none_or(|order| claims.order == Some(order))
    }

    fn matches(&self, method: &Method) -> bool {
        self.describes(method.id(), method.name(), method.claims())
            && self.kind.iter().all(|kind| kind.ordinary().is_some_and(|kind| kind.is_kind_of(method)))
            && self.low_storage.is_none_or(|class| has_form(method, class))
            && (!self.ssp || preserves_strong_stability(method))
    }
}

fn has_form(method: &Method, class: StorageClass) -> bool {
    (0..method.partitions().len()).all(|partition| storage_form(method, partition, class).is_some())
}

/// Returns whether the diagonal of the region of absolute monotonicity is not just the origin.
fn preserves_strong_stability(method: &Method) -> bool {
    let diagonal = vec![1u8.into(); method.partitions().len()];
    MonotonicityRegion::new(method).radius_along(&diagonal).is_ok_and(|radius| radius.value() != Some(0.0))
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
