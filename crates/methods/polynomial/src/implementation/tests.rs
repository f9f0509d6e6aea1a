use dashu::rational::RBig;
use num_complex::Complex64;

use super::*;
use crate::implementation::stages::{amplifications, values};
use crate::{Axis, StabilityPolynomial, optimal};

/// Known optimum with its interval and points on it.
struct Case {
    polynomial: StabilityPolynomial,
    interval: StabilityInterval,
    points: Vec<Complex64>,
}

impl Case {
    fn new(axis: Axis, stages: usize, order: usize) -> Self {
        let polynomial = optimal(axis, stages, order).unwrap();
        let interval = StabilityInterval { axis, limit: polynomial.limit() };
        let direction = match axis {
            Axis::Real => -Complex64::ONE,
            Axis::Imaginary => Complex64::I,
        };
        let points = (0..=400).map(|i| direction * (interval.limit * f64::from(i) / 400.0)).collect();
        Self { polynomial, interval, points }
    }

    fn implementations(&self) -> Vec<Implementation> {
        implementations(self.polynomial.coefficients(), Some(self.interval), &self.points)
    }

    fn implementation(&self, scheme: StageForm) -> Implementation {
        self.implementations().into_iter().find(|implementation| implementation.scheme == scheme).unwrap()
    }
}

fn cases() -> Vec<Case> {
    let requests = [(Axis::Real, 2, 1), (Axis::Real, 9, 1), (Axis::Real, 50, 1)];
    let oscillatory =
        [(Axis::Imaginary, 5, 2), (Axis::Imaginary, 8, 4), (Axis::Imaginary, 10, 1), (Axis::Imaginary, 51, 2)];
    requests.into_iter().chain(oscillatory).map(|(axis, stages, order)| Case::new(axis, stages, order)).collect()
}

/// Evaluates R at a point of the interval by its closed form.
fn exact(case: &Case, z: Complex64) -> Complex64 {
    let s = case.polynomial.coefficients().len() - 1;
    let w = z / case.interval.limit;
    let chebyshev = |k: usize| match case.interval.axis {
        Axis::Real => Complex64::from((k as f64 * (1.0 + 2.0 * w.re).clamp(-1.0, 1.0).acos()).cos()),
        Axis::Imaginary => Complex64::I.powu(k as u32) * (k as f64 * w.im.clamp(-1.0, 1.0).acos()).cos(),
    };
    let k = (s - 1) as f64;
    match (case.interval.axis, case.polynomial.optimum().problem().order()) {
        (Axis::Real, _) => chebyshev(s),
        (_, 1 | 2) => 0.5 * chebyshev(s - 2) + chebyshev(s - 1) + 0.5 * chebyshev(s),
        _ => {
            let outer = (k - 1.0) * chebyshev(s) + (k + 1.0) * chebyshev(s - 2);
            (0.5 * outer + (k * k - 1.0).sqrt() * chebyshev(s - 1)) / k
        }
    }
}

#[test]
fn every_scheme_has_the_stability_polynomial_up_to_its_rounding() {
    for case in cases() {
        for implementation in case.implementations() {
            let error = |&z: &Complex64| (values(&implementation.stages, z).last().unwrap() - exact(&case, z)).norm();
            let largest = case.points.iter().map(error).fold(0.0, f64::max);
            // The closed form itself has errors of s² ulps where the inverse cosine is steep.
            let s = case.polynomial.coefficients().len() as f64;
            let allowed = 3.0 * implementation.rounding + s * s * f64::EPSILON;
            assert!(largest <= allowed, "{} of {s}: {largest} > {allowed}", implementation.scheme);
        }
    }
}

#[test]
fn the_estimate_of_rounding_is_not_far_off() {
    // Horner's scheme with twenty stages leaves a single digit, both in the estimate and in fact.
    let case = Case::new(Axis::Real, 20, 1);
    let chain = case.implementation(StageForm::Chain);
    let error = |&z: &Complex64| (values(&chain.stages, z).last().unwrap() - exact(&case, z)).norm();
    let largest = case.points.iter().map(error).fold(0.0, f64::max);
    assert!(largest > 0.01 * chain.rounding && largest > 1e-3, "{largest} of {}", chain.rounding);
}

