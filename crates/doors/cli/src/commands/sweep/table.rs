//! Designs of a sweep as a table in Markdown and as a figure.

use std::collections::BTreeMap;

use hemiola::design::SweepFile;
use hemiola::design::findings::PairNumbers;
use hemiola::figure::Figure;
use hemiola::plot::sweep_figure;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::text::{self, Column};

use super::grid::{DesignState, SweepFolder};

/// Significant digits of the table.
const DIGITS: usize = 5;
/// Coupling strength at which tables show the coupled profile.
const GAMMA: f64 = 0.1;
/// Columns after the values on the axes.
const NUMBERS: [&str; 9] = [
    "order",
    "error norm",
    "norm × (slow evaluations)^p",
    "fast limit, imaginary",
    "negative real",
    "coupled profile",
    "amplification",
    "largest coefficient",
    "front",
];

/// Returns the quantities in which designs of one order are compared: the error for an equal number of slow
/// evaluations, and the stable step size per slow evaluation along the imaginary axis or, without a limit there, the
/// negative real axis.
fn merits(pair: &PairNumbers, slow: usize) -> [f64; 2] {
    let [imaginary, real] = pair.fast_limits;
    [pair.scaled_norm, if imaginary > 0.0 { imaginary } else { real } / slow as f64]
}

/// Formats a line for a design.
pub(crate) fn line(grid: &SweepFolder, k: usize, state: &DesignState) -> Result<String, Failure> {
    let design = &grid.sweep.designs[k];
    let found = match state {
        DesignState::Open => "open".to_owned(),
        DesignState::None(why) => format!("none: {why}"),
        DesignState::Done => format!("error norm {}", text::rounded(grid.numbers(k)?.error_norm, DIGITS)),
    };
    Ok(format!("{} ({}): {found}", design.file.id, design.labels.join("; ")))
}

/// Designs of a sweep and their known results.
pub(crate) struct SweepTable<'a> {
    sweep: &'a SweepFile,
    states: &'a [DesignState],
    /// Results of the completed designs.
    numbers: Vec<Option<&'a PairNumbers>>,
}

impl<'a> SweepTable<'a> {
    pub(crate) fn new(grid: &'a SweepFolder, states: &'a [DesignState]) -> Result<Self, Failure> {
        let of =
            |(k, state): (usize, &DesignState)| matches!(state, DesignState::Done).then(|| grid.numbers(k)).transpose();
        Ok(Self { sweep: grid.sweep, states, numbers: states.iter().enumerate().map(of).collect::<Result<_, _>>()? })
    }

    /// Returns the order and the merits of a completed design.
    fn merits(&self, k: usize) -> Option<(usize, [f64; 2])> {
        let specification = &self.sweep.designs[k].file.specification;
        self.numbers[k].map(|pair| (specification.order, merits(pair, specification.slow)))
    }

    /// Returns whether no other design of the same order has smaller errors and a larger step.
    fn is_on_front(&self, k: usize) -> bool {
        let Some((order, [error, step])) = self.merits(k) else { return false };
        (0..self.states.len()).filter_map(|k| self.merits(k)).all(|(other, [smaller, longer])| {
            other != order || !(smaller <= error && longer >= step && (smaller < error || longer > step))
        })
    }

    fn header(&self) -> Vec<String> {
        let axes = self.sweep.axes.iter().cloned();
        std::iter::once("design".to_owned()).chain(axes).chain(NUMBERS.map(str::to_owned)).collect()
    }

    fn row(&self, k: usize) -> Vec<String> {
        let design = &self.sweep.designs[k];
        let mut row = vec![design.file.id.clone()];
        row.extend(design.labels.iter().cloned());
        row.push(design.file.specification.order.to_string());
        match self.numbers[k] {
            Some(pair) => row.extend(self.cells(k, pair)),
            None => {
                row.push("none".to_owned());
                row.resize(self.header().len(), String::new());
            }
        }
        row
    }

