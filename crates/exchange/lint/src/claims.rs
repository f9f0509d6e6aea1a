//! Compares claims with the coefficients.

use hemiola_order::OrderReport;
use hemiola_tableau::Method;

use crate::finding::{LintFinding, Rule};

/// Compares the claimed orders with the computed orders, which were checked up to `checked_to`.
pub(crate) fn findings(method: &Method, report: &OrderReport, checked_to: usize) -> Vec<LintFinding> {
    let claims = method.claims();
    let mut found = Vec::new();
    let order = report.check.order();
    if claims.order.is_none() {
        found.push(LintFinding::new(Rule::NoClaim, "claims", format!("claims no order; has order {order}")));
    }
    let dense = report.dense_output.as_ref().map(|dense| dense.order);
    // The separable order is checked up to one above its own claim.
    let separable_to = claims.separable_order.map_or(checked_to, |claim| checked_to.max(claim + 1));
    for (rule, name, claim, reached, checked_to) in [
        (Rule::Order, "order", claims.order, Some(order), checked_to),
        (Rule::SeparableOrder, "separable_order", claims.separable_order, report.separable_order, separable_to),
        (Rule::EmbeddedOrder, "embedded_order", claims.embedded_order, report.embedded_order, checked_to),
        (Rule::DenseOrder, "dense_order", claims.dense_order, dense, checked_to),
    ] {
        let (Some(claim), Some(reached)) = (claim, reached) else { continue };
        let words = name.replace('_', " ");
        let message = format!("claims {words} {claim}; has {words} {reached}");
        // A claim beyond the highest checked order is not refuted.
        if reached < claim.min(checked_to) {
            found.push(LintFinding::new(rule, format!("claims.{name}"), message));
        } else if reached > claim {
            found.push(LintFinding::new(Rule::ClaimTooLow, format!("claims.{name}"), message));
        }
    }
    found
}
