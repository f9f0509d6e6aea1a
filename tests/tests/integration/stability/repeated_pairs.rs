//! A pair repeated n times within one step has equal stability in units of its own limits: profiles of forty and ninety
//! stages.

use hemiola_stability::coupled_profile;
use hemiola_tableau::{Claims, Coefficient, Exact, Method, Partition, Scalar, Source, library};
use num_traits::Zero;

/// Combines n steps of size h/n to one step of size h.
fn repeated(method: &Method, n: usize) -> Method {
    let exact = method.exact();
    let part = Exact::ratio(1, n as u64);
    let coefficient = |x: Exact| Coefficient::parse(&(x * part.clone()).to_string()).expect("an exact number");
    let partitions = exact.partitions.iter().zip(method.partitions()).map(|(butcher, partition)| {
        let s = butcher.b.len();
        let entry = |i: usize, j: usize| match (i / s).cmp(&(j / s)) {
            std::cmp::Ordering::Less => Exact::zero(),
            std::cmp::Ordering::Equal => butcher.a[i % s][j % s].clone(),
            std::cmp::Ordering::Greater => butcher.b[j % s].clone(),
        };
        let a = (0..n * s).map(|i| (0..n * s).map(|j| coefficient(entry(i, j))).collect()).collect();
        let b = (0..n * s).map(|j| coefficient(butcher.b[j % s].clone())).collect();
        Partition { name: partition.name.clone(), a, b, c: None, b_hat: None, dense: None }
    });
    let partitions = partitions.collect();
    Method::new("repeated", "Repeated", partitions, Claims::default(), method.precision(), Source::default())
        .expect("a method")
}

#[test]
fn strict_profiles_are_those_of_one_step() {
    let gammas = [0.0, 0.1, 0.999];
    for (id, n) in [("hemiola-4-8", 5), ("shome-haug-jay-2-5", 18)] {
        let pair = library::method(id).expect("a method of the library");
        let one = coupled_profile(&pair, 0.05, &gammas).expect("a profile");
        let many = coupled_profile(&repeated(&pair, n), 0.05, &gammas).expect("a profile");
        assert!((many.fast_limit / one.fast_limit - n as f64).abs() < 1e-7, "{id}: {}", many.fast_limit);
        for (one, many) in one.values.iter().zip(&many.values) {
            // The excess of 1e-9 allowed by the strict criterion is reached n times as soon, where ρ may rise with the
            // square root of the distance.
            let difference = (one.strict.value - many.strict.value).abs();
            assert!(difference < 1e-4, "{id} at {}: {} and {}", one.gamma, one.strict.value, many.strict.value);
        }
    }
}

#[test]
fn extremes_of_damping_have_profiles() {
    let pair = library::method("hemiola-4-8").expect("a method of the library");
    for damping in [0.0, 0.9, 0.99] {
        let profile = coupled_profile(&pair, damping, &[0.0, 0.5]).expect("a profile");
        assert!((profile.values[0].strict.value - 1.0).abs() < 1e-6, "ζ = {damping}: {:?}", profile.values[0]);
        assert!(profile.values[1].practical.value > 0.1 && profile.values[1].practical.value < 1.0);
    }
}
