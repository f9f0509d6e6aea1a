//! Scans agree with spectral radii computed independently in high-precision arithmetic.

use std::collections::HashMap;

use hemiola_stability::{Scan, Slice};
use hemiola_tableau::Tableau;
use hemiola_tests::reference::{self, text};
use num_complex::Complex64;
use serde_json::Value;

/// Tolerance: doubles have sixteen digits, of which a dozen stages cost up to three.
const TOLERANCE: f64 = 1e-13;

/// Parses a number in Python syntax: `-0.5` or `(-0.1+0.3j)`.
fn complex(value: &Value) -> Complex64 {
    let inner = text(value).trim_matches(['(', ')']).replace('j', "i");
    inner.parse().unwrap_or_else(|error| panic!("{value}: {error}"))
}

#[test]
fn rays_and_planes_through_the_reference_points() {
    let pairs = reference::records("partitioned.json", "pairs");
    let tableaus: HashMap<&str, Tableau<f64>> =
        pairs.iter().map(|pair| (text(&pair["name"]), reference::method(pair).to_f64())).collect();
    let records = reference::records("stability_matrix.json", "values");
    assert_eq!(records.len(), 55);
    let zero = Complex64::ZERO;
    for record in &records {
        let pair = text(&record["pair"]);
        let z = |name: &str| complex(&record["z"][name]);
        let (slow, fast, product) = (z("z00"), z("z11"), z("z01") * z("z10"));
        let expected: f64 = text(&record["spectral_radius"]).parse().unwrap();
        let ray = Slice { slow: [zero, slow], fast: [zero, fast], product: [zero, zero, product] };
        for (slice, xi) in [(ray, Complex64::ONE), (Slice::fast_plane(slow, product), fast)] {
            let found = Scan::new(&tableaus[pair], slice).unwrap().spectral_radius(xi);
            assert!((found / expected - 1.0).abs() < TOLERANCE, "{pair} at {slice:?}: {found}, expected {expected}");
        }
    }
}
