//! Adaptive steps keep their tolerance and report their outcome.

use std::cell::Cell;
use std::ops::ControlFlow;

use hemiola_integrate::{Counted, Doubling, Embedded, Explicit, Extras, Outcome, Reference, Run, StepError, System};
use hemiola_number::Update;
use hemiola_tableau::library;

use crate::common::Linear;

const CONTINUE: ControlFlow<()> = ControlFlow::Continue(());

/// x'' = −x/r³ on an ellipse of eccentricity 1/2 with period 2π.
struct Kepler;

const PERIHELION: [f64; 4] = [0.5, 0.0, 0.0, 1.732_050_807_568_877_2];

impl System for Kepler {
    fn sizes(&self) -> &[usize] {
        &[4]
    }

    fn rate(&self, _partition: usize, _t: f64, y: &[f64], rate: &mut [f64]) {
        let cube = y[0].hypot(y[1]).powi(3);
        rate.copy_from_slice(&[y[2], y[3], -y[0] / cube, -y[1] / cube]);
    }
}

/// y' = y²: the solution from 1 blows up at t = 1.
struct Explosion;

impl System for Explosion {
    fn sizes(&self) -> &[usize] {
        &[1]
    }

    fn rate(&self, _partition: usize, _t: f64, y: &[f64], rate: &mut [f64]) {
        rate[0] = y[0] * y[0];
    }
}

fn rk4<S: System>(system: &S) -> Explicit {
    Explicit::new(&library::method("rk4").expect("the library has it"), system).expect("the library has it")
}

fn double<S: System>(control: Doubling, system: &S, span: [f64; 2], y: &mut [f64]) -> Run {
    control.run(&mut rk4(system), system, span, y, &mut |_| CONTINUE)
}

/// Runs an embedded method given by its id, with the order of its estimate.
fn embed<S: System>(id: &str, tolerance: f64, system: &S, span: [f64; 2], y: &mut [f64]) -> Run {
    let method = library::method(id).expect("the library has it");
    let claims = method.claims();
    let order = claims.order.expect("the library has it").min(claims.embedded_order.expect("the library has it"));
    let mut stepper =
        Explicit::with(&method, system, Extras { estimate: true, dense: false }).expect("the library has it");
    let control = Embedded { relative: tolerance, absolute: tolerance, ..Embedded::new(order) };
    control.run(&mut stepper, system, span, y, &mut |_| CONTINUE)
}

/// Returns the largest error after one revolution.
fn after_a_turn(run: impl Fn([f64; 2], &mut [f64]) -> Run) -> f64 {
    let mut y = PERIHELION;
    assert_eq!(run([0.0, std::f64::consts::TAU], &mut y).outcome, Outcome::Finished);
    y.iter().zip(PERIHELION).map(|(y, start)| (y - start).abs()).fold(0.0, f64::max)
}

#[test]
fn step_doubling_keeps_its_tolerance() {
    for tolerance in [1e-5, 1e-7, 1e-9, 1e-11] {
        let control = Doubling { tolerance, ..Doubling::new(4, 0.01) };
        // On a damped rotation errors do not grow: the final error is at most the sum of the errors of the steps.
        let system = Linear::new(&[&[-0.1, 1.0], &[-1.0, -0.1]]);
        let mut y = [1.0, 0.0];
        let run = double(control, &system, [0.0, 20.0], &mut y);
        let exact = [f64::exp(-2.0) * 20f64.cos(), -f64::exp(-2.0) * 20f64.sin()];
        let error = y.iter().zip(exact).map(|(y, exact)| (y - exact).abs()).fold(0.0, f64::max);
        assert!(run.outcome == Outcome::Finished && error < tolerance * run.steps as f64, "{tolerance}: {error}");
        // On an ellipse, timing errors grow during the revolution; a hundred times the tolerance still holds.
        let error = after_a_turn(|span, y| double(control, &Kepler, span, y));
        assert!(error < 100.0 * tolerance, "{tolerance}: {error}");
    }
}

#[test]
fn embedded_methods_keep_their_tolerance() {
    for id in ["bogacki-shampine-3", "dormand-prince-5", "hemiola-4-8", "hemiola-6-8"] {
        for tolerance in [1e-5, 1e-7, 1e-9] {
            let error = if library::method(id).unwrap().partitions().len() == 1 {
                after_a_turn(|span, y| embed(id, tolerance, &Kepler, span, y))
            } else {
                let system = Linear::new(&[&[-0.1, 1.0], &[-1.0, -0.1]]);
                let mut y = [1.0, 0.0];
                assert_eq!(embed(id, tolerance, &system, [0.0, 20.0], &mut y).outcome, Outcome::Finished);
                (y[0] - f64::exp(-2.0) * 20f64.cos()).abs()
            };
            assert!(error < 300.0 * tolerance, "{id}, {tolerance}: {error}");
        }
    }
}

