//! Stability limits of tables as people have them: many stages in doubles, and implicit methods in decimals.

use hemiola_stability::{Limit, modulus_at_infinity, sector_angle, stability_limit};
use hemiola_tableau::{Method, library};
use hemiola_tests::chebyshev::{Family, Stabilized};
use hemiola_tests::rounded::to_decimals;
use num_complex::Complex64;
use rayon::prelude::*;

fn real_limit(method: &Method) -> f64 {
    stability_limit(method, 0, -Complex64::ONE).unwrap().value()
}

#[test]
fn stabilized_methods_of_many_stages_in_doubles() {
    for family in Family::ALL {
        for stages in [10, 20, 40, 70, 100] {
            let stabilized = Stabilized { family, stages };
            let expected = stabilized.closed_form::<qd::Quad>().real_limit();
            let start = std::time::Instant::now();
            let found = real_limit(&stabilized.in_doubles());
            println!("{stabilized:?} {found} {expected} {:?}", start.elapsed());
            assert!((found - expected).abs() <= 1e-3 * expected, "{stabilized:?}: {found}, expected {expected}");
        }
    }
}

#[test]
fn stabilized_methods_in_fractions() {
    for family in Family::ALL {
        let stabilized = Stabilized { family, stages: 30 };
        let expected = stabilized.closed_form::<qd::Quad>().real_limit();
        let start = std::time::Instant::now();
        let found = real_limit(&stabilized.in_fractions());
        println!("{stabilized:?} {found} {expected} {:?}", start.elapsed());
        assert!((found - expected).abs() <= 1e-12 * expected, "{stabilized:?}: {found}, expected {expected}");
    }
}

/// Limits on both axes, sector angles and |R(∞)| of all implicit partitions.
fn answers(method: &Method) -> Vec<(f64, f64, Option<f64>, Option<f64>)> {
    let exact = method.exact();
    let implicit = (0..exact.partitions.len()).filter(|&r| !exact.partitions[r].is_explicit());
    let answer = |r: usize| {
        let limit = |direction| stability_limit(method, r, direction).unwrap().value();
        let at_infinity = modulus_at_infinity(method, r).unwrap().map(|modulus| modulus.to_f64());
        (limit(Complex64::I), limit(-Complex64::ONE), sector_angle(method, r).unwrap(), at_infinity)
    };
    implicit.map(answer).collect()
}

#[test]
fn implicit_methods_rounded_to_decimals_keep_their_limits() {
    let methods: Vec<Method> = library::ids().map(|id| library::method(id).unwrap()).collect();
    let wrong: Vec<String> = methods
        .par_iter()
        .flat_map(|method| {
            let exact = answers(method);
            [16, 12]
                .par_iter()
                .flat_map(move |&decimals| {
                    let rounded = answers(&to_decimals(method, decimals));
                    let close = |x: f64, y: f64| x == y || (x - y).abs() <= 1e-6 * y.abs();
                    let agrees =
                        |(x, y): (&(f64, f64, Option<f64>, Option<f64>), &(f64, f64, Option<f64>, Option<f64>))| {
                            close(x.0, y.0)
                                && close(x.1, y.1)
                                && x.2.is_some() == y.2.is_some()
                                && x.2.zip(y.2).is_none_or(|(x, y)| (x - y).abs() <= 1e-7)
                                && x.3.is_some() == y.3.is_some()
                                && x.3.zip(y.3).is_none_or(|(x, y)| (x - y).abs() <= 1e-6)
                        };
                    (!rounded.iter().zip(&exact).all(agrees))
                        .then(|| format!("{} {decimals}: {rounded:?}\n   {exact:?}", method.id()))
                })
                .collect::<Vec<String>>()
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(Limit::Unbounded.value(), f64::INFINITY);
}
