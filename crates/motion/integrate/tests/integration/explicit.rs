//! Explicit steps agree with their coefficients and make only the necessary evaluations.

use std::ops::ControlFlow;

use hemiola_integrate::{Counted, Explicit, Extras, MethodMismatch, Outcome, StepError, Stepper, System, equal_steps};
use hemiola_stability::stability_matrix;
use hemiola_tableau::{Method, library};
use num_complex::Complex64;

use crate::common::{Coupled, Linear, START};

/// Iterates over the explicit methods of the library with at most the given number of partitions.
fn explicit_methods(partitions: usize) -> impl Iterator<Item = Method> {
    let fits = move |method: &Method| method.to_f64().is_explicit() && method.partitions().len() <= partitions;
    library::ids().map(|id| library::method(id).expect("the library has it")).filter(fits)
}

/// Returns the state after a number of equal steps over the unit interval.
fn solve(method: &Method, steps: u64) -> [f64; 4] {
    let mut y = START;
    let mut stepper = Explicit::new(method, &Coupled).expect("the library has it");
    let run = equal_steps(&mut stepper, &Coupled, [0.0, 1.0], steps, &mut y, &mut |_| ControlFlow::Continue(()));
    assert_eq!(run.steps, steps);
    y
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

#[test]
fn a_linear_step_is_the_stability_matrix() {
    let full: [&[f64]; 3] = [&[-0.3, 0.7, 0.2], &[-0.4, -1.1, 0.5], &[0.1, -0.6, -0.8]];
    for method in explicit_methods(3) {
        // Methods with one partition run on two partitions, others on their own number.
        let n = method.partitions().len().max(2);
        let lambda: Vec<&[f64]> = full[..n].iter().map(|row| &row[..n]).collect();
        let system = Linear::new(&lambda);
        let z: Vec<Vec<Complex64>> =
            lambda.iter().map(|row| row.iter().map(|x| Complex64::from(0.5 * x)).collect()).collect();
        let mut tableau = method.to_f64();
        tableau.partitions.resize(n, tableau.partitions[0].clone());
        let expected = stability_matrix(&tableau, &z).unwrap();
        // Every stage rounds sums of slopes below one, with coefficients of this size.
        let entries = tableau.partitions.iter().flat_map(|part| part.a.iter().flatten().chain(&part.b));
        let largest = entries.fold(1.0f64, |largest, entry| largest.max(entry.abs()));
        let rounding = 16.0 * tableau.stages() as f64 * largest * largest * f64::EPSILON;
        for column in 0..n {
            let mut y = vec![0.0; n];
            y[column] = 1.0;
            Explicit::new(&method, &system).unwrap().step(&system, 0.0, 0.5, &mut y).unwrap();
            for row in 0..n {
                let difference = (y[row] - expected[row][column].re).abs();
                assert!(difference < rounding, "{}: {difference} > {rounding}", method.id());
            }
        }
    }
}

/// Methods up to order four whose leading error term is so small that the next one shows first.
const NEXT_TERM_FIRST: [&str; 9] = [
    "al-jahdali-advection-15-4",
    "al-jahdali-vortex-15-4",
    "kennedy-carpenter-lewis-4-3-5-3rm",
    "kennedy-carpenter-lewis-4-3-5-4rm",
    "parsani-ketcheson-deconinck-17-3",
    "parsani-ketcheson-deconinck-18-4",
    "parsani-ketcheson-deconinck-9-4",
    "ranocha-dalcin-parsani-ketcheson-4-3-9",
    "ranocha-dalcin-parsani-ketcheson-4-3-9-fsal",
];

#[test]
fn every_explicit_method_converges_at_its_order() {
    let feagin = library::method("feagin-10").unwrap();
    let exact = solve(&feagin, 100);
    let (mut checked, mut faster) = (0, Vec::new());
    for method in explicit_methods(2) {
        // With higher orders, rounding dominates in doubles before the order shows.
        let Some(order) = method.claims().order.filter(|order| *order <= 6) else { continue };
        // Choose steps at which the leading error term dominates and rounding is negligible.
        let small = 10f64.powi(-2 - 2 * order.min(5) as i32);
        // Rounded coefficients must not matter either.
        if method.precision().is_some_and(|known| 10f64.powi(-(known.decimals as i32)) > 0.011 * small) {
            continue;
        }
        let error = |steps: u64| distance(&solve(&method, steps), &exact);
        let steps = (1..16).map(|k| 1 << k).find(|&steps| error(steps) < small).unwrap();
        let observed = (error(steps / 2) / error(steps)).log2();
        let excess = observed - order as f64;
        // Beyond order four the next term shows first for many methods.
        assert!(excess > -0.45 && excess < 1.45, "{}: {observed} instead of {order}", method.id());
        if excess > 0.45 && order <= 4 {
            faster.push(method.id().to_owned());
        }
        checked += 1;
    }
    assert_eq!(faster, NEXT_TERM_FIRST);
    assert!(checked > 100, "{checked}");
}

#[test]
fn slow_rates_are_evaluated_only_where_they_are_needed() {
    for (id, expected) in [("shome-haug-jay-2-5", [20, 50]), ("hemiola-4-8", [40, 80]), ("rk4", [40, 40])] {
        let system = Counted::new(&Coupled);
        let method = library::method(id).unwrap();
        let mut stepper = Explicit::new(&method, &system).unwrap();
        equal_steps(&mut stepper, &system, [0.0, 1.0], 10, &mut START.clone(), &mut |_| ControlFlow::Continue(()));
        assert_eq!(system.evaluations(), expected, "{id}");
    }
}

#[test]
fn first_same_as_last_saves_an_evaluation_of_every_step_but_the_first() {
    let method = library::method("dormand-prince-5").unwrap();
    for (estimate, expected) in [(false, 60), (true, 61)] {
        let system = Counted::new(&Coupled);
        let mut stepper = Explicit::with(&method, &system, Extras { estimate, dense: false }).unwrap();
        equal_steps(&mut stepper, &system, [0.0, 1.0], 10, &mut START.clone(), &mut |_| ControlFlow::Continue(()));
        assert_eq!(system.evaluations(), [expected; 2]);
    }
}

#[test]
fn remembered_slopes_change_nothing() {
    let method = library::method("dormand-prince-5").unwrap();
    let extras = Extras { estimate: true, dense: true };
    let mut stepper = Explicit::with(&method, &Coupled, extras).unwrap();
    let (mut y, mut repeated) = (START, START);
    stepper.step(&Coupled, 0.0, 0.3, &mut y).unwrap();
    let mut slope = [0.0; 4];
    stepper.slope(&Coupled, 0.0, &START, &mut slope);
    stepper.step(&Coupled, 0.0, 0.1, &mut repeated).unwrap();
    stepper.step(&Coupled, 0.1, 0.2, &mut repeated).unwrap();
    let mut fresh = START;
    for (t, h) in [(0.0, 0.1), (0.1, 0.2)] {
        Explicit::with(&method, &Coupled, extras).unwrap().step(&Coupled, t, h, &mut fresh).unwrap();
    }
    assert_eq!(repeated, fresh);
    let mut expected = [0.0; 4];
    Coupled.rate(0, 0.0, &START, &mut expected[..2]);
    Coupled.rate(1, 0.0, &START, &mut expected[2..]);
    assert_eq!(slope, expected);
}

#[test]
fn the_estimate_is_the_difference_from_the_embedded_method() {
    for id in ["bogacki-shampine-3", "dormand-prince-5", "hemiola-4-8", "hemiola-3-7-coupled"] {
        let method = library::method(id).unwrap();
        let mut stepper = Explicit::with(&method, &Coupled, Extras { estimate: true, dense: false }).unwrap();
        let (mut y, mut other, mut error) = (START, START, [0.0; 4]);
        stepper.step(&Coupled, 0.2, 0.3, &mut y).unwrap();
        assert!(Stepper::<Coupled>::estimate(&stepper, &mut error));
        Explicit::new(&method.embedded().unwrap(), &Coupled).unwrap().step(&Coupled, 0.2, 0.3, &mut other).unwrap();
        for i in 0..4 {
            assert!((error[i] - (y[i] - other[i])).abs() < 4.0 * f64::EPSILON && error[i] != 0.0, "{id}");
        }
    }
}

#[test]
fn dense_output_has_its_order() {
    let exact = |t: f64| {
        let mut y = START;
        let method = library::method("feagin-10").unwrap();
        let mut stepper = Explicit::new(&method, &Coupled).unwrap();
        equal_steps(&mut stepper, &Coupled, [0.0, t], 8, &mut y, &mut |_| ControlFlow::Continue(()));
        y
    };
    for id in ["dormand-prince-5", "hemiola-4-8", "hemiola-2-5"] {
        let method = library::method(id).unwrap();
        let order = method.claims().dense_order.unwrap();
        let error = |h: f64| {
            let mut stepper = Explicit::with(&method, &Coupled, Extras { estimate: false, dense: true }).unwrap();
            let (mut y, mut inside) = (START, [0.0; 4]);
            stepper.step(&Coupled, 0.0, h, &mut y).unwrap();
            assert!(Stepper::<Coupled>::interpolate(&stepper, 1.0, &mut inside));
            assert!(distance(&inside, &y) < 1e-15, "{id}");
            assert!(Stepper::<Coupled>::interpolate(&stepper, 0.4, &mut inside));
            distance(&inside, &exact(0.4 * h))
        };
        let observed = (error(0.2) / error(0.1)).log2();
        assert!((observed - (order + 1) as f64).abs() < 0.4, "{id}: {observed}");
    }
}

#[test]
fn what_does_not_fit_is_named() {
    let pair = library::method("shome-haug-jay-2-5").unwrap();
    let three = Linear::new(&[&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0], &[0.0, 0.0, 1.0]]);
    let mismatch = |error: MethodMismatch| error.to_string();
    let text = mismatch(Explicit::new(&pair, &three).unwrap_err());
    assert!(text.contains("shome-haug-jay-2-5 has 2 partitions, but the system has 3"), "{text}");
    let gauss = library::method("gauss-2").unwrap();
    assert!(mismatch(Explicit::new(&gauss, &three).unwrap_err()).contains("gauss-2 is implicit"));
    let rk4 = library::method("rk4").unwrap();
    let extras = |estimate, dense| Extras { estimate, dense };
    assert!(mismatch(Explicit::with(&rk4, &three, extras(true, false)).unwrap_err()).contains("no embedded weights"));
    assert!(mismatch(Explicit::with(&rk4, &three, extras(false, true)).unwrap_err()).contains("no dense output"));
}