    /// Returns the cells after the order.
    fn cells(&self, k: usize, pair: &PairNumbers) -> [String; NUMBERS.len() - 1] {
        let shown = |value: f64| text::rounded(value, DIGITS);
        let known = |value: Option<String>| value.unwrap_or_else(|| "–".to_owned());
        let mut values = pair.profile.iter().flat_map(|profile| &profile.values);
        let amplification = pair.amplifications[0].or(pair.amplifications[1]);
        [
            shown(pair.error_norm),
            shown(pair.scaled_norm),
            shown(pair.fast_limits[0]),
            shown(pair.fast_limits[1]),
            known(values.find(|at| at.gamma == GAMMA).map(|at| format!("{:.3}", at.practical.value))),
            known(amplification.map(|x| text::rounded(x, 3))),
            shown(pair.largest_coefficient),
            if self.is_on_front(k) { "●" } else { "" }.to_owned(),
        ]
    }

    pub(crate) fn page(&self) -> String {
        let header = self.header();
        let left = 1 + self.sweep.axes.len();
        let side = |k: usize| if k < left { Column::Left } else { Column::Right };
        let columns: Vec<(&str, Column)> =
            header.iter().enumerate().map(|(k, name)| (name.as_str(), side(k))).collect();
        text::table(&columns, (0..self.states.len()).map(|k| self.row(k)))
    }

    /// Writes the report, which depends only on the sweep file: equal files give equal bytes.
    pub(crate) fn report(&self, figure: Option<&str>) -> String {
        let header = self.header();
        let rule: Vec<String> = header.iter().map(|_| "---".to_owned()).collect();
        let rows = (0..self.states.len()).map(|k| self.row(k));
        let table: String =
            [header, rule].into_iter().chain(rows).map(|cells| format!("| {} |\n", cells.join(" | "))).collect();
        let none = self.states.iter().enumerate().filter_map(|(k, state)| match state {
            DesignState::None(why) => Some(format!("- `{}`: {why}\n", self.sweep.designs[k].file.id)),
            DesignState::Open | DesignState::Done => None,
        });
        let none: String = none.collect();
        let none = if none.is_empty() { none } else { format!("\nWithout a result:\n\n{none}") };
        let figure = figure.map(|name| format!("\n![Errors and steps]({name})\n")).unwrap_or_default();
        format!(
            "# Sweep {0}\n\nCommand:\n\n    hemiola sweep {0}.sweep.json\n\nThe coupled profile is the practical one at γ = {GAMMA}; a dot marks designs that \
             no other of their order surpasses in errors for equal slow evaluations and in stable step for a slow evaluation.\n\n{table}{none}{figure}",
            self.sweep.id
        )
    }

    /// Draws errors and step sizes of all completed designs by order; `None` if there are none.
    pub(crate) fn figure(&self) -> Option<Figure> {
        let mut orders: BTreeMap<usize, Vec<(usize, [f64; 2])>> = BTreeMap::new();
        for k in 0..self.states.len() {
            if let Some((order, merits)) = self.merits(k) {
                orders.entry(order).or_default().push((k + 1, merits));
            }
        }
        let groups: Vec<_> = orders.into_iter().map(|(order, points)| (format!("order {order}"), points)).collect();
        let labels = ["error norm × (slow evaluations)^{p}", "fast limit for a slow evaluation"];
        let description = format!("Designs of {}: errors and steps", self.sweep.id);
        (!groups.is_empty()).then(|| sweep_figure(&groups, labels, &description))
    }

    pub(crate) fn json(&self, k: usize) -> Value {
        let design = &self.sweep.designs[k];
        let mut found =
            json!({ "id": design.file.id, "values": design.labels, "order": design.file.specification.order });
        match &self.states[k] {
            DesignState::Open => found["state"] = json!("open"),
            DesignState::None(why) => {
                found["state"] = json!("none");
                found["why"] = json!(why);
            }
            DesignState::Done => found["state"] = json!("done"),
        }
        if let Some(pair) = self.numbers[k] {
            found["principal_error_norm"] = json!(pair.error_norm);
            found["fast_limits"] = json!(pair.fast_limits);
            found["largest_coefficient"] = json!(pair.largest_coefficient);
            found["front"] = json!(self.is_on_front(k));
        }
        found
    }
}
