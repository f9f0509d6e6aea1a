//! Realizations as ordinary methods, whose orders another program computes: that of Runge–Kutta methods.

use hemiola_multirate::{InfinitesimalMethod, MultirateError, library};
use hemiola_order::{CheckOptions, Grammar, OrderCheck, StageSolution, Trees, Weights};
use hemiola_tableau::Method;

fn method(id: &str) -> InfinitesimalMethod {
    library::method(id).unwrap_or_else(|error| panic!("{error}"))
}

fn inner(id: &str) -> Method {
    hemiola_tableau::library::method(id).unwrap_or_else(|error| panic!("{error}"))
}

fn order(method: &Method, highest_order: usize) -> usize {
    let options = CheckOptions { highest_order, ..CheckOptions::default() };
    OrderCheck::new(method, options).unwrap_or_else(|error| panic!("{error}")).order()
}

#[test]
fn the_order_is_the_smaller_one() {
    let cases = [
        ("mis-kw3", "kutta-3", 2, 3, None),
        ("mis-kw3", "heun-2", 3, 2, None),
        ("mri-gark-erk22a", "kutta-3", 1, 2, Some(1)),
        ("mri-gark-erk33a", "kutta-3", 2, 3, Some(2)),
        ("mri-gark-erk33a", "explicit-euler", 3, 1, Some(1)),
        ("mri-gark-erk33a", "gauss-2", 1, 3, Some(2)),
        ("merk32", "rk4", 1, 3, Some(2)),
        ("mri-gark-erk45a", "rk4", 1, 4, Some(3)),
        ("mri-gark-erk45a", "kutta-3", 1, 3, Some(3)),
        ("mri-gark-erk45a", "gauss-2", 1, 4, Some(3)),
        ("merk43", "rk4", 1, 4, Some(3)),
        ("mri-gark-esdirk34a", "kutta-3", 2, 3, Some(2)),
        ("imex-mri-gark3a", "kutta-3", 1, 3, None),
    ];
    for (id, inner_id, substeps, expected, embedded) in cases {
        let case = format!("{id} with {substeps} × {inner_id}");
        let expanded = method(id).expand(&inner(inner_id), substeps).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(order(&expanded, expected + 1), expected, "{case}");
        assert_eq!(expanded.claims().order, Some(expected), "{case}");
        let weights = expanded.embedded();
        assert_eq!(weights.is_some(), embedded.is_some(), "{case}");
        if let Some((weights, expected)) = weights.zip(embedded) {
            assert_eq!(order(&weights, expected + 1), expected, "{case}, embedded");
        }
    }
}

/// Starts and drifts are sums of earlier stages, so of their slopes. The tables are rounded, and so are their conditions: those of the
/// realization hold as far as those of the exact flow do.
#[test]
fn starts_and_drifts_become_slopes() {
    for (id, inner_id, substeps, expected, rounding) in [
        ("mis2", "kutta-3", 2, 2, 1e-14),
        ("mis3c", "kutta-3", 1, 2, 1e-11),
        ("mis4", "kutta-3", 2, 3, 1e-9),
        ("mis4a", "kutta-3", 1, 3, 1e-14),
        ("mis4a", "gauss-2", 1, 3, 1e-14),
        ("mis-tvd-a", "heun-2", 2, 2, 1e-14),
        ("mis-tvd-b", "heun-2", 1, 2, 1e-5),
        ("mis5-4", "rk4", 1, 4, 1e-9),
        ("mis-rk43", "rk4", 1, 3, 1e-14),
    ] {
        let case = format!("{id} with {substeps} × {inner_id}");
        let tableau = method(id).expand(&inner(inner_id), substeps).unwrap_or_else(|error| panic!("{error}")).to_f64();
        let trees = Trees::new(&Grammar::partitioned(2), expected + 1).unwrap_or_else(|error| panic!("{error}"));
        let mut weights = Weights::new(&trees, &tableau, StageSolution::Solved);
        let mut largest = |order: usize| {
            let residuals = trees.of_order(order).into_iter().map(|tree| weights.residual(tree).abs());
            residuals.fold(0.0, f64::max)
        };
        assert!((1..=expected).all(|order| largest(order) < rounding), "{case}");
        assert!(largest(expected + 1) > 1e-3, "{case}");
    }
}

/// Gauss nodes integrate γ(τ) and the products of polynomials that the conditions have exactly: with forcing of degree one a tree of
/// order p has polynomials of degree p − 1, with degree two up to p.
#[test]
fn orders_of_the_library_are_those_with_gauss_nodes() {
    let mut compared = 0;
    for id in library::ids() {
        let outer = method(id);
        if outer.require_decoupled().is_err() {
            continue;
        }
        let order = outer.claims().order.unwrap_or_else(|| panic!("{id} claims an order"));
        let degree = outer.stages().iter().flat_map(|stage| stage.forcing.iter().map(Vec::len)).max().unwrap_or(0);
        let nodes = if order <= 4 && degree <= 2 { "gauss-2" } else { "gauss-3" };
        let tableau = outer.expand(&inner(nodes), 1).unwrap_or_else(|error| panic!("{error}")).to_f64();
        let grammar = Grammar::partitioned(tableau.partitions.len());
        let trees = Trees::new(&grammar, order + 1).unwrap_or_else(|error| panic!("{error}"));
        let mut weights = Weights::new(&trees, &tableau, StageSolution::Solved);
        let mut largest = |order: usize| {
            let residuals = trees.of_order(order).into_iter().map(|tree| weights.residual(tree).abs());
            residuals.fold(0.0, f64::max)
        };
        // Printed digits, where they are few; otherwise roundings of coefficients up to a hundred.
        let rounding = match id {
            "mis-tvd-b" => 1e-5,
            "mis4" | "mis5-4" => 1e-9,
            "mis3c" => 1e-11,
            _ => 1e-12,
        };
        for order in 1..=order {
            assert!(largest(order) < rounding, "{id}, order {order}: {:e}", largest(order));
        }
        assert!(largest(order + 1) > 1e3 * rounding && largest(order + 1) > 1e-6, "{id}: {:e}", largest(order + 1));
        compared += 1;
    }
    assert!(compared > 30, "{compared}");
}

