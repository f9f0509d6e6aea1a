//! Zeros along a run: their positions, their directions, and the end of the run at the last one.

use std::f64::consts::PI;
use std::ops::ControlFlow;

use hemiola_integrate::{
    Accepted, AnyStepper, Crossing, Embedded, Event, EventError, Events, Extras, Zero, equal_steps,
};
use hemiola_tableau::library;

use crate::common::Linear;

const ALL: Event = Event { crossing: Crossing::Either, last: None };

/// Integrates y = (sin t, cos t) in adaptive steps. Returns the zeros of each function, and the zero that ended the
/// run, if any.
fn on_circle(
    events: &[Event],
    span: [f64; 2],
    mut g: impl FnMut(usize, f64, &[f64]) -> f64,
) -> Result<(Vec<Vec<Zero>>, Option<Zero>), EventError> {
    let system = Linear::in_blocks(&[&[0.0, 1.0], &[-1.0, 0.0]], &[2]);
    let method = library::method("dormand-prince-5").expect("the library has it");
    let extras = Extras { estimate: true, dense: true };
    let mut stepper = AnyStepper::new(&method, &system, extras).expect("it has both");
    let mut y = [span[0].sin(), span[0].cos()];
    let mut known = Events::new(events, span[0], &y, &mut g)?;
    let (mut ending, mut fault) = (None, None);
    let mut observer = |accepted: &Accepted<'_>| match known.locate_zeros(accepted, &mut g) {
        Ok(None) => ControlFlow::Continue(()),
        Ok(end) => {
            ending = end;
            ControlFlow::Break(())
        }
        Err(error) => {
            fault = Some(error);
            ControlFlow::Break(())
        }
    };
    let control = Embedded { relative: 1e-11, absolute: 1e-11, ..Embedded::new(4) };
    control.run(&mut stepper, &system, span, &mut y, &mut observer);
    match fault {
        Some(error) => Err(error),
        None => Ok(((0..events.len()).map(|k| known.zeros(k).to_vec()).collect(), ending)),
    }
}

fn assert_times(zeros: &[Zero], expected: impl IntoIterator<Item = f64>) {
    let expected: Vec<f64> = expected.into_iter().collect();
    assert_eq!(zeros.len(), expected.len(), "{zeros:?}");
    for (zero, t) in zeros.iter().zip(expected) {
        assert!((zero.t - t).abs() < 1e-8, "{} instead of {t}", zero.t);
    }
}

#[test]
fn zeros_are_found_by_the_direction_of_their_crossing() {
    let events = [Crossing::Either, Crossing::Rising, Crossing::Falling].map(|crossing| Event { crossing, last: None });
    // At t = 0 the function is zero and has no zero until it has become nonzero.
    let (zeros, ending) = on_circle(&events, [0.0, 20.0], |_, _, y| y[0]).expect("a real function");
    assert!(ending.is_none());
    assert_times(&zeros[0], (1..=6).map(|k| PI * f64::from(k)));
    assert_times(&zeros[1], (1..=3).map(|k| 2.0 * PI * f64::from(k)));
    assert_times(&zeros[2], (0..=2).map(|k| PI * f64::from(2 * k + 1)));
    for zero in zeros.concat() {
        assert!(zero.y[0].abs() < 1e-15 + 2.0 * f64::EPSILON * zero.t, "the zero of the dense output itself");
    }
}

#[test]
fn the_first_of_several_in_time_ends_the_run() {
    let last = Event { crossing: Crossing::Either, last: Some(3) };
    // Backwards in time, zeros of the cosine (−π/2, −3π/2, …) and of the sine alternate; only those of the cosine are
    // limited.
    let (zeros, ending) = on_circle(&[ALL, last], [1.0, -30.0], |k, _, y| y[k]).expect("a real function");
    assert_times(&zeros[1], [-0.5 * PI, -1.5 * PI, -2.5 * PI]);
    assert_times(&zeros[0], [0.0, -PI, -2.0 * PI]);
    assert_eq!(ending.as_ref(), zeros[1].last());
}

#[test]
fn far_from_the_origin_of_time_and_at_the_end_of_a_step() {
    // t − 10⁶ − 2 vanishes among doubles that are 1.2e-10 apart.
    let (zeros, _) = on_circle(&[ALL], [1e6, 1e6 + 5.0], |_, t, _| t - (1e6 + 2.0)).expect("a real function");
    assert!(zeros[0].len() == 1 && (zeros[0][0].t - (1e6 + 2.0)).abs() <= 2.0 * f64::EPSILON * 1e6);
    // Equal steps of 1/8 hit 1/2 exactly: one zero, not two.
    let system = Linear::in_blocks(&[&[-1.0]], &[1]);
    let method = library::method("dormand-prince-5").expect("the library has it");
    let extras = Extras { estimate: false, dense: true };
    let mut stepper = AnyStepper::new(&method, &system, extras).expect("it has dense output");
    let mut g = |_: usize, t: f64, _: &[f64]| t - 0.5;
    let mut y = [1.0];
    let mut events = Events::new(&[ALL], 0.0, &y, &mut g).expect("a real function");
    equal_steps(&mut stepper, &system, [0.0, 1.0], 8, &mut y, &mut |accepted| {
        assert!(events.locate_zeros(accepted, &mut g).is_ok());
        ControlFlow::Continue(())
    });
    assert_eq!(events.zeros(0).iter().map(|zero| zero.t).collect::<Vec<_>>(), [0.5]);
}

#[test]
fn steep_and_flat_functions_need_few_evaluations() {
    for g in [
        |y: f64| y,
        |y: f64| y.powi(9),
        |y: f64| (1e6 * y).tanh(),
        |y: f64| 1e-300 * y,
        |y: f64| 1e300 * y,
        f64::signum,
    ] {
        let mut calls = 0;
        let count = |_: usize, _: f64, y: &[f64]| {
            calls += 1;
            g(y[0])
        };
        let (zeros, _) = on_circle(&[Event { last: Some(1), ..ALL }], [0.5, 10.0], count).expect("a real function");
        assert_times(&zeros[0], [PI]);
        assert!(calls < 250, "{calls} calls");
    }
}

#[test]
fn what_is_no_number_is_refused() {
    let found = on_circle(&[ALL, ALL], [0.0, 1.0], |k, t, _| if k == 1 && t > 0.5 { f64::NAN } else { 1.0 });
    assert!(matches!(found, Err(EventError::NotANumber { event: 1, t }) if t > 0.5));
    assert_eq!(
        on_circle(&[ALL], [0.0, 1.0], |_, _, _| f64::NAN).err(),
        Some(EventError::NotANumber { event: 0, t: 0.0 })
    );
}
