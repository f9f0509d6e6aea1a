//! Edge cases: problems without a solution, invalid data, controls without effect, interruptions.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use hemiola_number::{Progress, Update};
use hemiola_optimize::sqp::{Ranges, SolverOptions, Status};
use hemiola_optimize::{
    ControlGrid, ControlProblem, Guess, LaneChange, LaneTrack, Number, ProblemError, ProblemSizes, ShootingNodes,
    Smooth, StepRule, Transcription,
};

use crate::optima::transcription;
use crate::steps::scheme;

const RADAU: &str = "linearized:radau-iia-2,q=1";

#[test]
fn a_gap_narrower_than_the_car_is_infeasible() {
    // The gap beside the obstacle is 5.55 − 3.5 = 2.05 m for a car of 1.5 m; one meter less is too narrow.
    let lane = LaneChange { track: LaneTrack { narrowing: 1.0, ..LaneTrack::default() }, ..LaneChange::default() };
    let found = transcription(&lane, RADAU, 51, 2, ShootingNodes::Multiple)
        .solve(&lane.guess(), SolverOptions::default(), &())
        .unwrap();
    assert_eq!(found.solution.status, Status::LocallyInfeasible);
    // The best iterate lies in the middle of the gap and violates each side by half of the missing 0.45 m.
    let best = found.solution.best;
    assert!(best.violation > 0.2 && best.violation < 0.46, "{}", best.violation);
    assert!(found.found.states.iter().flatten().all(|value| value.is_finite()));
}

#[test]
fn data_that_are_no_numbers_are_named() {
    let lane = LaneChange { speed: f64::NAN, ..LaneChange::default() };
    let rule = StepRule::new(&scheme(RADAU), &[7]).unwrap();
    let grid = ControlGrid { points: 26, steps: 1, shooting: ShootingNodes::Multiple, is_linear: true };
    let error = Transcription::new(lane.problem(), rule.clone(), grid).err().unwrap();
    assert!(matches!(error, ProblemError::EmptyRange { what: "the initial state", index: 2, .. }), "{error}");
    let lane = LaneChange::default();
    let mut guess = lane.guess();
    guess.states[3][1] = f64::NAN;
    let error = transcription(&lane, RADAU, 26, 1, ShootingNodes::Multiple)
        .solve(&guess, SolverOptions::default(), &())
        .unwrap_err();
    assert!(matches!(error, ProblemError::NotFinite { what: "states of the guess", index: 1, .. }), "{error}");
    let mut lane = LaneChange::default();
    lane.car.mass = f64::NAN;
    let error = transcription(&lane, RADAU, 26, 1, ShootingNodes::Multiple)
        .solve(&lane.guess(), SolverOptions::default(), &())
        .unwrap_err();
    assert!(matches!(error, ProblemError::Start(_)), "{error}");
    for grid in [ControlGrid { points: 1, ..grid }, ControlGrid { steps: 0, ..grid }] {
        assert!(matches!(
            Transcription::new(LaneChange::default().problem(), rule.clone(), grid).err(),
            Some(ProblemError::TooFew { .. })
        ));
    }
}

/// Cart with two controls, the second without effect: z = (x, v, u, idle, t).
struct Cart;

impl Smooth for Cart {
    fn inputs(&self) -> usize {
        5
    }

    fn outputs(&self) -> usize {
        2
    }

    fn evaluate<N: Number>(&self, z: &[N], out: &mut [N]) {
        (out[0], out[1]) = (z[1], z[2]);
    }
}

/// T as a function of (y(0), y(T), T).
struct Time;

impl Smooth for Time {
    fn inputs(&self) -> usize {
        5
    }

    fn outputs(&self) -> usize {
        1
    }

    fn evaluate<N: Number>(&self, z: &[N], out: &mut [N]) {
        out[0] = z[4];
    }
}

