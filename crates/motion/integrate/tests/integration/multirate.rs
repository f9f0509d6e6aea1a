//! Multirate steppers against the pairs that their methods expand to, exact solutions and predicted orders.

use std::ops::ControlFlow;

use hemiola_integrate::{
    AnyStepper, Counted, Embedded, Extras, MethodMismatch, MicroSteps, MultirateStepper, Outcome, Stepper, System,
    equal_steps,
};
use hemiola_multirate::{InfinitesimalMethod, library};
use hemiola_tableau::{Coefficient, Method, library as ordinary};

use super::common::{Coupled, START};

/// Returns what must be there.
fn found<T>(result: Result<T, impl std::fmt::Display>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}

fn method(id: &str) -> InfinitesimalMethod {
    found(library::method(id))
}

fn inner(id: &str) -> Method {
    found(ordinary::method(id))
}

/// The coupled problem with its slow part divided into two partitions of one variable each.
struct Three;

impl System for Three {
    fn sizes(&self) -> &[usize] {
        &[1, 1, 2]
    }

    fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        if partition == 2 {
            return Coupled.rate(1, t, y, rate);
        }
        let mut both = [0.0; 2];
        Coupled.rate(0, t, y, &mut both);
        rate[0] = both[partition];
    }
}

/// Returns the largest difference between a multirate stepper and the expanded pair's over some steps, and the
/// difference of their estimates.
fn distance<S: System>(outer: &InfinitesimalMethod, inner: &Method, substeps: usize, system: &S) -> [f64; 2] {
    let extras = Extras { estimate: outer.embedded().is_some(), dense: false };
    let pair = found(outer.expand(inner, substeps));
    let mut expanded = found(AnyStepper::new(&pair, system, extras));
    let mut direct = found(MultirateStepper::new(outer, inner, MicroSteps::Equal(substeps), system, extras));
    let (mut y, mut z, mut t, mut distances) = (START, START, 0.3, [0.0f64; 2]);
    for k in 0..6 {
        // Steps of different sizes; one is repeated.
        let h = 0.2 + 0.1 * f64::from(k % 3);
        if k == 3 {
            found(direct.step(system, t, 2.0 * h, &mut y.clone()));
        }
        found(expanded.step(system, t, h, &mut z));
        found(direct.step(system, t, h, &mut y));
        let (mut errors, mut expected) = ([0.0; 4], [0.0; 4]);
        let is_estimated = Stepper::<S>::estimate(&direct, &mut errors);
        assert_eq!(is_estimated, Stepper::<S>::estimate(&expanded, &mut expected));
        for i in 0..4 {
            distances[0] = distances[0].max((y[i] - z[i]).abs());
            distances[1] = distances[1].max((errors[i] - expected[i]).abs());
        }
        (y, t) = (z, t + h);
    }
    distances
}

#[test]
fn steps_are_those_of_the_expanded_pair() {
    let mut compared = 0;
    for id in library::ids() {
        let outer = method(id);
        if outer.require_decoupled().is_err() {
            continue;
        }
        for (inner_id, substeps) in [("kutta-3", 1), ("heun-2", 3), ("bogacki-shampine-3", 2), ("gauss-1", 2)] {
            let inner = inner(inner_id);
            if outer.expand(&inner, substeps).is_err() {
                continue;
            }
            let distances = match outer.partitions().len() {
                2 => distance(&outer, &inner, substeps, &Coupled),
                _ => distance(&outer, &inner, substeps, &Three),
            };
            // Roundings of six steps.
            assert!(distances.iter().all(|distance| *distance < 2e-13), "{id}, {substeps} × {inner_id}: {distances:?}");
            compared += 1;
        }
    }
    // Some thirty methods can be stepped, each with at least three of the inner methods.
    assert!(compared > 90, "{compared}");
}

