//! Tests of suprema against closed forms and dense samples.

use super::*;
use crate::stability_matrix;
use hemiola_tableau::library;

fn pair(id: &str) -> Tableau<f64> {
    library::method(id).unwrap().to_f64()
}

/// Returns a tableau with the same method for both partitions.
fn twice(id: &str) -> Tableau<f64> {
    let single = pair(id).partitions.remove(0);
    Tableau { partitions: vec![single.clone(), single] }
}

const POINTS: [(f64, f64); 5] = [(-0.3, 0.5), (-0.05, 0.6), (-1.1, 0.2), (0.1, -0.4), (-0.4, 0.0)];

/// Computes the largest radius over a dense sample of the disk or the line and of the interval.
fn dense(tableau: &Tableau<f64>, kappa: (f64, f64), strength: f64, is_real: bool, xi: Complex64) -> f64 {
    let (rings, angles, ratios) = if is_real { (1, 401, 81) } else { (3, 240, 41) };
    let mut largest = 0.0f64;
    for k in 0..ratios {
        let kappa = kappa.0 + (kappa.1 - kappa.0) * f64::from(k) / f64::from(ratios - 1);
        for ring in 1..=rings {
            for angle in 0..angles {
                let along = f64::from(angle) / f64::from(angles - 1);
                let size = strength * f64::from(ring) / f64::from(rings);
                let g = if is_real {
                    Complex64::from(strength * (2.0 * along - 1.0))
                } else {
                    Complex64::from_polar(size, TAU * along)
                };
                largest = largest.max(radius_at(tableau, [xi, kappa * xi, g * kappa * xi * xi]));
            }
        }
    }
    largest
}

#[test]
fn dense_samples_reach_as_far() {
    for id in ["shome-haug-jay-2-5", "ars-4-4-3", "lobatto-iiic-iiic-star-2"] {
        for (kappa, gamma) in [((4.0, 6.0), 0.2), ((3.0, 3.0), 0.5)] {
            for is_real in [false, true] {
                let robust = Robust::new(&pair(id), kappa, gamma).unwrap();
                let robust = if is_real { robust.real() } else { robust };
                for (x, y) in POINTS.into_iter().filter(|(x, _)| *x < 0.0) {
                    let (found, sampled) =
                        (robust.at(x, y), dense(&pair(id), kappa, gamma * gamma, is_real, Complex64::new(x, y)));
                    assert!(found >= sampled * (1.0 - 1e-9), "{id} {kappa:?} {is_real} {x} {y}: {found} {sampled}");
                    assert!(found <= sampled * (1.0 + 1e-3), "{id} {kappa:?} {is_real} {x} {y}: {found} {sampled}");
                }
            }
        }
    }
}

/// Compares with the closed form: with κ = 1 the eigenvalues are 1 + ξ(1 ± √g), and √g fills the disk of radius γ.
#[test]
fn explicit_euler_in_closed_form() {
    for gamma in [0.0, 0.1, 0.7, 2.0] {
        let robust = Robust::new(&twice("explicit-euler"), (1.0, 1.0), gamma).unwrap();
        for (x, y) in POINTS {
            let xi = Complex64::new(x, y);
            let expected = (1.0 + xi).norm() + gamma * xi.norm();
            let found = robust.at(x, y);
            assert!((found - expected).abs() < 1e-9 * expected, "{gamma} {xi}: {found}, not {expected}");
            // For real couplings √g is real or imaginary.
            let real = [Complex64::ONE, Complex64::I].map(|unit| {
                let root = gamma * unit;
                (1.0 + xi * (1.0 + root)).norm().max((1.0 + xi * (1.0 - root)).norm())
            });
            let found = robust.clone().real().at(x, y);
            assert!((found - real[0].max(real[1])).abs() < 1e-9 * found, "{gamma} {xi}: {found}, not {real:?}");
        }
    }
}

