//! Results as text.

use hemiola::stability::system::STABILITY_MARGIN;
use hemiola::stability::{BlockSystem, Limit};
use num_complex::Complex64;

use hemiola::study::stable_steps::{MethodSteps, StableStepStudy};

use crate::output::text::{self, Column, counted};

use super::source::NamedSystem;

/// Largest number of eigenvalues that are listed; the JSON output has all of them.
const MOST_EIGENVALUES: usize = 40;
/// Largest number of gaps that are listed; the JSON output has all of them.
const MOST_GAPS: usize = 4;

pub(crate) fn page(system: &NamedSystem, study: &StableStepStudy<'_>) -> String {
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
    entries.extend(growing(study).map(|text| ("growing", text)));
    let [left, right] = [Column::Left, Column::Right];
    let mut columns = text::columns("<Method|>Stable up to");
    let is_simulated = study.methods.iter().any(|row| row.simulated.is_some());
    columns.extend(is_simulated.then_some(("By simulation", right)));
    columns.extend([("Decoupled", right), ("Ratio", right), ("Examined up to", right)]);
    columns.push(("Unstable gaps", left));
    let table = text::table(&columns, study.methods.iter().map(row));
    let reasons: Vec<_> = no_steps(study).into_iter().map(|reason| ("decoupled", reason)).collect();
    let gap = if reasons.is_empty() { "" } else { "\n" };
    format!("{}\n{table}{gap}{}", text::entries(&entries), text::entries(&reasons))
}

/// Describes the growth of perturbations of the system itself if it is visible within the examined step sizes.
fn growing(study: &StableStepStudy<'_>) -> Option<String> {
    let is_seen = |re: &f64| *re * study.farthest > STABILITY_MARGIN;
    let grows: Vec<f64> = study.blocks.eigenvalues().iter().map(|value| value.re).filter(is_seen).collect();
    let fastest = grows.iter().copied().reduce(f64::max)?;
    let count = counted(grows.len(), "eigenvalue");
    let rate = text::rounded(fastest, 4);
    let from = text::rounded(STABILITY_MARGIN / fastest, 2);
    Some(format!(
        "{count} to the right of the axis, up to {rate}: the system itself grows by more than 1e-9 in steps of {from} \
         and more"
    ))
}

/// Explains why a decoupled step is zero, once for each responsible eigenvalue.
fn no_steps(study: &StableStepStudy<'_>) -> Vec<String> {
    let mut reasons = Vec::new();
    for row in &study.methods {
        let Some(bound) = row.bound.filter(|bound| bound.step == 0.0) else { continue };
        let part = match (row.partitions, bound.partition) {
            (1, _) => "the system".to_owned(),
            (2, 0) => "the slow part alone".to_owned(),
            (2, _) => "the fast part alone".to_owned(),
            (_, part) => format!("part {} alone", part + 1),
        };
        let value = eigenvalue(bound.eigenvalue);
        let reason = if bound.eigenvalue.re > 0.0 {
            let coupled =
                if row.partitions > 1 && row.steps.first_exit > 0.0 { "; the coupling stabilizes it" } else { "" };
            format!("0, and no ratio: {part} has the eigenvalue {value} and is unstable by itself{coupled}")
        } else {
            format!("0, and no ratio, for {}: {part} has the eigenvalue {value}, for which no step is stable", row.id)
        };
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    reasons
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
    let gaps = &row.steps.gaps;
    let mut shown: Vec<String> = gaps.iter().take(MOST_GAPS).map(gap).collect();
    shown.extend((gaps.len() > MOST_GAPS).then(|| format!("and {} more", gaps.len() - MOST_GAPS)));
    cells.extend([decoupled, left, text::rounded(row.steps.farthest, 5), shown.join(", ")]);
    cells
}

/// Lists the eigenvalues, conjugates combined.
fn eigenvalues(blocks: &BlockSystem) -> String {
    let upper = blocks.eigenvalues().iter().filter(|value| value.im >= 0.0);
    let shown: Vec<String> = upper.copied().map(eigenvalue).collect();
    let more = shown.len().saturating_sub(MOST_EIGENVALUES);
    let tail = if more > 0 { format!(", and {more} more") } else { String::new() };
    let head = if blocks.is_decomposed() { "" } else { "the outermost: " };
    format!("{head}{}{tail}", shown[..shown.len() - more].join(", "))
}

/// Formats an eigenvalue or a pair of conjugates.
fn eigenvalue(value: Complex64) -> String {
    match value.im {
        0.0 => text::rounded(value.re, 6),
        im => format!("{}±{}i", text::rounded(value.re, 6), text::rounded(im, 6)),
    }
}
