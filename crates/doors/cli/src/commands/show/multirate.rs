//! Pages of multirate methods, of either form.

use hemiola::export::{describe, micro_steps_latex, multirate_latex};
use hemiola::multirate::{InfinitesimalMethod, MicroStepMethod, StageCoupling, library};
use hemiola::tableau::{Coefficient, MethodError, printable};

use super::micro_steps;
use crate::failure::Failure;
use crate::output::text::{self, Column};

/// A multirate method of either form.
pub(super) enum MultirateMethod {
    Infinitesimal(Box<InfinitesimalMethod>),
    MicroSteps(Box<MicroStepMethod>),
}

impl MultirateMethod {
    pub(super) fn id(&self) -> &str {
        match self {
            Self::Infinitesimal(method) => method.id(),
            Self::MicroSteps(method) => method.id(),
        }
    }

    pub(super) fn with_id(self, id: &str) -> Result<Self, MethodError> {
        Ok(match self {
            Self::Infinitesimal(method) => Self::Infinitesimal(Box::new(method.with_id(id)?)),
            Self::MicroSteps(method) => Self::MicroSteps(Box::new(method.with_id(id)?)),
        })
    }

    pub(super) fn latex(&self) -> String {
        match self {
            Self::Infinitesimal(method) => multirate_latex(method),
            Self::MicroSteps(method) => micro_steps_latex(method),
        }
    }

    pub(super) fn to_json(&self) -> String {
        match self {
            Self::Infinitesimal(method) => method.to_json(),
            Self::MicroSteps(method) => method.to_json(),
        }
    }

    pub(super) fn page(&self) -> Result<String, Failure> {
        match self {
            Self::Infinitesimal(method) => Ok(page(method)),
            Self::MicroSteps(method) => micro_steps::page(method),
        }
    }
}

/// Describes a multirate method, with a table of its stages and one of their coefficients.
fn page(method: &InfinitesimalMethod) -> String {
    let mut entries = vec![("id", method.id().to_owned())];
    let names: Vec<&str> = library::aliases(method.id()).collect();
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
    format!("{name}\n\n{entries}\n{}\n{}", stages(method), coefficients(method))
}

/// Formats the stages, each with the stage from which it starts.
fn stages(method: &InfinitesimalMethod) -> String {
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

/// Formats the coefficients of the forcing, the corrections, the starts and the drifts.
fn coefficients(method: &InfinitesimalMethod) -> String {
    let count = method.stages().len() + 1;
    let names: Vec<String> = (1..=count).map(|j| format!("Y{j}")).collect();
    let mut columns = text::columns("<Stage|<Partition|<Term");
    columns.extend(names.iter().map(|name| (name.as_str(), Column::Right)));
    let mut rows = Vec::new();
    for (e, stage) in method.stages().iter().chain(method.embedded()).enumerate() {
        let number = if e + 1 < count { format!("Y{}", e + 2) } else { "embedded".to_owned() };
        let mut add = |partition: &str, term: String, row: &[Coefficient]| {
            let mut cells = vec![number.clone(), partition.to_owned(), term];
            cells.extend(row.iter().map(|coefficient| coefficient.text().to_owned()));
            cells.resize(columns.len(), String::new());
            rows.push(cells);
        };
        for (name, (powers, correction)) in
            method.partitions()[1..].iter().zip(stage.forcing.iter().zip(&stage.correction))
        {
            let powers = powers.iter().enumerate().map(|(k, row)| (format!("τ^{k}"), row));
            let correction = Some(correction).filter(|row| !row.is_empty()).map(|row| ("correction".to_owned(), row));
            powers.chain(correction).for_each(|(term, row)| add(name, term, row));
        }
        // Multiples of the differences Y_j − Y_1, for all variables.
        let combined =
            [("start", &stage.start), ("drift", &stage.drift)].into_iter().filter(|(_, row)| !row.is_empty());
        combined.for_each(|(term, row)| add("all", term.to_owned(), row));
    }
    text::table(&columns, rows)
}
