//! Stability with the fast part solved exactly, against other ways to compute it.

use std::ops::ControlFlow;

use hemiola_multirate::{
    AdditiveFlow, ComplexBall, CoupledFlow, FlowNumber, InfinitesimalMethod, InfinitesimalStage, MultirateError,
    ProofObstacle, Resonance, SectorLimit, SectorProof, flow_profile, library, sector_limit,
};
use hemiola_number::Update;
use hemiola_stability::{Dispersion, StabilityScheme, eigenvalues};
use hemiola_tableau::{Coefficient, Exact, Scalar};
use num_complex::Complex64;
use num_traits::{One, Zero};

fn complex(re: f64, im: f64) -> Complex64 {
    Complex64::new(re, im)
}

fn ball(z: Complex64) -> ComplexBall {
    ComplexBall::new(&Exact::from_f64(z.re).expect("finite"), &Exact::from_f64(z.im).expect("finite"))
}

/// Explicit methods, one with decoupled implicit stages, and two with starts and drifts.
const METHODS: [&str; 8] = [
    "mis-kw3",
    "mri-gark-erk33a",
    "mri-gark-erk45a",
    "merk43",
    "mri-gark-erk22a",
    "mri-gark-esdirk34a",
    "mis2",
    "mis4a",
];

type BallMatrix = Vec<Vec<ComplexBall>>;

/// R without φ-functions: the stage v, 1, τ, τ²/2, … solves a linear system with a constant matrix, whose exponential is
/// computed by its Taylor series and repeated squares.
fn by_matrix_exponentials(method: &InfinitesimalMethod, fast: &ComplexBall, slow: &ComplexBall) -> ComplexBall {
    let mut values = vec![ComplexBall::one()];
    for stage in method.exact_rows().iter().take(method.stages().len()) {
        let stage = stage.map(ComplexBall::of_exact);
        let forced = |columns: &Vec<ComplexBall>| {
            let terms = columns.iter().zip(&values);
            slow.clone() * terms.fold(ComplexBall::zero(), |sum, (w, y)| sum + w.clone() * y.clone())
        };
        let combined = |columns: &Vec<ComplexBall>| {
            let terms = columns.iter().zip(&values);
            terms.fold(ComplexBall::zero(), |sum, (w, y)| sum + w.clone() * (y.clone() - values[0].clone()))
        };
        let mut forcing: Vec<ComplexBall> = stage.forcing[0].iter().map(forced).collect();
        forcing.resize(forcing.len().max(1), ComplexBall::zero());
        forcing[0] += combined(&stage.drift);
        let start = values[stage.from - 1].clone() + combined(&stage.start);
        let mut value = end_of_interval(&(stage.interval.clone() * fast.clone()), &forcing, &start);
        let own = values.len();
        let implicit = |columns: &Vec<ComplexBall>| columns.get(own).cloned().unwrap_or_else(ComplexBall::zero);
        let powers = stage.forcing[0].iter().enumerate();
        let integrated = powers.map(|(k, columns)| implicit(columns) * ComplexBall::ratio(1, k as u64 + 1));
        let own = integrated.fold(implicit(&stage.correction[0]), |sum, term| sum + term);
        value += forced(&stage.correction[0]);
        values.push(value.divided_by(&(ComplexBall::one() - own * slow.clone())).expect("nonzero"));
    }
    values.pop().expect("a stage")
}

/// Solves v' = z v + Σ_k c_k τᵏ up to τ = 1.
fn end_of_interval(z: &ComplexBall, forcing: &[ComplexBall], start: &ComplexBall) -> ComplexBall {
    let n = forcing.len() + 1;
    let zeros = || vec![vec![ComplexBall::zero(); n]; n];
    let mut matrix = zeros();
    matrix[0][0] = z.clone();
    let mut factorial = ComplexBall::one();
    for (k, c) in forcing.iter().enumerate() {
        factorial = factorial * ComplexBall::ratio(k.max(1) as i64, 1);
        matrix[0][k + 1] = c.clone() * factorial.clone();
        if k + 2 < n {
            matrix[k + 2][k + 1] = ComplexBall::one();
        }
    }
    let squares = 12 + z.size().log2().ceil().max(0.0) as u32;
    let scale = ComplexBall::ratio(1, 1 << squares);
    let scaled: BallMatrix = matrix.iter().map(|row| row.iter().map(|x| x.clone() * scale.clone()).collect()).collect();
    let mut term = zeros();
    (0..n).for_each(|r| term[r][r] = ComplexBall::one());
    let mut power = zeros();
    // Entries of the scaled matrix are below 2⁻¹¹: thirty terms leave less than 2⁻³³⁰.
    for k in 1..=30 {
        add(&mut power, &term);
        term = product(&term, &scaled);
        term.iter_mut().flatten().for_each(|x| *x = x.clone() * ComplexBall::ratio(1, k));
    }
    let power = (0..squares).fold(power, |power, _| product(&power, &power));
    let first = power[0].get(1).cloned().unwrap_or_else(ComplexBall::zero);
    power[0][0].clone() * start.clone() + first
}

