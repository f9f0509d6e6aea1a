//! The figure of an optimal lane change.

use hemiola_figure::Figure;
use hemiola_optimize::{LaneChange, Optimum};
use hemiola_plot::{Drive, drive_figure};

/// Constraints whose multipliers are larger hold the car.
const HELD: f64 = 1e-6;

/// The drive that an optimum is: the track, the path, the control, and how the iterations converged.
///
/// ```
/// use hemiola_optimize::sqp::Options;
/// use hemiola_optimize::{Grid, LaneChange, Shooting, StepRule, solve_refined};
/// let method = hemiola_tableau::library::method("rk4")?;
/// let rule = StepRule::new(&hemiola_tableau::Scheme::Method(method), &[7])?;
/// let grid = Grid { points: 26, steps: 4, shooting: Shooting::Multiple, is_linear: true };
/// let lane = LaneChange::default();
/// let optimum = solve_refined(&lane.problem(), &rule, grid, &lane.guess(), Options::default(), &mut ())?;
/// let drive = hemiola_report::lane_change_drive(&lane, &optimum);
/// assert!(drive.path.len() == 26 && !drive.held.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn lane_change_drive(lane: &LaneChange, optimum: &Optimum) -> Drive {
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
    let iterations = &optimum.solution.iterations;
    Drive {
        edges: [along(&right), along(&left)],
        limits: [along(&|x| right(x) + half), along(&|x| left(x) - half)],
        path: found.states.iter().map(place).collect(),
        held: states.filter(|(_, multipliers)| is_held(multipliers)).map(|(state, _)| place(state)).collect(),
        bounded: control.iter().copied().filter(|[_, u]| u.abs() > lane.steering_rate * (1.0 - 1e-6)).collect(),
        control,
        convergence: [
            iterations.iter().map(|iteration| iteration.residual).collect(),
            iterations.iter().map(|iteration| iteration.violation).collect(),
        ],
    }
}

/// The figure of a drive.
#[must_use]
pub fn lane_change_figure(drive: &Drive) -> Figure {
    drive_figure(drive, "*w*_{δ} in rad/s", "A double lane change in the least time")
}
