//! `hemiola list`: the methods of the library.

use clap::Args;
use hemiola::atlas::wording::Kind;
use hemiola::multirate::{InfinitesimalMethod, MicroStepMethod, MultirateError, StageCoupling};
use hemiola::plot::{SspMethod, ssp_figure};
use hemiola::stability::monotonicity::{MonotonicityRegion, ssp_coefficient};
use hemiola::tableau::library::Library;
use hemiola::tableau::low_storage::{StorageClass, storage_form};
use hemiola::tableau::{Claims, Method};
use serde::Serialize;

use crate::arguments::choice::{Choice, Choices, choice};
use crate::arguments::figure::FigureArgs;
use crate::arguments::format;
use crate::arguments::multirate::{micro_step_ids, micro_steps, multirate, multirate_ids, ordinary_ids};
use crate::arguments::output_file::OutputFile;
use crate::arguments::usage::MethodUseError;
use crate::failure::{CommandOutcome, Failure};
use crate::output::text;
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
  hemiola list --kind dirk,l-stable,stiffly-accurate
  hemiola list --kind multirate,explicit
  hemiola list --low-storage 2N --order 4
  hemiola list --ssp --kind explicit
  hemiola list --ssp --output ssp.svg    SSP coefficients over evaluations, with their upper bounds
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
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', value_parser = choice::<ListedKind>())]
    kind: Vec<ListedKind>,

    /// List only methods whose partitions have this form: 2N, 2R, 3R, …, 2S, 2S* or 3S*
    #[arg(long, value_name = "FORM")]
    low_storage: Option<StorageClass>,

    /// List only methods with a positive SSP radius, all partitions together
    #[arg(long)]
    ssp: bool,

    /// Draw the SSP coefficients of explicit methods over their evaluations, with the largest possible ones
    #[arg(long, value_name = format::VALUE_NAME, requires = "ssp")]
    output: Option<OutputFile>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    figure: FigureArgs,
}

/// Kind of method; `None` are multirate methods. A method may be of several kinds.
type ListedKind = Option<Kind>;

impl Choices for ListedKind {
    const ALL: &'static [Choice<Self>] = &[
        (Some(Kind::Explicit), "explicit", "Explicit in every partition: each stage uses only earlier stages"),
        (Some(Kind::Dirk), "dirk", "Diagonally implicit in some partition: its stages are solved one at a time"),
        (Some(Kind::Implicit), "implicit", "Implicit in some partition"),
        (Some(Kind::Pair), "pair", "Two or more partitions"),
        (Some(Kind::Imex), "imex", "One explicit and one implicit partition"),
        (Some(Kind::Symplectic), "symplectic", "Symplectic as a single method, or as a pair for positions and momenta"),
        (Some(Kind::Embedded), "embedded", "Embedded weights"),
        (Some(Kind::Dense), "dense", "Dense output"),
        (Some(Kind::AStable), "a-stable", "Implicit partitions, all of them A-stable"),
        (Some(Kind::LStable), "l-stable", "Implicit partitions, all of them L-stable"),
        (Some(Kind::AlgebraicallyStable), "algebraically-stable", "Algebraically stable in every partition"),
        (
            Some(Kind::StifflyAccurate),
            "stiffly-accurate",
            "Implicit, and the last stage of every partition is the result of the step",
        ),
        (
            None,
            "multirate",
            "Multirate methods, infinitesimal or with M micro-steps, which are listed apart from all others",
        ),
    ];
}

/// Returns whether a multirate method is of this kind.
fn is_kind_of_multirate(kind: ListedKind, method: &InfinitesimalMethod) -> bool {
    let is_explicit = method.couplings().iter().all(|coupling| *coupling == StageCoupling::Explicit);
    match kind {
        None => true,
        Some(Kind::Explicit) => is_explicit,
        Some(Kind::Implicit) => !is_explicit,
        Some(Kind::Imex) => !is_explicit && method.partitions().len() > 2,
        Some(Kind::Embedded) => method.embedded().is_some(),
        Some(_) => false,
    }
}

