//! Figures of optimal control solutions.

use hemiola_figure::Figure;
use hemiola_optimize::{ControlOptimum, LaneChange};
use hemiola_plot::{Drive, OptimumTrajectory, drive_figure};

/// Multiplier above which a state constraint counts as active.
const HELD: f64 = 1e-6;

/// Builds the drive of an optimum: track, path, control (piecewise linear or constant) and convergence of the
/// iterations.
///
/// ```
/// use hemiola_optimize::sqp::SolverOptions;
/// use hemiola_optimize::{ControlGrid, LaneChange, ShootingNodes, StepRule, solve_refined};
/// let method = hemiola_tableau::library::method("rk4")?;
/// let rule = StepRule::new(&hemiola_tableau::Scheme::Method(method), &[7])?;
/// let grid = ControlGrid { points: 26, steps: 4, shooting: ShootingNodes::Multiple, is_linear: true };
/// let lane = LaneChange::default();
/// let optimum = solve_refined(&lane.problem(), &rule, grid, &lane.guess(), SolverOptions::default(), &())?;
/// let drive = hemiola_report::lane_change_drive(&lane, true, &optimum);
/// assert!(drive.path.len() == 26 && !drive.held.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn lane_change_drive(lane: &LaneChange, is_linear: bool, optimum: &ControlOptimum) -> Drive {
    const POINTS: u32 = 1700;
    let ([begin, end], half) = (lane.track.ends, lane.track.width / 2.0);
    let along = |y: &dyn Fn(f64) -> f64| -> Vec<[f64; 2]> {
        let x = |k: u32| begin + (end - begin) * f64::from(k) / f64::from(POINTS);
        (0..=POINTS).map(|k| [x(k), y(x(k))]).collect()
    };
    let (right, left) = (|x: f64| lane.track.right(x), |x: f64| lane.track.left(x));
    let found = &optimum.found;
    let place = |state: &Vec<f64>| [state[0], state[1]];
    let is_held = |multipliers: &[f64]| multipliers.iter().any(|value| value.abs() > HELD);
    let states = found.states.iter().zip(&optimum.path_multipliers);
    let control: Vec<[f64; 2]> =
        optimum.fractions.iter().zip(&found.controls).map(|(t, u)| [t * found.duration, u[0]]).collect();
    Drive {
        edges: [along(&right), along(&left)],
        limits: [along(&|x| right(x) + half), along(&|x| left(x) - half)],
        path: found.states.iter().map(place).collect(),
        held: states.filter(|(_, multipliers)| is_held(multipliers)).map(|(state, _)| place(state)).collect(),
        bounded: control.iter().copied().filter(|[_, u]| u.abs() > lane.steering_rate * (1.0 - 1e-6)).collect(),
        control: if is_linear { control } else { stairs(&control) },
        convergence: convergence(optimum),
    }
}

/// Converts a polyline to a piecewise constant curve.
fn stairs(line: &[[f64; 2]]) -> Vec<[f64; 2]> {
    line.windows(2).flat_map(|pair| [pair[0], [pair[1][0], pair[0][1]]]).collect()
}

fn convergence(optimum: &ControlOptimum) -> [Vec<f64>; 2] {
    let iterations = &optimum.solution.iterations;
    [
        iterations.iter().map(|iteration| iteration.residual).collect(),
        iterations.iter().map(|iteration| iteration.violation).collect(),
    ]
}

/// Extracts the first states and the controls of an optimum over time, with their names. The size of the page limits the number of states.
/// Controls are linear or constant between grid points.
///
/// ```
/// use hemiola_optimize::sqp::SolverOptions;
/// use hemiola_optimize::{ControlGrid, LaneChange, ShootingNodes, StepRule, Transcription};
/// let method = hemiola_tableau::library::method("rk4")?;
/// let rule = StepRule::new(&hemiola_tableau::Scheme::Method(method), &[7])?;
/// let grid = ControlGrid { points: 26, steps: 4, shooting: ShootingNodes::Multiple, is_linear: true };
/// let lane = LaneChange::default();
/// let optimum = Transcription::new(lane.problem(), rule, grid)?.solve(&lane.guess(), SolverOptions::default(), &())?;
/// let course = hemiola_report::optimum_course(&["x".into(), "y".into()], &["steering rate".into()], true, &optimum);
/// assert_eq!((course.states.len(), course.controls[0].1.len()), (2, 26));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn optimum_course(
    states: &[String],
    controls: &[String],
    is_linear: bool,
    optimum: &ControlOptimum,
) -> OptimumTrajectory {
    const MOST_STATES: usize = 6;
    let found = &optimum.found;
    let times: Vec<f64> = optimum.fractions.iter().map(|fraction| fraction * found.duration).collect();
    let line = |rows: &[Vec<f64>], k: usize| -> Vec<[f64; 2]> {
        times.iter().zip(rows).map(|(&t, row)| [t, row[k]]).collect()
    };
    let control = |k: usize| {
        let line = line(&found.controls, k);
        if is_linear { line } else { stairs(&line) }
    };
    OptimumTrajectory {
        states: states
            .iter()
            .enumerate()
            .take(MOST_STATES)
            .map(|(k, name)| (name.clone(), line(&found.states, k)))
            .collect(),
        controls: controls.iter().enumerate().map(|(k, name)| (name.clone(), control(k))).collect(),
        convergence: convergence(optimum),
    }
}

/// Draws the figure of a drive.
#[must_use]
pub fn lane_change_figure(drive: &Drive) -> Figure {
    drive_figure(drive, "*w*_{δ} in rad/s", "A double lane change in the least time")
}
