//! Optimal stability polynomials and their limits agree with values computed independently to 34 digits.

use hemiola_polynomial::{Axis, PolynomialError, StabilityPolynomial, optimal};
use hemiola_stability::stability_limit;
use hemiola_tableau::{Claims, Coefficient, Exact, Method, Partition, Source, parse_number};
use hemiola_tests::reference::{self, text};
use num_complex::Complex64;
use num_traits::Zero;
use serde_json::Value;

/// Optimal polynomial of the table.
#[derive(Debug)]
struct Optimum {
    axis: Axis,
    stages: usize,
    order: usize,
    limit: Exact,
    /// β₀ … β_s as texts: 1/k! up to the order, decimals beyond.
    betas: Vec<String>,
}

impl Optimum {
    fn read(record: &Value) -> Self {
        let count = |field: &str| usize::try_from(record[field].as_u64().unwrap_or(0)).unwrap_or(0);
        let (stages, order) = (count("s"), count("p"));
        let taylor = (0..=order as u64).map(|k| format!("1/{}", (1..=k).product::<u64>()));
        let free = record["betas"].as_array().into_iter().flatten().map(|beta| text(beta).to_owned());
        let betas: Vec<String> = taylor.chain(free).collect();
        assert_eq!(betas.len(), stages + 1, "{record}");
        let axis = if record["axis"] == "imag" { Axis::Imaginary } else { Axis::Real };
        Self { axis, stages, order, limit: exact(text(&record["limit"])), betas }
    }

    /// Builds a method with this stability polynomial: a chain of stages with aᵢ,ᵢ₋₁ = β_{k+1}/β_k, k = s − i + 1, and
    /// b = e_s, so that bᵀAᵏ⁻¹𝟙 is the product β_k of the last k − 1 links.
    fn chain(&self) -> Method {
        let s = self.stages;
        let coefficient = |text: &str| Coefficient::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let entry = |i: usize, j: usize| match s - i {
            k if j + 1 == i => coefficient(&format!("({})/({})", self.betas[k + 1], self.betas[k])),
            _ => coefficient("0"),
        };
        let a = (0..s).map(|i| (0..s).map(|j| entry(i, j)).collect()).collect();
        let b = (0..s).map(|j| coefficient(if j + 1 == s { "1" } else { "0" })).collect();
        let partition = Partition { name: "all".to_owned(), a, b, c: None, b_hat: None, dense: None };
        Method::new("chain", "Chain", vec![partition], Claims::default(), None, Source::default())
            .unwrap_or_else(|error| panic!("{error}"))
    }
}

fn exact(text: &str) -> Exact {
    parse_number(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn table() -> Vec<Optimum> {
    let table: Vec<Optimum> = reference::records("stability_limits.json", "limits").iter().map(Optimum::read).collect();
    assert_eq!(table.len(), 60);
    table
}

/// Returns whether |x − y| ≤ tolerance · |y|.
fn close(x: &Exact, y: &Exact, tolerance: &str) -> bool {
    ((x.clone() - y.clone()).abs() - y.abs() * exact(tolerance)).sign().is_le()
}

fn matches(found: &StabilityPolynomial, expected: &Optimum) -> bool {
    let betas: Vec<Exact> = found.coefficients().iter().cloned().map(Exact::from).collect();
    close(&exact(&found.limit_text(34)), &expected.limit, "1e-30")
        && betas.len() == expected.betas.len()
        && betas.iter().zip(&expected.betas).all(|(found, beta)| close(found, &exact(beta), "1e-30"))
}

#[test]
fn optima_agree_to_thirty_digits() {
    for expected in table() {
        let Optimum { axis, stages, order, .. } = expected;
        match optimal(axis, stages, order) {
            Ok(polynomial) => assert!(matches(&polynomial, &expected), "{polynomial:?}\n{expected:?}"),
            Err(PolynomialError::NoPositiveLimit { .. }) => assert!(expected.limit.is_zero(), "{expected:?}"),
            Err(error) => panic!("{error}: {expected:?}"),
        }
    }
}

#[test]
fn methods_that_realize_the_polynomials_have_their_limits() {
    for expected in table() {
        let direction = match expected.axis {
            Axis::Imaginary => Complex64::I,
            Axis::Real => Complex64::new(-1.0, 0.0),
        };
        let found = stability_limit(&expected.chain(), 0, direction).unwrap_or_else(|error| panic!("{error}")).value();
        let limit = expected.limit.to_f64();
        assert!((found - limit).abs() <= 1e-12 * limit, "{found}, expected {limit}: {expected:?}");
    }
}
