//! First exits of coupled pairs: exits found in doubles agree with the exact polynomials, and these with 60-digit
//! arithmetic.

use hemiola_stability::{Limit, Scan, Slice, StableSteps, StepSearch, coupled_limit};
use hemiola_tableau::library;
use num_complex::Complex64;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Margin by which ρ may exceed one, as in the coupled profile.
const MARGIN: f64 = 1e-9;

const fn complex(re: f64, im: f64) -> Complex64 {
    Complex64::new(re, im)
}

/// First exits beyond ρ = 1 + 1e-9 for z_ss, z_ff and w at t = 1, by bisection in mpmath with 60 digits. S is computed
/// from the step itself, its eigenvalues by the quadratic formula.
const REFERENCE: [(&str, [Complex64; 3], &str); 10] = [
    (
        "shome-haug-jay-2-5",
        [complex(-0.05, 0.99875), complex(-0.25, 4.99), complex(-0.9, 0.1)],
        "0.69127034095728810639324374540666",
    ),
    (
        "shome-haug-jay-2-5",
        [complex(-0.3, 0.95), complex(-1.2, 3.0), complex(0.25, 0.4)],
        "0.95633259012200383725309658370228",
    ),
    (
        "mprk-p2",
        [complex(-0.5, 0.75), complex(-1.0, 1.5), complex(0.125, -0.0625)],
        "2.2876513611498197297532543245529",
    ),
    ("mprk-p2", [complex(-1.0, 0.0), complex(-2.5, 0.0), complex(0.2, 0.0)], "1.6000000003999999998782608943882"),
    ("mprk-p3", [complex(-0.1, 0.99), complex(-0.2, 1.98), complex(-0.08, 0.01)], "2.7719473317267210213009186459231"),
    ("mprk-p3", [complex(-0.7, 0.7), complex(-0.9, 2.1), complex(0.3, 0.3)], "1.8866143209418952172512750635379"),
    (
        "perk-4-9-5",
        [complex(-0.05, 0.99875), complex(-0.08, 1.598), complex(-0.06, -0.006)],
        "2.5323653165823744484309737578353",
    ),
    ("perk-4-9-5", [complex(-0.6, 0.8), complex(-0.9, 1.2), complex(0.1, 0.5)], "2.1243195361941598660091926896758"),
    (
        "perk-2-12-3",
        [complex(-0.25, 0.97), complex(-1.0, 3.9), complex(-0.35, 0.2)],
        "1.8174365279411107392396684948949",
    ),
    ("perk-2-12-6", [complex(-0.9, 0.4), complex(-1.9, 0.9), complex(0.3, -0.1)], "3.0753038807770314584185383192672"),
];

#[test]
fn exact_exits_agree_with_sixty_digits() {
    for (id, z, expected) in REFERENCE {
        let expected: f64 = expected.parse().unwrap();
        let found = coupled_limit(&library::method(id).unwrap(), z, MARGIN).unwrap();
        assert_eq!(found, Limit::Finite(expected), "{id} along {z:?}");
    }
}

/// Draws a direction: z_ss = e^{iθ} in the left half-plane, z_ff = κ z_ss, w = g κ z_ss².
fn direction(random: &mut ChaCha8Rng, real: bool) -> [Complex64; 3] {
    let angle = random.random_range(0.51..1.0) * std::f64::consts::PI;
    let kappa = random.random_range(0.3..8.0);
    let size = random.random_range(0.0..0.6);
    let phase =
        if real { [0.0, std::f64::consts::PI][random.random_range(0..2)] } else { random.random_range(-3.1..3.1) };
    let slow = Complex64::from_polar(1.0, angle);
    [slow, slow * kappa, slow * slow * kappa * Complex64::from_polar(size, phase)]
}

#[test]
fn exits_in_doubles_are_the_exact_ones_on_two_hundred_slices() {
    let ids = [
        "shome-haug-jay-2-5",
        "mprk-p2",
        "mprk-p3",
        "perk-4-9-5",
        "mprk-2a22",
        "perk-2-12-6",
        "shome-haug-jay-averaged-1-3",
    ];
    let mut random = ChaCha8Rng::seed_from_u64(20);
    let mut apart = Vec::new();
    for slice in 0..200 {
        let id = ids[slice % ids.len()];
        let method = library::method(id).unwrap();
        let tableau = method.to_f64();
        let z = direction(&mut random, slice % 2 == 0);
        let exact = coupled_limit(&method, z, MARGIN).unwrap().value();
        let search = StepSearch { farthest: 40.0 / z[1].norm().max(1.0), samples: 4000, margin: MARGIN };
        let found = StableSteps::of_pair(&tableau, z, search).unwrap().first_exit;
        // The value of ρ at the exit is well conditioned for any slope of ρ.
        let zero = Complex64::ZERO;
        let ray = Slice { slow: [zero, z[0]], fast: [zero, z[1]], product: [zero, zero, z[2]] };
        let radius = Scan::new(&tableau, ray).unwrap().spectral_radius(found.into());
        assert!((radius - 1.0 - MARGIN).abs() < 1e-12, "{id} along {z:?}: ρ = {radius} at {found}");
        // 1 + 1e-9 leaves seven digits for the excess; an exit just beyond zero is determined to the same accuracy.
        if (found - exact).abs() > 1e-10 * exact + 1e-14 {
            apart.push((slice, id, found, exact));
        }
    }
    assert!(apart.is_empty(), "{apart:?}");
}