#[test]
fn counts_are_those_of_stages_and_micro_steps() {
    let counts = |id: &str, inner_id: &str, substeps: usize, steps: u64| {
        let system = Counted::new(&Coupled);
        let steps_in = MicroSteps::Equal(substeps);
        let mut stepper =
            MultirateStepper::new(&method(id), &inner(inner_id), steps_in, &system, Extras::default()).unwrap();
        equal_steps(&mut stepper, &system, [0.0, 1.0], steps, &mut START.clone(), &mut |_| ControlFlow::Continue(()));
        system.evaluations()
    };
    assert_eq!(counts("mri-gark-erk33a", "kutta-3", 4, 10), [30, 3 * 4 * 3 * 10]);
    // Six stages, five different intervals and the result.
    assert_eq!(counts("merk43", "rk4", 2, 1), [6, 6 * 2 * 4]);
    // All six intervals begin at the same point: with one micro-step in each the first slope is known five times.
    assert_eq!(counts("merk43", "rk4", 1, 1), [6, 6 * 4 - 5]);
}

#[test]
fn orders_are_those_of_the_methods() {
    let end = |id: &str, inner_id: &str, substeps: usize, steps: u64| {
        let steps_in = MicroSteps::Equal(substeps);
        let mut stepper =
            MultirateStepper::new(&method(id), &inner(inner_id), steps_in, &Coupled, Extras::default()).unwrap();
        let mut y = START;
        let run = equal_steps(&mut stepper, &Coupled, [0.0, 2.0], steps, &mut y, &mut |_| ControlFlow::Continue(()));
        assert_eq!(run.outcome, Outcome::Finished);
        y
    };
    let exact = end("merk54", "dormand-prince-5", 4, 400);
    let error = |y: [f64; 4]| y.iter().zip(exact).map(|(y, exact)| (y - exact).abs()).fold(0.0, f64::max);
    for (id, inner_id, order) in [
        ("mri-gark-erk33a", "kutta-3", 3.0),
        ("merk43", "rk4", 4.0),
        ("hemiola-mri-5-4", "rk4", 4.0),
        ("hemiola-mri-6-5", "dormand-prince-5", 5.0),
        ("mri-gark-esdirk34a", "kutta-3", 3.0),
        ("hemiola-mri-implicit-5-4", "rk4", 4.0),
    ] {
        let [coarse, fine] = [10, 20].map(|steps| error(end(id, inner_id, 2, steps)));
        let found = (coarse / fine).log2();
        // Small errors of the next order show a higher one; the bounds of two orders do not overlap.
        assert!(found > order - 0.4 && found < order + 0.6, "{id}: {found} from {coarse:e} and {fine:e}");
    }
}

#[test]
fn both_scales_adapt_to_a_tolerance() {
    let system = Counted::new(&Coupled);
    let run = |tolerance: f64| {
        let before = system.evaluations();
        let inner_steps = MicroSteps::Adaptive { relative: 0.1 * tolerance, absolute: 0.1 * tolerance };
        let extras = Extras { estimate: true, dense: false };
        let fast = inner("dormand-prince-5");
        let mut stepper = MultirateStepper::new(&method("merk43"), &fast, inner_steps, &system, extras).unwrap();
        let control = Embedded { relative: tolerance, absolute: tolerance, ..Embedded::new(3) };
        let mut y = START;
        let run = control.run(&mut stepper, &system, [0.0, 4.0], &mut y, &mut |_| ControlFlow::Continue(()));
        assert_eq!(run.outcome, Outcome::Finished);
        (y, [0, 1].map(|r| system.evaluations()[r] - before[r]))
    };
    let (exact, _) = run(1e-12);
    let error = |y: [f64; 4]| y.iter().zip(exact).map(|(y, exact)| (y - exact).abs()).fold(0.0, f64::max);
    let [(rough, few), (fine, many)] = [1e-4, 1e-8].map(run);
    assert!(error(rough) < 1e-3 && error(fine) < 1e-7, "{:e} {:e}", error(rough), error(fine));
    // An estimate of order 3 takes ten times as many steps for 10⁻⁴ of the tolerance.
    assert!(many[0] > 4 * few[0] && many[0] < 30 * few[0] && many[1] > few[1], "{few:?} {many:?}");
}

