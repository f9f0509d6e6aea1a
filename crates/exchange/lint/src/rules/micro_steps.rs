//! Findings about methods with micro-steps: claims, compared with the orders that hold for every M.

use hemiola_multirate::MicroStepMethod;
use hemiola_multirate::microsteps::{HoldingRatios, MicroStepReport};

use crate::finding::{LintFinding, Rule};

/// Compares the claim of a method with its order for every number of micro-steps.
pub(crate) fn findings(method: &MicroStepMethod) -> Option<LintFinding> {
    let report = match MicroStepReport::new(method, None) {
        Ok(report) => report,
        Err(error) => return Some(LintFinding::new(Rule::Unchecked, "claims.order", error.to_string())),
    };
    let order = report.order();
    let Some(claim) = method.claims().order else {
        let at_least = if report.is_capped() { "at least " } else { "" };
        return Some(LintFinding::new(
            Rule::NoClaim,
            "claims",
            format!("claims no order; has order {at_least}{order} for every M"),
        ));
    };
    // A claim beyond the highest checked order is not refuted.
    let is_refuted = order < claim.min(report.orders.len());
    let rule = if is_refuted { Rule::Order } else { Rule::ClaimTooLow };
    let only = match report.holds_to(claim) {
        HoldingRatios::Only(found) if is_refuted && !found.is_empty() => {
            let found: Vec<String> = found.iter().map(ToString::to_string).collect();
            format!(", order {claim} for M = {} only", found.join(", "))
        }
        _ => String::new(),
    };
    let message = format!("claims order {claim}; has order {order} for every M{only}");
    (is_refuted || order > claim).then(|| LintFinding::new(rule, "claims.order", message))
}