#[test]
fn the_chain_amplifies_by_the_monomials() {
    let case = Case::new(Axis::Real, 20, 1);
    let beta = case.polynomial.to_f64();
    let monomials = (0..20).map(|k| beta[k].abs() * case.interval.limit.powi(k as i32));
    let expected = monomials.fold(0.0, f64::max);
    let chain = case.implementation(StageForm::Chain);
    assert!((chain.amplification / expected - 1.0).abs() < 1e-12);
    assert!(
        chain.digits_lost() > 14.0
            && chain.digits_lost() < monomial_digits_lost(case.polynomial.coefficients(), &case.points)
    );
}

#[test]
fn the_recurrence_on_the_real_axis_is_bounded_quadratically() {
    // Verwer, Hundsdorfer & Sommeijer (1990): Σ |Q_j| ≤ s(s + 1)/2, as Q_j = U_{s−j}.
    for s in [3, 10, 40, 100] {
        let case = Case::new(Axis::Real, s, 1);
        let recurrence = case.implementation(StageForm::Recurrence);
        assert!((recurrence.amplification / s as f64 - 1.0).abs() < 1e-9);
        assert!(recurrence.growth < 1.0 + 1e-9);
        let sum = |&z: &Complex64| amplifications(&recurrence.stages, z)[1..=s].iter().map(|q| q.norm()).sum::<f64>();
        let largest = case.points.iter().map(sum).fold(0.0, f64::max);
        assert!((largest / (s * (s + 1) / 2) as f64 - 1.0).abs() < 1e-9, "{s} stages: {largest}");
    }
}

#[test]
fn leapfrog_steps_do_not_amplify() {
    for (s, order) in [(5, 2), (51, 2), (20, 1), (20, 4), (100, 4)] {
        let recurrence = Case::new(Axis::Imaginary, s, order).implementation(StageForm::Recurrence);
        let bound = if order == 4 { 1.2 } else { 1.0 + 1e-12 };
        assert!(recurrence.amplification < bound, "{s} stages: {}", recurrence.amplification);
        assert!(recurrence.growth < s as f64 + 1.0);
        // R = ½(P_s + P_{s−2}).
        if order < 4 {
            let combination = recurrence.stages.last().unwrap();
            assert_eq!(combination, &vec![Term::new(s - 2, 0.5, 0.0), Term::new(s, 0.5, 0.0)]);
        }
    }
}

#[test]
fn the_order_of_the_factors_matters() {
    let case = Case::new(Axis::Real, 50, 1);
    let mut sorted = roots::roots(case.polynomial.coefficients(), Some(case.interval)).unwrap();
    sorted.sort_by(|a, b| match (a, b) {
        (roots::Root::Real(a), roots::Root::Real(b)) => a.total_cmp(b),
        _ => panic!("all roots are real"),
    });
    let ordered = case.implementation(StageForm::Factors);
    assert!(ordered.amplification < 1e4 && ordered.growth < 1e4 && ordered.rounding < 1e-11);
    let rising = Implementation::new(StageForm::Factors, factors::product(sorted.iter().copied()), &case.points);
    assert!(rising.amplification > 1e12 && rising.rounding > 1.0);
    let falling = Implementation::new(StageForm::Factors, factors::product(sorted.into_iter().rev()), &case.points);
    assert!(falling.growth > 1e12 && falling.rounding > 1.0);
}

#[test]
fn perturbed_stages_stay_within_the_bound_and_reach_it() {
    for case in cases() {
        for implementation in case.implementations() {
            let stages = implementation.stages.len();
            if implementation.amplification > 1e6 {
                continue; // the difference of the perturbed and the unperturbed step would be rounding alone
            }
            let mut random = noise();
            let mut reached = 0f64;
            for &z in &case.points {
                let reference = perturbed(&implementation.stages, z, |_| 0.0);
                let signs: Vec<f64> = (0..stages).map(|_| random()).collect();
                let all = (perturbed(&implementation.stages, z, |j| signs[j]) - reference).norm();
                assert!(all <= stages as f64 * implementation.amplification * (1.0 + 1e-6));
                for j in 0..stages {
                    let one = perturbed(&implementation.stages, z, |i| if i == j { 1.0 } else { 0.0 }) - reference;
                    reached = reached.max(one.norm());
                }
            }
            assert!((reached / implementation.amplification - 1.0).abs() < 1e-6, "{}", implementation.scheme);
        }
    }
}

