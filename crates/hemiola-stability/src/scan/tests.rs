//! Kernels against `stability_matrix` and its eigenvalues, point by point.

use hemiola_tableau::{Tableau, library};
use num_complex::Complex64;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::lanes::{Complex, Fused, LANES, Plain};
use super::rows::{Kernel, Question};
use super::spectrum::is_stable;
use super::{Scan, Slice};
use crate::contour::Window;
use crate::error::StabilityError;
use crate::matrix::{Matrix, eigenvalues_of_pair, stability_matrix};

const I: Complex64 = Complex64::I;

fn pair(id: &str) -> Tableau<f64> {
    library::method(id).unwrap().to_f64()
}

fn random_complex(random: &mut ChaCha8Rng, size: f64) -> Complex64 {
    Complex64::new(random.random_range(-size..size), random.random_range(-size..size))
}

/// A slice of each kind: real and complex rays, and planes that are no rays.
fn slices(random: &mut ChaCha8Rng) -> Vec<Slice> {
    let mut number = |size: f64| random_complex(random, size);
    let zero = Complex64::ZERO;
    vec![
        Slice::ray(5.0, 0.04),
        Slice::ray(1.5, -0.3),
        Slice { slow: [zero, number(1.0)], fast: [zero, number(3.0)], product: [zero, zero, number(0.5)] },
        Slice::fast_plane(number(0.5), number(0.5)),
        Slice { slow: [number(0.5); 2], fast: [number(1.0); 2], product: [number(0.3); 3] },
    ]
}

/// ρ(S), and what it may be off by.
fn reference(tableau: &Tableau<f64>, slice: &Slice, xi: Complex64) -> (f64, f64) {
    let z = slice.matrix(xi);
    let s = stability_matrix(tableau, &z).unwrap();
    let [large, small] = eigenvalues_of_pair([[s[0][0], s[0][1]], [s[1][0], s[1][1]]]);
    let rounding = 1e-13 * size(&s) + 4.0 * f64::EPSILON * majorant(tableau, &z);
    // A perturbation of S moves its eigenvalues more the closer they are: as its root where they coincide.
    let condition = (size(&s) / (large - small).norm()).max(1.0);
    (large.norm().max(small.norm()), rounding * condition)
}

/// max(|s_ss|, |s_ff|, √|s_sf s_fs|): the size of S however it is scaled.
fn size(s: &Matrix) -> f64 {
    s[0][0].norm().max(s[1][1].norm()).max((s[0][1] * s[1][0]).norm().sqrt())
}

/// The size of S when nothing cancels: stabilised methods of many stages lose digits on the way, in any order of summation.
fn majorant(tableau: &Tableau<f64>, z: &Matrix) -> f64 {
    if !tableau.is_explicit() {
        return 0.0;
    }
    let mut positive = tableau.clone();
    for part in &mut positive.partitions {
        part.a.iter_mut().flatten().chain(&mut part.b).for_each(|entry| *entry = entry.abs());
    }
    let z: Matrix = z.iter().map(|row| row.iter().map(|z| z.norm().into()).collect()).collect();
    size(&stability_matrix(&positive, &z).unwrap())
}

#[test]
fn every_pair_at_random_points() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for (id, tableau) in library::ids().map(|id| (id, pair(id))).filter(|(_, tableau)| tableau.partitions.len() == 2) {
        for slice in slices(&mut random) {
            let kernel = Kernel::new(&tableau, slice);
            let x: Vec<f64> = (0..2 * LANES).map(|_| random.random_range(-2.0..1.0)).collect();
            let y = random.random_range(-2.0..2.0);
            let (mut fast, mut plain) = (vec![0.0; x.len()], vec![0.0; x.len()]);
            kernel.row(&x, y, Question::Radius, &mut fast);
            kernel.portable::<Plain>(&x, y, Question::Radius, &mut plain);
            for lane in 0..x.len() {
                let (expected, error) = reference(&tableau, &slice, Complex64::new(x[lane], y));
                for found in [fast[lane], plain[lane]] {
                    assert!((found - expected).abs() <= error, "{id} {slice:?}: {found}, not {expected} ({error:e})");
                }
            }
        }
    }
}

/// An explicit pair of twenty stages with coefficients of size one.
fn long_pair() -> Tableau<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut part = || {
        let row = |i: usize, random: &mut ChaCha8Rng| -> Vec<f64> {
            (0..20).map(|j| if j < i { random.random_range(-1.0..1.0) } else { 0.0 }).collect()
        };
        let a = (0..20).map(|i| row(i, &mut random)).collect();
        (a, row(20, &mut random), None)
    };
    Tableau::new(vec![part(), part()])
}

