//! The figure of Fig. 8, with a column of panels for each choice of coordinates.

use hemiola_figure::{Axis, Color, Curve, Figure, Panel};
use hemiola_integrate::Track;

/// A run with its label.
pub(crate) struct LabeledRun<'a> {
    pub(crate) label: &'a str,
    pub(crate) track: &'a Track,
}

/// Title, reference solution and runs of both methods.
type Column<'a> = (&'a str, (&'a Track, [LabeledRun<'a>; 2]));

/// Axis labels of the variables drawn: pitch and speed.
const AXES: [&str; 2] = ["pitch in rad", "speed in m/s"];
/// Color and width of the reference solution, which remains visible on both sides of a curve that follows it.
const SOLUTION: Color = Color(200, 200, 200);
const SOLUTION_WIDTH: f64 = 3.0;
/// Ratio of height to width of a panel.
const HEIGHT: f64 = 0.6;
/// Margin above and below the curves relative to their range.
const ROOM: f64 = 0.05;

/// Draws both variables in each column of panels.
pub(crate) fn build_up_figure(columns: &[Column<'_>; 2], variables: [usize; 2]) -> Figure {
    let description = "Truncation errors of 2–5 and 2–6 methods on the planar vehicle, in absolute and in relative coordinates of its rings";
    let figure = Figure::two_columns().columns(2).legend_below().description(description);
    let panels = (0..2).flat_map(|k| columns.iter().map(move |column| panel(column, k, variables[k])));
    panels.fold(figure, Figure::panel)
}

fn panel((title, (solution, runs)): &Column<'_>, k: usize, variable: usize) -> Panel {
    let time = if k == 1 { "time *t* in s" } else { "" };
    let tracks = || std::iter::once(*solution).chain(runs.iter().map(|run| run.track));
    let values = || tracks().flat_map(|track| track.states.iter().map(|y| y[variable])).filter(|y| y.is_finite());
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    let room = ROOM * (high - low);
    let end = solution.times.last().copied().unwrap_or(1.0);
    let line = |track: &Track| {
        let points = track.times.iter().zip(&track.states).map(|(&t, y)| [t, y[variable]]);
        Curve::new().open(points.filter(|point| point[1].is_finite()))
    };
    let y = Axis::new(AXES[k]).range(low - room, high + room);
    let panel = Panel::new(Axis::new(time).range(0.0, end), y).without_zero_lines().height(HEIGHT);
    let panel = if k == 0 { panel.title(*title) } else { panel };
    let panel = panel.curve(line(solution).label("solution").color(SOLUTION).width(SOLUTION_WIDTH).below());
    runs.iter().fold(panel, |panel, run| panel.curve(line(run.track).label(run.label)))
}
