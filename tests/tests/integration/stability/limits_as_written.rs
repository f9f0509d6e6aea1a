//! Stability limits of tables in practical forms: many stages in doubles, long fractions, and all methods in decimals.

use hemiola_stability::{ExactStability, stability_limit, stability_matrix};
use hemiola_tableau::{Exact, Method, library};
use hemiola_tests::chebyshev::{Family, Stabilized};
use hemiola_tests::reference;
use hemiola_tests::rounded::{to_decimals, to_doubles, with_texts};
use num_complex::Complex64;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

fn real_limit(method: &Method) -> f64 {
    stability_limit(method, 0, -Complex64::ONE).expect("a limit").value()
}

#[test]
fn stabilized_methods_of_many_stages_in_doubles() {
    for family in Family::ALL {
        for stages in [10, 20, 40, 70, 100] {
            let stabilized = Stabilized { family, stages };
            let expected = stabilized.closed_form::<qd::Quad>().real_limit();
            let found = real_limit(&stabilized.in_doubles());
            // Coefficients of sixteen digits change the limit by some 10⁻¹⁶ s⁴.
            assert!((found - expected).abs() <= 1e-11 * expected, "{stabilized:?}: {found}, expected {expected}");
        }
    }
}

#[test]
fn stabilized_methods_in_fractions() {
    for family in Family::ALL {
        let stabilized = Stabilized { family, stages: 30 };
        let expected = stabilized.closed_form::<qd::Quad>().real_limit();
        let found = real_limit(&stabilized.in_fractions());
        assert!((found - expected).abs() <= 1e-14 * expected, "{stabilized:?}: {found}, expected {expected}");
    }
}

#[test]
fn limits_scale_with_the_table_and_the_direction() {
    for method in
        [Stabilized { family: Family::Rkc2, stages: 40 }.in_doubles(), library::method("dormand-prince-5").unwrap()]
    {
        let limit = real_limit(&method);
        for factor in [0.125, 3.0, 1e6] {
            let along = stability_limit(&method, 0, Complex64::from(-factor)).unwrap().value();
            assert!((along * factor - limit).abs() <= 4.0 * f64::EPSILON * limit, "{factor}: {along} {limit}");
        }
        // A and b divided by ten give R(z/10).
        let tenth = with_texts(&method, |value| (value.clone() * Exact::from_ratio(1, 10)).to_decimal(60).to_string());
        assert!((real_limit(&tenth) / (10.0 * limit) - 1.0).abs() < 1e-12, "{}", real_limit(&tenth));
    }
}

/// Returns limits on both axes, sector angles and |R(∞)| of the partitions selected by `counts`.
fn answers(method: &Method, counts: impl Fn(&Method, usize) -> bool) -> Vec<[f64; 4]> {
    let answer = |r: usize| {
        let stability = ExactStability::new(method, r).expect("a partition");
        let limit = |direction| stability.limit(direction).expect("a limit").value();
        let at_infinity = stability.modulus_at_infinity().map_or(f64::INFINITY, |modulus| modulus.to_f64());
        let angle = stability.sector_angle().expect("poles").unwrap_or(-1.0);
        [limit(Complex64::I), limit(-Complex64::ONE), angle, at_infinity]
    };
    (0..method.partitions().len()).filter(|&r| counts(method, r)).map(answer).collect()
}

/// Lists the differences between the results of rewritten and original library methods.
fn differences(rewrite: impl Fn(&Method) -> Method + Sync, counts: fn(&Method, usize) -> bool) -> Vec<String> {
    let methods: Vec<Method> = library::ids().map(|id| library::method(id).expect(id)).collect();
    let difference = |method: &Method| {
        let (expected, found) = (answers(method, counts), answers(&rewrite(method), counts));
        let close = |(x, y): (&f64, &f64)| x == y || (x - y).abs() <= 1e-6 * y.abs().max(1e-6);
        let agrees = found.iter().flatten().zip(expected.iter().flatten()).all(close);
        (!agrees).then(|| format!("{}: {found:?}, expected {expected:?}", method.id()))
    };
    methods.par_iter().filter_map(difference).collect()
}

fn is_implicit(method: &Method, partition: usize) -> bool {
    !method.exact().partitions[partition].is_explicit()
}

/// Excludes methods with a stated precision of eight decimals or less: without that statement, further digits would be
/// wrong.
fn has_digits(method: &Method, _: usize) -> bool {
    method.precision().is_none_or(|precision| precision.decimals > 8)
}

#[test]
fn implicit_methods_in_decimals_keep_their_limits() {
    for decimals in [12, 16, 17] {
        let found = differences(|method| to_decimals(method, decimals), is_implicit);
        assert!(found.is_empty(), "{decimals} decimals:\n{}", found.join("\n"));
    }
}

