//! Results of a check as JSON.

use crate::wording;
use hemiola_order::{Cell, Condition, DigitsOff, EstimateGap, OrderSummary, estimate_gaps};
use hemiola_tableau::library::{LibraryTwin, TwinDifference};
use hemiola_tableau::{Method, Partition};
use serde::Serialize;

use super::method_check::MethodCheck;
use super::properties::{Dense, Properties, dense, properties};

/// Results of a check; `null` marks properties that the method does not have or that were not checked.
#[derive(Serialize)]
pub struct CheckReport<'a> {
    id: &'a str,
    claimed_order: Option<usize>,
    order: usize,
    /// Whether no order was checked that fails, so that the order may be higher.
    order_capped: bool,
    order_as_stated: usize,
    exact_order: usize,
    order_checked_to: usize,
    /// Stated number of decimals, if it is too high; omitted if not.
    #[serde(skip_serializing_if = "Option::is_none")]
    overstated_decimals: Option<u32>,
    /// Changes needed for the conditions of the order to hold as stated; omitted if they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    digits_off: Option<DigitsReport>,
    partition_orders: Option<&'a [usize]>,
    separable_order: Option<usize>,
    non_autonomous_order: Option<usize>,
    embedded_order: Option<usize>,
    /// Dense output; omitted if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    dense_output: Option<Dense>,
    /// Classes of problems on which the error estimate of a partition vanishes; omitted if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    estimate_vanishes: Vec<GapReport>,
    /// Whether b and b̂ have the orders claimed for each other.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    weights_exchanged: bool,
    /// Method of the library with the same coefficients, or nearly so; omitted if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    library: Option<TwinReport>,
    stage_order: Option<usize>,
    principal_error_norm: Option<f64>,
    /// Further properties; omitted unless all conditions of the method as given were checked.
    #[serde(flatten)]
    properties: Option<Properties>,
    /// Whether the certificate holds for this method.
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate_holds: Option<bool>,
    /// Reason why the certificate does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate_refusal: Option<String>,
    arithmetic: &'static str,
    orders: Vec<OrderReport>,
    failures: Vec<FailureReport>,
}

/// Problems on which the error estimate of a partition vanishes.
#[derive(Serialize)]
struct GapReport {
    partition: String,
    problems: &'static str,
}

fn gaps(method: &Method) -> Vec<GapReport> {
    let of_partition = |(k, partition): (usize, &Partition)| {
        let name = partition.name.clone();
        estimate_gaps(method, k).into_iter().map(move |gap| GapReport {
            partition: name.clone(),
            problems: match gap {
                EstimateGap::Linear => "linear",
                EstimateGap::Quadrature => "quadrature",
            },
        })
    };
    method.partitions().iter().enumerate().flat_map(of_partition).collect()
}

/// Method of the library and the entry that differs, if one does.
#[derive(Serialize)]
pub struct TwinReport {
    id: String,
    difference: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    units: Option<usize>,
}

impl TwinReport {
    /// Describes a method of the library that a table repeats.
    #[must_use]
    pub fn new(twin: &LibraryTwin) -> Self {
        let (difference, entry, units) = match &twin.difference {
            TwinDifference::None => ("none", None, None),
            TwinDifference::Rounding => ("rounding", None, None),
            TwinDifference::LastDigits { entry, units } => ("last digits", Some(entry), Some(*units)),
            TwinDifference::OneEntry(entry) => ("one entry", Some(entry), None),
        };
        Self {
            id: twin.id.clone(),
            difference,
            entry: entry.map(|entry| entry.name.clone()),
            found: entry.map(|entry| entry.found.clone()),
            expected: entry.map(|entry| entry.expected.clone()),
            units,
        }
    }
}

#[derive(Serialize)]
struct DigitsReport {
    coefficients: Vec<DigitReport>,
    largest_change: f64,
}

/// Coefficient with the change it needs, in units of its last digit.
#[derive(Serialize)]
struct DigitReport {
    coefficient: String,
    units: f64,
}

#[derive(Serialize)]
struct OrderReport {
    order: usize,
    conditions: u64,
    failed: u64,
    /// Number of conditions that hold only numerically.
    numerically: u64,
    max_residual: f64,
    /// Whether a single change of last digits may explain all conditions up to this order.
    together: bool,
    /// Whether a single rounding of the coefficients may explain them.
    together_as_stated: bool,
}

#[derive(Serialize)]
struct FailureReport {
    tree: String,
    order: usize,
    residual: f64,
    value: f64,
    expected: f64,
}

impl<'a> CheckReport<'a> {
    /// Collects the results of a check.
    #[must_use]
    pub fn new(checked: &'a MethodCheck) -> Self {
        let (report, is_general) = (&checked.report, checked.is_general());
        let labels = checked.labels();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        Self {
            id: checked.method.id(),
            certificate_holds: checked.certificate.as_ref().map(|(_, refusal)| refusal.is_none()),
            certificate_refusal: checked
                .certificate
                .as_ref()
                .and_then(|(_, refusal)| refusal.as_ref())
                .map(ToString::to_string),
            claimed_order: checked.claimed_order,
            order: report.check.order(),
            order_capped: report.check.is_capped(),
            order_as_stated: report.check.order_as_stated(),
            exact_order: report.check.exact_order(),
            overstated_decimals: report.check.overstated().map(|precision| precision.decimals),
            digits_off: report.check.digits_off().map(|off| digits_off(checked, off)),
            order_checked_to: report.check.highest_order(),
            partition_orders: (!checked.is_separable()).then_some(&report.partition_orders),
            separable_order: report.separable_order,
            non_autonomous_order: report.non_autonomous_order,
            embedded_order: report.embedded_order,
            dense_output: report.dense_output.as_ref().map(dense),
            estimate_vanishes: gaps(&checked.method),
            weights_exchanged: checked.has_exchanged_weights(),
            library: checked.twin().map(|twin| TwinReport::new(&twin)),
            stage_order: is_general.then_some(report.stage_order),
            principal_error_norm: if is_general { report.principal_error_norm() } else { None },
            properties: is_general.then(|| properties(report)),
            arithmetic: report.arithmetic,
            orders: report.check.orders().iter().map(order).collect(),
            failures: report.check.failures().map(|condition| failure(condition, &labels)).collect(),
        }
    }
}

fn digits_off(checked: &MethodCheck, off: &DigitsOff) -> DigitsReport {
    let report = |(cell, units): &(Cell, f64)| DigitReport {
        coefficient: wording::coefficient(&checked.method, *cell),
        units: *units,
    };
    DigitsReport { coefficients: off.cells.iter().map(report).collect(), largest_change: off.largest_change }
}

fn order(summary: &OrderSummary) -> OrderReport {
    OrderReport {
        order: summary.order,
        conditions: summary.conditions,
        failed: summary.failed(),
        numerically: summary.numerically,
        max_residual: summary.max_residual,
        together: summary.together,
        together_as_stated: summary.together_as_stated,
    }
}

fn failure(condition: &Condition, labels: &[&str]) -> FailureReport {
    FailureReport {
        tree: condition.tree.text(labels),
        order: condition.tree.order(),
        residual: condition.residual,
        value: condition.value,
        expected: 1.0 / condition.tree.density() as f64,
    }
}
