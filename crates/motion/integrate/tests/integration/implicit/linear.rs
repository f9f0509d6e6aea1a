//! On linear problems a step is multiplication by a known matrix.

use hemiola_integrate::{Implicit, LinearizedStepper};
use hemiola_stability::{StabilityScheme, stability_matrix};
use hemiola_tableau::Jacobian;
use num_complex::Complex64;
use proptest::prelude::*;

use super::problems::{Linear, distance, method, step_matrix, tableau};

/// Methods of every kind: explicit, diagonally implicit, with an explicit first stage, fully implicit, partitioned,
/// mixed.
const METHODS: [&str; 19] = [
    "rk4",
    "implicit-euler",
    "implicit-midpoint",
    "sdirk-2",
    "hairer-wanner-sdirk-4",
    "tr-bdf2",
    "kennedy-carpenter-esdirk-5-4-7",
    "gauss-2",
    "gauss-4",
    "radau-ia-2",
    "radau-iia-3",
    "lobatto-iiia-4",
    "lobatto-iiib-3",
    "lobatto-iiic-5",
    "lobatto-iiia-iiib-3",
    "lobatto-iiic-iiic-star-4",
    "kennedy-carpenter-ark-4-3-6",
    "stormer-verlet",
    "shome-haug-jay-2-5",
];

fn z(entries: &[f64]) -> Vec<Vec<Complex64>> {
    let entry = |k: usize| Complex64::new(entries[2 * k], entries[2 * k + 1]);
    vec![vec![entry(0), entry(1)], vec![entry(2), entry(3)]]
}

/// Rounding of some hundred operations. The stage equations of a matrix Z of size about one are well conditioned except
/// near a pole.
const ROUNDING: f64 = 200.0 * f64::EPSILON;

#[test]
fn steps_are_stability_matrices() {
    let z = z(&[-0.8, 0.7, 0.5, -0.3, 0.2, 0.6, -1.1, 0.4]);
    let system = Linear::complex(&z);
    for id in METHODS {
        let method = method(id);
        let expected = stability_matrix(&tableau(&method, 2), &z).unwrap().concat();
        let found = step_matrix(&mut Implicit::new(&method, &system).unwrap(), &z);
        assert!(distance(&found, &expected) < ROUNDING, "{id}: {:e}", distance(&found, &expected));
        for iterations in 0..3 {
            let scheme = hemiola_stability::Linearized::new(tableau(&method, 2), iterations, Jacobian::Exact);
            let expected = scheme.matrix(&z).unwrap().concat();
            let found = step_matrix(&mut LinearizedStepper::new(&method, iterations, &system).unwrap(), &z);
            assert!(distance(&found, &expected) < ROUNDING, "{id}, {iterations}: {:e}", distance(&found, &expected));
        }
    }
}

/// Far in the left half-plane the result is small compared with the rounding of y and hk, from which it is computed.
#[test]
fn stiff_components_come_to_rest() {
    let z = z(&[-1e6, 3e5, 2.0, 1.0, 0.5, 0.5, -0.3, 0.1]);
    let system = Linear::complex(&z);
    for id in ["implicit-euler", "sdirk-2", "radau-ia-2", "radau-iia-3", "lobatto-iiic-4", "gauss-3"] {
        let method = method(id);
        let expected = stability_matrix(&tableau(&method, 2), &z).unwrap().concat();
        let found = step_matrix(&mut Implicit::new(&method, &system).unwrap(), &z);
        assert!(distance(&found, &expected) < ROUNDING, "{id}: {:e}", distance(&found, &expected));
    }
}

proptest! {
    #[test]
    fn steps_are_stability_matrices_everywhere(id in prop::sample::select(METHODS.to_vec()), entries in prop::collection::vec(-2.0f64..2.0, 8)) {
        let (z, method) = (z(&entries), method(id));
        let system = Linear::complex(&z);
        let Ok(expected) = stability_matrix(&tableau(&method, 2), &z) else { return Ok(()) };
        let expected = expected.concat();
        // Near a pole the entries grow as its distance shrinks, and so does their relative error.
        let size = expected.iter().map(|entry| entry.norm()).fold(1.0, f64::max);
        let found = step_matrix(&mut Implicit::new(&method, &system).unwrap(), &z);
        prop_assert!(distance(&found, &expected) < 10.0 * size * ROUNDING, "{id} {:e}", distance(&found, &expected));
        let found = step_matrix(&mut LinearizedStepper::new(&method, 1, &system).unwrap(), &z);
        let one = hemiola_stability::Linearized::new(tableau(&method, 2), 1, Jacobian::Exact).matrix(&z).unwrap().concat();
        prop_assert!(distance(&found, &one) < 10.0 * size * ROUNDING, "{id} {:e}", distance(&found, &one));
    }
}
