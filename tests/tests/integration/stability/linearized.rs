//! Methods whose stages are computed by a fixed number of Newton iterations (linearized implicit methods).

use hemiola_order::{CheckOptions, Grammar, OrderCheck, StageSolution, Trees, Weights};
use hemiola_tableau::{Method, Tableau, library};
use hemiola_tests::method_files;
use serde_json::Value;

fn method(id: &str) -> Method {
    library::method(id).unwrap_or_else(|error| panic!("{error}"))
}

fn check(method: &Method, stages: StageSolution, highest_order: usize) -> OrderCheck {
    let options = CheckOptions { highest_order, stages, ..CheckOptions::default() };
    OrderCheck::new(method, options).unwrap_or_else(|error| panic!("{}: {error}", method.id()))
}

/// Asserts that conditions hold exactly up to an order and that some of the next one fails.
fn has_order(id: &str, iterations: usize, order: usize) {
    let check = check(&method(id), StageSolution::Linearized { iterations }, order + 1);
    assert_eq!((check.order(), check.exact_order()), (order, order), "{id}, {iterations} iterations");
    assert!(check.orders()[order].failed() > 0, "order {} of {id}, {iterations} iterations", order + 1);
}

#[test]
fn one_iteration_caps_the_order_at_four() {
    has_order("gauss-3", 1, 4);
    has_order("radau-iia-3", 1, 4);
    has_order("lobatto-iiic-4", 1, 4);
    has_order("gauss-2", 1, 4);
}

#[test]
fn orders_below_the_cap_are_kept() {
    has_order("radau-iia-2", 1, 3);
    has_order("implicit-midpoint", 1, 2);
    has_order("lobatto-iiia-3", 1, 4);
}

#[test]
fn two_iterations_are_enough_for_the_order_six() {
    has_order("gauss-3", 2, 6);
    has_order("radau-iia-3", 2, 5);
    has_order("lobatto-iiic-4", 2, 6);
}

/// Checks that s iterations reproduce an explicit method of s stages, since each makes at least one more stage exact.
#[test]
fn explicit_methods_are_themselves_after_as_many_iterations_as_stages() {
    let explicit: Vec<Method> = library::ids()
        .map(method)
        .filter(|method| method.stages() <= 6 && method.precision().is_none() && method.exact().is_explicit())
        .collect();
    let is_explicit = |file: &&Value| {
        let zero_from = |(i, row): (usize, &Value)| row.as_array().is_some_and(|row| row[i..].iter().all(|a| a == "0"));
        let rows = |partition: &Value| partition["a"].as_array().is_some_and(|a| a.iter().enumerate().all(zero_from));
        let stages = file["partitions"][0]["b"].as_array().map_or(0, Vec::len);
        stages <= 6
            && file["precision"].is_null()
            && file["partitions"].as_array().is_some_and(|all| all.iter().all(rows))
    };
    assert_eq!(explicit.len(), method_files().iter().filter(is_explicit).count());
    for method in explicit {
        let order = method.claims().order.unwrap_or(0);
        let own = check(&method, StageSolution::Solved, order + 1);
        for iterations in [method.stages(), method.stages() + 1] {
            let iterated = check(&method, StageSolution::Linearized { iterations }, order + 1);
            let orders = |check: &OrderCheck| (check.order(), check.exact_order());
            assert_eq!(orders(&iterated), orders(&own), "{}", method.id());
            for (iterated, own) in iterated.orders().iter().zip(own.orders()) {
                let difference = (iterated.max_residual - own.max_residual).abs();
                assert!(difference <= 1e-14, "order {} of {}", own.order, method.id());
            }
        }
    }
}

/// Returns the lowest order at which the iterated stages of any tableau differ from the converged ones: one above the
/// highest order that q iterations can reach.
fn first_difference(iterations: usize, highest_order: usize) -> Option<usize> {
    // A tableau without any structure that satisfies no condition.
    let entry = |i: usize, j: usize| ((7 * i + 3 * j + 1) as f64).sin();
    let a = (0..3).map(|i| (0..3).map(|j| entry(i, j)).collect()).collect();
    let tableau = Tableau::new(vec![(a, (0..3).map(|j| entry(3, j)).collect(), None)]);
    let trees = Trees::new(&Grammar::partitioned(1), highest_order).unwrap_or_else(|error| panic!("{error}"));
    let mut solved = Weights::new(&trees, &tableau, StageSolution::Solved);
    let mut iterated = Weights::new(&trees, &tableau, StageSolution::Linearized { iterations });
    let mut differs = |n: usize| {
        trees.of_order(n).into_iter().any(|tree| {
            let (solved, iterated) = (solved.elementary_weight(tree), iterated.elementary_weight(tree));
            (solved - iterated).abs() > 1e-9 * (1.0 + solved.abs())
        })
    };
    (1..=highest_order).find(|&n| differs(n))
}

/// Checks Gerdts 2003, Theorem 2.3, for one iteration, and the corresponding order for two.
#[test]
fn iterations_reach_the_orders_four_and_ten() {
    assert_eq!(first_difference(1, 8), Some(5));
    assert_eq!(first_difference(2, 11), Some(11));
    // Three iterations would first differ at order 23, beyond the trees that are enumerated.
    assert_eq!(first_difference(3, 13), None);
}