fn add(sum: &mut BallMatrix, term: &BallMatrix) {
    sum.iter_mut().flatten().zip(term.iter().flatten()).for_each(|(sum, term)| *sum += term.clone());
}

fn product(a: &BallMatrix, b: &BallMatrix) -> BallMatrix {
    let entry = |row: &Vec<ComplexBall>, q: usize| {
        row.iter().zip(b).fold(ComplexBall::zero(), |sum, (x, y)| sum + x.clone() * y[q].clone())
    };
    a.iter().map(|row| (0..b.len()).map(|q| entry(row, q)).collect()).collect()
}

/// Returns points with |z_F| from 1e-9 to 1e9 on rays from the imaginary axis to the negative real one, and z_S from −0.01 to −4.
fn scattered(count: u32) -> impl Iterator<Item = (Complex64, Complex64)> {
    let spread = |k: u32, ratio: f64| (f64::from(k) * ratio).fract();
    (0..count).map(move |k| {
        let radius = 10f64.powf(18.0 * spread(k, 0.754_877_666_246_692_7) - 9.0);
        let angle = 90.0 + 90.0 * spread(k, 0.569_840_290_998_053_3);
        (
            Complex64::from_polar(radius, angle.to_radians()),
            complex(-0.01 - 3.99 * spread(k, 0.618_033_988_749_894_9), 0.0),
        )
    })
}

#[test]
fn doubles_agree_with_balls_of_sixty_digits_at_ten_thousand_points() {
    let methods = library::ids().filter_map(|id| library::method(id).ok());
    let methods: Vec<InfinitesimalMethod> = methods.filter(|method| method.require_decoupled().is_ok()).collect();
    let count = 10_000_u32.div_ceil(methods.len() as u32);
    for method in &methods {
        let balls = AdditiveFlow::<ComplexBall>::new(method).unwrap();
        let doubles = AdditiveFlow::<Complex64>::new(method).unwrap();
        for (fast, slow) in scattered(count) {
            let slow = vec![slow; method.partitions().len() - 1];
            let truth = balls.at(&ball(fast), &slow.iter().map(|z| ball(*z)).collect::<Vec<_>>()).unwrap();
            let double = doubles.at(&fast, &slow).unwrap();
            let (re, im) = truth.center();
            assert!(truth.radius() < 1e-60 * (1.0 + truth.size()), "{} at {fast}, {slow:?}", method.id());
            let distance = (double - complex(re, im)).norm() / (1.0 + truth.size());
            // e^{z_F} loses as many digits as |z_F| has before its point.
            let lost = 1.0 + if fast.re > -40.0 { fast.norm() } else { 0.0 };
            assert!(distance < 1e-12 * lost, "{} at {fast}, {slow:?}: {distance:e}", method.id());
        }
    }
}

#[test]
fn functions_agree_with_matrix_exponentials_to_sixty_digits_near_zero_and_far_left() {
    for id in METHODS {
        let method = library::method(id).unwrap();
        let (balls, doubles) =
            (AdditiveFlow::<ComplexBall>::new(&method).unwrap(), AdditiveFlow::<Complex64>::new(&method).unwrap());
        for (fast, slow) in [
            (complex(-1e-9, 1e-10), -0.7),
            (complex(-0.3, 0.2), -1.1),
            (complex(-2.9, 3.1), -2.0),
            (complex(0.0, 12.5), -0.4),
            (complex(-300.0, 40.0), -1.3),
            (complex(-1000.0, 0.0), -1.3),
        ] {
            let truth = by_matrix_exponentials(&method, &ball(fast), &ball(slow.into()));
            let value = balls.at(&ball(fast), &[ball(slow.into())]).unwrap();
            let difference = value.clone() - truth;
            assert!(difference.size() + difference.radius() < 1e-60, "{id} at {fast}, {slow}");
            let double = doubles.at(&fast, &[slow.into()]).unwrap();
            let (re, im) = value.center();
            // Some dozens of operations on stages of size up to four.
            assert!((double - complex(re, im)).norm() < 100.0 * f64::EPSILON, "{id} at {fast}, {slow}");
        }
    }
}

