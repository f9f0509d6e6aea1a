use hemiola_number::parallel;
use hemiola_tableau::{Method, library};
use num_complex::Complex64;

use super::step::CouplingRay;
use super::*;
use crate::steps::{StableSteps, StepSearch};

const DAMPING: f64 = 0.05;
const GAMMAS: [f64; 3] = [0.1, 0.2, 0.4];

/// Returns the profile of every `step`-th pair of the library, if it has one.
fn pairs(step: usize) -> Vec<(Method, CoupledProfile)> {
    let found = |id: String| {
        let method = library::method(&id).ok()?;
        let profile = coupled_profile(&method, DAMPING, &GAMMAS).ok()?;
        Some((method, profile))
    };
    let ids: Vec<_> =
        library::ids().filter(|id| library::method(id).is_ok_and(|method| method.partitions().len() == 2)).collect();
    assert!(ids.len() >= 48);
    ids.iter().step_by(step).filter_map(|id| found(id.to_string())).collect()
}

/// Computes t*/t₀, at most 1.2, by another kernel: S as a polynomial along the ray.
fn first_exit([slow, fast]: [f64; 2], method: &Method, growth: Growth, ratio: f64, coupling: f64) -> f64 {
    let u = Complex64::new(-DAMPING, (1.0 - DAMPING * DAMPING).sqrt());
    let [slow, fast] = [u * slow * 1f64.min(ratio.recip()), u * fast * 1f64.min(ratio)];
    let search = StepSearch { farthest: 1.2, samples: 2000, margin: growth.margin() };
    let steps = StableSteps::of_pair(&method.to_f64(), [slow, fast, coupling * slow * fast], search).unwrap();
    steps.first_exit.min(1.2)
}

/// Finds the smallest t*/t₀ over a grid of κ/κ* and fractions of the strongest coupling, by first exits.
fn brute_force(method: &Method, growth: Growth, gamma: f64, [frequencies, couplings]: [usize; 2], skew: bool) -> f64 {
    let step = CoupledStep::new(method, DAMPING, growth).unwrap();
    let [slow, fast] = CoupledRadius::new(method, DAMPING).unwrap().limits();
    let values = parallel::map(frequencies * couplings, |k| {
        let (i, j) = (k / couplings, k % couplings);
        let ratio = 10f64.powf(2.0 * i as f64 / (frequencies - 1) as f64 - 1.0);
        let kappa = ratio * fast / slow;
        let strongest = if skew { -(gamma * gamma).min((1.0 - kappa).powi(2) / (4.0 * kappa)) } else { gamma * gamma };
        let coupling = strongest * (j + 1) as f64 / couplings as f64;
        let exit = first_exit([slow, fast], method, growth, ratio, coupling);
        let found = step.ratio(ratio, coupling).min(1.2);
        assert!((found - exit).abs() < 1e-6, "{} κ/κ* = {ratio}, g = {coupling}: {found}, not {exit}", method.id());
        exit
    });
    values.into_iter().fold(f64::INFINITY, f64::min)
}

