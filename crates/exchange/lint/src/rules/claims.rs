//! Compares claims with the coefficients.

use hemiola_order::{
    CheckOptions, OrderCheck, OrderReport, has_exchanged_weights, off_row_sums_text, stages_off_row_sums,
};
use hemiola_tableau::{Claims, Method};

use crate::finding::{LintFinding, Rule};

/// Compares the claimed orders with the computed orders. `goes_on` tells whether the check went on to the first order that
/// fails.
pub(crate) fn findings(method: &Method, report: &OrderReport, goes_on: bool) -> Vec<LintFinding> {
    let claims = method.claims();
    let mut found = Vec::new();
    let (order, checked_to) = (report.check.order(), report.check.highest_order());
    if claims.order.is_none() {
        let at_least = if report.check.is_capped() { "at least " } else { "" };
        found.push(LintFinding::new(Rule::NoClaim, "claims", format!("claims no order; has order {at_least}{order}")));
    }
    if has_exchanged_weights(claims, order, report.embedded_order) {
        found.push(exchanged(claims));
        return found;
    }
    found.extend(with_time(method, report));
    let dense = report.dense_output.as_ref().map(|dense| dense.order);
    // The separable order is checked up to one above its own claim.
    let separable_to = claims.separable_order.map_or(checked_to, |claim| checked_to.max(claim + 1));
    let embedded_to = if goes_on { usize::MAX } else { checked_to };
    for (rule, name, claim, reached, checked_to) in [
        (Rule::Order, "order", claims.order, Some(order), checked_to),
        (Rule::SeparableOrder, "separable_order", claims.separable_order, report.separable_order, separable_to),
        (Rule::EmbeddedOrder, "embedded_order", claims.embedded_order, report.embedded_order, embedded_to),
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

/// Reports that the weights of the step have the order claimed for the embedded weights, and the reverse.
fn exchanged(claims: Claims) -> LintFinding {
    let [own, embedded] = [claims.order, claims.embedded_order].map(Option::unwrap_or_default);
    let message = format!(
        "claims order {own} and embedded order {embedded}; the weights have order {embedded} and the embedded weights \
         order {own}: b and b̂ are exchanged"
    );
    let rule = if own > embedded { Rule::Order } else { Rule::EmbeddedOrder };
    LintFinding::new(rule, "partitions[0].b", message)
}

/// Reports abscissae that refute the claimed order for problems y' = f(t, y).
fn with_time(method: &Method, report: &OrderReport) -> Option<LintFinding> {
    let claim = method.claims().order.filter(|claim| *claim <= report.check.order())?;
    let order = report.non_autonomous_order.filter(|order| *order < claim)?;
    let off = stages_off_row_sums(method);
    let (partition, stages) = off.iter().enumerate().find(|(_, stages)| !stages.is_empty())?;
    let reason = off_row_sums_text(method)?;
    let message = format!("claims order {claim}; has order {order} for y' = f(t, y): {reason}");
    Some(LintFinding::new(Rule::Order, format!("partitions[{partition}].c[{}]", stages.first()?), message))
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