#[test]
fn a_step_that_overflows_leaves_the_state() {
    let system = Linear::new(&[&[1e200]]);
    let mut stepper = Explicit::new(&library::method("rk4").unwrap(), &system).unwrap();
    let mut y = [1.0];
    assert_eq!(stepper.step(&system, 0.0, 1.0, &mut y), Err(StepError::NotFinite { t: 0.0, h: 1.0 }));
    assert_eq!(y, [1.0]);
}

#[test]
fn a_failed_step_leaves_no_slope_behind() {
    let method = library::method("dormand-prince-5").unwrap();
    let extras = Extras { estimate: true, dense: true };
    let stepper = || Explicit::with(&method, &Coupled, extras).unwrap();
    let (mut used, mut y) = (stepper(), START);
    used.step(&Coupled, 0.0, 0.3, &mut y).unwrap();
    // An overflowing step from another state: the last slope is invalid and that of the previous step is gone.
    assert!(used.step(&Coupled, 0.0, f64::MAX, &mut START.clone()).is_err());
    let mut expected = y;
    stepper().step(&Coupled, 0.3, 0.1, &mut expected).unwrap();
    used.step(&Coupled, 0.3, 0.1, &mut y).unwrap();
    assert_eq!(y, expected);
}

#[test]
fn slopes_that_were_moved_on_are_no_step() {
    let method = library::method("dormand-prince-5").unwrap();
    let mut stepper = Explicit::with(&method, &Coupled, Extras { estimate: true, dense: true }).unwrap();
    let (mut y, mut room) = (START, [0.0; 4]);
    let mut both = |stepper: &Explicit| {
        [Stepper::<Coupled>::estimate(stepper, &mut room), Stepper::<Coupled>::interpolate(stepper, 0.5, &mut room)]
    };
    assert_eq!(both(&stepper), [false; 2]);
    stepper.step(&Coupled, 0.0, 0.3, &mut y).unwrap();
    assert_eq!(both(&stepper), [true; 2]);
    stepper.slope(&Coupled, 0.3, &y, &mut [0.0; 4]);
    assert_eq!(both(&stepper), [false; 2]);
}

#[test]
fn no_steps_lead_nowhere() {
    let method = library::method("rk4").unwrap();
    let mut y = START;
    let mut stepper = Explicit::new(&method, &Coupled).unwrap();
    let run = equal_steps(&mut stepper, &Coupled, [0.0, 1.0], 0, &mut y, &mut |_| ControlFlow::Continue(()));
    assert_eq!((run.outcome, run.t, y), (Outcome::TooManySteps { limit: 0 }, 0.0, START));
}
