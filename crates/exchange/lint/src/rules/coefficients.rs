//! Findings about the coefficients alone: abscissae, digits, and embedded weights equal to the weights of the step.

use hemiola_order::{OrderReport, estimate_gaps, stages_off_row_sums};
use hemiola_tableau::library::{LibraryTwin, TwinDifference};
use hemiola_tableau::{Coefficient, Exact, Method, Partition};

use crate::finding::{LintFinding, Rule};

/// `is_source` tells whether the method comes from a program, whose decimals are rounded without saying so.
pub(crate) fn findings(method: &Method, report: &OrderReport, is_source: bool) -> Vec<LintFinding> {
    let found = [row_sums(method, report, is_source), digits(method, report, is_source), estimate(method)];
    found.into_iter().flatten().chain(gaps(method)).collect()
}

/// Reports abscissae that differ from the row sums and lower the order for problems with explicit time.
///
/// A difference by design, as in Lobatto IIIB, is no finding by itself. Methods for separable problems only have no
/// non-autonomous order to lose. In a program any difference is a finding if the method does not reach a claimed order.
fn row_sums(method: &Method, report: &OrderReport, is_source: bool) -> Option<LintFinding> {
    let off = stages_off_row_sums(method);
    let (partition, stages) = off.iter().enumerate().find(|(_, stages)| !stages.is_empty())?;
    let order = report.check.order();
    let with_time = report.non_autonomous_order.filter(|with_time| *with_time < order);
    let has_claim = method.claims().order.is_some_and(|claim| claim <= order);
    if has_claim && with_time.is_some_and(|with_time| Some(with_time) < method.claims().order) {
        // The claim fails.
        return None;
    }
    if with_time.is_none() && (!is_source || has_claim) {
        return None;
    }
    let first = stages.first()?;
    let tableau = &method.to_f64().partitions[partition];
    let off = |stage: &usize| (tableau.a[*stage].iter().sum::<f64>() - tableau.c[*stage]).abs();
    let by = stages.iter().map(off).fold(0.0, f64::max);
    let names: Vec<String> = stages.iter().map(|stage| (stage + 1).to_string()).collect();
    let plural = if names.len() == 1 { "" } else { "s" };
    let name = &method.partitions()[partition].name;
    let of = if method.partitions().len() == 1 { String::new() } else { format!(" of {name}") };
    let effect = with_time.map_or_else(String::new, |with_time| {
        format!("; the order for problems with explicit time is {with_time} instead of {order}")
    });
    let stages = names.join(", ");
    let message = format!("c{of} differs from the row sums of A in stage{plural} {stages}, by up to {by:.1e}{effect}");
    // If the order suffers as well, the row of A is wrong rather than c.
    let array = if with_time.is_some() { "c" } else { "a" };
    Some(LintFinding::new(Rule::RowSums, format!("partitions[{partition}].{array}[{first}]"), message))
}

/// Reports coefficients whose last digits are off.
///
/// Coefficients without a stated precision are taken as exact: fractions may be rounded as well as decimals.
fn digits(method: &Method, report: &OrderReport, is_source: bool) -> Option<LintFinding> {
    let (check, order) = (&report.check, report.check.order());
    let is_stated = method.precision().is_some();
    let reached = if is_stated || is_source { check.order_as_stated() } else { check.exact_order() };
    if reached >= order {
        return None;
    }
    let how = match (is_stated, is_source) {
        (true, _) => "to the stated precision",
        (false, true) => "to the precision of the digits",
        (false, false) => "exactly",
    };
    let message = format!(
        "order {order} holds up to rounding in double precision; the conditions hold {how} \
         up to order {reached}"
    );
    Some(LintFinding::new(Rule::Digits, "partitions", message))
}

/// Reports a method of the library that differs in one entry, which is probably a misprint, or in last digits. A finding on
/// an order that is not reached is extended; otherwise the difference is a finding of its own.
pub(crate) fn near_library(method: &Method, report: &OrderReport, findings: &mut Vec<LintFinding>) {
    let Some(twin) = LibraryTwin::find(method) else { return };
    let path = match &twin.difference {
        TwinDifference::LastDigits { entry, .. } | TwinDifference::OneEntry(entry) => entry.path.clone(),
        TwinDifference::None | TwinDifference::Rounding => return,
    };
    if !twin.is_misprint(report.check.order(), report.embedded_order) {
        return;
    }
    match findings.iter_mut().find(|finding| matches!(finding.rule, Rule::Order | Rule::EmbeddedOrder)) {
        Some(finding) => finding.message += &format!("; {twin}"),
        None => findings.push(LintFinding::new(Rule::NearLibrary, path, twin.to_string())),
    }
}

/// Reports classes of problems on which the error estimate of a partition vanishes.
fn gaps(method: &Method) -> Vec<LintFinding> {
    let of_partition = |partition: usize| {
        let of = match method.partitions() {
            [_] => String::new(),
            several => format!(" of {}", several[partition].name),
        };
        estimate_gaps(method, partition).into_iter().map(move |gap| {
            let message = format!("the error estimate{of} {gap}");
            LintFinding::new(Rule::EstimateVanishes, format!("partitions[{partition}].b_hat"), message)
        })
    };
    (0..method.partitions().len()).flat_map(of_partition).collect()
}

fn estimate(method: &Method) -> Option<LintFinding> {
    let values =
        |weights: &[Coefficient]| -> Vec<Exact> { weights.iter().map(|weight| weight.value().clone()).collect() };
    let is_step =
        |partition: &Partition| partition.b_hat.as_ref().is_some_and(|b_hat| values(b_hat) == values(&partition.b));
    let message = "the embedded weights equal the weights of the step, so that the error estimate is always zero";
    let finding = || LintFinding::new(Rule::EmbeddedIsStep, "partitions[0].b_hat", message);
    method.partitions().iter().all(is_step).then(finding)
}
