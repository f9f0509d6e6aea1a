//! The designs of a sweep as a table, in Markdown and as a figure.

use std::collections::BTreeMap;

use hemiola::design::SweepFile;
use hemiola::design::findings::PairNumbers;
use hemiola::figure::Figure;
use hemiola::plot::sweep_figure;
use serde_json::{Value, json};

use crate::output::text;
use crate::output::text::Column;

use super::grid::State;

/// The significant digits of the table.
const DIGITS: usize = 5;
/// The strength at which tables show the coupled profile.
const GAMMA: f64 = 0.1;

/// What two designs of one order are compared by: errors for an equal number of slow evaluations, and stable steps for each of
/// these, along the imaginary axis or, where there is no limit, the negative real axis.
fn merits(pair: &PairNumbers, slow: usize) -> [f64; 2] {
    let [imaginary, real] = pair.fast_limits;
    [pair.scaled_norm, if imaginary > 0.0 { imaginary } else { real } / slow as f64]
}

/// Whether no other design of the same order has smaller errors and a longer step.
fn is_on_front(sweep: &SweepFile, k: usize, states: &[State]) -> bool {
    let of = |k: usize| {
        let specification = &sweep.designs[k].file.specification;
        match &states[k] {
            State::Done(pair) => Some((specification.order, merits(pair, specification.slow))),
            State::Open | State::None(_) => None,
        }
    };
    let Some((order, [error, step])) = of(k) else { return false };
    (0..states.len()).filter_map(of).all(|(other, [smaller, longer])| {
        other != order || !(smaller <= error && longer >= step && (smaller < error || longer > step))
    })
}

/// A line for a design that is done.
pub(crate) fn line(sweep: &SweepFile, k: usize, state: &State) -> String {
    let design = &sweep.designs[k];
    let found = match state {
        State::Open => "open".to_owned(),
        State::None(why) => format!("none: {why}"),
        State::Done(pair) => format!("error norm {}", text::rounded(pair.error_norm, DIGITS)),
    };
    format!("{} ({}): {found}", design.file.id, design.labels.join("; "))
}

fn header(sweep: &SweepFile) -> Vec<String> {
    let fixed = [
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
    std::iter::once("design".to_owned()).chain(sweep.axes.iter().cloned()).chain(fixed.map(str::to_owned)).collect()
}

fn row(sweep: &SweepFile, k: usize, states: &[State]) -> Vec<String> {
    let design = &sweep.designs[k];
    let shown = |value: f64| text::rounded(value, DIGITS);
    let mut row = vec![design.file.id.clone()];
    row.extend(design.labels.iter().cloned());
    row.push(design.file.specification.order.to_string());
    let State::Done(pair) = &states[k] else {
        row.push("none".to_owned());
        row.resize(header(sweep).len(), String::new());
        return row;
    };
    let none = || "–".to_owned();
    let values = pair.profile.iter().flat_map(|profile| &profile.values);
    let profile =
        values.into_iter().find(|at| at.gamma == GAMMA).map_or_else(none, |at| format!("{:.3}", at.practical.value));
    row.extend([pair.error_norm, pair.scaled_norm, pair.fast_limits[0], pair.fast_limits[1]].map(shown));
    row.extend([profile, pair.amplifications[0].or(pair.amplifications[1]).map_or_else(none, |x| text::rounded(x, 3))]);
    row.extend([shown(pair.largest_coefficient), if is_on_front(sweep, k, states) { "●" } else { "" }.to_owned()]);
    row
}

pub(crate) fn page(sweep: &SweepFile, states: &[State]) -> String {
    let header = header(sweep);
    let left = 1 + sweep.axes.len();
    let side = |k: usize| if k < left { Column::Left } else { Column::Right };
    let columns: Vec<(&str, Column)> = header.iter().enumerate().map(|(k, name)| (name.as_str(), side(k))).collect();
    text::table(&columns, (0..states.len()).map(|k| row(sweep, k, states)))
}

/// Depends on the sweep file alone: the same file gives the same bytes.
pub(crate) fn report(sweep: &SweepFile, states: &[State], figure: Option<&str>) -> String {
    let header = header(sweep);
    let rule: Vec<String> = header.iter().map(|_| "---".to_owned()).collect();
    let rows = (0..states.len()).map(|k| row(sweep, k, states));
    let table: String =
        [header, rule].into_iter().chain(rows).map(|cells| format!("| {} |\n", cells.join(" | "))).collect();
    let none = states.iter().enumerate().filter_map(|(k, state)| match state {
        State::None(why) => Some(format!("- `{}`: {why}\n", sweep.designs[k].file.id)),
        State::Open | State::Done(_) => None,
    });
    let none: String = none.collect();
    let none = if none.is_empty() { none } else { format!("\nWithout a result:\n\n{none}") };
    let figure = figure.map(|name| format!("\n![Errors and steps]({name})\n")).unwrap_or_default();
    format!(
        "# Sweep {0}\n\nCommand:\n\n    hemiola sweep {0}.sweep.json\n\nThe coupled profile is the practical one at γ = {GAMMA}; a dot marks designs that \
         no other of their order surpasses in errors for equal slow evaluations and in stable step for a slow evaluation.\n\n{table}{none}{figure}",
        sweep.id
    )
}

/// Errors and steps of all designs that there are, by order; `None` if there are none.
pub(crate) fn figure(sweep: &SweepFile, states: &[State]) -> Option<Figure> {
    let mut orders: BTreeMap<usize, Vec<(usize, [f64; 2])>> = BTreeMap::new();
    for (k, state) in states.iter().enumerate() {
        let specification = &sweep.designs[k].file.specification;
        if let State::Done(pair) = state {
            orders.entry(specification.order).or_default().push((k + 1, merits(pair, specification.slow)));
        }
    }
    let groups: Vec<_> = orders.into_iter().map(|(order, points)| (format!("order {order}"), points)).collect();
    let labels = ["error norm × (slow evaluations)^{p}", "fast limit for a slow evaluation"];
    let description = format!("Designs of {}: errors and steps", sweep.id);
    (!groups.is_empty()).then(|| sweep_figure(&groups, labels, &description))
}

pub(crate) fn json(sweep: &SweepFile, k: usize, state: &State, states: &[State]) -> Value {
    let design = &sweep.designs[k];
    let mut found = json!({ "id": design.file.id, "values": design.labels, "order": design.file.specification.order });
    match state {
        State::Open => found["state"] = json!("open"),
        State::None(why) => {
            found["state"] = json!("none");
            found["why"] = json!(why);
        }
        State::Done(pair) => {
            found["state"] = json!("done");
            found["principal_error_norm"] = json!(pair.error_norm);
            found["fast_limits"] = json!(pair.fast_limits);
            found["largest_coefficient"] = json!(pair.largest_coefficient);
            found["front"] = json!(is_on_front(sweep, k, states));
        }
    }
    found
}
