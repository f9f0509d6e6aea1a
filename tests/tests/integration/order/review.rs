//! Regression tests for wrong verdicts.

use hemiola_order::{CheckOptions, OrderCheck};
use hemiola_tableau::{Coefficient, Method, Partition, Precision, Source};

fn coefficients(texts: &[&str]) -> Vec<Coefficient> {
    texts.iter().map(|text| Coefficient::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))).collect()
}

fn method(a: &[&[&str]], b: &[&str], precision: Option<Precision>) -> Method {
    let a = a.iter().map(|row| coefficients(row)).collect();
    let partition = Partition { name: "all".to_owned(), a, b: coefficients(b), c: None, b_hat: None, dense: None };
    Method::new("once", "Once", vec![partition], Default::default(), precision, Source::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

fn orders(method: &Method, highest_order: usize) -> (usize, usize) {
    let check = OrderCheck::new(method, CheckOptions { highest_order, ..CheckOptions::default() });
    let check = check.unwrap_or_else(|error| panic!("{error}"));
    (check.order(), check.exact_order())
}

/// Checks a coefficient as small as its own uncertainty, which must not make every condition hold "to precision".
#[test]
fn a_small_decimal_does_not_excuse_the_others() {
    let four_decimals = Some(Precision { decimals: 4 });
    let ralston = method(
        &[&["0", "0", "0"], &["0.5000", "0", "0"], &["0.0001", "0.7499", "0"]],
        &["0.2222", "0.3333", "0.4444"],
        four_decimals,
    );
    assert_eq!(orders(&ralston, 5).0, 3);
    let heun = method(
        &[&["0", "0", "0"], &["1", "0", "0"], &["0.000000001", "0", "0"]],
        &["0.5", "0.5", "0"],
        Some(Precision { decimals: 8 }),
    );
    assert_eq!(orders(&heun, 6).0, 2);
}

/// Checks nested roots: √(38 − 12√2) is 6 − √2, so that b differs from 1 by 9e-16. Residues modulo primes may take it
/// for √2 − 6.
#[test]
fn nested_roots_that_are_sums_prove_nothing() {
    let near_one = method(&[&["0"]], &["1+1e-16*(sqrt(38-12*sqrt(2))+6-sqrt(2))"], None);
    assert_eq!(orders(&near_one, 1).1, 0);
    // Conversely, here the number is one but is not written as one: neither a proof nor a failure.
    let one = method(&[&["0"]], &["1+sqrt(38-12*sqrt(2))-6+sqrt(2)"], None);
    assert_eq!(orders(&one, 1).0, 1);
}
