//! Orders and residuals of published tableaus agree with tables computed independently in 60-digit arithmetic.

use std::collections::BTreeMap;

use hemiola_order::{CheckOptions, OrderCheck, ProblemClass};
use hemiola_tests::reference;
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::Value;

/// Largest residual of a satisfied condition in the tables.
const TOLERANCE: f64 = 1e-12;

/// Entries of the tables for one tableau or pair.
#[derive(Deserialize)]
struct Expected {
    verified_order: usize,
    verified_order_separable: Option<usize>,
    checked_up_to: usize,
    max_residual_by_order: BTreeMap<usize, f64>,
}

fn check(record: &Value, problem: ProblemClass, highest_order: usize) -> OrderCheck {
    let options = CheckOptions { highest_order, problem, tolerance: Some(TOLERANCE), ..Default::default() };
    OrderCheck::new(&reference::method(record), options).unwrap_or_else(|error| panic!("{}: {error}", record["name"]))
}

fn agrees(record: &Value) {
    let name = &record["name"];
    let expected = Expected::deserialize(record).unwrap_or_else(|error| panic!("{name}: {error}"));
    let general = check(record, ProblemClass::General, expected.checked_up_to);
    assert_eq!(general.order(), expected.verified_order, "order of {name}");
    // The order is not limited by the highest order checked: the next one fails.
    if let Some(next) = general.orders().get(expected.verified_order) {
        assert!(next.failed() > 0, "order {} of {name} does not fail", next.order);
    }
    if let Some(order) = expected.verified_order_separable {
        let separable = check(record, ProblemClass::Separable, expected.checked_up_to);
        assert_eq!(separable.order(), order, "separable order of {name}");
    }
    assert_eq!(expected.max_residual_by_order.len(), expected.checked_up_to, "{name}");
    for summary in general.orders() {
        let (found, expected) = (summary.max_residual, expected.max_residual_by_order[&summary.order]);
        // Six digits are printed. Roots have 45 digits and more; smaller residuals in the tables are rounding errors of
        // their arithmetic.
        let close = if expected > 1e-30 { (found / expected - 1.0).abs() < 1e-5 } else { found < 1e-30 };
        assert!(close, "residual {found:e} of order {} of {name}, expected {expected:e}", summary.order);
    }
}

#[test]
fn single_tableaus() {
    let records = reference::records("single.json", "tableaus");
    assert_eq!(records.len(), 66);
    records.par_iter().for_each(agrees);
}

#[test]
fn partitioned_pairs() {
    let records = reference::records("partitioned.json", "pairs");
    assert_eq!(records.len(), 31);
    records.par_iter().for_each(agrees);
}
