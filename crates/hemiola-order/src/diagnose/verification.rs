//! The verdict on a table as it is written, by the order check itself.

use hemiola_tableau::{Coefficient, Exact, Method, Tableau};

use crate::diagnose::conditions::{moment, path};
use crate::diagnose::options::{DiagnoseOptions, PolynomialCoefficient};
use crate::error::OrderError;
use crate::verdict::cell::Cell;
use crate::verdict::check::{self, CheckOptions, OrderCheck, Problem};
use crate::verdict::condition::OrderSummary;
use crate::verdict::uncertainty::Uncertainty;

/// What holds in a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Verdict {
    pub(super) order: usize,
    pub(super) conditions: u64,
    pub(super) failed: u64,
    pub(super) max_residual: f64,
    /// Whether the order is the claimed one and nothing fails.
    pub(super) holds: bool,
    /// The same where last digits may be off.
    pub(super) holds_numerically: bool,
}

/// Whether a table may have the order, as stated or numerically: an answer that comes sooner than a verdict where it is no.
pub(super) fn has_order(method: &Method, options: &DiagnoseOptions, numerically: bool) -> bool {
    check::has_order(method, options.order, problem(options), numerically).unwrap_or(false)
}

fn problem(options: &DiagnoseOptions) -> Problem {
    if options.separable { Problem::Separable } else { Problem::General }
}

/// Checks the order and the given coefficients of polynomials.
pub(super) fn verdict(method: &Method, options: &DiagnoseOptions) -> Result<Verdict, OrderError> {
    let problem = problem(options);
    let check = OrderCheck::new(method, CheckOptions { highest_order: options.order, problem, ..Default::default() })?;
    let polynomials = polynomials(method, &options.polynomials);
    let failing = polynomials.iter().filter(|(residual, explained)| residual > explained).count() as u64;
    // What holds numerically is off by more than the digits explain: a wrong digit in a long table, perhaps.
    let off = |summary: &OrderSummary| summary.failed() + summary.numerically;
    let failed = check.orders().iter().map(off).sum::<u64>() + failing;
    let residuals = polynomials.iter().map(|(residual, _)| *residual);
    let largest = check.orders().iter().map(|summary| summary.max_residual).chain(residuals).fold(0.0, f64::max);
    Ok(Verdict {
        order: check.order_as_stated(),
        conditions: check.orders().iter().map(|summary| summary.conditions).sum::<u64>() + polynomials.len() as u64,
        failed,
        max_residual: largest,
        // One and the same rounding of the coefficients must explain all residuals: the order says more than the failures.
        holds: failed == 0 && check.order_as_stated() == options.order,
        holds_numerically: failing == 0 && check.order() == options.order,
    })
}

/// |bᵀAᵏ⁻¹𝟙 − β_k| with what the precision of the coefficients explains of it.
fn polynomials(method: &Method, wanted: &[PolynomialCoefficient]) -> Vec<(f64, f64)> {
    let exact: Tableau<Exact> = method.exact();
    let uncertainty = Uncertainty::new(method.to_f64(), method.uncertainties());
    let judge = |PolynomialCoefficient { partition, power, value }: &PolynomialCoefficient| {
        let residual = moment(&exact.partitions[*partition], *power) - value.clone();
        (residual.to_f64().abs(), uncertainty.explained(&path(*partition, *power)))
    };
    wanted.iter().map(judge).collect()
}

/// The method with other coefficients in some cells; `None` if that is no valid method.
pub(super) fn with_changes(method: &Method, changes: &[(Cell, Coefficient)]) -> Option<Method> {
    let mut partitions = method.partitions().to_vec();
    for (cell, coefficient) in changes {
        *cell.coefficient_mut(&mut partitions) = coefficient.clone();
    }
    let (claims, precision, source) = (method.claims(), method.precision(), method.source().clone());
    Method::new(method.id(), method.name(), partitions, claims, precision, source).ok()
}