#[test]
fn large_and_small_arguments() {
    let tableau = long_pair();
    for (size, exponent) in [(1e3, 40.0..90.0), (1.0, -5.0..20.0), (1e-3, -0.1..0.1), (1e-200, -1e-9..1e-9)] {
        for scale in [1.0, 0.5] {
            let z = Complex64::new(-0.3, 0.8) * size * scale;
            let zero = Complex64::ZERO;
            let ray = Slice { slow: [zero, z], fast: [zero, z * I], product: [zero, zero, z * z * 0.7] };
            let plane = Slice { slow: [z, zero], fast: [z * I, zero], product: [z * z * 0.7, zero, zero] };
            let found = [ray, plane].map(|slice| Scan::new(&tableau, slice).unwrap().spectral_radius(Complex64::ONE));
            let (expected, error) = reference(&tableau, &plane, Complex64::ONE);
            for found in found {
                assert!((found - expected).abs() <= error, "{found}, not {expected}");
                assert!(exponent.contains(&found.log10()), "{found}");
            }
        }
    }
}

#[test]
fn what_overflows_is_not_stable() {
    let window = Window { x: (-1e300, 1e300), y: (1e300, 1.5e300), cells: (3, 3) };
    for id in ["shome-haug-jay-2-5", "ars-4-4-3", "lobatto-iiia-iiib-2"] {
        for slice in [Slice::ray(5.0, 0.04), Slice::fast_plane(Complex64::ONE, I)] {
            let scan = Scan::new(&pair(id), slice).unwrap();
            for xi in [Complex64::new(f64::NAN, 0.0), Complex64::new(0.0, f64::NAN), Complex64::new(f64::INFINITY, 1.0)]
            {
                assert_eq!(scan.spectral_radius(xi), f64::INFINITY, "{id} {slice:?} {xi}");
            }
            let radii = scan.spectral_radii(&window);
            for (stable, radius) in scan.stable(&window, 0.0).into_iter().zip(radii) {
                assert!(radius >= 0.0, "{id}: {radius}");
                assert!(!stable || radius <= 1.0, "{id}: {radius}");
            }
        }
    }
    let explicit = Scan::new(&pair("shome-haug-jay-2-5"), Slice::ray(5.0, 0.04)).unwrap();
    assert!(explicit.spectral_radii(&window).iter().all(|radius| *radius == f64::INFINITY));
    assert!(!explicit.stable(&window, 0.0).contains(&true));
}

#[test]
fn poles_are_not_stable() {
    // Implicit Euler on the fast part: D = 1 − z_ff.
    let scan = Scan::new(&pair("ars-1-1-1"), Slice::fast_plane(Complex64::new(-0.1, 0.0), Complex64::ZERO)).unwrap();
    assert_eq!(scan.spectral_radius(Complex64::ONE), f64::INFINITY);
    let window = Window { x: (0.0, 1.0), y: (0.0, 1.0), cells: (1, 1) };
    assert!(!scan.stable(&window, 0.0)[1]);
}

#[test]
fn symmetric_windows_are_mirrored() {
    for (id, rows) in [("shome-haug-jay-2-5", 12), ("shome-haug-jay-2-5", 13), ("kennedy-carpenter-ark-4-3-6", 9)] {
        let scan = Scan::new(&pair(id), Slice::ray(5.0, 0.04)).unwrap();
        let window = Window { x: (-1.0, 0.3), y: (-1.1, 1.1), cells: (18, rows) };
        let radii = scan.spectral_radii(&window);
        assert_eq!(radii.len(), 19 * (rows + 1));
        for (index, radius) in radii.iter().enumerate() {
            let (i, j) = (index % 19, index / 19);
            let [x, y] = window.point(i, j);
            let direct = scan.spectral_radius(Complex64::new(x, y));
            assert!((radius - direct).abs() <= 1e-13 * direct.max(1.0), "{id} ({i}, {j}): {radius}, not {direct}");
            assert_eq!(radius.to_bits(), radii[(rows - j) * 19 + i].to_bits());
        }
    }
    // A slice with complex coefficients has no such symmetry.
    let scan = Scan::new(&pair("mprk-p2"), Slice::fast_plane(I * 0.4, I * 0.3)).unwrap();
    let window = Window { x: (-1.0, 0.0), y: (-1.0, 1.0), cells: (2, 2) };
    let radii = scan.spectral_radii(&window);
    let lowest = scan.spectral_radius(Complex64::new(-1.0, -1.0));
    assert_eq!((radii[0], radii[0] == radii[6]), (lowest, false));
}

