//! A study as text.

use hemiola::stability::{BlockSystem, Limit};

use hemiola::study::stable_steps::{MethodSteps, StableSteps};

use super::source::NamedSystem;
use crate::output::text;
use crate::output::text::{Column, counted};

/// If there are more eigenvalues than this, the rest are left to the JSON.
const MOST_EIGENVALUES: usize = 40;

pub(crate) fn page(system: &NamedSystem, study: &StableSteps<'_>) -> String {
    let blocks = &system.blocks;
    let parts = blocks.partition_of().iter().max().map_or(1, |last| last + 1);
    let size = |part: usize| blocks.partition_of().iter().filter(|partition| **partition == part).count();
    let sizes = if parts <= 2 {
        format!("{} slow, {} fast", size(0), size(1))
    } else {
        format!(
            "{} in {parts} partitions",
            (0..parts).map(|part| size(part).to_string()).collect::<Vec<_>>().join(", ")
        )
    };
    let mut entries = vec![("system", system.name.clone()), ("variables", sizes), ("eigenvalues", eigenvalues(blocks))];
    if blocks.zero_eigenvalues() > 0 {
        let zero = counted(blocks.zero_eigenvalues(), "eigenvalue");
        entries.insert(3, ("rigid", format!("{zero} zero up to rounding; the step matrix has as many eigenvalues 1")));
    }
    entries.extend(growing(blocks).map(|text| ("growing", text)));
    let [left, right] = [Column::Left, Column::Right];
    let mut columns = vec![("Method", left), ("Stable up to", right)];
    let is_simulated = study.methods.iter().any(|row| row.simulated.is_some());
    columns.extend(is_simulated.then_some(("By simulation", right)));
    columns.extend([("Decoupled", right), ("Ratio", right), ("Examined up to", right)]);
    columns.push(("Unstable gaps", left));
    format!("{}\n{}", text::entries(&entries), text::table(&columns, study.methods.iter().map(row)))
}

/// Real parts up to this part of the largest eigenvalue are rounding: those of eigenvalues that are zero together are far larger than ε.
const ROUNDING: f64 = 1e-6;

/// What the system itself does to perturbations, where it makes them grow.
fn growing(blocks: &BlockSystem) -> Option<String> {
    let largest = blocks.eigenvalues().last()?.norm();
    let grows: Vec<f64> =
        blocks.eigenvalues().iter().map(|value| value.re).filter(|re| *re > ROUNDING * largest).collect();
    let fastest = grows.iter().copied().reduce(f64::max)?;
    let count = counted(grows.len(), "eigenvalue");
    let rate = text::rounded(fastest, 4);
    Some(format!("{count} to the right of the axis, up to {rate}: the system itself grows, with every small step"))
}

fn row(row: &MethodSteps) -> Vec<String> {
    let exit = row.steps.first_exit;
    let decoupled = match row.decoupled {
        Limit::Finite(limit) => text::rounded(limit, 7),
        Limit::Unbounded => "unbounded".to_owned(),
    };
    let left = match row.decoupled {
        Limit::Finite(limit) if limit > 0.0 && exit.is_finite() => format!("{:.3}", exit / limit),
        _ => "–".to_owned(),
    };
    let gap = |&(from, to): &(f64, f64)| format!("{} to {}", text::rounded(from, 5), text::rounded(to, 5));
    let step = |step: f64, digits| if step.is_finite() { text::rounded(step, digits) } else { "no exit".to_owned() };
    let mut cells = vec![row.id.clone(), step(exit, 7)];
    cells.extend(row.simulated.map(|simulated| step(simulated, 4)));
    cells.extend([
        decoupled,
        left,
        text::rounded(row.steps.farthest, 5),
        row.steps.gaps.iter().map(gap).collect::<Vec<_>>().join(", "),
    ]);
    cells
}

/// The eigenvalues, conjugates combined.
fn eigenvalues(blocks: &BlockSystem) -> String {
    let upper = blocks.eigenvalues().iter().filter(|value| value.im >= 0.0);
    let shown: Vec<String> = upper
        .map(|value| match value.im {
            0.0 => text::rounded(value.re, 6),
            _ => format!("{}±{}i", text::rounded(value.re, 6), text::rounded(value.im, 6)),
        })
        .collect();
    let more = shown.len().saturating_sub(MOST_EIGENVALUES);
    let tail = if more > 0 { format!(", and {more} more") } else { String::new() };
    let head = if blocks.is_decomposed() { "" } else { "the outermost: " };
    format!("{head}{}{tail}", shown[..shown.len() - more].join(", "))
}