#[test]
fn dense_output_is_the_cubic_through_both_ends() {
    let extras = Extras { estimate: false, dense: true };
    let system = Counted::new(&Coupled);
    let mut stepper =
        MultirateStepper::new(&method("merk43"), &inner("rk4"), MicroSteps::Equal(2), &system, extras).unwrap();
    let at = |stepper: &MultirateStepper, theta: f64| {
        let mut y = [0.0; 4];
        assert!(Stepper::<Counted<&Coupled>>::interpolate(stepper, theta, &mut y));
        y
    };
    let errors = [0.2, 0.1].map(|h| {
        let (mut y, mut half) = (START, START);
        let whole = {
            stepper.step(&system, 0.0, h, &mut y).unwrap();
            at(&stepper, 0.5)
        };
        assert_eq!((at(&stepper, 0.0), at(&stepper, 1.0)), (START, y));
        stepper.step(&system, 0.0, h / 2.0, &mut half).unwrap();
        whole.iter().zip(half).map(|(y, exact)| (y - exact).abs()).fold(0.0, f64::max)
    });
    assert!((errors[0] / errors[1]).log2() > 3.5, "{errors:?}");
    // The slow slope at the end of a step is the first one of the next.
    let before = system.evaluations();
    let mut y = START;
    equal_steps(&mut stepper, &system, [0.5, 1.5], 5, &mut y, &mut |_| ControlFlow::Continue(()));
    assert_eq!(system.evaluations()[0] - before[0], 6 * 5 + 1);
}

#[test]
fn methods_that_do_not_fit_are_refused() {
    let refused = |id: &str, inner_id: &str, steps: MicroSteps, estimate: bool| {
        let extras = Extras { estimate, dense: false };
        MultirateStepper::new(&method(id), &inner(inner_id), steps, &Coupled, extras).err()
    };
    let tolerance = MicroSteps::Adaptive { relative: 1e-6, absolute: 1e-6 };
    assert_eq!(refused("mri-gark-erk33a", "kutta-3", MicroSteps::Equal(1), true), None);
    assert!(matches!(
        refused("mri-gark-erk33a", "kutta-3", MicroSteps::Equal(0), false),
        Some(MethodMismatch::MicroSteps { found: 0, .. })
    ));
    assert!(matches!(
        refused("mri-gark-erk33a", "kutta-3", tolerance, false),
        Some(MethodMismatch::NoEstimate { method }) if method == "kutta-3"
    ));
    assert!(matches!(
        refused("mis-kw3", "kutta-3", MicroSteps::Equal(1), true),
        Some(MethodMismatch::NoEstimate { method }) if method == "mis-kw3"
    ));
    assert!(matches!(
        refused("mri-gark-erk33a", "shome-haug-jay-2-5", MicroSteps::Equal(1), false),
        Some(MethodMismatch::InnerPartitions { found: 2, .. })
    ));
    assert!(matches!(
        refused("imex-mri-gark3a", "kutta-3", MicroSteps::Equal(1), false),
        Some(MethodMismatch::Partitions { found: 3, expected: 2, .. })
    ));
    let stage = hemiola_multirate::InfinitesimalStage {
        from: 1,
        interval: Coefficient::parse("1").unwrap(),
        forcing: vec![vec![vec![Coefficient::parse("1/2").unwrap(), Coefficient::parse("1/2").unwrap()]]],
        correction: vec![Vec::new()],
        start: Vec::new(),
        drift: Vec::new(),
    };
    let names = vec!["fast".to_owned(), "slow".to_owned()];
    let coupled = InfinitesimalMethod::new("coupled", "coupled", names, vec![stage], None).unwrap();
    let found = MultirateStepper::new(&coupled, &inner("kutta-3"), MicroSteps::Equal(1), &Coupled, Extras::default());
    assert!(matches!(found, Err(MethodMismatch::Coupled { message }) if message.contains("stage 2 is implicit")));
}
