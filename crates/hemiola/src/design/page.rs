//! A design on the terminal.

use std::path::Path;
use std::time::Duration;

use crate::text::{self, Column};

use super::findings::{Condition, Findings};

/// More conditions than these are left to the report.
const LISTED: usize = 80;

pub(super) fn page(findings: &Findings, time: Duration, interrupted: bool, files: &[&Path]) -> String {
    let method = &findings.design.method;
    let files: Vec<String> = files.iter().map(|file| format!("wrote {}\n", file.display())).collect();
    let mut page = format!("{}: {}\n\n{}\n", method.id(), method.name(), conditions(findings));
    page += &text::entries(&facts(findings, time, interrupted));
    page + &comparison(findings) + "\n" + &files.concat()
}

/// The residual of every condition, from the coefficients in the file.
fn conditions(findings: &Findings) -> String {
    let columns = [
        ("Order", Column::Right),
        ("Condition", Column::Left),
        ("Kind", Column::Left),
        ("Expected", Column::Right),
        ("Residual", Column::Right),
    ];
    let row = |condition: &Condition| {
        vec![
            condition.order.to_string(),
            condition.name.clone(),
            condition.kind.to_owned(),
            condition.expected.clone(),
            text::residual(condition.residual),
        ]
    };
    let listed = &findings.conditions[..findings.conditions.len().min(LISTED)];
    let rest = findings.conditions.len() - listed.len();
    let largest = findings.conditions.iter().map(|condition| condition.residual.abs()).fold(0.0, f64::max);
    let more = if rest > 0 { format!("and {rest} more, in the report; ") } else { String::new() };
    text::table(&columns, listed.iter().map(row))
        + &format!("{more}the largest residual is {}\n", text::residual(largest))
}

fn facts(findings: &Findings, time: Duration, interrupted: bool) -> Vec<(&'static str, String)> {
    let design = &findings.design;
    let specification = &findings.specification;
    let [slow, fast] = [0, 1].map(|partition| {
        let [imaginary, real] = findings.limits[partition];
        format!("{} on the imaginary axis, {} on the negative real axis", text::number(imaginary), text::number(real))
    });
    let stages: Vec<String> = findings.slow_stages().iter().map(ToString::to_string).collect();
    let converged = if design.converged { "" } else { " (the descent was still going on)" };
    let ended = if interrupted { ", interrupted" } else { "" };
    let mut facts = vec![
        ("fast limit", fast),
        ("slow limit", slow),
        ("slow stages", stages.join(", ")),
        ("principal error norm", format!("{}{converged}", text::number(design.error_norm))),
        ("largest coefficient", text::number(design.largest_coefficient)),
    ];
    if let Some(profile) = &findings.profile {
        let values: Vec<String> =
            profile.values.iter().map(|(gamma, value)| format!("{value:.3} at γ = {gamma}")).collect();
        facts.push(("coupled profile", format!("{} (damping {})", values.join(", "), profile.damping)));
    }
    facts.push(("seed", specification.seed.to_string()));
    facts.push(("starts", format!("{}, {} of them solved{ended}", specification.starts, design.solved)));
    facts.push(("time", format!("{:.2} s", time.as_secs_f64())));
    facts
}

/// The published pairs with as many evaluations, beside the new one.
fn comparison(findings: &Findings) -> String {
    if findings.published.is_empty() {
        return "\nThe library has no published pair of this order with as many evaluations.\n".to_owned();
    }
    let columns = [
        ("Pair", Column::Left),
        ("Principal error norm", Column::Right),
        ("Fast imaginary limit", Column::Right),
        ("Largest coefficient", Column::Right),
    ];
    let row = |name: &str, norm: f64, limit: f64, largest: f64| {
        vec![name.to_owned(), text::number(norm), text::number(limit), text::number(largest)]
    };
    let design = &findings.design;
    let new = row("this design", design.error_norm, findings.limits[1][0], design.largest_coefficient);
    let published = findings.published.iter().map(|p| row(&p.id, p.error_norm, p.fast_limit, p.largest_coefficient));
    format!("\n{}", text::table(&columns, std::iter::once(new).chain(published)))
}