#[test]
fn far_left_values_approach_the_limit() {
    for id in METHODS {
        let flow = AdditiveFlow::<Complex64>::new(&library::method(id).unwrap()).unwrap();
        let limit = flow.at_infinity(&[complex(-1.0, 0.0)]).unwrap();
        for angle in [0.0f64, 1.4] {
            let fast = complex(-angle.cos(), angle.sin()) * 1e7;
            assert!((flow.at(&fast, &[complex(-1.0, 0.0)]).unwrap() - limit).norm() < 1e-4, "{id}");
        }
    }
}

/// Limits seen by scans with steps of 0.05: the true ones lie within the next step.
#[test]
fn sector_limits_agree_with_published_scans() {
    for (id, angle, scanned) in [
        ("mri-gark-erk33a", 45.0, 2.20),
        ("mri-gark-erk33a", 80.0, 1.25),
        ("mri-gark-erk45a", 45.0, 1.85),
        ("mri-gark-erk45a", 80.0, 1.20),
        ("merk43", 45.0, 2.75),
        ("merk43", 80.0, 2.75),
        ("mis-kw3", 45.0, 2.10),
        ("mis-kw3", 80.0, 1.05),
        // Implicit in the slow part, and weak nevertheless.
        ("mri-gark-esdirk46a", 45.0, 1.20),
        ("mri-gark-esdirk46a", 80.0, 1.10),
        // Starts and drifts: scans by a program of a few lines, without φ-functions of higher index.
        ("mis2", 45.0, 4.05),
        ("mis2", 80.0, 4.00),
        ("mis3c", 80.0, 1.95),
        ("mis4", 80.0, 2.35),
        ("mis4a", 45.0, 3.65),
        ("mis4a", 80.0, 3.65),
        ("mis-rk43", 45.0, 1.30),
    ] {
        let found = sector_limit(&library::method(id).unwrap(), 0, angle).unwrap();
        let limit = found.limit.unwrap();
        assert!((scanned..scanned + 0.05).contains(&limit), "{id}, {angle}°: {limit}");
        assert!(found.witness.unwrap().is_proved, "{id}, {angle}°");
    }
}

#[test]
fn limits_are_enclosed_by_proofs() {
    for (id, angle) in [
        ("mri-gark-erk33a", 45.0),
        ("mri-gark-erk33a", 80.0),
        ("mri-gark-erk45a", 45.0),
        ("mri-gark-erk45a", 80.0),
        ("mis-kw3", 45.0),
        ("mis-kw3", 80.0),
        ("merk43", 45.0),
        ("merk43", 80.0),
        ("mri-gark-esdirk46a", 45.0),
        ("mis4a", 45.0),
    ] {
        let method = library::method(id).unwrap();
        let found = sector_limit(&method, 0, angle).unwrap();
        let proof = SectorProof::new(&method, 0, &found, &()).unwrap();
        let (lower, upper) = (proof.lower.expect("a bound"), -found.witness.as_ref().expect("a witness").slow);
        assert!(lower < upper && upper - lower < 1e-5 * upper, "{id}, {angle}°: {lower} to {upper}");
    }
}

/// Nothing is proved that does not hold: limits that are too large by more than the part that proofs leave open.
#[test]
fn larger_limits_are_not_proved() {
    for id in ["mis-kw3", "merk43"] {
        let method = library::method(id).unwrap();
        let found = sector_limit(&method, 0, 45.0).unwrap();
        let wrong = SectorLimit { limit: found.limit.map(|limit| limit * 1.005), ..found };
        let proof = SectorProof::new(&method, 0, &wrong, &()).unwrap();
        assert_eq!((proof.lower, proof.obstacle), (None, Some(ProofObstacle::Exceeded)), "{id}");
    }
    let method = library::method("mis-kw3").unwrap();
    let stop = |_: Update<'_>| ControlFlow::Break(());
    let found = sector_limit(&method, 0, 45.0).unwrap();
    assert_eq!(SectorProof::new(&method, 0, &found, &stop).unwrap().obstacle, Some(ProofObstacle::Stopped));
    let unbounded = SectorLimit { limit: None, ..found.clone() };
    assert_eq!(SectorProof::new(&method, 0, &unbounded, &()).unwrap().obstacle, Some(ProofObstacle::NoLimit));
    assert!(matches!(SectorProof::new(&method, 1, &found, &()), Err(MultirateError::Sector { .. })));
    let obtuse = SectorLimit { angle: 300.0, limit: Some(0.5), ..found };
    assert!(matches!(SectorProof::new(&method, 0, &obtuse, &()), Err(MultirateError::Sector { .. })));
}

