//! Findings about the coefficients alone: abscissae, digits, and embedded weights equal to the weights of the step.

use hemiola_order::{OrderReport, stages_off_row_sums};
use hemiola_tableau::{Coefficient, Exact, Method, Partition};

use crate::finding::{LintFinding, Rule};

pub(crate) fn findings(method: &Method, report: &OrderReport) -> Vec<LintFinding> {
    let found = [row_sums(method, report), digits(method, report), estimate(method)];
    found.into_iter().flatten().collect()
}

/// Reports abscissae that differ from the row sums and lower the order for problems with explicit time.
///
/// A difference by design, as in Lobatto IIIB, is no finding by itself. Methods for separable problems only have no
/// non-autonomous order to lose.
fn row_sums(method: &Method, report: &OrderReport) -> Option<LintFinding> {
    let off = stages_off_row_sums(method);
    let (partition, stages) = off.iter().enumerate().find(|(_, stages)| !stages.is_empty())?;
    let order = report.check.order();
    let with_time = report.non_autonomous_order.filter(|with_time| *with_time < order)?;
    let first = stages.first()?;
    let names: Vec<String> = stages.iter().map(|stage| (stage + 1).to_string()).collect();
    let plural = if names.len() == 1 { "" } else { "s" };
    let name = &method.partitions()[partition].name;
    let message = format!(
        "c of {name} differs from the row sums of A in stage{plural} {}; the order for problems with explicit time is \
         {with_time} instead of {order}",
        names.join(", ")
    );
    Some(LintFinding::new(Rule::RowSums, format!("partitions[{partition}].c[{first}]"), message))
}

/// Reports coefficients whose last digits are off.
///
/// Coefficients without a stated precision are taken as exact: fractions may be rounded as well as decimals.
fn digits(method: &Method, report: &OrderReport) -> Option<LintFinding> {
    let (check, order) = (&report.check, report.check.order());
    let is_stated = method.precision().is_some();
    let reached = if is_stated { check.order_as_stated() } else { check.exact_order() };
    if reached >= order {
        return None;
    }
    let how = if is_stated { "to the stated precision" } else { "exactly" };
    let message = format!(
        "order {order} holds up to rounding in double precision, as in most published tables; the conditions hold {how} \
         up to order {reached}"
    );
    Some(LintFinding::new(Rule::Digits, "partitions", message))
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