fn cart() -> ControlProblem {
    let free = f64::INFINITY;
    let at = |value: [f64; 2]| Ranges { lower: value.to_vec(), upper: value.to_vec() };
    ControlProblem {
        local: ProblemSizes { states: 2, controls: 2, parameters: 0 },
        dynamics: Arc::new(Cart),
        ends: Arc::new(Time),
        boundary: Ranges::default(),
        path: None,
        states: Ranges { lower: vec![-free; 2], upper: vec![free; 2] },
        initial: at([0.0, 0.0]),
        terminal: at([1.0, 0.0]),
        controls: Ranges { lower: vec![-1.0; 2], upper: vec![1.0; 2] },
        parameters: Ranges::default(),
        duration: [0.1, 10.0],
    }
}

#[test]
fn a_control_that_does_nothing_does_no_harm() {
    // Full thrust for half of the time and full brake for the other half give T = 2, exactly so for constant controls
    // on an even number of intervals.
    let rule = StepRule::new(&scheme("rk4"), &[2]).unwrap();
    for shooting in [ShootingNodes::Single, ShootingNodes::Multiple] {
        let grid = ControlGrid { points: 21, steps: 1, shooting, is_linear: false };
        let guess = Guess {
            states: vec![vec![0.0, 0.0], vec![1.0, 0.0]],
            controls: vec![vec![0.0, 0.25]; 2],
            duration: 3.0,
            parameters: Vec::new(),
        };
        let found = Transcription::new(cart(), rule.clone(), grid)
            .unwrap()
            .solve(&guess, SolverOptions::default(), &())
            .unwrap();
        assert_eq!(found.solution.status, Status::Optimal, "{shooting:?}");
        assert!((found.found.duration - 2.0).abs() < 1e-5, "{}", found.found.duration);
        assert!(found.found.controls.iter().all(|u| u[1].abs() <= 1.0));
    }
}

/// Returns progress that stops at this iterate.
fn until(last: usize) -> impl Progress {
    move |update: Update<'_>| if update.done < last { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

#[test]
fn an_interruption_keeps_the_iterate() {
    let lane = LaneChange::default();
    let program = transcription(&lane, RADAU, 51, 2, ShootingNodes::Multiple);
    let objectives = Mutex::new(Vec::new());
    let progress = |update: Update<'_>| {
        objectives.lock().unwrap().push((update.done, update.values[0].1));
        until(3).report(update)
    };
    let found = program.solve(&lane.guess(), SolverOptions::default(), &progress).unwrap();
    assert_eq!((found.solution.status, found.solution.iterations.len()), (Status::Interrupted, 4));
    let seen = found.solution.iterations.iter().map(|iteration| (iteration.number, iteration.objective));
    assert!(seen.eq(objectives.into_inner().unwrap()));
    assert_eq!(found.found.duration, found.solution.best.objective);
    // A new solution can start from the interrupted one.
    let again = program.solve(&found.found, SolverOptions::default(), &()).unwrap();
    assert!(again.solution.status == Status::Optimal && (again.found.duration - 7.711_037).abs() < 1e-4);
}

#[test]
fn an_interruption_keeps_the_best_iterate_even_where_it_is_not_the_last() {
    let lane = LaneChange::default();
    let program = transcription(&lane, RADAU, 51, 2, ShootingNodes::Multiple);
    let all = program.solve(&lane.guess(), SolverOptions::default(), &()).unwrap().solution.iterations;
    let is_feasible = |k: usize| all[k].violation <= SolverOptions::default().tolerance;
    // Find the first infeasible iterate with a much larger violation than the preceding one.
    let worse = (1..all.len()).find(|&k| !is_feasible(k) && all[k].violation > 2.0 * all[k - 1].violation).unwrap();
    let found = program.solve(&lane.guess(), SolverOptions::default(), &until(worse)).unwrap();
    assert_eq!((found.solution.iterations.len(), found.solution.best), (worse + 1, all[worse - 1]));
    assert_eq!(found.found.duration, all[worse - 1].objective);
    // The iteration limit has the same effect.
    let limit = SolverOptions { most_iterations: worse, ..SolverOptions::default() };
    let limited = program.solve(&lane.guess(), limit, &()).unwrap();
    assert_eq!((limited.solution.status, limited.solution.x), (Status::IterationLimit, found.solution.x));
}
