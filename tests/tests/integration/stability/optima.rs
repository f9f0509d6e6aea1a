//! Properties of optimal polynomials across degrees, orders and spectra.

use hemiola_polynomial::{Axis, Optimality, PolynomialError, Problem, Spectrum};
use num_complex::Complex64;
use proptest::prelude::*;

fn limit(axis: Axis, stages: usize, order: usize) -> f64 {
    let optimum = Problem::new(Spectrum::Axis(axis), stages, order).solve();
    let optimum = optimum.unwrap_or_else(|error| panic!("{error}"));
    assert!(optimum.is_polished(), "{axis}, {stages} stages of order {order}");
    optimum.limit()
}

#[test]
fn limits_on_the_imaginary_axis_grow_with_the_stages_and_fall_with_the_order() {
    for order in 1..=6 {
        let mut before = 0.0;
        for stages in order + 1..=30 {
            if (stages, order) == (2, 2) {
                continue;
            }
            let found = limit(Axis::Imaginary, stages, order);
            // No limit exceeds s − 1 (Vichnevetsky 1983), and more stages cannot reduce the limit.
            assert!(found >= before - 1e-12 && found <= stages as f64 - 1.0 + 1e-12, "{stages} {order}: {found}");
            if order > 1 && stages > 2 {
                assert!(found <= limit(Axis::Imaginary, stages, order - 1) * (1.0 + 1e-12), "{stages} {order}");
            }
            before = found;
        }
    }
}

#[test]
fn odd_stages_of_order_five_have_order_six_for_free() {
    for stages in [7, 9, 15, 21, 31] {
        let (five, six) = (limit(Axis::Imaginary, stages, 5), limit(Axis::Imaginary, stages, 6));
        assert!((five - six).abs() < 1e-10 * five, "{stages}: {five} {six}");
    }
}

#[test]
fn sixty_stages_and_two_hundred() {
    for (axis, stages, order) in [
        (Axis::Imaginary, 61, 3),
        (Axis::Imaginary, 61, 4),
        (Axis::Imaginary, 60, 5),
        (Axis::Imaginary, 60, 6),
        (Axis::Real, 200, 2),
        (Axis::Real, 200, 3),
        (Axis::Real, 200, 4),
    ] {
        let found = limit(axis, stages, order);
        let bound = match axis {
            Axis::Imaginary => stages as f64 - 1.0,
            Axis::Real => 2.0 * (stages * stages) as f64,
        };
        assert!(found > 0.3 * bound / order as f64 && found < bound, "{axis} {stages} {order}: {found}");
    }
}

#[test]
fn certificates_enclose_the_limit() {
    for (axis, stages, order) in [
        (Axis::Imaginary, 21, 3),
        (Axis::Imaginary, 15, 5),
        (Axis::Imaginary, 12, 6),
        (Axis::Real, 20, 2),
        (Axis::Real, 15, 6),
    ] {
        let optimum =
            Problem::new(Spectrum::Axis(axis), stages, order).solve().unwrap_or_else(|error| panic!("{error}"));
        let polynomial = optimum.polynomial(30).unwrap_or_else(|error| panic!("{error}"));
        let certificate = polynomial.certificate().unwrap_or_else(|| panic!("{axis} {stages} {order}: no proof"));
        let Optimality::Bounded(bound) = certificate.optimality else { panic!("{axis} {stages} {order}: no bound") };
        let gap = (bound.limit.sqr() / polynomial.limit_squared()).to_f64().value() - 1.0;
        assert!((0.0..1e-15).contains(&gap), "{gap}");
        assert!((optimum.limit() / polynomial.limit() - 1.0).abs() < 1e-14);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    /// Checks that the polynomial is stable at all eigenvalues, that |R| = 1 at some of them, and that the limit scales
    /// with the spectrum.
    #[test]
    fn lists_of_eigenvalues(
        values in prop::collection::vec((-1.0..-0.01f64, 0.0..1.0f64), 6..14),
        stages in 4..9usize,
        order in 1..4usize,
        scale in 0.1..10.0f64,
    ) {
        let eigenvalues = |factor: f64| -> Vec<Complex64> {
            values.iter().map(|&(x, y)| factor * Complex64::new(x, y)).collect()
        };
        let solved = |factor: f64| Problem::new(Spectrum::Eigenvalues(eigenvalues(factor)), stages, order).solve();
        match solved(1.0) {
            Ok(optimum) => {
                prop_assert!(optimum.is_polished());
                let polynomial = optimum.polynomial(17).unwrap_or_else(|error| panic!("{error}"));
                let moduli: Vec<f64> = eigenvalues(optimum.limit()).into_iter().map(|z| polynomial.value(z).norm()).collect();
                let largest = moduli.iter().copied().fold(0.0, f64::max);
                prop_assert!((largest - 1.0).abs() < 1e-9, "{largest}");
                let other = solved(scale).unwrap_or_else(|error| panic!("{error}"));
                prop_assert!((other.limit() * scale / optimum.limit() - 1.0).abs() < 1e-8);
            }
            Err(error) => prop_assert!(matches!(error, PolynomialError::Unbounded { .. }), "{error}"),
        }
    }
}
