//! Every method of the library can be read, has provenance, and satisfies its claims.

use hemiola_order::{CheckOptions, OrderReport};
use hemiola_tableau::{Method, library};
use rayon::prelude::*;

fn methods() -> Vec<Method> {
    library::ids().map(|id| library::method(id).unwrap_or_else(|error| panic!("{error}"))).collect()
}

#[test]
fn the_library_is_that_of_the_folder_and_documented() {
    let methods = methods();
    let files = hemiola_tests::method_files();
    let ids = files.iter().map(|file| file["id"].as_str().unwrap_or_default());
    assert!(methods.iter().map(Method::id).eq(ids), "{} methods of {} files", methods.len(), files.len());
    for method in &methods {
        let source = method.source();
        // Methods designed here have a design file in place of a year.
        let is_dated = source.year.is_some() || source.authors == "Hemiola";
        let complete = !source.authors.is_empty() && !source.title.is_empty() && is_dated;
        assert!(complete && source.place.is_some(), "{} lacks provenance", method.id());
        assert!(method.claims().order.is_some(), "{} claims no order", method.id());
    }
}

#[test]
fn names_differ() {
    let methods = methods();
    let mut names: Vec<&str> = methods.iter().map(Method::name).collect();
    names.sort_unstable();
    let twice: Vec<_> = names.windows(2).filter(|two| two[0] == two[1]).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

#[test]
fn every_claimed_order_is_reached_and_not_exceeded() {
    let failures: Vec<String> = methods().par_iter().filter_map(broken_claim).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Returns the claims that a method does not satisfy: the order must hold, and the next order must fail.
fn broken_claim(method: &Method) -> Option<String> {
    let claims = method.claims();
    let order = claims.order?;
    let report = OrderReport::new(method, CheckOptions { highest_order: order + 1, ..Default::default() }, &())
        .unwrap_or_else(|error| panic!("{}: {error}", method.id()));
    let found = report.check.order();
    let mut problems = Vec::new();
    if found != order {
        problems.push(format!("order {found}, claimed {order}"));
    }
    if claims.separable_order.is_some() && claims.separable_order != report.separable_order {
        problems.push(format!("separable order {:?}, claimed {:?}", report.separable_order, claims.separable_order));
    }
    if claims.embedded_order.is_some() && claims.embedded_order != report.embedded_order {
        problems.push(format!("embedded order {:?}, claimed {:?}", report.embedded_order, claims.embedded_order));
    }
    let dense = report.dense_output.map(|dense| dense.order);
    if claims.dense_order.is_some() && claims.dense_order != dense {
        problems.push(format!("dense order {dense:?}, claimed {:?}", claims.dense_order));
    }
    (!problems.is_empty()).then(|| format!("{}: {}", method.id(), problems.join(", ")))
}

#[test]
fn files_survive_a_round_trip() {
    for method in methods() {
        let again = Method::from_json(method.to_json().as_bytes(), "again").unwrap();
        assert_eq!(again, method);
        assert_eq!(again.to_json(), method.to_json());
    }
}
