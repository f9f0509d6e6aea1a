//! Methods of the library without their claims: the check goes on to the published order and no further.

use hemiola_order::{CheckOptions, OrderCheck};
use hemiola_tableau::{Claims, Method, library};
use rayon::prelude::*;

#[test]
fn methods_of_the_library_without_claims_have_the_claimed_orders() {
    let ids: Vec<&str> = library::ids().collect();
    let off: Vec<String> = ids.par_iter().with_max_len(1).filter_map(|id| problem(id)).collect();
    assert!(off.is_empty(), "{}", off.join("\n"));
}

/// Returns a statement on a method whose order is not found without its claim.
fn problem(id: &str) -> Option<String> {
    let method = library::method(id).unwrap_or_else(|error| panic!("{error}"));
    let claimed = method.claims().order?;
    let (partitions, source) = (method.partitions().to_vec(), method.source().clone());
    let bare = Method::new(id, method.name(), partitions, Claims::default(), method.precision(), source);
    let bare = bare.unwrap_or_else(|error| panic!("{error}"));
    let options = CheckOptions::for_claim(&bare, None).unwrap_or_else(|error| panic!("{error}"));
    let check = OrderCheck::new(&bare, options).unwrap_or_else(|error| panic!("{error}"));
    // A check that ends for its cost states a lower bound.
    let is_right = if check.is_capped() { check.order() <= claimed } else { check.order() == claimed };
    let at_least = if check.is_capped() { "≥ " } else { "" };
    (!is_right).then(|| format!("{id}: claimed order {claimed}, found {at_least}{}", check.order()))
}
