//! The verdict of the order check on a tableau as written.

use hemiola_tableau::{Coefficient, Exact, Method, Tableau};

use crate::diagnose::claim::Claim;
use crate::diagnose::conditions::{ClaimConditions, moment, path};
use crate::diagnose::options::{DiagnoseOptions, PolynomialCoefficient};
use crate::diagnose::subject::ExtendedMethod;
use crate::error::OrderError;
use crate::properties::dense_output::dense_output;
use crate::verdict::cell::Cell;
use crate::verdict::check::{self, CheckOptions, OrderCheck, ProblemClass};
use crate::verdict::condition::OrderSummary;
use crate::verdict::uncertainty::Uncertainty;

/// Result of an order check of a claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ClaimVerdict {
    pub(super) order: usize,
    pub(super) conditions: u64,
    pub(super) failed: u64,
    pub(super) max_residual: f64,
    /// Whether the order is the claimed one and nothing fails.
    pub(super) holds: bool,
    /// Whether the claim holds if last digits may be wrong.
    pub(super) holds_numerically: bool,
}

/// Returns whether a tableau may have the order, as stated or numerically, and its embedded weights the order that they
/// are to keep. A negative answer takes less time than a verdict.
pub(super) fn has_order(
    method: &Method,
    options: &DiagnoseOptions,
    keeps_embedded_order: bool,
    numerically: bool,
) -> bool {
    let has = |method: &Method, order, problem| check::has_order(method, order, problem, numerically).unwrap_or(false);
    match options.claim {
        Claim::Order => {
            let embedded = || Some((method.embedded()?, method.claims().embedded_order?));
            let keeps_order =
                || embedded().is_some_and(|(embedded, order)| has(&embedded, order, ProblemClass::General));
            has(method, options.order, ProblemClass::General) && (!keeps_embedded_order || keeps_order())
        }
        Claim::SeparableOrder => has(method, options.order, ProblemClass::Separable),
        // The stages also serve the weights of the method.
        Claim::EmbeddedOrder => {
            let keeps_order = || method.claims().order.is_none_or(|order| has(method, order, ProblemClass::General));
            let embedded = method.embedded();
            embedded.is_some_and(|embedded| has(&embedded, options.order, ProblemClass::General)) && keeps_order()
        }
        Claim::DenseOrder => dense_order(method, options).is_ok_and(|order| order == options.order),
    }
}

/// Returns the order of the dense output, up to the claimed order.
fn dense_order(method: &Method, options: &DiagnoseOptions) -> Result<usize, OrderError> {
    let options = CheckOptions { highest_order: options.order, ..Default::default() };
    let dense = dense_output(method, options)?;
    dense.map(|dense| dense.order).ok_or(OrderError::NoWeights { claim: Claim::DenseOrder })
}

/// Checks the order and the given coefficients of polynomials.
pub(super) fn verdict(method: &Method, options: &DiagnoseOptions) -> Result<ClaimVerdict, OrderError> {
    let claimed = match options.claim {
        Claim::Order => of_check(method, options, ProblemClass::General)?,
        Claim::SeparableOrder => of_check(method, options, ProblemClass::Separable)?,
        claim @ Claim::EmbeddedOrder => {
            let embedded = method.embedded().ok_or(OrderError::NoWeights { claim })?;
            of_check(&embedded, options, ProblemClass::General)?
        }
        Claim::DenseOrder => of_dense(method, options)?,
    };
    let polynomials = polynomials(method, &options.polynomials);
    let failing = polynomials.iter().filter(|(residual, explained)| residual > explained).count() as u64;
    let residuals = polynomials.iter().map(|(residual, _)| *residual);
    Ok(ClaimVerdict {
        conditions: claimed.conditions + polynomials.len() as u64,
        failed: claimed.failed + failing,
        max_residual: residuals.fold(claimed.max_residual, f64::max),
        holds: failing == 0 && claimed.holds,
        holds_numerically: failing == 0 && claimed.holds_numerically,
        ..claimed
    })
}

fn of_check(method: &Method, options: &DiagnoseOptions, problem: ProblemClass) -> Result<ClaimVerdict, OrderError> {
    let check = OrderCheck::new(method, CheckOptions { highest_order: options.order, problem, ..Default::default() })?;
    // A condition that holds only numerically has a larger residual than the digits explain. A wrong digit in a long
    // tableau may be the cause.
    let off = |summary: &OrderSummary| summary.failed() + summary.numerically;
    let failed = check.orders().iter().map(off).sum::<u64>();
    Ok(ClaimVerdict {
        order: check.order_as_stated(),
        conditions: check.orders().iter().map(|summary| summary.conditions).sum::<u64>(),
        failed,
        max_residual: check.orders().iter().map(|summary| summary.max_residual).fold(0.0, f64::max),
        // A single rounding of the coefficients must explain all residuals, so the order is stricter than the
        // count of failures.
        holds: failed == 0 && check.order_as_stated() == options.order,
        holds_numerically: check.order() == options.order,
    })
}

/// Counts the conditions of a dense output in doubles, and decides exactly whether they hold.
fn of_dense(method: &Method, options: &DiagnoseOptions) -> Result<ClaimVerdict, OrderError> {
    let order = dense_order(method, options)?;
    let subject = ExtendedMethod::new(method, options, false)?;
    let conditions = ClaimConditions::new(&subject, options, &[], options.order)?;
    let uncertainty = Uncertainty::new(subject.method.to_f64(), subject.method.uncertainties());
    let residuals = conditions.residuals(&uncertainty.nearest, Exact::to_f64);
    let tolerances = conditions.tolerances(&uncertainty);
    let failed = residuals.iter().zip(&tolerances).filter(|(residual, tolerance)| residual.abs() > **tolerance).count();
    let holds = order == options.order;
    Ok(ClaimVerdict {
        order,
        conditions: conditions.len() as u64,
        failed: if holds { 0 } else { failed as u64 },
        max_residual: residuals.iter().fold(0.0, |largest, residual| largest.max(residual.abs())),
        holds,
        holds_numerically: holds,
    })
}

/// Returns |bᵀAᵏ⁻¹𝟙 − β_k| with the part of it that the precision of the coefficients explains.
fn polynomials(method: &Method, wanted: &[PolynomialCoefficient]) -> Vec<(f64, f64)> {
    let exact: Tableau<Exact> = method.exact();
    let uncertainty = Uncertainty::new(method.to_f64(), method.uncertainties());
    let judge = |PolynomialCoefficient { partition, power, value }: &PolynomialCoefficient| {
        let residual = moment(&exact.partitions[*partition], *power) - value.clone();
        (residual.to_f64().abs(), uncertainty.explained(&path(*partition, *power)))
    };
    wanted.iter().map(judge).collect()
}

/// Returns the method with other coefficients in some cells; `None` if that is not a valid method.
pub(super) fn with_changes(method: &Method, changes: &[(Cell, Coefficient)]) -> Option<Method> {
    let mut partitions = method.partitions().to_vec();
    for (cell, coefficient) in changes {
        *cell.coefficient_mut(&mut partitions) = coefficient.clone();
    }
    let (claims, precision, source) = (method.claims(), method.precision(), method.source().clone());
    Method::new(method.id(), method.name(), partitions, claims, precision, source).ok()
}