/// The whole sector, inside and at its edge, without the maximum principle.
#[test]
fn nothing_in_the_sector_grows_before_the_limit() {
    for id in METHODS {
        let method = library::method(id).unwrap();
        let limit = sector_limit(&method, 0, 80.0).unwrap().limit.unwrap_or(50.0);
        let flow = AdditiveFlow::<Complex64>::new(&method).unwrap();
        let mut largest = 0.0f64;
        for part in 1..=40 {
            let slow = complex(-limit * f64::from(part) / 40.0, 0.0);
            for angle in 0..=8 {
                let direction = Complex64::from_polar(1.0, (180.0 - 10.0 * f64::from(angle)).to_radians());
                for k in 0..300 {
                    let radius = 0.01 * 1.07f64.powi(k);
                    largest = largest.max(flow.at(&(direction * radius), &[slow]).unwrap().norm());
                }
            }
        }
        assert!(largest <= 1.0 + 1e-8, "{id}: {largest} before {limit}");
    }
}

#[test]
fn explicit_methods_resonate_without_fast_damping() {
    // Two stages of the last one end two per cent of a step apart: its growth peaks at y = 194.
    for id in ["mis-kw3", "mri-gark-erk33a", "mri-gark-erk45a", "merk43", "hemiola-mri-5-4"] {
        let method = library::method(id).unwrap();
        let resonance = Resonance::new(&method, 0).unwrap();
        assert!(resonance.is_proved && resonance.growth > 0.0, "{id}");
        // The growth is the derivative of |R| at the frequency.
        let flow = AdditiveFlow::<Complex64>::new(&method).unwrap();
        let slow = 1e-5;
        let modulus = flow.at(&complex(0.0, resonance.frequency), &[(-slow).into()]).unwrap().norm();
        assert!(((modulus - 1.0) / slow - resonance.growth).abs() < 1e-3, "{id}");
        let practical = resonance.practical_limit.unwrap();
        assert!(practical > 0.5e-3 / resonance.growth && practical < 2e-3 / resonance.growth, "{id}: {practical}");
    }
    let slowly_beating = Resonance::new(&library::method("hemiola-mri-5-4").unwrap(), 0).unwrap();
    assert!(slowly_beating.growth > 0.04 && slowly_beating.frequency > 100.0, "{slowly_beating:?}");
}

/// A stage of length zero whose start takes back what its drift does: the method is that without it.
#[test]
fn starts_and_drifts_without_effect_keep_the_resonance() {
    let plain = library::method("mri-gark-erk33a").unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&plain.to_json()).unwrap();
    value["id"] = "with-a-stage".into();
    value["claims"].as_object_mut().unwrap().remove("embedded_order");
    value.as_object_mut().unwrap().remove("embedded");
    let stages = value["stages"].as_array_mut().unwrap();
    let last = &mut stages[2];
    last["from"] = 4.into();
    last["forcing"]["slow"] = serde_json::json!([["0", "-2/3", "1"], ["1/2", "0", "-1/2"]]);
    stages.insert(2, serde_json::json!({ "from": 3, "interval": "0", "start": ["0", "1"], "drift": ["0", "-1"] }));
    let other = InfinitesimalMethod::from_json(value.to_string().as_bytes(), "file").unwrap();
    let [expected, found] = [&plain, &other].map(|method| Resonance::new(method, 0).unwrap());
    // The growth is that at a sample here, and at the peak there.
    assert!((found.growth / expected.growth - 1.0).abs() < 1e-2, "{found:?} {expected:?}");
    assert!(found.fast_modulus == 1.0 && !found.is_proved && expected.is_proved);
}

/// Sums of fifty decimals are rounded: the order of the slow part alone is that of the method, not that of their last digits.
#[test]
fn slow_parts_of_decimals_are_rounded() {
    for id in ["hemiola-mri-5-4", "hemiola-mri-implicit-5-4", "hemiola-mri-implicit-6-4", "mri-gark-esdirk34a"] {
        let method = library::method(id).unwrap();
        let dispersion = Dispersion::new(&method.slow_method().unwrap(), 0).unwrap();
        let orders = [dispersion.phase(), dispersion.amplitude()].map(|term| term.unwrap().order);
        let claimed = method.claims().order.unwrap();
        assert!(orders.iter().all(|order| *order >= claimed), "{id}: {orders:?}");
    }
}

