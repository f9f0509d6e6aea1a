//! Radii from the literature, and comparisons with direct evaluation of the conditions.

use dashu::rational::RBig;
use hemiola_tableau::{Exact, Method, library};
use num_traits::Zero;

use super::{
    MonotonicityRadius, MonotonicityRegion, optimal_shu_osher, optimal_threshold_factor, ssp_coefficient,
    threshold_factor,
};

fn fraction(numerator: i64, denominator: u64) -> RBig {
    RBig::from_parts(numerator.into(), denominator.into())
}

fn coefficient(id: &str) -> MonotonicityRadius {
    ssp_coefficient(&library::method(id).unwrap(), 0).unwrap()
}

fn method(id: &str, a: &[Vec<String>], b: &[String]) -> Method {
    let list = |row: &[String]| format!("[{}]", row.iter().map(|x| format!("\"{x}\"")).collect::<Vec<_>>().join(", "));
    let rows = a.iter().map(|row| list(row)).collect::<Vec<_>>().join(", ");
    let text = format!(
        r#"{{"format": "hemiola-method/1", "id": "{id}", "name": "{id}",
            "partitions": [{{"name": "all", "a": [{rows}], "b": {}}}]}}"#,
        list(b)
    );
    Method::from_json(text.as_bytes(), "test").unwrap()
}

/// The optimal explicit methods with s stages of order 2 (Gottlieb, Ketcheson & Shu 2011, §6.2).
fn second_order(s: usize) -> Method {
    let a = |i: usize| (0..s).map(|j| if j < i { format!("1/{}", s - 1) } else { "0".into() }).collect();
    method("second-order", &(0..s).map(a).collect::<Vec<_>>(), &vec![format!("1/{s}"); s])
}

/// The optimal explicit methods with n² stages of order 3 (Ketcheson 2008, Theorem 3): Euler steps of length 1/(n² − n),
/// with a convex combination of two earlier values after stage n(n + 1)/2.
fn third_order(n: usize) -> Method {
    let (s, h) = (n * n, fraction(1, (n * n - n) as u64));
    let special = n * (n + 1) / 2;
    let [near, far] = [n as i64 - 1, n as i64].map(|k| fraction(k, 2 * n as u64 - 1));
    let mut rows: Vec<Vec<RBig>> = vec![vec![RBig::ZERO; s]];
    for i in 1..=s {
        let mut row = rows[i - 1].clone();
        row[i - 1] += &h;
        if i == special {
            let kept = &rows[(n - 1) * (n - 2) / 2];
            row = row.iter().zip(kept).map(|(x, y)| x * &near + y * &far).collect();
        }
        rows.push(row);
    }
    let texts = |row: &Vec<RBig>| row.iter().map(ToString::to_string).collect::<Vec<String>>();
    method("third-order", &rows[..s].iter().map(texts).collect::<Vec<_>>(), &texts(&rows[s]))
}

/// Evaluates rK(I + rK)⁻¹ by its definition, with K from the tableau and the inverse by elimination on fractions, and
/// checks both conditions. Independent of the library's ray, series and reductions.
fn holds_by_definition(method: &Method, r: &RBig) -> bool {
    let butcher = &method.exact().partitions[0];
    let n = butcher.stages() + 1;
    let rational = |x: &Exact| x.as_rational().unwrap().clone();
    let k = |i: usize, j: usize| match (i + 1 == n, j + 1 == n) {
        (_, true) => RBig::ZERO,
        (true, false) => rational(&butcher.b[j]),
        (false, false) => rational(&butcher.a[i][j]),
    };
    // Rows of [(I + rK) | I], reduced column by column.
    let one = |i: usize, j: usize| if i == j { RBig::ONE } else { RBig::ZERO };
    let mut rows: Vec<Vec<RBig>> =
        (0..n).map(|i| (0..n).map(|j| one(i, j) + r * k(i, j)).chain((0..n).map(|j| one(i, j))).collect()).collect();
    for c in 0..n {
        let Some(pivot) = (c..n).find(|&i| !rows[i][c].is_zero()) else { return false };
        rows.swap(c, pivot);
        let scale = rows[c][c].clone();
        rows[c].iter_mut().for_each(|x| *x /= &scale);
        for i in (0..n).filter(|&i| i != c) {
            let factor = rows[i][c].clone();
            for j in 0..2 * n {
                let change = &factor * &rows[c][j];
                rows[i][j] -= change;
            }
        }
    }
    // rK(I + rK)⁻¹ = I − (I + rK)⁻¹.
    let entry = |i: usize, j: usize| one(i, j) - &rows[i][n + j];
    (0..n).all(|i| {
        let sum = (0..n).fold(RBig::ZERO, |sum, j| sum + entry(i, j));
        (0..n).all(|j| entry(i, j) >= RBig::ZERO) && sum <= RBig::ONE
    })
}

