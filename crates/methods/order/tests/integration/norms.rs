//! Norms of the principal error against exact rational computation: all digits of doubles must agree despite
//! cancellation.
#![allow(clippy::unwrap_used, reason = "the methods are those of the library")]

use dashu::rational::RBig;
use hemiola_order::{embedded_error, principal_error, principal_error_coefficients};
use hemiola_tableau::{Exact, Method, Tableau, library};

/// Computes ‖τ‖₂ from the exact sum of squares.
fn exact_norm(coefficients: &[Exact]) -> f64 {
    let squares = coefficients.iter().map(|x| x.clone() * x.clone());
    let sum = squares.fold(Exact::from(RBig::ZERO), |sum, square| sum + square);
    // The square root of the nearest double is as accurate as the double.
    sum.to_f64().sqrt()
}

fn coefficients(tableau: &Tableau<Exact>, order: usize) -> Vec<Exact> {
    principal_error_coefficients(tableau, order).unwrap()
}

fn assert_equal(found: f64, expected: f64, what: &str) {
    assert!((found / expected - 1.0).abs() <= 8.0 * f64::EPSILON, "{what}: {found:e}, exactly {expected:e}");
}

fn method(id: &str) -> Method {
    library::method(id).unwrap()
}

#[test]
fn norms_have_all_digits() {
    // Verner's pairs have terms of size 1e3 and errors of 1e-6; the last five have two partitions or twelve and
    // more stages.
    for (id, order) in [
        ("rk4", 4),
        ("dormand-prince-5", 5),
        ("verner-efficient-6", 6),
        ("verner-7-devtools", 7),
        ("tanaka-muramatsu-yamashita-7", 7),
        ("huta-6", 6),
        ("verner-robust-7", 7),
        ("dormand-prince-8", 8),
        ("shome-haug-jay-2-5", 2),
        ("kennedy-carpenter-ark-4-3-6", 4),
        ("hemiola-4-12", 4),
        ("lobatto-iiia-iiib-3", 4),
    ] {
        let tableau = method(id).exact();
        let error = principal_error(&tableau, order).unwrap();
        let exact = coefficients(&tableau, order + 1);
        assert_equal(error.total.two, exact_norm(&exact), id);
        let largest = exact.iter().map(|x| x.to_f64().abs()).fold(0.0, f64::max);
        assert_equal(error.total.infinity, largest, id);
    }
}

#[test]
fn verner_efficient_6() {
    // Doubles give 1.44617423e-6.
    let error = principal_error(&method("verner-efficient-6").exact(), 6).unwrap();
    assert!((error.total.two - 1.446174055e-6).abs() < 0.5e-15, "{:e}", error.total.two);
}

#[test]
fn constants_of_pairs_have_all_digits() {
    for (id, order) in [("verner-efficient-6", 5), ("verner-7-6", 6), ("kennedy-carpenter-ark-4-3-6", 3)] {
        let (method, hat) = (method(id), method(id).embedded().unwrap().exact());
        let error = embedded_error(&method, order).unwrap().unwrap();
        let principal = exact_norm(&coefficients(&hat, order + 1));
        let (next, advancing) = (coefficients(&hat, order + 2), coefficients(&method.exact(), order + 2));
        let difference: Vec<Exact> = next.iter().zip(&advancing).map(|(x, y)| x.clone() - y.clone()).collect();
        assert_equal(error.principal.two, principal, id);
        assert_equal(error.growth, exact_norm(&next) / principal, id);
        assert_equal(error.difference, exact_norm(&difference) / principal, id);
    }
}