#[test]
fn all_methods_in_doubles_keep_their_limits() {
    let found = differences(to_doubles, has_digits);
    assert!(found.is_empty(), "{}", found.join("\n"));
    let found = differences(|method| to_decimals(method, 16), has_digits);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn implicit_methods_of_many_stages_in_decimals() {
    for record in reference::records("collocation.json", "methods") {
        let method = Method::from_json(record.to_string().as_bytes(), "collocation.json").unwrap();
        let at_infinity = if method.id().starts_with("gauss") { 1.0 } else { 0.0 };
        let found = answers(&method, is_implicit);
        assert_eq!(found, [[f64::INFINITY, f64::INFINITY, 90.0, at_infinity]], "{}", method.id());
    }
}

#[test]
fn symplectic_methods_of_many_stages_in_decimals() {
    // a_ij = b_j below the diagonal: R(z) = Π (1 + b_j z), which loses no accuracy in doubles.
    let mut generator = ChaCha8Rng::seed_from_u64(36);
    for stages in [12, 36, 60] {
        let text = |k: u64| format!("0.{k:018}{:017}", generator_digits(k));
        let mut b: Vec<String> =
            (0..stages - 1).map(|_| text(generator.random_range(0..200_000_000_000_000_000))).collect();
        // Negative steps make factors that vanish on the other side.
        b.iter_mut().step_by(3).for_each(|b| *b = format!("-{b}"));
        b.push("0.31415926535897932384626433832795028".to_owned());
        let weights: Vec<f64> = b.iter().map(|b| b.parse().unwrap()).collect();
        let row = |i: usize| (0..stages).map(|j| if j < i { b[j].as_str() } else { "0" }).collect::<Vec<_>>();
        let a: Vec<Vec<&str>> = (0..stages).map(row).collect();
        let text = format!(
            r#"{{"format":"hemiola-method/1","id":"t","name":"t","partitions":[{{"name":"all","a":{a:?},"b":{b:?}}}]}}"#
        );
        let method = Method::from_json(text.as_bytes(), "test").unwrap();
        for u in [-Complex64::ONE, Complex64::new(-0.6, 0.8)] {
            let modulus = |t: f64| weights.iter().map(|b| (1.0 + u * t * b).norm()).product::<f64>();
            let limit = stability_limit(&method, 0, u).unwrap().value();
            assert!(
                (modulus(limit) - 1.0).abs() < 1e-10 && modulus(limit * (1.0 + 1e-6)) > 1.0,
                "{stages} {u}: {limit}"
            );
            let stable = (1..100_000).all(|k| modulus(limit * f64::from(k) / 100_000.0) <= 1.0 + 1e-12);
            assert!(stable, "{stages} {u}: {limit}");
        }
    }
}

/// Generates additional digits, so that no number is a double.
fn generator_digits(k: u64) -> u64 {
    k.wrapping_mul(6_364_136_223_846_793_005) % 100_000_000_000_000_000
}

#[test]
fn exact_tables_are_excused_nothing() {
    // R = 1 + z + z²/2 + z³/6 + z⁴/24 has |R(iy)|² = 1 − y⁶/72 + y⁸/576. If β₄ is larger by 10⁻²⁰, |R|² − 1 begins with
    // a positive y⁴.
    let b = |beta: &str| {
        format!(
            r#"{{"format":"hemiola-method/1","id":"t","name":"t","partitions":[{{"name":"all","a":[["0","0","0","0"],
            ["{beta}","0","0","0"],["0","1/3","0","0"],["0","0","1/2","0"]],"b":["0","0","0","1"]}}]}}"#
        )
    };
    let limit = |beta: &str| {
        let method = Method::from_json(b(beta).as_bytes(), "test").unwrap();
        stability_limit(&method, 0, Complex64::I).unwrap().value()
    };
    assert_eq!(limit("1/4"), 8f64.sqrt());
    // 1/4 + 10⁻²⁰ as an expression: no digits were rounded.
    assert_eq!(limit("1/4+1/100000000000000000000"), 0.0);
    assert!((limit("0.2500000000000001") - 8f64.sqrt()).abs() < 1e-12);
    // A wrong digit is not a rounding error.
    assert_eq!(limit("0.2500100000000000"), 0.0);
}

#[test]
fn limits_agree_with_the_stages() {
    for id in ["rk4", "dormand-prince-5", "hemiola-4-12", "verner-efficient-9", "kvaerno-3-2-4"] {
        let method = library::method(id).unwrap();
        for (partition, damping) in [(0, 0.3), (method.partitions().len() - 1, 1.0)] {
            let u = Complex64::new(-damping, (1.0f64 - damping * damping).sqrt());
            let limit = stability_limit(&method, partition, u).unwrap().value();
            if limit.is_infinite() {
                continue;
            }
            let alone = method.partition_alone(partition).unwrap().to_f64();
            let modulus = |t: f64| stability_matrix(&alone, &[vec![u * t]]).unwrap()[0][0].norm();
            assert!(modulus(limit * (1.0 - 1e-6)) < 1.0 && modulus(limit * (1.0 + 1e-6)) > 1.0, "{id}");
        }
    }
}
