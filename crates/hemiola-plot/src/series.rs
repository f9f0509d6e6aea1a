//! Solutions over time.

use hemiola_figure::{Axis, Color, Curve, Dash, Figure, Panel};

use hemiola_integrate::Track;

use crate::escaped;

/// A solution at some times.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub label: String,
    /// The times.
    pub times: Vec<f64>,
    /// The values of each quantity that is drawn, as long as the times.
    pub values: Vec<Vec<f64>>,
}

impl Series {
    /// Some variables of the states on the way of a run.
    #[must_use]
    pub fn new(label: &str, track: &Track, variables: &[usize]) -> Self {
        let values = variables.iter().map(|&i| track.states.iter().map(|state| state[i]).collect());
        Self { label: label.to_owned(), times: track.times.clone(), values: values.collect() }
    }
}

/// The color and the width of the solution that is trusted: it is seen on both sides of one that follows it.
const TRUSTED: Color = Color(200, 200, 200);
const TRUSTED_WIDTH: f64 = 3.0;
/// The height of a panel in parts of its width.
const HEIGHT: f64 = 0.38;
/// What is left free above and below the solution that is trusted, in parts of its range: others may leave it.
const ROOM: f64 = 0.15;

/// Solutions over time, a panel for each quantity with its label, as SVG. The first series is the one to trust: it is drawn in a wide light gray line below the others,
/// and the ranges are its own, so that a solution that blows up leaves the panel instead of hiding the others.
///
/// ```
/// use hemiola_plot::{Series, series_figure};
/// let times: Vec<f64> = (0..50).map(|k| 0.1 * f64::from(k)).collect();
/// let values = vec![times.iter().map(|t| f64::sin(*t)).collect()];
/// let figure = series_figure(&["*x* in m"], &[Series { label: "exact".into(), times, values }], "A sine");
/// let svg = figure.to_svg()?;
/// assert!(svg.contains(">exact</text>") && svg.contains("<tspan font-style=\"italic\">x</tspan> in m"));
/// # Ok::<(), hemiola_figure::FigureError>(())
/// ```
#[must_use]
pub fn series_figure(labels: &[&str], series: &[Series], description: &str) -> Figure {
    let panel = |(k, label): (usize, &&str)| {
        let time = if k + 1 == labels.len() { "time *t* in s" } else { "" };
        let y = Axis::new(*label);
        let y = range(series, k).map_or(y.clone(), |[low, high]| y.range(low, high));
        let x = Axis::new(time);
        let ends = |pick: fn(&Vec<f64>) -> Option<&f64>| series.first().and_then(|series| pick(&series.times).copied());
        let x = match (ends(|times| times.first()), ends(|times| times.last())) {
            (Some(start), Some(end)) if start < end => x.range(start, end),
            _ => x,
        };
        let panel = Panel::new(x, y).without_zero_lines().height(HEIGHT);
        let panel = series.iter().skip(1).fold(panel, |panel, series| panel.curve(curve(series, k)));
        let trusted = series.first().map(|first| curve(first, k).color(TRUSTED).dash(Dash::Solid).width(TRUSTED_WIDTH));
        trusted.into_iter().fold(panel, |panel, curve| panel.curve(curve.below()))
    };
    let panels = labels.iter().enumerate().map(panel);
    panels.fold(Figure::one_column().columns(1).legend_below().description(description), Figure::panel)
}

fn curve(series: &Series, k: usize) -> Curve {
    let points = series.times.iter().zip(&series.values[k]).map(|(&t, &value)| [t, value]);
    // What leaves the panel by far need not be followed.
    let shown = points.take_while(|point| point[1].is_finite() && point[1].abs() < 1e30);
    Curve::new().open(shown).label(escaped(&series.label))
}

/// The range of the first series with some room.
fn range(series: &[Series], k: usize) -> Option<[f64; 2]> {
    let values = &series.first()?.values[k];
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Rounding is no variation.
    let varies = high - low > 1e-9 * low.abs().max(high.abs());
    varies.then_some([low - ROOM * (high - low), high + ROOM * (high - low)])
}
