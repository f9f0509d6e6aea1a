//! Solutions of optimal control problems: a drive on a track, states and controls over time, and convergence.

use hemiola_figure::{Axis, Color, Curve, Dash, Figure, Panel, Points, escaped};

/// A drive on a track.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drive {
    /// Right and left edge of the track, as points (x, y) in m.
    pub edges: [Vec<[f64; 2]>; 2],
    /// Limits for the center of the car, on the right and the left.
    pub limits: [Vec<[f64; 2]>; 2],
    /// Path of the center of the car.
    pub path: Vec<[f64; 2]>,
    /// Grid points at which the track constraint is active.
    pub held: Vec<[f64; 2]>,
    /// Control over time.
    pub control: Vec<[f64; 2]>,
    /// Points of the control at a bound.
    pub bounded: Vec<[f64; 2]>,
    /// Residual of the optimality conditions and violation of constraints per iteration.
    pub convergence: [Vec<f64>; 2],
}

const TRACK_HEIGHT: f64 = 0.25;
const HEIGHT: f64 = 0.3;
const LIMIT: Color = Color(170, 170, 170);
/// Smallest residual shown; smaller ones are rounding errors.
const LEAST: f64 = 1e-16;

/// Draws a drive in three panels; `label` is that of the control's axis.
///
/// ```
/// use hemiola_plot::{Drive, drive_figure};
/// let line = |y: f64| vec![[0.0, y], [10.0, y]];
/// let drive = Drive {
///     edges: [line(0.0), line(4.0)],
///     limits: [line(1.0), line(3.0)],
///     path: line(2.0),
///     control: vec![[0.0, -0.1], [1.0, 0.1]],
///     convergence: [vec![1.0, 1e-8], vec![0.5, 1e-9]],
///     ..Drive::default()
/// };
/// let svg = drive_figure(&drive, "*w* in rad/s", "A drive").to_svg()?;
/// assert!(svg.contains(">edges of the track</text>") && svg.contains(">path</text>"));
/// # Ok::<(), hemiola_figure::FigureError>(())
/// ```
#[must_use]
pub fn drive_figure(drive: &Drive, label: &str, description: &str) -> Figure {
    let figure = Figure::two_columns().columns(1).legend_below().description(description);
    figure.panel(track(drive)).panel(control(drive, label)).panel(convergence(&drive.convergence))
}

fn track(drive: &Drive) -> Panel {
    let line = |points: &[[f64; 2]]| Curve::new().open(points.iter().copied()).dash(Dash::Solid);
    let panel = Panel::new(Axis::new("*x* in m"), Axis::new("*y* in m")).height(TRACK_HEIGHT).without_zero_lines();
    let edge = |points| line(points).color(Color::BLACK).width(1.2);
    let [right, left] = &drive.edges;
    let panel = panel.curve(edge(right).label("edges of the track")).curve(edge(left));
    let limit = |points| line(points).color(LIMIT).width(0.6);
    let [right, left] = &drive.limits;
    let panel = panel.curve(limit(right).label("edges, half the car's width inside")).curve(limit(left));
    let panel = panel.curve(line(&drive.path).color(Color::BLUE).label("path"));
    if drive.held.is_empty() {
        return panel;
    }
    panel.points(Points::new(drive.held.iter().copied()).label("held by the track"))
}

fn control(drive: &Drive, label: &str) -> Panel {
    let curve = Curve::new().open(drive.control.iter().copied()).color(Color::BLUE).dash(Dash::Solid);
    let panel = Panel::new(Axis::new("time *t* in s"), Axis::new(label)).height(HEIGHT).curve(curve);
    if drive.bounded.is_empty() {
        return panel;
    }
    panel.points(Points::new(drive.bounded.iter().copied()).label("at a bound"))
}

/// Values over time.
type Line = Vec<[f64; 2]>;

/// States and controls of an optimum over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OptimumTrajectory {
    /// States with their labels.
    pub states: Vec<(String, Line)>,
    /// Controls with their labels.
    pub controls: Vec<(String, Line)>,
    /// Residual of the optimality conditions and violation of constraints per iteration.
    pub convergence: [Vec<f64>; 2],
}

/// Draws a panel for each state and each control, and a panel of the convergence.
///
/// ```
/// use hemiola_plot::{OptimumTrajectory, course_figure};
/// let line = |label: &str| (label.to_owned(), vec![[0.0, 0.0], [1.0, 2.0]]);
/// let course = OptimumTrajectory { states: vec![line("x")], controls: vec![line("u")], convergence: [vec![1.0, 1e-8], vec![0.5, 1e-9]] };
/// assert!(course_figure(&course, "A course").to_svg()?.contains(">iteration</text>"));
/// # Ok::<(), hemiola_figure::FigureError>(())
/// ```
#[must_use]
pub fn course_figure(course: &OptimumTrajectory, description: &str) -> Figure {
    let last = course.states.len() + course.controls.len();
    let panel = |(k, ((label, points), color)): (usize, (&(String, Line), Color))| {
        let curve = Curve::new().open(points.iter().copied()).color(color).dash(Dash::Solid);
        let time = if k + 1 == last { "time *t*" } else { "" };
        Panel::new(Axis::new(time), Axis::new(escaped(label))).height(HEIGHT).without_zero_lines().curve(curve)
    };
    let states = course.states.iter().map(|state| (state, Color::BLUE));
    let lines = states.chain(course.controls.iter().map(|control| (control, Color::GREEN)));
    let figure = Figure::one_column().columns(1).legend_below().description(description);
    lines.enumerate().map(panel).fold(figure, Figure::panel).panel(convergence(&course.convergence))
}

fn convergence([residual, violation]: &[Vec<f64>; 2]) -> Panel {
    let shown = |values: &[f64]| -> Vec<[f64; 2]> {
        let points = values.iter().enumerate().filter(|(_, value)| **value > LEAST && value.is_finite());
        points.map(|(k, &value)| [k as f64, value]).collect()
    };
    let panel = Panel::new(Axis::new("iteration").whole_numbers(), Axis::new("residual").logarithmic());
    let panel = panel.height(HEIGHT).without_zero_lines();
    let panel = panel
        .curve(Curve::new().open(shown(residual)).color(Color::GREEN).dash(Dash::Solid).label("optimality conditions"));
    panel.curve(Curve::new().open(shown(violation)).label("violation of constraints"))
}