#[test]
fn without_coupling_both_methods_are_alone() {
    for id in ["shome-haug-jay-2-5", "mprk-p3"] {
        let tableau = pair(id);
        let [slow, fast] = [0, 1].map(|r| crate::StabilityFunction::new(&tableau.partitions[r]));
        for (x, y) in POINTS {
            let xi = Complex64::new(x, y);
            let ratios = (0..=20_000).map(|k| 2.0 + 3.0 * f64::from(k) / 20_000.0);
            let expected = ratios.fold(slow.at(xi).norm(), |largest, kappa| largest.max(fast.at(kappa * xi).norm()));
            let found = Robust::new(&tableau, (2.0, 5.0), 0.0).unwrap().at(x, y);
            assert!((found - expected).abs() < 1e-7 * expected, "{id} {xi}: {found}, not {expected}");
        }
    }
}

#[test]
fn more_couplings_have_larger_suprema() {
    for id in ["shome-haug-jay-2-5", "ars-4-4-3", "lobatto-iiic-iiic-star-2"] {
        for (x, y) in POINTS {
            let at = |gamma: f64, high: f64| Robust::new(&pair(id), (2.0, high), gamma).unwrap().at(x, y);
            let values = [0.0, 0.05, 0.1, 0.2, 0.4, 0.8].map(|gamma| at(gamma, 3.0));
            assert!(values.is_sorted_by(|a, b| *a <= b * (1.0 + 1e-9)), "{id} {x} {y}: {values:?}");
            assert!(at(0.2, 2.0) <= at(0.2, 3.0) * (1.0 + 1e-9) && at(0.2, 3.0) <= at(0.2, 4.0) * (1.0 + 1e-9));
            let real = Robust::new(&pair(id), (2.0, 3.0), 0.2).unwrap().real().at(x, y);
            assert!(real <= values[3] * (1.0 + 1e-9), "{id}");
        }
    }
}

#[test]
fn poles_inside_the_disk_are_found() {
    // Implicit Euler has poles at ξ(1 ± √g) = 1, for instance ξ = 1/2 at g = 1.
    let euler = |gamma| Robust::new(&twice("implicit-euler"), (1.0, 1.0), gamma).unwrap();
    assert!(euler(0.99).at(0.5, 0.0) > 2.0 && euler(0.99).at(0.5, 0.0) < f64::INFINITY);
    assert_eq!(euler(1.01).at(0.5, 0.0), f64::INFINITY);
    assert_eq!(euler(1.01).real().at(0.5, 0.0), f64::INFINITY);
    assert!(euler(1.01).real().at(0.5, 0.1) < f64::INFINITY);
    assert_eq!(Robust::new(&twice("implicit-euler"), (1.5, 3.0), 0.0).unwrap().at(0.5, 0.0), f64::INFINITY);
    // Gauss has poles at ξ(1 ± √g) = 3 ± i√3, for instance ξ = 2 at |g| = 1.
    let gauss = |gamma| Robust::new(&twice("gauss-2"), (1.0, 1.0), gamma).unwrap();
    assert!(gauss(0.95).at(2.0, 0.0) < f64::INFINITY);
    assert_eq!(gauss(1.05).at(2.0, 0.0), f64::INFINITY);
}