/// Word of a search: text in an id or a name, or a kind.
struct SearchWord {
    /// Lower-case text.
    text: String,
    kind: Option<ListedKind>,
}

impl SearchWord {
    fn new(word: &str) -> Self {
        Self { text: word.to_lowercase(), kind: ListedKind::from_word(&word.to_lowercase()) }
    }

    /// Returns whether the word occurs in an id or a name, or is a kind that satisfies `is_of`.
    fn finds(&self, id: &str, name: &str, is_of: impl Fn(ListedKind) -> bool) -> bool {
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
        self.figure.check("--output", self.output.as_deref())?;
        let words: Vec<SearchWord> = self.words.iter().map(|word| SearchWord::new(word)).collect();
        let mut kinds = self.kind.iter().copied().chain(words.iter().filter_map(|word| word.kind));
        if kinds.any(|kind| kind.is_none()) {
            let option = self.low_storage.map(|_| "--low-storage").or(self.ssp.then_some("--ssp"));
            if let Some(option) = option {
                return Err(MethodUseError::NotForMultirate { option, id: "--kind multirate".to_owned() }.into());
            }
            return self.multirate(&words, library, output);
        }
        let mut entries = Vec::new();
        let mut ssp_methods = Vec::new();
        let mut outcome = CommandOutcome::Done;
        for id in ordinary_ids(library)? {
            match library.load(&id) {
                Ok(method) if self.matches(&words, &method) => {
                    entries.push(ListEntry::of(&method));
                    ssp_methods.extend(self.output.as_ref().and_then(|_| ssp_method(&method)));
                }
                Ok(_) => {}
                Err(error) => {
                    output.report(error)?;
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
        if let Some(file) = &self.output {
            self.figure.write("--output", file, ssp_figure(&ssp_methods)?, &[])?;
            if !self.json {
                output.wrote(&[&self.output])?;
            }
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

    /// Lists multirate methods: those of the library and of the user's folders.
    fn multirate(
        &self,
        words: &[SearchWord],
        methods: &Library,
        output: &mut Output,
    ) -> Result<CommandOutcome, Failure> {
        let (mut entries, mut outcome) = (Vec::new(), CommandOutcome::Done);
        for id in multirate_ids(methods)? {
            let found = multirate(&id, methods);
            let Some(method) = read_or_report(found, &mut outcome, output)? else { continue };
            let is_of = |kind: ListedKind| is_kind_of_multirate(kind, &method);
            if self.describes(words, (method.id(), method.name(), method.claims()), is_of) {
                entries.push(MultirateEntry::of(&method));
            }
        }
        for id in micro_step_ids(methods)? {
            let found = micro_steps(&id, methods);
            let Some(method) = read_or_report(found, &mut outcome, output)? else { continue };
            let entry = MultirateEntry::of_micro_steps(&method)?;
            let is_of = |kind: ListedKind| entry.is_kind_of_micro_steps(kind);
            if self.describes(words, (method.id(), method.name(), method.claims()), is_of) {
                entries.push(entry);
            }
        }
        if self.json {
            output.json(&entries)?;
        } else if entries.is_empty() {
            output.line(self.nothing())?;
        } else {
            output.text(&multirate_table(&entries))?;
        }
        Ok(outcome)
    }

    /// Returns whether a method with this id, name and claims meets all conditions.
    fn describes(
        &self,
        words: &[SearchWord],
        (id, name, claims): (&str, &str, Claims),
        is_of: impl Fn(ListedKind) -> bool,
    ) -> bool {
        words.iter().all(|word| word.finds(id, name, &is_of))
            && self.order.is_none_or(|order| claims.order == Some(order))
            && self.kind.iter().all(|kind| is_of(*kind))
    }

    fn matches(&self, words: &[SearchWord], method: &Method) -> bool {
        let is_of = |kind: ListedKind| kind.is_some_and(|kind| kind.is_kind_of(method));
        self.describes(words, (method.id(), method.name(), method.claims()), is_of)
            && self.low_storage.is_none_or(|class| has_form(method, class))
            && (!self.ssp || preserves_strong_stability(method))
    }
}

/// Returns an explicit method with one partition and a claimed order, with its SSP coefficient.
fn ssp_method(method: &Method) -> Option<SspMethod> {
    let partitions = method.exact().partitions;
    let [butcher] = &partitions[..] else { return None };
    let (order, evaluations) = (method.claims().order?, butcher.evaluated_stages().len());
    let coefficient = ssp_coefficient(method, 0).ok().filter(|_| butcher.is_explicit())?.value()?;
    Some(SspMethod { order, evaluations, coefficient })
}

fn has_form(method: &Method, class: StorageClass) -> bool {
    (0..method.partitions().len()).all(|partition| storage_form(method, partition, class).is_some())
}

/// Returns whether the region of absolute monotonicity contains a point of the diagonal other than the origin.
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
    /// `infinitesimal` or `micro-steps`.
    form: &'static str,
    partitions: Vec<String>,
    /// The number of stages; for a method with micro-steps, that of slow stages.
    stages: usize,
    /// The number of stages of each micro-step.
    #[serde(skip_serializing_if = "Option::is_none")]
    stages_of_micro_step: Option<usize>,
    /// Evaluations of each slow partition; the number of fast evaluations depends on the inner method.
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
            form: "infinitesimal",
            partitions: method.partitions().to_vec(),
            stages: method.stages().len(),
            stages_of_micro_step: None,
            slow_evaluations: (1..method.partitions().len()).map(|r| method.evaluated_stages(r).len()).collect(),
            order: method.claims().order,
            embedded_order: method.claims().embedded_order,
            explicit: is_kind_of_multirate(Some(Kind::Explicit), method),
        }
    }

    fn of_micro_steps(method: &MicroStepMethod) -> Result<Self, MultirateError> {
        let [stages, fast] = method.stages();
        let slow = method.at(method.least_ratio())?.exact().partitions[0].evaluated_stages().len();
        Ok(Self {
            id: method.id().to_owned(),
            name: method.name().to_owned(),
            form: "micro-steps",
            partitions: ["fast", "slow"].map(str::to_owned).to_vec(),
            stages,
            stages_of_micro_step: Some(fast),
            slow_evaluations: vec![slow],
            order: method.claims().order,
            embedded_order: None,
            explicit: method.coupled_stages(2)?.is_empty(),
        })
    }

    /// Returns whether the entry, a method with micro-steps, is of this kind.
    fn is_kind_of_micro_steps(&self, kind: ListedKind) -> bool {
        match kind {
            None => true,
            Some(Kind::Explicit) => self.explicit,
            Some(Kind::Implicit) => !self.explicit,
            Some(_) => false,
        }
    }
}

fn multirate_table(entries: &[MultirateEntry]) -> String {
    let columns = text::columns("<Id|<Name|<Partitions|>Stages|>Slow evaluations|>Order|>Embedded");
    let stages = |entry: &MultirateEntry| match entry.stages_of_micro_step {
        Some(fast) => format!("{} + {fast} M", entry.stages),
        None => entry.stages.to_string(),
    };
    let order = |order: Option<usize>| order.map_or_else(|| "-".to_owned(), |order| order.to_string());
    let row = |entry: &MultirateEntry| {
        let evaluations: Vec<String> = entry.slow_evaluations.iter().map(ToString::to_string).collect();
        vec![
            entry.id.clone(),
            entry.name.clone(),
            entry.partitions.join(" + "),
            stages(entry),
            evaluations.join(" + "),
            order(entry.order),
            order(entry.embedded_order),
        ]
    };
    text::table(&columns, entries.iter().map(row))
}

fn table(entries: &[ListEntry]) -> String {
    let columns = text::columns("<Id|<Name|<Partitions|>Stages|>Evaluations|>Order");
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

/// Returns a method. Reports an error and records it in the outcome, so that the list continues.
fn read_or_report<T>(
    found: Result<Option<T>, Failure>,
    outcome: &mut CommandOutcome,
    output: &mut Output,
) -> Result<Option<T>, Failure> {
    found.or_else(|error| {
        output.report(error)?;
        *outcome = CommandOutcome::BadInput;
        Ok(None)
    })
}