#[test]
fn coefficients_from_the_literature() {
    // Kraaijevanger 1991; Spiteri & Ruuth 2002; Ketcheson 2008; Ketcheson, Macdonald & Gottlieb 2009.
    for (id, expected) in [
        ("explicit-euler", 1),
        ("ssp-rk-2-2", 1),
        ("ssp-rk-3-3", 1),
        ("ssp-rk-4-3", 2),
        ("ssp-rk-10-4", 6),
        ("implicit-midpoint", 2),
        ("lobatto-iiia-2", 2),
        ("rk4", 0),
        ("kutta-3", 0),
        ("gauss-2", 0),
        ("radau-iia-2", 0),
        ("dormand-prince-5", 0),
    ] {
        let MonotonicityRadius::Bounded { exact, lower, upper } = coefficient(id) else { panic!("{id}") };
        assert_eq!(exact, Some(RBig::from(expected)), "{id}");
        assert_eq!((lower, upper), (f64::from(expected), f64::from(expected)), "{id}");
    }
    let root = coefficient("tr-bdf2").value().unwrap();
    assert!((root - 1.0 - 2f64.sqrt()).abs() < 1e-15 * root, "{root}");
    // Several conditions have a multiple root at 1.50818. It splits for decimals, because the coefficients are taken as
    // written.
    let rounded = coefficient("ssp-rk-5-4").value().unwrap();
    assert!((rounded - 1.508_180_049).abs() < 1e-4, "{rounded}");
    assert_eq!(coefficient("implicit-euler"), MonotonicityRadius::Unbounded);
}

#[test]
fn optimal_methods_with_any_number_of_stages() {
    for s in 2..=10 {
        let method = second_order(s);
        let expected = RBig::from(s - 1);
        for radius in [ssp_coefficient(&method, 0).unwrap(), threshold_factor(&method, 0).unwrap().unwrap()] {
            assert!(matches!(&radius, MonotonicityRadius::Bounded { exact: Some(found), .. } if *found == expected));
        }
    }
    for n in 2..=4 {
        let found = ssp_coefficient(&third_order(n), 0).unwrap();
        assert_eq!(found.value(), Some((n * n - n) as f64), "{n}");
    }
}

#[test]
fn enclosures_are_narrow_and_agree_with_the_definition() {
    for id in ["ssp-rk-5-4", "ssp-rk-4-3", "ssp-rk-10-4", "ssp-rk-3-3", "lobatto-iiia-2", "implicit-midpoint"] {
        let MonotonicityRadius::Bounded { lower, upper, exact } = coefficient(id) else { panic!("{id}") };
        assert!(lower <= upper && upper - lower <= 1e-15 * upper, "{id}");
        let method = library::method(id).unwrap();
        let bounds = [lower, upper].map(|bound| RBig::try_from(bound).unwrap());
        let [below, above] = [&bounds[0] * fraction(1_000_000_000, 1_000_000_001), bounds[1].clone()];
        assert!(holds_by_definition(&method, &below) && holds_by_definition(&method, &bounds[0]), "{id}");
        let beyond = if exact.is_some() { above * (RBig::ONE + fraction(1, 1 << 62)) } else { above };
        assert!(!holds_by_definition(&method, &beyond), "{id}");
    }
}

#[test]
fn random_tables_agree_with_the_definition() {
    use rand::{RngExt, SeedableRng};
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(7);
    let mut positive = 0;
    for index in 0..200 {
        let (s, is_explicit) = (2 + index % 3, index % 2 == 0);
        let mut entry = |allowed: bool| {
            if allowed { format!("{}/{}", random.random_range(0..6), random.random_range(6..9)) } else { "0".into() }
        };
        let a: Vec<Vec<String>> =
            (0..s).map(|i| (0..s).map(|j| entry(if is_explicit { j < i } else { true })).collect()).collect();
        let b: Vec<String> = (0..s).map(|_| entry(true)).collect();
        let method = method("random", &a, &b);
        if crate::nonlinear::reducibility(&method).is_dj_reducible() {
            continue;
        }
        match ssp_coefficient(&method, 0).unwrap() {
            MonotonicityRadius::Unbounded => assert!(holds_by_definition(&method, &RBig::from(1_000_000_007))),
            MonotonicityRadius::Bounded { lower, upper, .. } => {
                positive += usize::from(lower > 0.0);
                let [lower, upper] = [lower, upper].map(|bound| RBig::try_from(bound).unwrap());
                assert!(lower.is_zero() || holds_by_definition(&method, &lower), "{a:?} {b:?}");
                let beyond = upper * (RBig::ONE + fraction(1, 1 << 50)) + fraction(1, 1 << 40);
                assert!(!holds_by_definition(&method, &beyond), "{a:?} {b:?}");
            }
        }
    }
    assert!(positive > 20, "{positive}");
}