/// Computes the result of a step with y = 1 and perturbations r_j of the stages.
fn perturbed(stages: &[Vec<Term>], z: Complex64, r: impl Fn(usize) -> f64) -> Complex64 {
    let mut values = vec![Complex64::ONE];
    for (j, terms) in stages.iter().enumerate() {
        let stage: Complex64 = terms.iter().map(|term| term.at(z) * values[term.stage]).sum();
        values.push(stage + r(j));
    }
    values[stages.len()]
}

/// Generates numbers in [−1, 1] with a linear congruential generator (Knuth's MMIX).
fn noise() -> impl FnMut() -> f64 {
    let mut state = 20_140_905u64;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

#[test]
fn a_polynomial_that_is_no_optimum_is_expanded() {
    // The exponential series of degree 8 on both axes, on an interval that is not its interval of stability.
    let beta: Vec<RBig> =
        (0u32..=8).map(|k| RBig::from_parts(1.into(), (1..=k).product::<u32>().max(1).into())).collect();
    for (axis, direction) in [(Axis::Real, -Complex64::ONE), (Axis::Imaginary, Complex64::I)] {
        let points: Vec<Complex64> = (0..=100).map(|i| direction * f64::from(i) / 40.0).collect();
        for implementation in implementations(&beta, Some(StabilityInterval { axis, limit: 2.5 }), &points) {
            for &z in &points {
                let series = beta.iter().rev().fold(Complex64::ZERO, |sum, b| sum * z + b.to_f64().value());
                let value = values(&implementation.stages, z).last().copied().unwrap();
                assert!(
                    (value - series).norm() < 1e-14 * implementation.amplification.max(1.0),
                    "{}",
                    implementation.scheme
                );
            }
        }
    }
}

#[test]
fn what_does_not_exist_is_left_out() {
    let schemes = |beta: &[i32], interval| -> Vec<StageForm> {
        let beta: Vec<RBig> = beta.iter().map(|&k| RBig::from(k)).collect();
        implementations(&beta, interval, &[-Complex64::ONE])
            .iter()
            .map(|implementation| implementation.scheme)
            .collect()
    };
    let interval = |limit| Some(StabilityInterval { axis: Axis::Real, limit });
    assert_eq!(schemes(&[1, 1, 3], interval(2.0)), [StageForm::Chain, StageForm::Factors, StageForm::Recurrence]);
    assert_eq!(schemes(&[1, 1, 0, 1, 0, 0], None), [StageForm::Factors]);
    assert_eq!(schemes(&[1, 4, 6, 4, 1], None), [StageForm::Chain]);
    for limit in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(schemes(&[1, 1, 3], interval(limit)), [StageForm::Chain, StageForm::Factors]);
    }
    for beta in [&[][..], &[1], &[1, 0], &[2, 1], &[0, 1]] {
        assert_eq!(schemes(beta, None), []);
    }
    assert!(
        implementations(&[RBig::ONE, RBig::ONE], None, &[])
            .iter()
            .all(|implementation| implementation.amplification == 0.0)
    );
}

#[test]
fn a_thousand_stages_exceed_doubles_without_harm() {
    let case = Case::new(Axis::Imaginary, 1000, 4);
    let points: Vec<Complex64> = case.points.iter().step_by(40).copied().collect();
    let found = implementations(case.polynomial.coefficients(), Some(case.interval), &points);
    let schemes: Vec<StageForm> = found.iter().map(|implementation| implementation.scheme).collect();
    assert_eq!(schemes, [StageForm::Chain, StageForm::Recurrence]);
    assert!(found[0].rounding > 1e300 && found[1].rounding < 1e-9);
    let digits = monomial_digits_lost(case.polynomial.coefficients(), &points);
    assert!((digits / (1000.0 * (1.0 + 2f64.sqrt()).log10()) - 1.0).abs() < 0.01, "{digits}");
}
