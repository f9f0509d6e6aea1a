//! Maps of methods of many stages compared with closed forms in double-doubles.

use hemiola_stability::{Field, PartitionField, Quantity, Scan, Slice, Window, stability_matrix};
use hemiola_tableau::Tableau;
use hemiola_tests::chebyshev::{ClosedForm, Family, Stabilized};
use num_complex::Complex64;
use qd::Quad;
use rayon::prelude::*;

/// Distance from the level below which the rounding of the coefficients decides.
const NEAREST: f64 = 1e-12;

/// Returns (|R|² − 1)/2, which is close to |R| − 1 near the level.
fn distance(closed: &ClosedForm<Quad>, z: [f64; 2]) -> f64 {
    let square = closed.squared_modulus(z.map(Quad::from_f64)) - Quad::from_f64(1.0);
    0.5 * square.0
}

/// Returns a window around the whole region: no point of its border is stable except near the origin.
fn window(closed: &ClosedForm<Quad>, points: usize) -> Window {
    let limit = closed.real_limit();
    let is_beyond = |height: f64| {
        let upper = (0..=200).map(|k| [-limit * f64::from(k) / 200.0, height]);
        upper.into_iter().all(|z| distance(closed, z) > 0.0)
    };
    let mut height = 1.1 * limit.sqrt();
    while !is_beyond(height) {
        height *= 1.1;
    }
    Window { x: (-1.03 * limit, 0.03 * limit), y: (-1.05 * height, 1.05 * height), cells: (points - 1, points - 1) }
}

/// Compares a map with the closed form. Returns the number of points on the wrong side and the number of stable points.
fn wrong_points(closed: &ClosedForm<Quad>, window: &Window, values: &[f64]) -> (usize, usize) {
    let points = window.cells.0 + 1;
    let is_wrong = |(index, value): (usize, &f64)| {
        let distance = distance(closed, window.point(index % points, index / points));
        distance.abs() > NEAREST && (*value <= 1.0) != (distance <= 0.0)
    };
    let wrong = values.par_iter().enumerate().filter(|&item| is_wrong(item)).count();
    (wrong, values.iter().filter(|value| **value <= 1.0).count())
}

fn assert_map(family: Family, stages: usize, points: usize) {
    let method = Stabilized { family, stages };
    let closed = method.closed_form::<Quad>();
    let window = window(&closed, points);
    let field = PartitionField::new(&method.in_doubles().to_f64().partitions[0], Quantity::Radius);
    let (wrong, stable) = wrong_points(&closed, &window, &field.sample(&window));
    assert_eq!(wrong, 0, "{method:?}");
    assert!(stable > points * points / 8 && stable < points * points, "{method:?}: {stable}");
}

#[test]
fn maps_of_forty_stages_have_no_wrong_point() {
    for family in Family::ALL {
        assert_map(family, 10, 61);
        assert_map(family, 40, 101);
    }
    assert_map(Family::Rkc2, 100, 41);
}

/// Run with `cargo test -p hemiola-tests --release --test many_stages -- --ignored`.
#[test]
#[ignore = "a minute: twenty maps of 400 × 400 points in double-doubles"]
fn maps_of_a_hundred_stages_have_no_wrong_point() {
    for stages in [10, 20, 40, 70, 100] {
        for family in Family::ALL {
            assert_map(family, stages, 400);
        }
    }
}

/// Checks that ρ(S) without coupling is the larger of two |R|, for two equal partitions with z_ff = κ z_ss, κ < 1, on a
/// ray and in a plane.
#[test]
fn pairs_of_many_stages_have_no_wrong_point() {
    for (family, stages) in [(Family::Rkc2, 40), (Family::Rkl1, 25), (Family::Rkc1, 60)] {
        let method = Stabilized { family, stages };
        let closed = method.closed_form::<Quad>();
        let plain = method.in_doubles().to_f64().partitions[0].clone();
        let pair = Tableau { partitions: vec![plain.clone(), plain] };
        let window = window(&closed, 41);
        let ray = Slice::ray(0.25, 0.0);
        let plane = Slice { product: [1e-300.into(), 0.0.into(), 0.0.into()], ..ray };
        for slice in [ray, plane] {
            let scan = Scan::new(&pair, slice).unwrap();
            let is_stable = scan.stable(&window, 0.0);
            for (index, radius) in scan.spectral_radii(&window).into_iter().enumerate() {
                let [x, y] = window.point(index % 41, index / 41);
                let distance = distance(&closed, [x, y]).max(distance(&closed, [0.25 * x, 0.25 * y]));
                if distance.abs() > NEAREST {
                    assert_eq!(radius <= 1.0, distance <= 0.0, "{method:?} at {x} {y}: {radius}");
                    assert_eq!(is_stable[index], distance <= 0.0, "{method:?} at {x} {y}");
                }
            }
        }
    }
}

/// Checks that powers of z alone are wrong by orders of magnitude and that points decided in more digits are counted.
#[test]
fn powers_cancel_and_ordinary_methods_do_not() {
    let rkc = Stabilized { family: Family::Rkc2, stages: 40 };
    let butcher = rkc.in_doubles().to_f64().partitions[0].clone();
    let powers = hemiola_stability::StabilityFunction::new(&butcher);
    let expected = rkc.closed_form::<f64>().at([-900.0, 0.0])[0].abs();
    let field = PartitionField::new(&butcher, Quantity::Radius);
    assert!((field.at(-900.0, 0.0) - expected).abs() < 1e-10);
    assert!((powers.at((-900.0).into()).norm() - expected).abs() > 10.0);
    let window = Window { x: (-6.0, 1.0), y: (-5.0, 5.0), cells: (40, 40) };
    for id in ["rk4", "kutta-3", "ssp-rk-10-4"] {
        let method = hemiola_tableau::library::method(id).unwrap();
        let field = PartitionField::new(&method.to_f64().partitions[0], Quantity::Radius);
        assert_eq!(field.count_refined(&window), 0, "{id}");
    }
    let longer = Stabilized { family: Family::Rkc2, stages: 100 };
    let field = PartitionField::new(&longer.in_doubles().to_f64().partitions[0], Quantity::Radius);
    let limit = longer.closed_form().real_limit();
    let counted = field.count_refined(&Window { x: (-limit - 1e-7, -limit + 1e-7), y: (0.0, 1e-7), cells: (10, 1) });
    assert!(counted >= 10, "{counted}");
}

/// Checks that `matrix`, which steps through the stages, is accurate for thirty stages in exact fractions along the
/// whole interval and beyond.
#[test]
fn matrices_of_thirty_stages_in_fractions() {
    for family in [Family::Rkc1, Family::Rkc2] {
        let method = Stabilized { family, stages: 30 };
        let closed = method.closed_form::<Quad>();
        let tableau = method.in_fractions().to_f64();
        let limit = closed.real_limit();
        for k in 0..=120 {
            let z = Complex64::new(-limit * f64::from(k) / 100.0, f64::from(k % 7));
            let s = stability_matrix(&tableau, &[vec![z]]).unwrap()[0][0];
            let [re, im] = closed.at([Quad::from_f64(z.re), Quad::from_f64(z.im)]).map(|part| part.0);
            let expected = Complex64::new(re, im);
            assert!((s - expected).norm() < 1e-10 * expected.norm().max(1.0), "{method:?} at {z}: {s}, not {expected}");
        }
    }
}