/// A method of many stages with thirty decimals, whose fractions have thousands of digits.
#[test]
fn integers_agree_with_fractions_for_many_stages() {
    use super::radius::MonotoneConditions;
    let s = 12;
    let decimals =
        |i: usize, j: usize| format!("0.{:030}", 83_333_333_333_333_333_333_333_333_333u128 + (i * 7 + j * j) as u128);
    let a = |i: usize| (0..s).map(|j| if j < i { decimals(i, j) } else { "0".into() }).collect();
    let method = method("many", &(0..s).map(a).collect::<Vec<_>>(), &vec!["1/12".to_owned(); s]);
    let ray = MonotonicityRegion::new(&method).ray(&[RBig::ONE]).unwrap();
    let MonotonicityRadius::Bounded { lower, upper, .. } = ssp_coefficient(&method, 0).unwrap() else { panic!() };
    assert!(lower > 0.0 && upper - lower <= 1e-15 * upper);
    for t in [lower / 3.0, lower, upper * (1.0 + 1e-15), upper * 1.1] {
        let t = Exact::from_f64(t).unwrap();
        let solution = ray.solution(&t).unwrap();
        assert_eq!(ray.hold_at(&t), solution.iter().flatten().all(|x| x.sign().is_ge()), "{t}");
        assert_eq!(ray.hold_at(&t), holds_by_definition(&method, t.as_rational().unwrap()), "{t}");
    }
}

#[test]
fn equal_implicit_stages_are_unbounded_although_a_is_singular() {
    let half = || "1/2".to_owned();
    let double_euler = method("double", &[vec![half(), half()], vec![half(), half()]], &[half(), half()]);
    assert_eq!(ssp_coefficient(&double_euler, 0).unwrap(), MonotonicityRadius::Unbounded);
}

#[test]
fn threshold_factors_from_the_literature() {
    // Kraaijevanger 1986: all polynomials of degree s and order s have factor 1.
    for id in ["rk4", "heun-2", "kutta-3", "explicit-euler"] {
        let radius = threshold_factor(&library::method(id).unwrap(), 0).unwrap().unwrap();
        assert_eq!(radius.value(), Some(1.0), "{id}");
    }
    let radius = |id: &str| threshold_factor(&library::method(id).unwrap(), 0).unwrap();
    assert_eq!(radius("ssp-rk-10-4").unwrap().value(), Some(6.0));
    assert_eq!(radius("ssp-rk-4-3").unwrap().value(), Some(2.0));
    assert_eq!(radius("gauss-2"), None);
}

#[test]
fn optimal_threshold_factors_from_the_literature() {
    // Kraaijevanger 1986: R_{s,1} = s, R_{s,2} = s − 1, R_{s,s} = 1, R_{s,s−1} = 2.
    let exact = |s: usize, p: usize| match optimal_threshold_factor(s, p).unwrap() {
        MonotonicityRadius::Bounded { exact: Some(exact), .. } => exact,
        other => panic!("{s} {p}: {other:?}"),
    };
    for s in 2..=12 {
        assert_eq!((exact(s, 1), exact(s, 2)), (RBig::from(s), RBig::from(s - 1)), "{s}");
    }
    for p in 2..=7 {
        assert_eq!((exact(p, p), exact(p + 1, p)), (RBig::ONE, RBig::from(2)), "{p}");
    }
    assert_eq!((exact(4, 3), exact(10, 4)), (RBig::from(2), RBig::from(6)));
    // Gottlieb, Ketcheson & Shu 2011, Table 4.1: bounds that methods of order 3 attain, and R_{s+1,4} = R_{s,3}.
    for (s, expected) in [(5, 2.651), (6, 3.518), (7, 4.288), (8, 5.107)] {
        let [third, fourth] =
            [(s, 3), (s + 1, 4)].map(|(s, p)| optimal_threshold_factor(s, p).unwrap().value().unwrap());
        assert!((third - expected).abs() < 5e-4 && (third - fourth).abs() < 1e-14, "{s}: {third} {fourth}");
    }
    for (s, p) in [(0, 0), (3, 0), (3, 4), (200, 6), (usize::MAX, 9)] {
        assert!(optimal_threshold_factor(s, p).is_err(), "{s} {p}");
    }
}