/// Starts and drifts change the fast part: alone it decays in MIS2, and grows at some frequencies in MIS4a.
#[test]
fn fast_parts_that_are_not_exact_damp_or_grow() {
    let resonance = Resonance::new(&library::method("mis2").unwrap(), 0).unwrap();
    assert!((resonance.growth + 1.0).abs() < 1e-14 && resonance.frequency == 0.0 && !resonance.is_proved);
    // |R(692.63i, −1.3691)| = 1.0010005, by a recursion of its own in Python.
    assert!((1.36..1.3692).contains(&resonance.practical_limit.unwrap()), "{resonance:?}");
    assert!(resonance.fast_modulus < 1.0 + 1e-12 && resonance.fast_bound < 1.001);
    let flow = AdditiveFlow::<Complex64>::new(&library::method("mis2").unwrap()).unwrap();
    assert!(flow.at(&complex(0.0, 5.0), &[0.0.into()]).unwrap().norm() < 0.52);
    let method = library::method("mis4a").unwrap();
    let resonance = Resonance::new(&method, 0).unwrap();
    assert!(resonance.growth.is_infinite() && resonance.is_proved && resonance.fast_modulus > 1.8);
    assert_eq!(resonance.practical_limit, Some(0.0));
    let flow = AdditiveFlow::<Complex64>::new(&method).unwrap();
    assert!(flow.at(&complex(0.0, resonance.frequency), &[0.0.into()]).unwrap().norm() > 1.8);
    // Close to the imaginary axis the growth remains, so that no slow step is stable.
    let found = sector_limit(&method, 0, 89.99).unwrap();
    assert!(found.limit == Some(0.0) && found.witness.unwrap().is_proved);
}

/// y_s + y_f of y_s' = λ_S (y_s + y_f), y_f' = λ_F (y_s + y_f) solves the additive problem: S = I + v (1, 1).
#[test]
fn the_matrix_contains_the_additive_function() {
    for id in METHODS {
        let method = library::method(id).unwrap();
        let (coupled, additive) =
            (CoupledFlow::new(&method).unwrap(), AdditiveFlow::<Complex64>::new(&method).unwrap());
        for (fast, slow) in [(complex(-0.4, 3.0), complex(-0.6, 0.2)), (complex(-40.0, 9.0), complex(-1.0, 0.0))] {
            let s = coupled.matrix(&[vec![slow; 2], vec![fast; 2]]).unwrap();
            let value = additive.at(&fast, &[slow]).unwrap();
            assert!((s[0][0] + s[1][1] - 1.0 - value).norm() < 1e-12, "{id}");
            assert!((s[0][0] + s[1][0] - value).norm() < 1e-12 && (s[0][1] + s[1][1] - value).norm() < 1e-12, "{id}");
        }
    }
}

/// Many small fast steps approach the exact flow with the order of the inner method.
#[test]
fn realizations_approach_the_exact_flow() {
    let inner = hemiola_tableau::library::method("rk4").unwrap();
    let z = [[complex(-0.2, 0.5), complex(0.1, 0.0)], [complex(-0.4, 0.2), complex(-1.0, 2.0)]].map(|row| row.to_vec());
    for id in METHODS {
        let method = library::method(id).unwrap();
        let exact = CoupledFlow::new(&method).unwrap().matrix(&z).unwrap();
        let error = |substeps: usize| {
            let pair = method.expand(&inner, substeps).unwrap();
            let s = pair.to_f64().matrix(&z).unwrap();
            (0..2).flat_map(|r| (0..2).map(move |q| (r, q))).map(|(r, q)| (s[r][q] - exact[r][q]).norm()).sum::<f64>()
        };
        let [coarse, fine] = [error(2), error(4)];
        assert!(fine < 2e-3 && coarse / fine > 12.0 && coarse / fine < 22.0, "{id}: {coarse} {fine}");
    }
}

