//! Design as text for the terminal.

use std::path::Path;
use std::time::Duration;

use hemiola::design::DesignFile;

use crate::output::text::{self, Column};

use super::balance;
use super::findings::{ConditionText, DesignResults};
use super::made_for::RunComparison;
use super::profile_table;

use hemiola::atlas::wording;

/// Largest number of conditions that are listed; longer lists are only in the report.
const LISTED: usize = 80;

/// Formats the results; `gain` is the text about the outer search.
pub(crate) fn page(findings: &DesignResults, gain: &str, time: Duration, interrupted: bool, files: &[&Path]) -> String {
    let method = &findings.design.method;
    let files: Vec<String> = files.iter().map(|file| format!("wrote {}\n", file.display())).collect();
    let mut page = format!("{}: {}\n\n{}\n", method.id(), method.name(), conditions(findings));
    page += &text::entries(&facts(findings, time, interrupted));
    page + &wish(findings)
        + &findings.compared.as_ref().map(RunComparison::page).unwrap_or_default()
        + gain
        + &comparison(findings)
        + "\n"
        + &files.concat()
}

/// Lists the residual of every condition, computed from the coefficients in the file.
fn conditions(findings: &DesignResults) -> String {
    let columns = text::columns(">Order|<Condition|<Kind|>Expected|>Residual");
    let row = |condition: &ConditionText| {
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

fn facts(findings: &DesignResults, time: Duration, interrupted: bool) -> Vec<(&'static str, String)> {
    let design = &findings.design;
    let specification = &findings.file.specification;
    let [slow, fast] = [findings.slow_limits, findings.pair.fast_limits].map(|[imaginary, real]| {
        format!("{} on the imaginary axis, {} on the negative real axis", text::number(imaginary), text::number(real))
    });
    let stages: Vec<String> = findings.slow_stages().iter().map(ToString::to_string).collect();
    let converged = if design.converged { "" } else { " (the descent had not converged)" };
    let ended = if interrupted { format!(", interrupted after {}", design.tried) } else { String::new() };
    let mut facts = vec![
        ("fast limit", fast),
        ("slow limit", slow),
        ("slow stages", stages.join(", ")),
        ("principal error norm", format!("{}{converged}", text::number(design.error_norm))),
        ("largest coefficient", text::number(design.largest_coefficient)),
    ];
    if let Some(found) = &design.preferred {
        facts.push(("choice", balance::choice_sentence(found)));
        facts.extend(balance::neighbors(found));
    }
    facts.extend(balance::abscissae_sentence(&findings.pair).map(|found| ("abscissae", found)));
    facts.extend(findings.damping.as_ref().map(|found| ("fast stability", balance::damping_sentence(found))));
    facts.extend(design.slow_limit.as_ref().map(|found| ("slow stability", balance::slow_sentence(found))));
    facts.extend(design.internal.as_ref().map(|found| ("internal stability", balance::sentence(found))));
    let claims = design.method.claims();
    facts.extend(claims.embedded_order.map(|order| ("embedded weights", format!("order {order}"))));
    facts.extend(claims.dense_order.map(|order| ("dense output", format!("order {order}"))));
    let gap = design.gap.map_or_else(String::new, |gap| format!(": {gap}"));
    facts.push(("certificate", wording::certificate(&design.certificate) + &gap));
    facts.push(("seed", specification.seed.to_string()));
    facts.push((
        "starts",
        format!("{}, {} of them solved{ended}", specification.starts.max(design.tried), design.solved),
    ));
    facts.push(("time", format!("{:.2} s", time.as_secs_f64())));
    facts
}

/// Formats the target and the result of the coupled profile.
fn wish(findings: &DesignResults) -> String {
    let Some(wish) = &findings.wish else { return String::new() };
    let header = profile_table::header(wish);
    let alignments = [Column::Left, Column::Right, Column::Right, Column::Right];
    let columns: Vec<(&str, Column)> = header.iter().map(String::as_str).zip(alignments).collect();
    format!("\n{}", text::table(&columns, profile_table::rows(wish).into_iter().map(Vec::from)))
}

/// Compares the new pair with published pairs with equal numbers of evaluations.
fn comparison(findings: &DesignResults) -> String {
    let mut columns = text::columns("<|>this design");
    columns.extend(findings.published.iter().map(|pair| (pair.id.as_str(), Column::Right)));
    let none = if findings.published.is_empty() {
        "The library has no published pair of this order with these numbers of evaluations.\n"
    } else {
        ""
    };
    format!("\n{}{none}", text::table(&columns, super::comparison::rows(findings)))
}

/// Lists the fields of design files with their descriptions.
pub(crate) fn fields() -> String {
    let rows = DesignFile::fields().iter().map(|field| vec![field.path.clone(), field.description.clone()]);
    text::table(&[("Field", Column::Left), ("Meaning", Column::Left)], rows)
}