/// Checks poles on the edge of the set: the Gauss method of two stages has its poles at 3 ± i√3.
#[test]
fn poles_on_the_edge_are_infinite() {
    let gauss = |kappa, gamma| Robust::new(&twice("gauss-2"), kappa, gamma).unwrap();
    // ξ(1 ± √g) is a pole for ξ = 2 at g = exp(±2πi/3), exactly on the circle.
    assert_eq!(gauss((1.0, 1.0), 1.0).at(2.0, 0.0), f64::INFINITY);
    assert!(gauss((1.0, 1.0), 1.0 - 1e-9).at(2.0, 0.0) < f64::INFINITY);
    // Without coupling κξ is a pole at κ = 3/2 within the interval, but not for ξ next to the ray.
    let root = 3f64.sqrt();
    assert_eq!(gauss((1.0, 2.5), 0.0).at(2.0, 2.0 / root), f64::INFINITY);
    assert!(gauss((1.0, 2.5), 0.0).at(2.0, 2.0 / root + 1e-6) < f64::INFINITY);
    // With real couplings and ratios, a pole z of R is a pole of the pair if (z − ξ)(z − κξ) = gκξ².
    let pole = Complex64::new(3.0, root);
    let real = |xi: Complex64| gauss((1.0, 3.0), 1.0).real().at(xi.re, xi.im);
    for xi in [Complex64::new(2.0, 0.5), Complex64::new(1.2, 0.9), Complex64::new(-1.0, 0.5), Complex64::new(2.0, -1.7)]
    {
        // 1 − g is real if (z/ξ)² − (1 + κ)(z/ξ) + κ(1 − g) = 0: the imaginary part yields κ, the real part g.
        let is_pole = [pole, pole.conj()].into_iter().any(|pole| {
            let ratio = pole / xi;
            let kappa = (ratio * ratio).im / ratio.im - 1.0;
            let g = 1.0 - ((1.0 + kappa) * ratio - ratio * ratio).re / kappa;
            (1.0..=3.0).contains(&kappa) && g.abs() <= 1.0
        });
        assert_eq!(real(xi) == f64::INFINITY, is_pole, "{xi}: {}", real(xi));
    }
}

#[test]
fn what_has_no_robust_region() {
    let pair = pair("mprk-p2");
    for (kappa, gamma) in [((0.0, 1.0), 0.1), ((2.0, 1.0), 0.1), ((1.0, f64::NAN), 0.1), ((1.0, 2.0), -0.1)] {
        assert!(matches!(Robust::new(&pair, kappa, gamma), Err(StabilityError::OutOfRange { .. })));
    }
    let single = library::method("rk4").unwrap().to_f64();
    assert!(matches!(Robust::new(&single, (1.0, 2.0), 0.1), Err(StabilityError::NotAPair { found: 1 })));
    let robust = Robust::new(&pair, (1.0, 2.0), 0.1).unwrap();
    for (x, y) in [(f64::NAN, 0.0), (0.0, f64::INFINITY), (1e200, 1e200)] {
        assert_eq!(robust.at(x, y), f64::INFINITY);
    }
}

/// Computes ρ(S) by the stage equations, infinite at a pole, as an independent check.
fn radius_at(tableau: &Tableau<f64>, [slow, fast, product]: [Complex64; 3]) -> f64 {
    let coupling = product.sqrt();
    stability_matrix(tableau, &[vec![slow, coupling], vec![coupling, fast]])
        .map_or(f64::INFINITY, |s| radius_of_pair([[s[0][0], s[0][1]], [s[1][0], s[1][1]]]))
}

#[test]
fn turns_are_counted_at_the_negative_axis() {
    // Circles with one, two, negative and no turns, from any start, also at sizes whose squares would overflow.
    for size in [1.0, 1e-200, 1e200] {
        for (turns, center) in [(1, 0.0), (2, 0.3), (-1, -0.4), (1, 1.5), (-3, -0.9), (-2, -1.2)] {
            for start in [0.0, 0.1, 1.3, 2.9, 4.0] {
                let phases = 16 * 3;
                let at = |i: usize| {
                    let angle = start + f64::from(turns) * TAU * (i % phases) as f64 / phases as f64;
                    size * (center + Complex64::from_polar(1.0, angle))
                };
                let found = (0..phases).map(|i| crossing([at(i), at(i + 1)])).sum::<i32>();
                let inside = if f64::abs(center) < 1.0 { turns } else { 0 };
                assert_eq!(found, inside, "{turns} turns about {center} from {start}");
            }
        }
    }
}
