//! Compares the output of the examples with their headers, and their numbers with the literature or with a second
//! computation.
#![allow(clippy::unwrap_used, reason = "helpers of tests, too, fail by panicking")]
#![allow(dead_code, reason = "main of an example is called by cargo run alone")]

use std::error::Error;
use std::fs;

use hemiola::order::{CheckOptions, OrderCheck};
use hemiola::tableau::Method;
use num_complex::Complex64;

#[path = "../../examples/check_a_table.rs"]
mod check_a_table;
#[path = "../../examples/design_a_pair.rs"]
mod design_a_pair;
#[path = "../../examples/draw_a_coupled_region.rs"]
mod draw_a_coupled_region;
#[path = "../../examples/integrate_your_own_system.rs"]
mod integrate_your_own_system;
#[path = "../../examples/optimal_polynomial_for_a_spectrum.rs"]
mod optimal_polynomial_for_a_spectrum;

type Printed = Result<(), Box<dyn Error>>;

/// Runs an example and returns its output, which must equal the listing in its header.
fn printed(source: &str, run: impl FnOnce(&mut Vec<u8>) -> Printed) -> String {
    let mut out = Vec::new();
    run(&mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    let header = source.lines().skip_while(|line| *line != "//! ```text").skip(1).take_while(|line| *line != "//! ```");
    let promised: Vec<&str> = header.map(|line| line[3..].strip_prefix(' ').unwrap_or_default()).collect();
    assert_eq!(out.lines().collect::<Vec<_>>(), promised);
    out
}

/// Returns the number in a column of the first line that begins with a given word.
fn number(out: &str, line: &str, column: usize) -> f64 {
    let line = out.lines().find(|text| text.split_whitespace().next() == Some(line)).unwrap();
    line.split_whitespace().nth(column).unwrap().trim_end_matches(',').parse().unwrap()
}

#[test]
fn a_pair_is_designed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pair.json");
    let out = printed(include_str!("../../examples/design_a_pair.rs"), |out| design_a_pair::run(&file, out));
    // The optimum of five stages on the imaginary axis is 4 (Kinnmark & Gray 1984a).
    assert_eq!(number(&out, "dual-rate-2-5", 2), 4.0);
    assert!(number(&out, "dual-rate-2-5", 1) < number(&out, "shome-haug-jay-2-5", 1));
    let method = Method::read(&file).unwrap();
    let check = OrderCheck::new(&method, CheckOptions { highest_order: 3, ..CheckOptions::default() }).unwrap();
    assert_eq!(check.order(), 2);
    let tableau = method.to_f64();
    let [slow, fast] = &tableau.partitions[..] else { panic!("{} partitions", tableau.partitions.len()) };
    assert!(slow.c.iter().zip(&fast.c).all(|(slow, fast)| (slow - fast).abs() < 1e-15));
}

#[test]
fn a_misprint_is_found() {
    let out = printed(include_str!("../../examples/check_a_table.rs"), |out| check_a_table::run(out));
    // Kutta (1901) has 1, −1, 1 in the last row.
    assert!(out.contains("a42 = 1 should be -1"));
    // All methods of order four with four stages have the same R, whose limit on the imaginary axis is √8.
    assert!(out.contains(&format!("{:.6}", 8f64.sqrt())));
}

#[test]
fn a_coupled_region_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("region.svg");
    let source = include_str!("../../examples/draw_a_coupled_region.rs");
    let out = printed(source, |out| draw_a_coupled_region::run(&file, out));
    let svg = fs::read_to_string(&file).unwrap();
    assert!(svg.contains("shome-haug-jay-2-5") && svg.contains("hemiola-2-5-coupled"));
    // Without coupling the region is the intersection of both polynomials' regions; its area is counted on a grid.
    let (cells, width) = (2000, 1e-3);
    let is_stable = |z: Complex64, beta: &[f64]| horner(beta, z).norm() <= 1.0;
    let count = (0..cells * cells).filter(|cell| {
        let xi = Complex64::new(width * ((cell % cells) as f64 - 1499.5), width * ((cell / cells) as f64 - 999.5));
        is_stable(xi, &[1.0, 1.0, 0.5]) && is_stable(5.0 * xi, &[1.0, 1.0, 0.5, 3.0 / 16.0, 1.0 / 32.0, 1.0 / 128.0])
    });
    let area = count.count() as f64 * width * width;
    assert!((number(&out, "hemiola-2-5-coupled", 1) - area).abs() < 5e-4, "{area}");
}

#[test]
fn a_system_is_integrated() {
    let source = include_str!("../../examples/integrate_your_own_system.rs");
    let out = printed(source, |out| integrate_your_own_system::run(out));
    let orders: Vec<f64> =
        out.lines().filter_map(|line| line.trim().strip_prefix("observed order ")?.parse().ok()).collect();
    assert!(orders.len() == 2 && orders.iter().all(|order| (order - 4.0).abs() < 0.2), "{orders:?}");
}

#[test]
fn optimal_polynomials_are_found() {
    let source = include_str!("../../examples/optimal_polynomial_for_a_spectrum.rs");
    let out = printed(source, |out| optimal_polynomial_for_a_spectrum::run(out));
    // With three stages of order three R is known, and the eigenvalues are values of the symbol of the differences.
    let limit = number(&out, "3", 1);
    let largest = |courant: f64| {
        let wave = |k: u32| Complex64::from_polar(1.0, std::f64::consts::TAU * f64::from(k) / 48.0);
        let symbol = |w: Complex64| -w.powi(-2) / 6.0 + w.powi(-1) - 0.5 - w / 3.0;
        let modulus = |k| horner(&[1.0, 1.0, 0.5, 1.0 / 6.0], courant * symbol(wave(k))).norm();
        (1..48).map(modulus).fold(0.0, f64::max)
    };
    assert!(largest(limit - 1e-6) < 1.0 && largest(limit + 1e-6) > 1.0);
}

fn horner(beta: &[f64], z: Complex64) -> Complex64 {
    beta.iter().rev().fold(Complex64::ZERO, |sum, coefficient| sum * z + coefficient)
}
