//! Checks of methods with any number of micro-steps: verdicts for every M, as text and as JSON.

use hemiola::multirate::microsteps::{CompoundStage, HoldingRatios, MicroStepOrder};
use hemiola::multirate::{MicroStepMethod, MicroStepReport};
use hemiola::tableau::library::Library;
use hemiola::tableau::printable;
use serde::Serialize;

use crate::arguments::multirate::micro_steps;
use crate::failure::{CommandOutcome, Failure};
use crate::output::text::{self, Column};
use crate::output::writer::Output;

/// Names of the partitions in trees.
const PARTITIONS: [&str; 2] = ["slow", "fast"];
/// Largest number of failing trees that are listed.
const LISTED: usize = 24;

/// Returns the methods if all arguments are methods with micro-steps.
pub(super) fn methods(
    names: &[Result<String, Failure>],
    library: &Library,
) -> Result<Option<Vec<MicroStepMethod>>, Failure> {
    let mut found = Vec::new();
    for name in names {
        let Ok(name) = name else { return Ok(None) };
        let Some(method) = micro_steps(name, library)? else { return Ok(None) };
        found.push(method);
    }
    Ok(Some(found).filter(|found| !found.is_empty()))
}

/// Checks methods up to an order, or up to the first order that does not hold for every M.
pub(super) fn check(
    methods: &[MicroStepMethod],
    order: Option<usize>,
    is_json: bool,
    output: &mut Output,
) -> Result<CommandOutcome, Failure> {
    let checked = |method| Ok::<_, Failure>((method, MicroStepReport::new(method, order)?));
    let all: Vec<_> = methods.iter().map(checked).collect::<Result<_, _>>()?;
    if is_json {
        output.json(&all.iter().map(|(method, report)| json(method, report)).collect::<Vec<_>>())?;
    } else {
        let pages: Vec<String> = all.iter().map(|(method, report)| page(method, report)).collect::<Result<_, _>>()?;
        output.text(&pages.join("\n"))?;
    }
    let fails = all.iter().any(|(method, report)| fails(method, report));
    Ok(if fails { CommandOutcome::CheckFailed } else { CommandOutcome::Done })
}

/// Returns whether the claimed order, as far as it was checked, does not hold for every M.
fn fails(method: &MicroStepMethod, report: &MicroStepReport) -> bool {
    method.claims().order.is_some_and(|claimed| report.order() < claimed.min(report.orders.len()))
}

fn page(method: &MicroStepMethod, report: &MicroStepReport) -> Result<String, Failure> {
    let columns = [
        ("Order", Column::Right),
        ("Conditions", Column::Right),
        ("Failed", Column::Right),
        ("Holds for", Column::Left),
        ("Degree in M", Column::Right),
    ];
    let least = method.least_ratio();
    let row = |order: &MicroStepOrder| {
        vec![
            order.order.to_string(),
            order.conditions.to_string(),
            order.failures.len().to_string(),
            ratios(&order.holds, least),
            format!("≤ {}", order.degree),
        ]
    };
    let table = text::table(&columns, report.orders.iter().map(row));
    let mut page = format!("{}: {}\n\n{table}", method.id(), printable(method.name()));
    page += &failures(report, method.claims().order.unwrap_or(usize::MAX), least);
    page += &format!("\n{}", solved_together(method)?);
    let at_least = if report.is_capped() { "≥ " } else { "" };
    page += &format!("\norder {at_least}{} for every M ≥ {least}: exactly\n", report.order());
    for order in report.order() + 1..=report.orders.len() {
        if let HoldingRatios::Only(found) = report.holds_to(order)
            && !found.is_empty()
        {
            page += &format!("order {order} for {} only\n", ratios(&HoldingRatios::Only(found), least));
        }
    }
    match method.claims().order {
        Some(claimed) if fails(method, report) => page += &format!("claim order {claimed}: FAILS\n"),
        Some(claimed) if claimed <= report.order() => {
            page += &format!("claim order {claimed}: verified exactly for every M ≥ {least}\n");
        }
        _ => {}
    }
    Ok(page)
}