/// Forcing of degree two needs an inner method of order five for order four.
#[test]
fn inner_methods_that_integrate_the_forcing_too_roughly_lower_the_order() {
    let outer = method("hemiola-mri-implicit-6-4");
    // Eight substeps leave residuals that a bound on one would not see.
    for (nodes, substeps, expected) in [("gauss-2", 1, 3), ("gauss-2", 8, 3), ("gauss-3", 1, 4), ("gauss-3", 2, 4)] {
        let pair = outer.expand(&inner(nodes), substeps).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((order(&pair, 5), pair.claims().order), (expected, Some(expected)), "{substeps} × {nodes}");
    }
}

#[test]
fn slow_evaluations_do_not_depend_on_the_substeps() {
    for substeps in [1, 2, 5] {
        let pair = method("mri-gark-erk33a").expand(&inner("kutta-3"), substeps).unwrap_or_else(|e| panic!("{e}"));
        let [slow, fast] = [0, 1].map(|r| pair.exact().partitions[r].evaluated_stages().len());
        // Three intervals of the method, and that of the embedded row: its first stage is the last interval's, and its
        // last one has only an embedded weight.
        assert_eq!((fast, slow), (4 * 3 * substeps - 2, 3), "{substeps}");
        assert!(pair.exact().is_explicit());
    }
}

#[test]
fn norms_approach_those_of_the_exact_fast_solution() {
    // The step with m substeps has the principal error of the infinitesimal method, up to O(m⁻³) for kutta-3.
    let exact = 0.089_585_958_479_6;
    let distances = [1, 2, 4].map(|substeps| {
        let pair = method("mri-gark-erk33a").expand(&inner("kutta-3"), substeps).unwrap_or_else(|e| panic!("{e}"));
        let norm = hemiola_order::principal_error_norm(&pair.exact(), 3).unwrap_or_else(|error| panic!("{error}"));
        (norm - exact).abs()
    });
    assert!(distances[0] > 5.0 * distances[1] && distances[1] > 5.0 * distances[2], "{distances:?}");
}

#[test]
fn expanded_methods_are_files() {
    let pair = method("merk32").expand(&inner("kutta-3"), 2).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((pair.id(), pair.partitions()[1].name.as_str()), ("merk32-kutta-3-2", "fast"));
    assert_eq!(Method::from_json(pair.to_json().as_bytes(), "pair").unwrap_or_else(|error| panic!("{error}")), pair);
}

#[test]
fn requests_out_of_range_are_refused() {
    let merk = method("merk32");
    for substeps in [0, 1000, usize::MAX] {
        let refused = merk.expand(&inner("kutta-3"), substeps);
        assert!(matches!(refused, Err(MultirateError::Substeps { .. })), "{substeps}: {refused:?}");
    }
    let refused = merk.expand(&inner("shome-haug-jay-2-5"), 1);
    assert!(matches!(refused, Err(MultirateError::InnerPartitions { partitions: 2, .. })), "{refused:?}");
}

/// The verdicts on a realization are those on the method, because its numbers carry the precision of both tables.
#[test]
fn realizations_carry_the_precision_of_their_tables() {
    for id in ["mis4", "mis5-4", "mis-tvd-b", "mri-gark-esdirk34a", "mri-gark-erk45a", "mis-kw3"] {
        let expanded = method(id).expand(&inner("rk4"), 1).unwrap_or_else(|error| panic!("{error}"));
        let claimed = expanded.claims().order.unwrap_or_else(|| panic!("{id} has a claim"));
        let options = CheckOptions { highest_order: claimed + 1, ..CheckOptions::default() };
        let check = OrderCheck::new(&expanded, options).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((check.order(), check.order_as_stated()), (claimed, claimed), "{id}");
        // Written and read again.
        let again = Method::from_json(expanded.to_json().as_bytes(), id).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again, expanded, "{id}");
    }
    // KW3 and RK4 are exact.
    let exact = method("mis-kw3").expand(&inner("rk4"), 2).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(exact.precision(), None);
    // A rounded inner method makes the numbers uncertain that depend on it.
    let rounded = inner("rk4").to_json().replace("1/6", "0.16666667").replace("1/3", "0.33333333");
    let rounded = Method::from_json(rounded.as_bytes(), "rk4").unwrap_or_else(|error| panic!("{error}"));
    let uncertain = method("mis-kw3").expand(&rounded, 1).unwrap_or_else(|error| panic!("{error}"));
    assert!(uncertain.precision().is_some_and(|precision| (5..=8).contains(&precision.decimals)));
    assert_eq!(order(&uncertain, 4), 3);
}

/// Rounded to 37 decimals, R(∞) = 0 of the slow part is 4e-37.
#[test]
fn the_slow_part_of_a_rounded_table_is_l_stable() {
    let slow = method("mri-gark-esdirk34a").slow_method().unwrap_or_else(|error| panic!("{error}"));
    let modulus = hemiola_stability::modulus_at_infinity(&slow, 0).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(modulus.map(|modulus| modulus.to_f64()), Some(0.0));
}
