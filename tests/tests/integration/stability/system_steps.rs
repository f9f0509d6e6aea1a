//! Stable steps of random linear systems compared with a plain, much finer scan of spectral radii.
#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use hemiola_stability::{BlockSystem, Limit, StableSteps, real_eigenvalues, stability_limit};
use hemiola_tableau::{Method, library};
use hemiola_tests::chebyshev::{Family, Stabilized};
use num_complex::Complex64;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Distance from one below which rounding of the plain algorithm decides.
const NEAREST: f64 = 1e-7;

/// Draws a system of one of several kinds: damped and undamped oscillators, stiff and nonstiff, with weak or strong
/// coupling, far from normal.
fn jacobian(random: &mut ChaCha8Rng, n: usize) -> Vec<Vec<f64>> {
    let kind = random.random_range(0..5);
    let mut j: Vec<Vec<f64>> = (0..n).map(|_| (0..n).map(|_| random.random_range(-1.0..1.0)).collect()).collect();
    let stiffness: Vec<f64> = (0..n).map(|_| 10f64.powf(random.random_range(0.0..2.0))).collect();
    let coupling = 10f64.powf(random.random_range(-3.0..0.0));
    for i in 0..n {
        for k in 0..n {
            j[i][k] = match kind {
                // Random entries shifted to the left.
                0 if i == k => j[i][k] - 1.5 * (n as f64).sqrt(),
                // Skew-symmetric: undamped.
                1 if i == k => 0.0,
                1 if i > k => -j[k][i],
                // Stiff rows, weakly coupled.
                2 if i == k => -stiffness[i],
                2 => coupling * stiffness[i] * j[i][k],
                // Nearly triangular and far from normal.
                3 if i == k => -1.0 - stiffness[i],
                3 if i > k => 0.01 * coupling * j[i][k],
                3 => 30.0 * j[i][k],
                // Oscillators of neighboring variables, coupled, slightly damped or undamped.
                4 if i / 2 == k / 2 && i != k => {
                    if i < k {
                        stiffness[i / 2]
                    } else {
                        -stiffness[i / 2]
                    }
                }
                4 if i == k => {
                    if i % 3 == 0 {
                        -0.05 * stiffness[i / 2]
                    } else {
                        0.0
                    }
                }
                4 => coupling * j[i][k],
                _ => j[i][k],
            };
        }
    }
    j
}

/// Returns ρ(M(h)) by a plain algorithm; `None` if that stalls.
fn radius(system: &BlockSystem, method: &Method, h: f64) -> Option<f64> {
    let Ok(rows) = system.step_matrix(&method.to_f64(), h) else { return Some(f64::INFINITY) };
    let values = real_eigenvalues(&rows).ok()?;
    Some(values.iter().map(|value| value.norm()).fold(0.0, f64::max))
}

fn is_unstable(steps: &StableSteps, h: f64) -> bool {
    h > steps.last || steps.gaps.iter().any(|&(exit, back)| h > exit && h < back)
}

/// Compares all samples except those next to an end.
fn compare(system: &BlockSystem, method: &Method, samples: usize, name: &str) {
    let decoupled = system.decoupled_limit(method).unwrap();
    let steps = system.stable_steps_to_exit(&method.to_f64(), decoupled, &()).unwrap();
    let farthest = steps.farthest;
    let ends = || steps.gaps.iter().flat_map(|gap| [gap.0, gap.1]).chain([steps.last]);
    assert_eq!(steps.first_exit.min(farthest), ends().fold(farthest, f64::min), "{name}: {steps:?}");
    (1..samples).into_par_iter().for_each(|k| {
        let h = farthest * k as f64 / samples as f64;
        let Some(radius) = radius(system, method, h) else { return };
        let is_next_to_an_end = ends().any(|end| (h - end).abs() <= 1e-6 * end);
        if (radius - 1.0).abs() > NEAREST && !is_next_to_an_end {
            assert_eq!(radius > 1.0, is_unstable(&steps, h), "{name} at {h}: {radius}, {steps:?}");
        }
    });
}

fn methods() -> Vec<Method> {
    let ids = [
        "rk4",
        "heun-2",
        "kutta-3",
        "ssp-rk-10-4",
        "mprk-p3",
        "shome-haug-jay-2-5",
        "hemiola-4-8",
        "ars-4-4-3",
        "gauss-2",
    ];
    let mut methods: Vec<Method> = ids.iter().map(|id| library::method(id).unwrap()).collect();
    // A method whose limit is a hundred times as large as the others'.
    methods.push(Stabilized { family: Family::Rkl1, stages: 20 }.in_fractions());
    methods
}

fn systems(seed: u64, count: usize) -> impl Iterator<Item = (usize, BlockSystem)> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    (0..count).map(move |k| {
        let n = 1 + k % 12;
        let j = jacobian(&mut random, n);
        let partition = (0..n).map(|_| random.random_range(0..2)).collect();
        (k, BlockSystem::new(&j, partition).unwrap())
    })
}

#[test]
fn random_systems() {
    let methods = methods();
    for (k, system) in systems(1, 24) {
        for method in [k, k + 4, k + 7].map(|k| &methods[k % methods.len()]) {
            compare(&system, method, 800, &format!("system {k}, {}", method.id()));
        }
    }
}

/// Run with `cargo test -p hemiola-tests --release --test system_steps -- --ignored`.
#[test]
#[ignore = "a quarter of an hour: 300 systems, 20 000 samples for each of ten methods"]
fn three_hundred_random_systems() {
    let methods = methods();
    for (k, system) in systems(2, 300) {
        for method in &methods {
            compare(&system, method, 20_000, &format!("system {k}, {}", method.id()));
        }
    }
}

/// Checks that a single variable has the limit on the real axis, independent of other options.
#[test]
fn one_variable_has_the_limit_of_the_ray() {
    let system = BlockSystem::new(&[vec![-2.5]], vec![0]).unwrap();
    for id in library::ids() {
        let method = library::method(id).unwrap();
        if method.precision().is_some() {
            continue;
        }
        let limit = stability_limit(&method, 0, Complex64::new(-1.0, 0.0)).unwrap();
        let decoupled = system.decoupled_limit(&method).unwrap();
        let steps = system.stable_steps_to_exit(&method.to_f64(), decoupled, &()).unwrap();
        match limit {
            Limit::Finite(limit) if limit > 0.0 => {
                let ratio = steps.first_exit * 2.5 / limit;
                assert!((ratio - 1.0).abs() < 1e-6, "{id}: {ratio}");
            }
            Limit::Finite(_) => assert!(steps.first_exit < 1e-6, "{id}: {steps:?}"),
            Limit::Unbounded => assert_eq!(steps.first_exit, f64::INFINITY, "{id}"),
        }
    }
}

/// Checks that stabilized methods of many stages, whose powers of z cancel, leave the stability region at the limits of
/// their closed forms.
#[test]
fn methods_of_many_stages_leave_at_their_limits() {
    let system = BlockSystem::new(&[vec![-1.0, 0.5], vec![0.0, -100.0]], vec![0, 1]).unwrap();
    for family in Family::ALL {
        for stages in [10, 40] {
            let method = Stabilized { family, stages };
            let limit = method.closed_form::<qd::Quad>().real_limit();
            let steps = system.stable_steps(&method.in_doubles().to_f64(), 0.03 * limit, &()).unwrap();
            assert!((steps.first_exit * 100.0 / limit - 1.0).abs() < 1e-6, "{method:?}: {steps:?} {limit}");
        }
    }
}
