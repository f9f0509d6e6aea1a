//! Lane change: optima of an independent solver, from cold and warm starts, by single and multiple shooting.

use hemiola_models::SingleTrack;
use hemiola_optimize::sqp::{Program, SolverOptions, Status, WarmStart};
use hemiola_optimize::{
    ControlGrid, ControlOptimum, LaneChange, ShootingNodes, StepRule, Transcription, solve_refined,
};

use crate::steps::scheme;

pub(crate) fn transcription(
    lane: &LaneChange,
    method: &str,
    points: usize,
    steps: usize,
    shooting: ShootingNodes,
) -> Transcription {
    let rule = StepRule::new(&scheme(method), &[7]).unwrap();
    Transcription::new(lane.problem(), rule, ControlGrid { points, steps, shooting, is_linear: true }).unwrap()
}

fn optimum(points: usize, method: &str, steps: usize, shooting: ShootingNodes) -> ControlOptimum {
    let lane = LaneChange::default();
    transcription(&lane, method, points, steps, shooting).solve(&lane.guess(), SolverOptions::default(), &()).unwrap()
}

const RADAU: &str = "linearized:radau-iia-2,q=1";

#[test]
fn the_least_times_are_those_of_an_independent_solver() {
    // Reference: CasADi with IPOPT, 25 m/s, no pedal, fourth gear.
    for (points, expected) in [(26, 7.702_603), (51, 7.711_037), (101, 7.720_136), (201, 7.720_937)] {
        let found = optimum(points, RADAU, 2, ShootingNodes::Multiple);
        let best = found.solution.best;
        assert_eq!(found.solution.status, Status::Optimal, "{points}");
        assert!(best.residual <= 1e-6, "{points} {}", best.residual);
        assert!((found.found.duration - expected).abs() < 1e-4, "{points} {}", found.found.duration);
    }
}

#[test]
fn single_and_multiple_shooting_agree() {
    let single = optimum(26, RADAU, 2, ShootingNodes::Single).found.duration;
    // For 3, 7, 8 and 10 the last segment is shorter than the others. Controls between the nodes belong to one segment
    // only.
    for every in [1, 2, 3, 5, 7, 8, 9, 10, 13] {
        let found = optimum(26, RADAU, 2, ShootingNodes::Every(every));
        assert_eq!(found.solution.status, Status::Optimal, "{every}");
        assert!((found.found.duration - single).abs() < 1e-7, "{every} {}", found.found.duration - single);
        assert!(found.solution.iterations.len() < 60, "{every} {}", found.solution.iterations.len());
    }
}

#[test]
fn small_multipliers_of_inactive_constraints_hold_nothing() {
    // With converged stages, a multiplier of 1.5e-7 used to keep a constraint active at a distance of 1e-6 from its
    // bound for 300 iterations.
    let lane = LaneChange::default();
    let rule = StepRule::new(&scheme("radau-iia-2"), &[7]).unwrap();
    let grid = ControlGrid { points: 101, steps: 2, shooting: ShootingNodes::Multiple, is_linear: true };
    let found = solve_refined(&lane.problem(), &rule, grid, &lane.guess(), SolverOptions::default(), &()).unwrap();
    assert_eq!(found.solution.status, Status::Optimal);
    assert!(found.solution.iterations.len() < 30, "{}", found.solution.iterations.len());
}

#[test]
fn methods_agree_as_far_as_their_errors_allow() {
    let exact = optimum(26, "gauss-3", 4, ShootingNodes::Multiple).found.duration;
    for (method, steps, bound) in
        [("rk4", 4, 1e-6), ("linearized:gauss-2,q=1", 4, 2e-5), (RADAU, 8, 3e-6), ("dormand-prince-5", 2, 1e-5)]
    {
        let found = optimum(26, method, steps, ShootingNodes::Multiple);
        assert_eq!(found.solution.status, Status::Optimal, "{method}");
        assert!((found.found.duration - exact).abs() < bound, "{method} {}", found.found.duration - exact);
    }
}

