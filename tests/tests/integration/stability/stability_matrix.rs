//! Stability matrices agree with those computed independently in high-precision arithmetic.

use std::collections::HashMap;

use hemiola_stability::{Matrix, eigenvalues, stability_matrix};
use hemiola_tableau::Tableau;
use hemiola_tests::reference::{self, text};
use num_complex::Complex64;
use serde_json::Value;

/// Tolerance: doubles have sixteen digits, of which elimination and a dozen stages cost up to three.
const TOLERANCE: f64 = 1e-13;

fn number(value: &Value) -> f64 {
    text(value).parse().unwrap_or_else(|error| panic!("{value}: {error}"))
}

/// Parses a number in Python syntax: `-0.5` or `(-0.1+0.3j)`.
fn complex(value: &Value) -> Complex64 {
    let inner = text(value).trim_matches(['(', ')']).replace('j', "i");
    inner.parse().unwrap_or_else(|error| panic!("{value}: {error}"))
}

/// Builds a 2×2 matrix from its entries at (row, column).
fn matrix(entry: impl Fn(usize, usize) -> Complex64) -> Matrix {
    (0..2).map(|r| (0..2).map(|q| entry(r, q)).collect()).collect()
}

#[test]
fn matrices_and_spectral_radii() {
    let pairs = reference::records("partitioned.json", "pairs");
    let tableaus: HashMap<&str, Tableau<f64>> =
        pairs.iter().map(|pair| (text(&pair["name"]), reference::method(pair).to_f64())).collect();
    let records = reference::records("stability_matrix.json", "values");
    assert_eq!(records.len(), 55);
    for record in &records {
        let pair = text(&record["pair"]);
        let z = matrix(|r, q| complex(&record["z"][format!("z{r}{q}")]));
        let expected = matrix(|r, q| {
            let entry = &record["S"][r][q];
            Complex64::new(number(&entry["re"]), number(&entry["im"]))
        });
        let found = stability_matrix(&tableaus[pair], &z).unwrap_or_else(|error| panic!("{pair}: {error}"));
        let size = expected.iter().flatten().map(|entry| entry.norm()).fold(0.0, f64::max);
        for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
            let error = (found - expected).norm() / size;
            assert!(error < TOLERANCE, "{pair} at {z:?}: {found}, expected {expected}");
        }
        let radius = eigenvalues(&found).unwrap_or_else(|error| panic!("{pair}: {error}"))[0].norm();
        let expected = number(&record["spectral_radius"]);
        assert!((radius / expected - 1.0).abs() < TOLERANCE, "{pair} at {z:?}: {radius}, expected {expected}");
    }
}