/// Describes the stages that must be solved together, for two micro-steps.
fn solved_together(method: &MicroStepMethod) -> Result<String, Failure> {
    let ratio = method.least_ratio().max(2);
    let groups = method.coupled_stages(ratio)?;
    if groups.is_empty() {
        return Ok("all stages explicit\n".to_owned());
    }
    let name = |stage: &CompoundStage| match stage {
        CompoundStage::Slow(i) => format!("slow {}", i + 1),
        CompoundStage::Fast(micro_step, i) => format!("fast {} of micro-step {}", i + 1, micro_step + 1),
    };
    let line = |group: &Vec<CompoundStage>| {
        format!("solved together with M = {ratio}: {}\n", group.iter().map(name).collect::<Vec<_>>().join(", "))
    };
    Ok(groups.iter().map(line).collect())
}

/// Lists the trees up to an order whose conditions do not hold for every M.
fn failures(report: &MicroStepReport, highest: usize, least: usize) -> String {
    let columns = [("Order", Column::Right), ("Failing tree", Column::Left), ("Holds for", Column::Left)];
    let all: Vec<Vec<String>> = report
        .orders
        .iter()
        .filter(|order| order.order <= highest)
        .flat_map(|order| order.failures.iter().map(|(tree, holds)| (order.order, tree, holds)))
        .map(|(order, tree, holds)| vec![order.to_string(), tree.text(&PARTITIONS), ratios(holds, least)])
        .collect();
    if all.is_empty() {
        return String::new();
    }
    let rest = all.len().saturating_sub(LISTED);
    let table = text::table(&columns, all.into_iter().take(LISTED));
    if rest > 0 { format!("\n{table}and {rest} more; --json lists them\n") } else { format!("\n{table}") }
}

fn ratios(holds: &HoldingRatios, least: usize) -> String {
    match holds {
        HoldingRatios::Every => format!("every M ≥ {least}"),
        HoldingRatios::Only(found) if found.is_empty() => "no M".to_owned(),
        HoldingRatios::Only(found) => {
            format!("M = {}", found.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Results of a check as JSON.
#[derive(Serialize)]
struct Report<'a> {
    id: &'a str,
    claimed_order: Option<usize>,
    /// The order for every M.
    order: usize,
    /// Whether no order was checked that fails, so that the order may be higher.
    order_capped: bool,
    orders: Vec<OrderReport>,
}

#[derive(Serialize)]
struct OrderReport {
    order: usize,
    conditions: usize,
    failed: usize,
    degree: usize,
    /// The M for which the conditions of this order hold; null for every M.
    holds_for: Option<Vec<u64>>,
    failures: Vec<FailureReport>,
}

#[derive(Serialize)]
struct FailureReport {
    tree: String,
    holds_for: Option<Vec<u64>>,
}

fn json<'a>(method: &'a MicroStepMethod, report: &MicroStepReport) -> Report<'a> {
    let only = |holds: &HoldingRatios| match holds {
        HoldingRatios::Every => None,
        HoldingRatios::Only(found) => Some(found.clone()),
    };
    let failure = |(tree, holds): &(_, HoldingRatios)| FailureReport { tree: tree_text(tree), holds_for: only(holds) };
    let order = |order: &MicroStepOrder| OrderReport {
        order: order.order,
        conditions: order.conditions,
        failed: order.failures.len(),
        degree: order.degree,
        holds_for: only(&order.holds),
        failures: order.failures.iter().map(failure).collect(),
    };
    Report {
        id: method.id(),
        claimed_order: method.claims().order,
        order: report.order(),
        order_capped: report.is_capped(),
        orders: report.orders.iter().map(order).collect(),
    }
}

fn tree_text(tree: &hemiola::order::Tree) -> String {
    tree.text(&PARTITIONS)
}
