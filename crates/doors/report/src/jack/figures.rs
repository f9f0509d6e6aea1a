//! Motion of the beam, step sizes, and cost.

use hemiola_figure::{Axis, Color, Curve, Dash, Figure, Panel, Points};

use crate::jack::beam::{Beam, END, SAMPLES};
use crate::jack::control::StepControl;
use crate::report::ReportError;
use crate::runs::MeasuredRun;
use hemiola_integrate::Track;
use hemiola_plot::{PrecisionCurve, precision_figure};

/// Distance between points of a curve over the whole run, in s.
const SPACING: f64 = 0.005;
/// Length of the final window that shows the fastest oscillations, in s.
const WINDOW: f64 = 0.03;

/// Draws the joint and the first deflection over the run, and individual states of the smallest variable at its end.
pub(crate) fn solution(beam: &Beam, listed: &MeasuredRun) -> Figure {
    let points = |track: &Track, spacing: f64, start: f64, value: fn(&[f64]) -> f64| {
        let mut last = f64::NEG_INFINITY;
        let mut points = Vec::new();
        for (&t, y) in track.times.iter().zip(&track.states) {
            if t >= start && t - last >= spacing {
                points.push([t, value(y)]);
                last = t;
            }
        }
        points
    };
    let truth = |points: Vec<[f64; 2]>| Curve::new().open(points).color(Color::BLACK).dash(Dash::Solid).width(0.6);
    let panel = |label: &str, start: f64, last: bool| {
        let x = Axis::new(if last { "time *t* in s" } else { "" }).range(start, END);
        Panel::new(x, Axis::new(label)).without_zero_lines().height(0.38)
    };
    let whole = |label: &str, value: fn(&[f64]) -> f64| {
        let curve = truth(points(&beam.track, SPACING, 0.0, value)).label("solution");
        let states = Points::new(points(&listed.track, 0.1, 0.0, value)).color(Color::BLUE).size(2.0);
        panel(label, 0.0, false).curve(curve).points(states.label("step doubling, *ε* = 10⁻⁹"))
    };
    let smallest: fn(&[f64]) -> f64 = |y| 1e6 * y[17];
    let states = Points::new(points(&listed.track, 0.0, END - WINDOW, smallest)).color(Color::BLUE).size(2.0);
    let end = panel("deflection 8 in 10⁻⁶", END - WINDOW, true);
    let end = end.curve(truth(points(&beam.track, 0.0, END - WINDOW, smallest))).points(states);
    let page = Figure::one_column().columns(1).legend_below();
    page.description("The beam's joint angle and its first and last deflection over time")
        .panel(whole("joint angle in rad", |y| y[9]))
        .panel(whole("deflection 1 in 10⁻³", |y| 1e3 * y[10]))
        .panel(end)
}

/// Draws the individual steps at the beginning, and the mean step of each sample.
pub(crate) fn steps(beam: &Beam) -> Result<Figure, ReportError> {
    let first = StepControl::listing(3).run(&beam.model, 0.03, 1e-9, 0.0)?.track.times;
    let single = first.windows(2).map(|pair| [pair[1], pair[1] - pair[0]]);
    let panel = |label: &str, title: &str| {
        let y = Axis::new(label).logarithmic();
        Panel::new(Axis::new("time *t* in s"), y).title(title).without_zero_lines()
    };
    let single = Curve::new().open(single).color(Color::BLACK).dash(Dash::Solid).width(0.6);
    let early = panel("step *h* in s", "*ε* = 10⁻⁹").curve(single);
    let looks = [(1e-3, "10⁻³", Color::BLUE), (1e-5, "10⁻⁵", Color::VERMILION), (1e-7, "10⁻⁷", Color::GREEN)];
    let mut late = panel("mean step in s", "each sample");
    for (tolerance, text, color) in looks {
        let times = beam.driver(tolerance, 0.0)?.track.times;
        let curve = Curve::new().open(mean_steps(&times)).color(color).dash(Dash::Solid).width(0.6);
        late = late.curve(curve.label(format!("*ε* = {text}")));
    }
    let page = Figure::two_columns().columns(2).legend_below().description("Steps of the beam's integration over time");
    Ok(page.panel(early).panel(late))
}

/// Returns the mean step of each hundredth of a second.
fn mean_steps(times: &[f64]) -> Vec<[f64; 2]> {
    let mut counts = vec![0u32; SAMPLES as usize];
    for t in times.iter().skip(1) {
        // Samples end at multiples of 0.01 s up to rounding.
        let sample = ((t - 1e-9) * 100.0).floor().max(0.0) as usize;
        if let Some(count) = counts.get_mut(sample) {
            *count += 1;
        }
    }
    let mean = |(k, &count): (usize, &u32)| (count > 0).then(|| [0.01 * (k as f64 + 0.5), 0.01 / f64::from(count)]);
    counts.iter().enumerate().filter_map(mean).collect()
}

pub(crate) fn work<'a>(curves: impl Iterator<Item = (&'a str, Vec<[f64; 2]>)>) -> Figure {
    let curves: Vec<PrecisionCurve> =
        curves.map(|(label, points)| PrecisionCurve { label: label.to_owned(), points, order: None }).collect();
    precision_figure("evaluations", &curves, None, "Errors of the beam over evaluations of the rates")
}