/// Runs the driver of H. Jack's listing, transcribed literally. Returns the numbers of accepted and rejected steps.
fn listing(y: &mut [f64], span: [f64; 2], eps: f64, h1: f64, derivs: &dyn Fn(&[f64]) -> Vec<f64>) -> [u64; 2] {
    let n = y.len();
    let rk_4 = |y: &[f64], dydx: &[f64], h: f64| -> Vec<f64> {
        let (hh, h6) = (h * 0.5, h / 6.0);
        let yt: Vec<f64> = (0..n).map(|i| y[i] + hh * dydx[i]).collect();
        let dyt = derivs(&yt);
        let yt: Vec<f64> = (0..n).map(|i| y[i] + hh * dyt[i]).collect();
        let dym = derivs(&yt);
        let yt: Vec<f64> = (0..n).map(|i| y[i] + h * dym[i]).collect();
        let dym: Vec<f64> = (0..n).map(|i| dyt[i] + dym[i]).collect();
        let dyt = derivs(&yt);
        (0..n).map(|i| y[i] + h6 * (dydx[i] + dyt[i] + 2.0 * dym[i])).collect()
    };
    let (mut x, mut h, mut counts) = (span[0], h1, [0, 0]);
    loop {
        let dydx = derivs(y);
        let scale: Vec<f64> = (0..n).map(|i| y[i].abs() + (h * dydx[i]).abs() + 1e-30).collect();
        if x + h > span[1] {
            h = span[1] - x;
        }
        let (halves, difference, errmax) = loop {
            let hh = 0.5 * h;
            let middle = rk_4(y, &dydx, hh);
            let halves = rk_4(&middle, &derivs(&middle), hh);
            let whole = rk_4(y, &dydx, h);
            let difference: Vec<f64> = (0..n).map(|i| halves[i] - whole[i]).collect();
            let errmax = (0..n).map(|i| (difference[i] / scale[i]).abs()).fold(0.0, f64::max) / eps;
            if errmax <= 1.0 {
                break (halves, difference, errmax);
            }
            counts[1] += 1;
            h *= 0.9 * errmax.powf(-0.25);
        };
        x += h;
        counts[0] += 1;
        h = if errmax > 6e-4 { 0.9 * h * errmax.powf(-0.2) } else { 4.0 * h };
        for i in 0..n {
            y[i] = halves[i] + difference[i] * 0.066_666_666_7;
        }
        if x >= span[1] {
            return counts;
        }
    }
}

#[test]
fn step_doubling_takes_the_steps_of_the_listing() {
    for tolerance in [1e-4, 1e-6, 1e-8] {
        let mut expected = PERIHELION;
        let rate = |y: &[f64]| {
            let mut rate = vec![0.0; 4];
            Kepler.rate(0, 0.0, y, &mut rate);
            rate
        };
        let counts = listing(&mut expected, [0.0, 10.0], tolerance, 0.05, &rate);
        let mut y = PERIHELION;
        let control = Doubling { tolerance, ..Doubling::new(4, 0.05) };
        let run = double(control, &Kepler, [0.0, 10.0], &mut y);
        assert_eq!([run.steps, run.rejected], counts);
        let difference = y.iter().zip(expected).map(|(y, expected)| (y - expected).abs()).fold(0.0, f64::max);
        // Only rounded constants and the scale of a repeated step differ.
        assert!(difference < tolerance, "{difference}");
    }
}

#[test]
fn a_doubled_step_of_rk4_takes_eleven_evaluations() {
    let system = Counted::new(&Kepler);
    let control = Doubling { tolerance: 1e-6, ..Doubling::new(4, 0.2) };
    let run = double(control, &system, [0.0, 10.0], &mut PERIHELION.clone());
    assert!(run.rejected > 0);
    // The slope at the beginning of a rejected step is reused.
    assert_eq!(system.evaluations(), [11 * run.steps + 10 * run.rejected]);
}

#[test]
fn every_end_has_a_name() {
    let mut y = [1.0];
    let run = double(Doubling::new(4, 0.1), &Explosion, [0.0, 2.0], &mut y);
    let is_small =
        |outcome| matches!(outcome, Outcome::StepTooSmall { .. } | Outcome::Failed(StepError::NotFinite { .. }));
    assert!(is_small(run.outcome) && (run.t - 1.0).abs() < 1e-6, "{run:?}");
    let control = Doubling { smallest: 1e-3, ..Doubling::new(4, 0.1) };
    let run = double(control, &Explosion, [0.0, 2.0], &mut [1.0]);
    assert!(matches!(run.outcome, Outcome::StepTooSmall { h } if h < 1e-3) && run.t < 1.0, "{run:?}");
    let run = double(Doubling { limit: 7, ..Doubling::new(4, 1e-3) }, &Kepler, [0.0, 9.0], &mut PERIHELION.clone());
    assert_eq!((run.outcome, run.steps + run.rejected), (Outcome::TooManySteps { limit: 7 }, 7));
    let run = embed("dormand-prince-5", 1e-6, &Explosion, [0.0, 2.0], &mut [1.0]);
    assert!(is_small(run.outcome) && (run.t - 1.0).abs() < 1e-4, "{run:?}");
    let seen = Cell::new(0);
    let run = Doubling::new(4, 0.01).run(&mut rk4(&Kepler), &Kepler, [0.0, 9.0], &mut PERIHELION.clone(), &mut |_| {
        seen.set(seen.get() + 1);
        if seen.get() == 3 { ControlFlow::Break(()) } else { CONTINUE }
    });
    assert_eq!((run.outcome, run.steps), (Outcome::Stopped, 3));
}