/// Just below R_{s,p}, weights γ ≥ 0 with the moments of the Poisson distribution exist: an optimal polynomial, found on
/// all sets of p + 1 exponents.
#[test]
fn optimal_polynomials_exist() {
    for (s, p) in [(4, 2), (5, 3), (6, 4), (7, 4), (6, 5)] {
        let r = Exact::from_f64(optimal_threshold_factor(s, p).unwrap().value().unwrap() * (1.0 - 1e-9)).unwrap();
        let falling =
            |k: usize, j: usize| (0..j).fold(RBig::ONE, |product, i| product * RBig::from(k as i64 - i as i64));
        let sets = (0u32..1 << (s + 1)).filter(|set| set.count_ones() as usize == p + 1);
        let mut solutions = sets.filter_map(|set| {
            let support: Vec<usize> = (0..=s).filter(|k| set >> k & 1 == 1).collect();
            // Σ_k γ_k k(k − 1)⋯(k − j + 1) = rʲ, as (I + tD)γ = rʲ with t = 1 and D = M − I.
            let entry = |j: usize, k: usize| falling(support[k], j) - if j == k { RBig::ONE } else { RBig::ZERO };
            let d = (0..=p).map(|j| (0..=p).map(|k| entry(j, k).into()).collect()).collect();
            let power = |j: usize| vec![(0..j).fold(Exact::from(1), |power, _| power * r.clone())];
            super::linear_solve::solve(&d, &Exact::from(1), &(0..=p).map(power).collect())
        });
        assert!(solutions.any(|gamma| gamma.iter().flatten().all(|x| x.sign().is_ge())), "{s} {p}");
    }
}

#[test]
fn the_shu_osher_form_is_convex_and_gives_the_tableau_back() {
    for id in ["ssp-rk-3-3", "ssp-rk-10-4", "ssp-rk-5-4", "tr-bdf2", "implicit-midpoint"] {
        let method = library::method(id).unwrap();
        let form = optimal_shu_osher(&method, 0).unwrap().unwrap();
        let butcher = &method.exact().partitions[0];
        let s = butcher.stages();
        for i in 0..=s {
            let sum = form.alpha[i].iter().fold(form.v[i].clone(), |sum, x| sum + x.clone());
            assert!((sum - Exact::from(1)).is_zero(), "{id}");
            let all = form.alpha[i].iter().chain(&form.beta[i]).chain([&form.v[i]]);
            assert!(all.into_iter().all(|x| x.sign().is_ge()), "{id}");
            // K = αK + β.
            let row = |i: usize| if i < s { &butcher.a[i] } else { &butcher.b };
            for j in 0..s {
                let terms =
                    (0..s).fold(form.beta[i][j].clone(), |sum, k| sum + form.alpha[i][k].clone() * row(k)[j].clone());
                assert!((terms - row(i)[j].clone()).is_zero(), "{id}");
            }
        }
    }
    assert_eq!(optimal_shu_osher(&library::method("rk4").unwrap(), 0).unwrap(), None);
    assert_eq!(optimal_shu_osher(&library::method("implicit-euler").unwrap(), 0).unwrap(), None);
}

#[test]
fn regions_contain_boxes_and_end_at_their_boundary() {
    let region = MonotonicityRegion::new(&library::method("imex-ssp2-222").unwrap());
    let boundary = region.outline(9, &()).unwrap().boundary;
    assert_eq!(boundary.len(), 9);
    for [x, y] in &boundary {
        let at = |factor: f64| [x, y].map(|value| RBig::try_from(value * factor).unwrap());
        assert!(region.contains(&at(1.0 - 1e-9)).unwrap() && !region.contains(&at(1.0 + 1e-9)).unwrap());
        let [x, y] = at(0.999);
        assert!(region.contains(&[&x / RBig::from(2), y.clone()]).unwrap());
        assert!(region.contains(&[x, y / RBig::from(3)]).unwrap());
    }
    assert!(region.contains(&[RBig::ONE]).is_err() && region.contains(&[RBig::ONE, -RBig::ONE]).is_err());
}

#[test]
fn a_pair_of_equal_partitions_shares_its_radius() {
    let ssp = library::method("ssp-rk-3-3").unwrap();
    let json = |name: &str| {
        format!(
            r#"{{"name": "{name}", "a": [["0","0","0"],["1","0","0"],["1/4","1/4","0"]], "b": ["1/6","1/6","2/3"]}}"#
        )
    };
    let text = format!(
        r#"{{"format": "hemiola-method/1", "id": "twice", "name": "Twice", "partitions": [{}, {}]}}"#,
        json("x"),
        json("y")
    );
    let pair = Method::from_json(text.as_bytes(), "twice").unwrap();
    let region = MonotonicityRegion::new(&pair);
    // r₁ + r₂ ≤ C.
    let value = |direction: [i32; 2]| region.radius_along(&direction.map(RBig::from)).unwrap().value();
    assert_eq!([value([1, 0]), value([0, 1]), value([1, 1])], [Some(1.0), Some(1.0), Some(0.5)]);
    assert!(region.outline(5, &()).unwrap().boundary.iter().all(|[x, y]| (x + y - 1.0).abs() < 1e-15));
    assert_eq!(MonotonicityRegion::new(&ssp).radius_along(&[RBig::ONE]).unwrap().value(), Some(1.0));
}