/// A minimizer between the samples of a coarse grid, and the invariant that what grows by a thousandth grows.
#[test]
fn narrow_minimizers_of_profiles_are_found() {
    let method = library::method("hemiola-mri-5-4").unwrap();
    let profile = flow_profile(&method, 0.05, &[0.05, 0.1]).unwrap();
    let flow = CoupledFlow::new(&method).unwrap();
    let z = [
        [complex(-0.161415, 3.224267), complex(-0.062219, -0.006245)],
        [complex(1.0, 0.0), complex(-0.387397, 7.738242)],
    ];
    assert!(flow.spectral_radius(&z.map(|row| row.to_vec())) > 1.018);
    let value = profile.values[0];
    assert!((0.980..0.9804).contains(&value.practical.value), "{value:?}");
    for value in profile.values {
        assert!(value.strict.value <= value.practical.value, "{value:?}");
    }
    let merk = flow_profile(&library::method("merk43").unwrap(), 0.05, &[0.05]).unwrap().values[0];
    assert!(merk.skew.value < 0.9852, "{merk:?}");
}

/// Strict ≤ practical, and nothing increases with the strength, for all methods that have a profile.
#[test]
fn profiles_of_the_library_keep_their_order() {
    for id in library::ids() {
        let method = library::method(id).unwrap();
        let Ok(profile) = flow_profile(&method, 0.05, &[0.01, 0.05, 0.2]) else { continue };
        for value in &profile.values {
            assert!(value.strict.value <= value.practical.value, "{id}: {value:?}");
        }
        for pair in profile.values.windows(2) {
            assert!(pair[1].practical.value <= pair[0].practical.value, "{id}");
            assert!(pair[1].strict.value <= pair[0].strict.value && pair[1].skew.value <= pair[0].skew.value, "{id}");
        }
    }
}

#[test]
fn profiles_agree_with_brute_force() {
    for id in ["mri-gark-erk33a", "mis-kw3", "mis3c"] {
        let method = library::method(id).unwrap();
        let profile = flow_profile(&method, 0.05, &[0.1, 0.4]).unwrap();
        let flow = CoupledFlow::new(&method).unwrap();
        let u = complex(-0.05, (1.0f64 - 0.0025).sqrt());
        for value in &profile.values {
            let radius = |p: f64, y: f64, g: f64| {
                let (slow, fast) = (u * p * profile.slow_limit, u * y);
                let s = flow.matrix(&[vec![slow, slow * g], vec![fast, fast]]).unwrap();
                eigenvalues(&s).unwrap().iter().map(|value| value.norm()).fold(0.0, f64::max)
            };
            let g = value.gamma * value.gamma;
            let mut least = f64::INFINITY;
            for k in 0..1500 {
                let y = 0.04 * f64::from(k);
                for i in 1..=60 {
                    let p = f64::from(i) / 60.0;
                    if p < least && y >= p * profile.slow_limit && radius(p, y, g) > 1.001 {
                        least = p;
                    }
                }
            }
            let found = value.practical.value;
            assert!(found <= least + 1e-9 && found > least - 0.03, "{id} at γ = {}: {found}, {least}", value.gamma);
            // The minimizer is at the border of stability.
            let y = value.practical.kappa * found * profile.slow_limit;
            if y.is_finite() {
                assert!((radius(found, y, value.practical.coupling) - 1.001).abs() < 1e-6, "{id}");
            }
            assert!(value.strict.value <= found + 1e-9);
        }
    }
}

#[test]
fn coupled_stages_and_wrong_sizes_are_refused() {
    let number = |text: &str| Coefficient::parse(text).unwrap();
    let stage = InfinitesimalStage {
        from: 1,
        interval: number("1"),
        forcing: vec![vec![vec![number("1/2"), number("1/2")]]],
        correction: vec![Vec::new()],
        start: Vec::new(),
        drift: Vec::new(),
    };
    let names = vec!["fast".to_owned(), "slow".to_owned()];
    let method = InfinitesimalMethod::new("coupled", "Coupled", names, vec![stage], None).unwrap();
    assert!(matches!(CoupledFlow::new(&method), Err(MultirateError::Coupled { .. })));
    let explicit = library::method("mis-kw3").unwrap();
    assert!(CoupledFlow::new(&explicit).unwrap().matrix(&[vec![Complex64::one()]]).is_err());
    assert!(AdditiveFlow::<Complex64>::new(&explicit).unwrap().at(&Complex64::one(), &[]).is_none());
    assert!(matches!(sector_limit(&explicit, 0, 90.0), Err(MultirateError::Sector { .. })));
    assert!(matches!(sector_limit(&explicit, 1, 45.0), Err(MultirateError::Sector { .. })));
    assert!(flow_profile(&library::method("imex-mri-gark3a").unwrap(), 0.05, &[0.1]).is_err());
    assert!(flow_profile(&explicit, 0.05, &[1.0]).is_err());
}