/// Checks that no grid finds a smaller step, and that the first exit at the minimizer is the infimum.
fn compare(pairs: &[(Method, CoupledProfile)], grid: [usize; 2]) {
    let mut wrong = Vec::new();
    for (method, profile) in pairs {
        for value in &profile.values {
            for (growth, infimum, skew) in [
                (Growth::Practical, value.practical, false),
                (Growth::Strict, value.strict, false),
                (Growth::Practical, value.skew, true),
            ] {
                let case = format!("{} γ = {} {growth:?} {infimum:?}", method.id(), value.gamma);
                let least = brute_force(method, growth, value.gamma, grid, skew);
                if least <= infimum.value - 1e-6 {
                    wrong.push(format!("{case}: {least} on a grid"));
                }
                let ratio = infimum.kappa * profile.slow_limit / profile.fast_limit;
                let step = CoupledStep::new(method, DAMPING, growth).unwrap();
                let attained = step.ratio(ratio, infimum.coupling);
                if (attained - infimum.value).abs() >= 1e-6 {
                    wrong.push(format!("{case}: {attained} at the minimizer"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_grid_finds_a_smaller_step_and_the_minimizer_attains_it() {
    compare(&pairs(4), [12, 2]);
}

#[test]
#[ignore = "a fine grid for every pair of the library takes minutes"]
fn no_fine_grid_finds_a_smaller_step() {
    compare(&pairs(1), [300, 6]);
}

#[test]
fn profiles_of_published_pairs() {
    // Independent upper bounds on grids with steps of 1/300 t₀.
    for (id, slow, fast, expected) in [
        ("shome-haug-jay-2-5", 0.802, 4.042, [0.923, 0.860, 0.760]),
        ("mprk-p3", 2.80, 5.60, [0.990, 0.960, 0.867]),
        ("perk-4-9-5", 2.99, 4.79, [0.963, 0.837, 0.677]),
    ] {
        let profile = coupled_profile(&library::method(id).unwrap(), DAMPING, &GAMMAS).unwrap();
        assert!((profile.slow_limit - slow).abs() < 0.006, "{id}: {}", profile.slow_limit);
        assert!((profile.fast_limit - fast).abs() < 0.006, "{id}: {}", profile.fast_limit);
        for (value, expected) in profile.values.iter().zip(expected) {
            let found = value.practical.value;
            assert!((found - expected).abs() < 0.006, "{id} at {}: {found}, expected {expected}", value.gamma);
        }
    }
}

#[test]
fn profiles_never_rise_with_the_strength_of_coupling() {
    let gammas: Vec<f64> = (0..=24).map(|k| 0.04 * f64::from(k)).collect();
    for id in ["hemiola-3-7-coupled", "hemiola-3-6", "perk-2-12-3"] {
        let profile = coupled_profile(&library::method(id).unwrap(), DAMPING, &gammas).unwrap();
        for pair in profile.values.windows(2) {
            for kind in [|v: &ProfileValue| v.practical, |v: &ProfileValue| v.strict, |v: &ProfileValue| v.skew] {
                let [weak, strong] = [kind(&pair[0]).value, kind(&pair[1]).value];
                // As the set of couplings grows, the infimum decreases or stays.
                assert!(strong <= weak, "{id}: {weak} at {}, {strong} at {}", pair[0].gamma, pair[1].gamma);
            }
            assert!(pair[0].strict.value <= pair[0].practical.value);
        }
        assert!((profile.values[0].strict.value - 1.0).abs() < 1e-6, "{id}: {:?}", profile.values[0]);
    }
}

/// A step that grows by a thousandth grows: the strict search sees every minimizer of the practical one.
#[test]
fn strict_profiles_are_at_most_the_practical_ones() {
    for (method, profile) in pairs(1) {
        for value in &profile.values {
            assert!(value.strict.value <= value.practical.value, "{}: {value:?}", method.id());
        }
    }
    let profile = coupled_profile(&library::method("hemiola-4-8-vehicle").unwrap(), DAMPING, &[0.05]).unwrap();
    assert!(profile.values[0].strict.value < 0.99545, "{:?}", profile.values[0]);
}

#[test]
fn a_strength_alone_has_the_profile_that_it_has_among_others() {
    let method = library::method("hemiola-2-9").unwrap();
    let among = coupled_profile(&method, DAMPING, &GAMMAS).unwrap();
    for (k, &gamma) in GAMMAS.iter().enumerate() {
        let alone = coupled_profile(&method, DAMPING, &[gamma]).unwrap().values[0];
        assert!((alone.practical.value - among.values[k].practical.value).abs() < 1e-6);
    }
}

#[test]
fn where_there_is_no_decoupled_step_the_field_is_infinite() {
    let step = CoupledStep::new(&library::method("mprk-p2").unwrap(), DAMPING, Growth::Strict).unwrap();
    for (x, y) in [(-1.0, 0.1), (f64::NAN, 0.1), (1.0, f64::NAN)] {
        assert_eq!(crate::map::field::Field::at(&step, x, y), f64::INFINITY);
    }
}

#[test]
fn pairs_without_a_finite_limit_have_no_profile() {
    let midpoint = library::method("lobatto-iiia-iiib-2").unwrap();
    assert!(matches!(coupled_profile(&midpoint, DAMPING, &GAMMAS), Err(StabilityError::OutOfRange { .. })));
    let rk4 = library::method("rk4").unwrap();
    assert!(matches!(coupled_profile(&rk4, DAMPING, &GAMMAS), Err(StabilityError::NotAPair { found: 1 })));
    let pair = library::method("mprk-p2").unwrap();
    assert!(matches!(coupled_profile(&pair, 1.5, &GAMMAS), Err(StabilityError::OutOfRange { .. })));
    assert!(matches!(coupled_profile(&pair, DAMPING, &[1.0]), Err(StabilityError::OutOfRange { .. })));
}

#[test]
fn polynomials_along_rays_find_the_same_exits() {
    for id in ["shome-haug-jay-2-5", "hemiola-4-12", "hemiola-6-10", "perk-4-9-5", "perk-2-12-6"] {
        let method = library::method(id).unwrap();
        let Ok(radius) = CoupledRadius::new(&method, 0.05) else { continue };
        for growth in [Growth::Practical, Growth::Strict] {
            for k in 0..60 {
                let ratio = 0.1f64.powf(1.0 - f64::from(k) / 30.0);
                let direction = [1.0f64.min(ratio.recip()), 1.0f64.min(ratio)];
                let coupling = 0.05 * f64::from(k % 7) / 6.0;
                let by_stages = CouplingRay::new(&radius, direction, coupling, growth).first_exit();
                let quick = CouplingRay::new(&radius, direction, coupling, growth).with_polynomial().first_exit();
                // An error of a hundredth of the margin moves exits by this amount divided by the slope of ρ; it may
                // also hide a peak that only touches the bound.
                assert!((quick - by_stages).abs() < 1e-4, "{id} {growth:?} {ratio} {coupling}: {quick} {by_stages}");
            }
        }
    }
}