#[test]
fn cold_and_warm_starts_lead_to_the_same_optimum() {
    let lane = LaneChange::default();
    let rule = StepRule::new(&scheme(RADAU), &[7]).unwrap();
    let grid = ControlGrid { points: 101, steps: 2, shooting: ShootingNodes::Multiple, is_linear: true };
    let warm = solve_refined(&lane.problem(), &rule, grid, &lane.guess(), SolverOptions::default(), &()).unwrap();
    let cold = optimum(101, RADAU, 2, ShootingNodes::Multiple);
    assert_eq!(warm.solution.status, Status::Optimal);
    assert!((warm.found.duration - cold.found.duration).abs() < 1e-7);
    // Its own solution with multipliers needs almost no iterations.
    let ControlOptimum { solution, .. } = &cold;
    let start = WarmStart { x: solution.x.clone(), multipliers: solution.multipliers.clone() };
    let again = transcription(&lane, RADAU, 101, 2, ShootingNodes::Multiple)
        .solve_from(start, SolverOptions::default(), &())
        .unwrap();
    assert!(
        again.solution.status == Status::Optimal && again.solution.iterations.len() <= 6,
        "{}",
        again.solution.iterations.len()
    );
}

#[test]
fn a_saved_solution_is_known_to_be_optimal() {
    // The violations are rounding errors, so no step can measurably reduce the merit.
    let lane = LaneChange::default();
    for points in [13, 26, 51] {
        let program = transcription(&lane, RADAU, points, 2, ShootingNodes::Multiple);
        let first = program.solve(&lane.guess(), SolverOptions::default(), &()).unwrap();
        let again =
            program.solve_warm(&first.found, &first.solution.multipliers, SolverOptions::default(), &()).unwrap();
        assert_eq!(again.solution.status, Status::Optimal, "{points}");
        assert!(again.solution.iterations.len() <= 4, "{points} {}", again.solution.iterations.len());
    }
}

#[test]
fn gradients_agree_with_central_differences() {
    let lane = LaneChange::default();
    for shooting in [ShootingNodes::Single, ShootingNodes::Multiple, ShootingNodes::Every(4)] {
        let program = transcription(&lane, RADAU, 13, 2, shooting);
        let found = program
            .solve(&lane.guess(), SolverOptions { most_iterations: 4, ..SolverOptions::default() }, &())
            .unwrap();
        let x = found.solution.x;
        let here = program.expand(&x).unwrap();
        let linear = here.linearization();
        assert_eq!(program.values(&x).unwrap(), linear.values);
        for k in 0..x.len() {
            let at = |step: f64| {
                let mut x = x.clone();
                x[k] += step;
                program.values(&x).unwrap().constraints
            };
            let [a, b, c, d] = [-2e-4, -1e-4, 1e-4, 2e-4].map(at);
            for (row, entries) in linear.jacobian.iter().enumerate() {
                let slope = (a[row] - 8.0 * b[row] + 8.0 * c[row] - d[row]) / 12e-4;
                let entry = entries.iter().find(|(column, _)| *column == k).map_or(0.0, |(_, entry)| *entry);
                assert!((entry - slope).abs() < 1e-7 * (1.0 + slope.abs()), "{shooting:?} {row} {k}: {entry} {slope}");
            }
        }
    }
}

#[test]
fn the_independent_solver_had_the_moment_that_the_paper_omits() {
    let paper = optimum(26, "rk4", 8, ShootingNodes::Multiple).found.duration;
    let lane =
        LaneChange { car: SingleTrack { has_front_moment: true, ..SingleTrack::default() }, ..LaneChange::default() };
    let full = transcription(&lane, "rk4", 26, 8, ShootingNodes::Multiple);
    let full = full.solve(&lane.guess(), SolverOptions::default(), &()).unwrap().found.duration;
    // The value agrees to all printed digits; without the moment the time is 7e-6 s shorter.
    assert!((full - 7.702_603).abs() < 1e-6, "{full}");
    assert!((full - paper - 7e-6).abs() < 2e-6, "{paper}");
}
