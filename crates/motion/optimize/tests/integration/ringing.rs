//! Ringing of controls that a grid does not resolve, and its absence where the control's shape fits the order of the
//! constraint.

use hemiola_optimize::sqp::{SolverOptions, Status};
use hemiola_optimize::{
    ControlGrid, ControlOptimum, LaneChange, ShootingNodes, StepRule, Transcription, solve_refined,
};

use crate::files::{example, optimum};
use crate::steps::scheme;

fn lane_change(points: usize, is_linear: bool) -> ControlOptimum {
    let lane = LaneChange::default();
    let rule = StepRule::new(&scheme("linearized:radau-iia-2"), &[7]).unwrap();
    let grid = ControlGrid { points, steps: 2, shooting: ShootingNodes::Multiple, is_linear };
    Transcription::new(lane.problem(), rule, grid).unwrap().solve(&lane.guess(), SolverOptions::default(), &()).unwrap()
}

/// Returns the largest amplitude.
fn largest(found: &ControlOptimum) -> f64 {
    found.ringing.iter().fold(0.0, |largest, ringing| ringing.amplitude.max(largest))
}

/// The track constrains y, whose derivative contains the yaw angle; its second derivative contains the steering angle,
/// whose rate is the control. The singular control of the exact optimum jumps at contacts. A linear control is the
/// derivative of a quadratic spline and rings like it, with the same amplitude on fine and coarse grids.
#[test]
fn a_linear_steering_rate_rings_on_every_grid_and_a_constant_one_does_not() {
    let mut amplitudes = Vec::new();
    // The constant control is the derivative of a linear spline with knots at the contacts.
    for (points, independent) in [(101, 7.720_136), (201, 7.720_937)] {
        let [linear, constant] = [true, false].map(|is_linear| lane_change(points, is_linear));
        assert_eq!((&linear.orders, &constant.orders), (&vec![3], &vec![3]));
        assert!(linear.ringing.len() >= 6, "{points} {:?}", linear.ringing);
        assert!(constant.ringing.is_empty(), "{points} {:?}", constant.ringing);
        for found in [&linear, &constant] {
            assert!(found.solution.status == Status::Optimal && found.solution.best.residual <= 1e-6);
            assert!((found.found.duration - independent).abs() < 1e-4, "{points} {}", found.found.duration);
        }
        amplitudes.push(largest(&linear));
    }
    let ratio = amplitudes[1] / amplitudes[0];
    assert!((0.8..1.25).contains(&ratio), "{amplitudes:?}");
}

/// An accurate quadrature makes amplitudes decay like those of the projection of a kink onto quadratic splines: by
/// −0.4306 from point to point, the root nearest to −1 of x⁴ + 26x³ + 66x² + 26x + 1, the Euler–Frobenius polynomial of
/// degree 4.
#[test]
fn a_linear_steering_rate_rings_by_the_root_of_quadratic_splines() {
    let lane = LaneChange::default();
    let rule = StepRule::new(&scheme("gauss-3"), &[7]).unwrap();
    let grid = ControlGrid { points: 201, steps: 1, shooting: ShootingNodes::Multiple, is_linear: true };
    let found = solve_refined(&lane.problem(), &rule, grid, &lane.guess(), SolverOptions::default(), &()).unwrap();
    let u: Vec<f64> = found.found.controls.iter().map(|row| row[0]).collect();
    let part = |k: usize| u[k - 2] - 4.0 * u[k - 1] + 6.0 * u[k] - 4.0 * u[k + 1] + u[k + 2];
    // Start beside the largest jump; the next fourth difference still contains it.
    let jump = (2..190).max_by(|&a, &b| part(a).abs().total_cmp(&part(b).abs())).unwrap();
    let tail: Vec<f64> = (1..=5).map(|k| part(jump + k)).collect();
    assert!(tail.windows(2).all(|pair| pair[0] * pair[1] < 0.0), "{tail:?}");
    let ratio = (tail[4] / tail[0]).powf(0.25);
    let root: f64 = -0.430_575;
    assert!(((((root + 26.0) * root + 66.0) * root + 26.0) * root + 1.0).abs() < 1e-4);
    assert!((ratio + root).abs() < 0.02, "{ratio}");
}

/// On an arc of order one, a linear control has a mode u + a(−1)ᵏ that vanishes at all active points; a constant
/// control has none.
#[test]
fn a_linear_control_rings_along_an_arc_of_order_one() {
    let mut file = example("van-der-pol.json");
    let arc = |found: &ControlOptimum| -> Vec<usize> {
        (0..found.found.states.len()).filter(|&k| found.found.states[k][1] < -0.25 + 1e-7).collect()
    };
    let constant = optimum(&file, 81, ShootingNodes::Multiple, &file.method.clone());
    assert!(constant.ringing.is_empty() && constant.orders == [1], "{:?} {:?}", constant.ringing, constant.orders);
    file.grid.is_linear = true;
    for shooting in [ShootingNodes::Multiple, ShootingNodes::Every(8)] {
        let linear = optimum(&file, 81, shooting, &file.method.clone());
        assert_eq!(linear.orders, [1], "{shooting:?}");
        let arc = arc(&linear);
        let on_arc = |[first, last]: [usize; 2]| arc.iter().filter(|point| (first..=last).contains(point)).count();
        assert!(
            linear.ringing.iter().any(|ringing| on_arc(ringing.points) + 2 >= arc.len()),
            "{shooting:?} {:?} {arc:?}",
            linear.ringing
        );
    }
}

/// On an arc of order two, a linear control has the modes −0.27 and −3.7, which decay from the ends of the arc.
#[test]
fn a_linear_control_does_not_ring_along_an_arc_of_order_two() {
    let file = example("bryson-denham.json");
    for points in [61, 91, 121] {
        let found = optimum(&file, points, ShootingNodes::Multiple, "rk4");
        assert!(found.ringing.is_empty() && found.orders == [2], "{points} {:?} {:?}", found.ringing, found.orders);
    }
}

#[test]
fn bang_bang_controls_and_problems_without_constraints_have_nothing_to_say() {
    let file = example("rocket-car.json");
    let found = optimum(&file, 41, ShootingNodes::Multiple, &file.method);
    assert!(found.ringing.is_empty() && found.orders.is_empty(), "{:?} {:?}", found.ringing, found.orders);
}