#[test]
fn time_may_go_backwards() {
    let system = Linear::new(&[&[-1.0]]);
    let mut y = [1.0];
    let run = double(Doubling { tolerance: 1e-10, ..Doubling::new(4, 0.1) }, &system, [1.0, -1.0], &mut y);
    assert!(run.outcome == Outcome::Finished && run.t == -1.0);
    assert!((y[0] / f64::exp(2.0) - 1.0).abs() < 1e-8);
    let mut y = [1.0];
    assert_eq!(embed("dormand-prince-5", 1e-10, &system, [1.0, -1.0], &mut y).outcome, Outcome::Finished);
    assert!((y[0] / f64::exp(2.0) - 1.0).abs() < 1e-8);
}

#[test]
fn dense_output_fills_the_steps() {
    let method = library::method("dormand-prince-5").unwrap();
    let mut stepper = Explicit::with(&method, &Kepler, Extras { estimate: true, dense: true }).unwrap();
    let control = Embedded { relative: 1e-8, absolute: 1e-8, ..Embedded::new(4) };
    let (mut worst, mut inside) = (0.0f64, [0.0; 4]);
    let energy = |y: &[f64]| 0.5 * (y[2] * y[2] + y[3] * y[3]) - 1.0 / y[0].hypot(y[1]);
    let run = control.run(&mut stepper, &Kepler, [0.0, 6.0], &mut PERIHELION.clone(), &mut |step| {
        for part in [0.1, 0.5, 0.8] {
            assert!(step.at(step.t - part * step.h, &mut inside));
            worst = worst.max((energy(&inside) + 0.5).abs());
        }
        CONTINUE
    });
    assert!(run.outcome == Outcome::Finished && worst < 1e-6, "{worst}");
}

/// A first step beyond the end does not loosen the scale |y| + |h y'|.
#[test]
fn a_first_step_beyond_the_end_keeps_the_tolerance() {
    let system = Linear::new(&[&[-0.1, 1.0], &[-1.0, -0.1]]);
    let mut y = [1.0, 0.0];
    let run = double(Doubling { tolerance: 1e-8, ..Doubling::new(4, 1e9) }, &system, [0.0, 1.0], &mut y);
    assert_eq!(run.outcome, Outcome::Finished);
    assert!((y[0] - f64::exp(-0.1) * 1f64.cos()).abs() < 1e-7, "{}", y[0]);
}

#[test]
fn faulty_tolerances_are_met_by_nothing() {
    for tolerance in [f64::NAN, -1e-6, 0.0] {
        let run = double(Doubling { tolerance, ..Doubling::new(4, 0.1) }, &Kepler, [0.0, 1.0], &mut PERIHELION.clone());
        assert!(matches!(run.outcome, Outcome::StepTooSmall { .. }), "{tolerance}: {run:?}");
    }
}

#[test]
fn without_an_estimate_no_step_is_accepted() {
    let run = Embedded::new(4).run(&mut rk4(&Kepler), &Kepler, [0.0, 1.0], &mut PERIHELION.clone(), &mut |_| CONTINUE);
    assert_eq!((run.outcome, run.steps), (Outcome::Failed(StepError::NoEstimate), 0));
}

#[test]
fn an_empty_span_is_at_its_end() {
    let mut y = PERIHELION;
    assert_eq!(double(Doubling::new(4, 0.1), &Kepler, [1.0, 1.0], &mut y).outcome, Outcome::Finished);
    assert_eq!(embed("dormand-prince-5", 1e-6, &Kepler, [1.0, 1.0], &mut y).outcome, Outcome::Finished);
    assert_eq!(y, PERIHELION);
}

#[test]
fn a_reference_is_given_up_when_asked_and_no_number_is_no_error_of_nothing() {
    let stopped = Reference::computed(&Kepler, [0.0, 1e3], &PERIHELION, 1.0, &|_: Update<'_>| ControlFlow::Break(()));
    assert_eq!(stopped, Err(Outcome::Stopped));
    let (reference, _) = Reference::computed(&Kepler, [0.0, 1.0], &PERIHELION, 1.0, &()).unwrap();
    assert_eq!(reference.error(&[f64::NAN; 4], &[0]), f64::INFINITY);
}
