//! Convergence as text.

use hemiola::integrate::Sample;
use hemiola::report::results::outcome_text;
use hemiola::tableau::bound_text;

use crate::output::text::{self, Column};
use hemiola::study::convergence::{ConvergenceResults, ConvergenceSeries, RunLimits, StopReason};

pub(crate) fn page(results: &ConvergenceResults<'_>) -> String {
    let study = &results.convergence;
    let entries = [
        ("model", study.name.to_owned()),
        ("until", text::number(study.end)),
        ("reference", format!("accurate to {}", bound_text(results.reference.uncertainty, 2))),
    ];
    let table =
        |row: &ConvergenceSeries| format!("\n{}\n\n{}{}", heading(row), runs(row, study.end), missing(row, study.caps));
    let tables = results.ladders.iter().map(table);
    let mut page = text::entries(&entries) + &tables.collect::<String>();
    if let Some(wanted) = study.wanted {
        page += &format!("\n error {}\n\n{}", text::number(wanted), fewest(&results.ladders, study.end));
    }
    page
}

/// Formats the method with its observed and claimed orders and the runs used for the fit.
fn heading(row: &ConvergenceSeries) -> String {
    let claimed = row.claimed.map_or(String::new(), |order| format!(", claimed {order}"));
    let Some(fit) = &row.fit else { return format!(" {}: order not observable{claimed}", row.label) };
    let ([from, to], [low, high]) = (fit.steps, fit.slopes);
    let shown = if fit.is_asymptotic {
        format!("from {from} to {to} steps (slopes {low:.2} to {high:.2})")
    } else {
        "between the last two runs (slopes do not settle)".to_owned()
    };
    format!(" {}: order {:.2} {shown}{claimed}", row.label, fit.order)
}

/// Describes the runs that were skipped because of a limit.
fn missing(row: &ConvergenceSeries, caps: RunLimits) -> String {
    let why = match row.ended {
        StopReason::Levels | StopReason::Hidden => return String::new(),
        StopReason::MostSteps => format!("--max-steps allows {}", caps.most_steps),
        StopReason::TimeLimit => format!("the {} s of --time-limit were used up", caps.seconds),
        StopReason::Interrupted => "interrupted".to_owned(),
    };
    let beginning = if row.samples.is_empty() { " No error is below 0.1 yet." } else { "" };
    let unstable = row.unstable.as_ref().map_or_else(String::new, |sample| {
        format!(" The last run, with {} steps: {}.", sample.steps, outcome_text(sample.outcome, None))
    });
    format!(" skipped: {} steps and more ({why}).{beginning}{unstable}\n", row.next)
}

fn runs(row: &ConvergenceSeries, end: f64) -> String {
    let mut before: Option<&Sample> = None;
    let rows = row.samples.iter().map(|sample| {
        let slope = before.map_or("–".to_owned(), |before| {
            let steps = sample.steps as f64 / before.steps as f64;
            format!("{:.2}", (before.error / sample.error).ln() / steps.ln())
        });
        before = Some(sample);
        let mut cells = cells(sample, end);
        cells.insert(3, slope);
        cells
    });
    let mut columns = columns(row.samples.first());
    columns.insert(3, ("Order", Column::Right));
    text::table(&columns, rows.collect::<Vec<_>>())
}

fn fewest(rows: &[ConvergenceSeries], end: f64) -> String {
    let mut columns = columns(rows.iter().find_map(|row| row.wanted.as_ref()));
    let none = vec!["–".to_owned(); columns.len()];
    columns.insert(0, ("Method", Column::Left));
    let rows = rows.iter().map(|row| {
        let mut cells = row.wanted.as_ref().map_or_else(|| none.clone(), |sample| cells(sample, end));
        cells.insert(0, row.label.clone());
        cells
    });
    text::table(&columns, rows)
}

fn columns(sample: Option<&Sample>) -> Vec<(&'static str, Column)> {
    let is_pair = sample.is_none_or(|sample| sample.evaluations.len() == 2);
    let counts = if is_pair { vec!["Slow", "Fast"] } else { vec!["Evaluations"] };
    ["Steps", "Step", "Error"].into_iter().chain(counts).map(|name| (name, Column::Right)).collect()
}

fn cells(sample: &Sample, end: f64) -> Vec<String> {
    let step = text::rounded(end / sample.steps as f64, 4);
    let mut cells = vec![sample.steps.to_string(), step, format!("{:.2e}", sample.error)];
    match sample.evaluations[..] {
        [slow, fast] => cells.extend([slow.to_string(), fast.to_string()]),
        ref all => cells.push(all.iter().sum::<u64>().to_string()),
    }
    cells
}
