//! Compares claims with the coefficients.

use hemiola_order::{CheckOptions, OrderCheck, OrderReport};
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
            let misses = match rule {
                Rule::Order => misses(&report.check),
                Rule::EmbeddedOrder => embedded_misses(method, reached),
                _ => String::new(),
            };
            found.push(LintFinding::new(rule, format!("claims.{name}"), message + &misses));
        } else if reached > claim {
            found.push(LintFinding::new(Rule::ClaimTooLow, format!("claims.{name}"), message));
        }
    }
    found
}

/// Reports weights and embedded weights whose sum is not 1, which need no claim.
pub(crate) fn inconsistent(method: &Method, report: &OrderReport) -> Vec<LintFinding> {
    let claims = method.claims();
    let has_no_order = claims.order.is_none() && report.check.order() == 0;
    let weights = has_no_order.then(|| {
        LintFinding::new(Rule::Order, "partitions[0].b", format!("is not consistent{}", misses(&report.check)))
    });
    let has_no_embedded_order = claims.embedded_order.is_none() && report.embedded_order == Some(0) && !has_no_order;
    let embedded = has_no_embedded_order.then(|| {
        let message = format!("the embedded weights are not consistent{}", embedded_misses(method, 0));
        LintFinding::new(Rule::EmbeddedOrder, "partitions[0].b_hat", message)
    });
    weights.into_iter().chain(embedded).collect()
}

/// Describes how far the conditions of the first order that fails are missed.
fn misses(check: &OrderCheck) -> String {
    let Some(failing) = check.orders().iter().find(|summary| summary.failed() > 0) else { return String::new() };
    let (failed, conditions, order) = (failing.failed(), failing.conditions, failing.order);
    format!(": {failed} of {conditions} conditions of order {order} fail, by up to {:.1e}", failing.max_residual)
}

/// Describes how far the embedded weights miss the conditions above their order.
fn embedded_misses(method: &Method, reached: usize) -> String {
    let options = CheckOptions { highest_order: reached + 1, ..CheckOptions::default() };
    let check = method.embedded().and_then(|embedded| OrderCheck::new(&embedded, options).ok());
    check.map_or_else(String::new, |check| misses(&check))
}
