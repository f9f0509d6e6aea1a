//! Tableaus from the sources of SUNDIALS, PETSc and OrdinaryDiffEq.jl: doubles and long fractions with errors in
//! last digits and no stated precision. The reported order must be the published order, and no more.
#![allow(clippy::unwrap_used, reason = "the files are ours")]

use std::fs;
use std::path::Path;

use hemiola_order::{CheckOptions, OrderCheck, OrderReport, OrderSummary};
use hemiola_tableau::Method;
use rayon::prelude::*;

fn methods() -> Vec<Method> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/data/published");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.map(|file| Method::read(&file).unwrap()).collect()
}

#[test]
fn published_tables_have_their_published_orders() {
    let methods = methods();
    assert_eq!(methods.len(), 22);
    let off: Vec<String> = methods.par_iter().filter_map(problem).collect();
    assert!(off.is_empty(), "{}", off.join("\n"));
}

fn problem(method: &Method) -> Option<String> {
    let claims = method.claims();
    let order = claims.order.unwrap();
    let options = CheckOptions { highest_order: order + 1, ..Default::default() };
    let report = OrderReport::new(method, options, &()).unwrap();
    let found = (report.check.order(), report.embedded_order.filter(|_| claims.embedded_order.is_some()));
    // None of them is exact, and the check must report digits that are off.
    let said = report.check.digits_off().is_some() == (report.check.order_as_stated() < order);
    let is_right = found == (order, claims.embedded_order) && report.check.exact_order() < order && said;
    (!is_right).then(|| format!("{}: {found:?}, published {claims:?}", method.id()))
}

/// Checks that the report says so if 36 of 63 last digits would have to change for all conditions to hold.
#[test]
fn some_digits_are_off() {
    let methods = methods();
    let as_stated = |id: &str| {
        let method = methods.iter().find(|method| method.id() == id).unwrap();
        let highest_order = method.claims().order.unwrap();
        let report = OrderReport::new(method, CheckOptions { highest_order, ..Default::default() }, &()).unwrap();
        report.check.order_as_stated()
    };
    assert_eq!((as_stated("petsc-dirk759a"), as_stated("petsc-dirk7510sal")), (3, 7));
}

/// Compares with counts by balls of ninety digits, condition by condition, which took half a minute up to order 18.
#[test]
fn high_orders_of_a_method_whose_conditions_nearly_hold() {
    let method = hemiola_tableau::library::method("dormand-prince-8").unwrap();
    let check = OrderCheck::new(&method, CheckOptions { highest_order: 15, ..Default::default() }).unwrap();
    let failed: Vec<u64> = check.orders()[8..].iter().map(OrderSummary::failed).collect();
    assert_eq!(failed, [180, 719, 1841, 4763, 12470, 32902, 87506]);
    assert_eq!((check.order(), check.order_as_stated(), check.failures().count()), (8, 5, 1000));
}
