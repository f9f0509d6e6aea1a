//! Results of a check as text.

use hemiola::atlas::check::{CheckedClaim, ClaimOrders, MethodCheck};
use hemiola::atlas::wording;
use hemiola::order::{Condition, OrderSummary};
use hemiola::tableau::printable;

use crate::output::text;

/// Largest number of failing trees that are listed; further ones are only counted.
const LISTED: usize = 24;

/// Formats all results for one method, claims last.
pub(crate) fn page(checked: &MethodCheck) -> String {
    let method = &checked.method;
    let mut page = format!(
        "{}: {}\n\n{}\n{}",
        method.id(),
        printable(method.name()),
        orders(checked),
        text::entries(&facts(checked))
    );
    page += &failures(checked);
    page += &joint_failure(checked);
    page.push('\n');
    page += &conclusion(checked);
    page
}

fn orders(checked: &MethodCheck) -> String {
    let columns = text::columns(">Order|>Conditions|>Failed|>Largest residual|<Verdict");
    let row = |summary: &OrderSummary| {
        vec![
            summary.order.to_string(),
            summary.conditions.to_string(),
            summary.failed().to_string(),
            text::residual(summary.max_residual),
            wording::verdict(summary).to_owned(),
        ]
    };
    text::table(&columns, checked.report.check.orders().iter().map(row))
}

fn facts(checked: &MethodCheck) -> Vec<(&'static str, String)> {
    let report = &checked.report;
    let mut facts = vec![("order", wording::order(&report.check))];
    // An explicit tolerance replaces the precision of the digits.
    let stated = checked.options.tolerance.is_none().then(|| wording::as_stated(&checked.method, &report.check));
    facts.extend(stated.flatten());
    facts.push(("exact order", report.check.exact_order().to_string()));
    let partitions = checked.method.partitions();
    if partitions.len() > 1 && !checked.is_separable() {
        let named = partitions.iter().zip(&report.partition_orders);
        let named: Vec<String> = named.map(|(partition, order)| format!("{} {order}", partition.name)).collect();
        facts.push(("partition orders", named.join(", ")));
    }
    let further = [
        ("separable order", report.separable_order.filter(|_| !checked.is_separable())),
        ("embedded order", report.embedded_order),
    ];
    facts.extend(checked.certificate_text().map(|text| ("certificate", text)));
    facts.extend(wording::orders(report));
    facts.extend(further.into_iter().filter_map(|(name, order)| order.map(|order| (name, order.to_string()))));
    facts.extend(wording::non_autonomous_order(&checked.method, report));
    facts.extend(wording::dense_output(report));
    // The remaining properties require converged stage equations and all conditions.
    if checked.is_general() {
        facts.push(("stage order", report.stage_order.to_string()));
        facts.extend(wording::principal_error_norm(report));
        facts.extend(wording::properties(&checked.method, report));
    }
    facts.push(("arithmetic", report.arithmetic.to_owned()));
    facts.extend(checked.twin().map(|twin| ("library", twin.to_string())));
    facts
}

/// Lists the failing trees that refute a claim.
fn failures(checked: &MethodCheck) -> String {
    let faults = checked.faults();
    if faults.count == 0 {
        return String::new();
    }
    let columns = text::columns(">Order|<Failing tree|>Value|>Expected|>Residual|>Explained");
    let labels = checked.labels();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let row = |condition: &&Condition| {
        let density = condition.tree.density();
        vec![
            condition.tree.order().to_string(),
            condition.tree.text(&labels),
            text::number(condition.value),
            if density == 1 { "1".to_owned() } else { format!("1/{density}") },
            text::residual(condition.residual),
            text::residual(condition.explained),
        ]
    };
    let table = text::table(&columns, faults.listed.iter().take(LISTED).map(row));
    let rest = faults.count.saturating_sub(LISTED as u64);
    let rest = if rest > 0 { format!("and {rest} more; --json lists up to a thousand\n") } else { String::new() };
    format!("\n{table}{rest}")
}

/// Explains an order that does not hold although none of its conditions fails.
fn joint_failure(checked: &MethodCheck) -> String {
    let refuted = checked.report.check.orders().iter().find(|summary| summary.fails_together());
    refuted.map_or_else(String::new, |summary| {
        let order = summary.order;
        format!(
            "\nThe conditions up to order {order} hold individually but not together: no single change of last digits explains all \
             residuals. `hemiola diagnose` searches for misprints.\n"
        )
    })
}

/// Formats the claims and their verdicts; without claims, the order.
fn conclusion(checked: &MethodCheck) -> String {
    let claims = checked.claims();
    let order = wording::at_least(&checked.report.check);
    let lines: Vec<String> = match checked.iterations() {
        Some(count) => vec![format!("linearized with {}: order {order}", text::counted(count, "Newton iteration"))],
        None if claims.is_empty() => vec![checked.without_claim()],
        None => claims.iter().map(CheckedClaim::text).collect(),
    };
    let exchanged = checked.has_exchanged_weights().then(|| EXCHANGED.to_owned());
    lines.into_iter().chain(exchanged).collect::<Vec<_>>().join("\n") + "\n"
}

/// Statement on weights that have the orders claimed for each other.
const EXCHANGED: &str = "b and b̂ are exchanged: each has the order claimed for the other";

/// Formats one line per method.
pub(crate) fn summary<R: ClaimOrders>(all: &[MethodCheck<R>]) -> String {
    let columns = text::columns("<Method|>Order|>As stated|>Exact|<Verdict");
    let row = |checked: &MethodCheck<R>| {
        let check = checked.report.check();
        let [as_stated, exact] = [check.order_as_stated(), check.exact_order()].map(|order| order.to_string());
        // Failing claims come last.
        let claim = checked.claims().last().map_or_else(|| checked.without_claim(), CheckedClaim::text);
        let claim = if checked.has_exchanged_weights() { format!("{claim}; b and b̂ are exchanged") } else { claim };
        let verdict = match &checked.certificate {
            None => claim,
            Some((_, None)) => format!("{claim}; the certificate holds"),
            Some((_, Some(refusal))) => format!("{claim}; the certificate does not hold: {refusal}"),
        };
        vec![checked.method.id().to_owned(), wording::at_least(check), as_stated, exact, verdict]
    };
    text::table(&columns, all.iter().map(row))
}