/// The test of stability for one matrix, the same in all lanes and with either rounding.
fn jury([[a, b], [c, d]]: [[Complex64; 2]; 2], margin: f64) -> bool {
    let s = [a, b, c, d].map(Complex::all);
    let answers = [is_stable::<Plain>(&s, 1.0 / (1.0 + margin)), is_stable::<Fused>(&s, 1.0 / (1.0 + margin))];
    let stable = answers[0].0[0];
    assert!(answers[0].0.iter().all(|answer| *answer == stable));
    assert_eq!(answers[1].0[0], stable);
    stable == 1.0
}

/// A matrix with eigenvalues λ₁ and λ₂: V diag(λ₁, λ₂) V⁻¹ with V = [1 0; v 1][1 u; 0 1].
fn with_eigenvalues(first: Complex64, second: Complex64, u: Complex64, v: Complex64) -> [[Complex64; 2]; 2] {
    let upper = u * (second - first);
    [[first - upper * v, upper], [v * (first - upper * v) - v * second, v * upper + second]]
}

#[test]
fn jury_conditions_agree_with_eigenvalues() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let mut decided = [0, 0];
    for _ in 0..20_000 {
        let mut number = |size: f64| random_complex(&mut random, size);
        let s = with_eigenvalues(number(1.3), number(1.3), number(2.0), number(2.0));
        let radius = eigenvalues_of_pair(s)[0].norm();
        if (radius - 1.0).abs() > 1e-6 {
            assert_eq!(jury(s, 0.0), radius < 1.0, "{s:?}");
            decided[usize::from(radius < 1.0)] += 1;
        }
    }
    assert!(decided.iter().all(|count| *count > 2000), "{decided:?}");
}

#[test]
fn jury_conditions_on_the_circle() {
    let (zero, one) = (Complex64::ZERO, Complex64::ONE);
    // Exact numbers: equality counts as stable.
    for (a, d) in [(one, one), (one, -one), (I, -I), (I, one), (one, one * 0.25), (-I, zero)] {
        assert!(jury([[a, zero], [zero, d]], 0.0), "{a} {d}");
    }
    assert!(jury([[zero, one], [-one, zero]], 0.0));
    // |d| = 1 and t = t̄ d, though one root is two.
    assert!(!jury([[one * 2.0, zero], [zero, one * 0.5]], 0.0));
    assert!(!jury([[one * 1.5, one], [zero, one * (2.0 / 3.0)]], 0.0));
    let mut random = ChaCha8Rng::seed_from_u64(13);
    for _ in 0..2000 {
        let mut angle = || Complex64::cis(random.random_range(-3.0..3.0));
        let (first, second) = (angle(), angle());
        let s = with_eigenvalues(first, second, angle(), angle());
        // Rounding moves two eigenvalues on the circle by its root at most.
        assert!(jury(s, 1e-6) && !jury(s, -1e-6), "{first} {second}");
        let s = with_eigenvalues(first, second * 0.7, angle(), angle());
        assert!(jury(s, 1e-13) && !jury(s, -1e-13), "{first} {second}");
    }
}

#[test]
fn maps_of_stability_agree_with_radii() {
    let window = Window { x: (-2.0, 0.5), y: (-1.7, 2.0), cells: (77, 50) };
    for id in ["shome-haug-jay-2-5", "mprk-p3", "ars-4-4-3", "symplectic-euler", "lobatto-iiia-iiib-2"] {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        for slice in slices(&mut random) {
            let scan = Scan::new(&pair(id), slice).unwrap();
            let radii = scan.spectral_radii(&window);
            for (stable, radius) in scan.stable(&window, 1e-3).into_iter().zip(radii) {
                assert!(stable == (radius <= 1.001) || (radius - 1.001).abs() < 1e-7, "{id} {slice:?}: {radius}");
            }
        }
    }
}

#[test]
fn what_cannot_be_scanned() {
    let single = Scan::new(&pair("rk4"), Slice::ray(1.0, 0.0));
    assert!(matches!(single, Err(StabilityError::NotAPair { found: 1 })));
    let infinite = Scan::new(&pair("mprk-p2"), Slice::ray(f64::INFINITY, 0.1));
    assert!(matches!(infinite, Err(StabilityError::OutOfRange { .. })));
}
