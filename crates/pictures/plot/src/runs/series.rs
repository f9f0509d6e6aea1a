//! Solutions over time.

use hemiola_figure::{Axis, Color, Curve, Dash, Figure, Panel};

use hemiola_integrate::Track;

use crate::escaped;

/// A solution at a sequence of times.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name in the legend.
    pub label: String,
    /// Times of the solution.
    pub times: Vec<f64>,
    /// Values of each quantity at the times.
    pub values: Vec<Vec<f64>>,
}

impl Series {
    /// Extracts variables of the states recorded along a run.
    #[must_use]
    pub fn new(label: &str, track: &Track, variables: &[usize]) -> Self {
        let values = variables.iter().map(|&i| track.states.iter().map(|state| state[i]).collect());
        Self { label: label.to_owned(), times: track.times.clone(), values: values.collect() }
    }

    /// Returns the part up to a time, at least the first point.
    ///
    /// ```
    /// let whole = hemiola_plot::Series { label: "y".into(), times: vec![0.0, 1.0, 2.0], values: vec![vec![5.0, 6.0, 7.0]] };
    /// assert_eq!((whole.until(1.5).times, whole.until(-1.0).values), (vec![0.0, 1.0], vec![vec![5.0]]));
    /// ```
    #[must_use]
    pub fn until(&self, time: f64) -> Self {
        let count = self.times.partition_point(|t| *t <= time).max(1);
        let part = |list: &Vec<f64>| list.iter().copied().take(count).collect();
        Self { label: self.label.clone(), times: part(&self.times), values: self.values.iter().map(part).collect() }
    }
}

/// Color of the reference solution, which remains visible on both sides of a solution that follows it.
const TRUSTED: Color = Color(200, 200, 200);
/// Widths of the curves of solutions from bottom to top. Each curve remains visible on both sides of the next one,
/// which lies on it if both methods are accurate.
const WIDTHS: [f64; 2] = [2.2, 0.7];
/// Excess of the width of the reference over that of the lowest curve.
const TRUSTED_EXCESS: f64 = 1.9;
/// Ratio of height to width of a panel.
const HEIGHT: f64 = 0.38;
/// Largest error shown; larger ones are meaningless.
const LARGEST_ERROR: f64 = 10.0;
/// Margin above and below the reference solution relative to its range, for deviating solutions.
const ROOM: f64 = 0.15;

/// Draws solutions over time, with a panel for each quantity and its label. The first series is the reference: it is a
/// wide light gray line below the others and determines the ranges, so that a solution that blows up leaves the panel.
/// Each of the others is narrower than the one before, so that all show where they coincide.
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
    solution_figure(labels, series, &[], "s", description)
}

/// Draws solutions as [`series_figure`] does, with an additional panel of errors on a logarithmic axis. `errors` has a
/// series for each of `series` but the first, in the same order, with one value per time. Times are in `unit`, which
/// may be empty.
///
/// ```
/// use hemiola_plot::{Series, solution_figure};
/// let times: Vec<f64> = (0..50).map(|k| 0.1 * f64::from(k)).collect();
/// let series = |label: &str, value: fn(f64) -> f64| {
///     Series { label: label.into(), values: vec![times.iter().map(|t| value(*t)).collect()], times: times.clone() }
/// };
/// let solutions = [series("exact", f64::sin), series("rk4", |t| t.sin() + 1e-6 * t)];
/// let svg = solution_figure(&["*x*"], &solutions, &[series("rk4", |t| 1e-6 * t)], "", "A sine").to_svg()?;
/// assert!(svg.contains(">relative error</text>") && svg.contains("time"));
/// # Ok::<(), hemiola_figure::FigureError>(())
/// ```
#[must_use]
pub fn solution_figure(labels: &[&str], series: &[Series], errors: &[Series], unit: &str, description: &str) -> Figure {
    let time = if unit.is_empty() { "time *t*".to_owned() } else { format!("time *t* in {unit}") };
    let errors = error_panel(series, errors, &time);
    let methods = series.len().saturating_sub(1);
    let panel = |(k, label): (usize, &&str)| {
        let is_last = k + 1 == labels.len() && errors.is_none();
        let y = Axis::new(*label);
        let y = range(series, k).map_or(y.clone(), |[low, high]| y.range(low, high));
        let panel = Panel::new(time_axis(series, if is_last { &time } else { "" }), y);
        let panel = panel.without_zero_lines().height(HEIGHT);
        let drawn = series.iter().skip(1).enumerate();
        let panel = drawn.fold(panel, |panel, (n, series)| panel.curve(curve(series, k).width(width(n, methods))));
        let trusted_width = width(0, methods) + TRUSTED_EXCESS;
        let trusted = series.first().map(|first| curve(first, k).color(TRUSTED).dash(Dash::Solid).width(trusted_width));
        trusted.into_iter().fold(panel, |panel, curve| panel.curve(curve.below()))
    };
    let panels: Vec<Panel> = labels.iter().enumerate().map(panel).collect();
    let figure = Figure::one_column().columns(1).legend_below().description(description);
    panels.into_iter().chain(errors).fold(figure, Figure::panel)
}

/// Draws the positive errors on a logarithmic axis; returns `None` if there are none.
fn error_panel(series: &[Series], errors: &[Series], time: &str) -> Option<Panel> {
    let shown = |series: &Series| -> Vec<[f64; 2]> {
        let points =
            series.times.iter().zip(series.values.first().into_iter().flatten()).map(|(&t, &error)| [t, error]);
        points.filter(|[_, error]| *error > 0.0 && *error < LARGEST_ERROR).collect()
    };
    if errors.iter().all(|series| shown(series).is_empty()) {
        return None;
    }
    let panel = Panel::new(time_axis(series, time), Axis::new("relative error").logarithmic());
    let panel = panel.without_zero_lines().height(HEIGHT);
    let curve = |(n, series): (usize, &Series)| {
        Curve::new().open(shown(series)).label(escaped(&series.label)).width(width(n, errors.len()))
    };
    Some(errors.iter().enumerate().map(curve).fold(panel, Panel::curve))
}

/// Returns the width of the curve of method `n`, counted from zero, among `methods`.
fn width(n: usize, methods: usize) -> f64 {
    if methods < 2 {
        return 1.1;
    }
    let [widest, narrowest] = WIDTHS;
    widest + (narrowest - widest) * n as f64 / (methods - 1) as f64
}

/// Creates the time axis of the reference solution.
fn time_axis(series: &[Series], label: &str) -> Axis {
    let axis = Axis::new(label);
    let times = series.first().map(|series| &series.times);
    match times.and_then(|times| times.first().zip(times.last())) {
        Some((&start, &end)) if start < end => axis.range(start, end),
        _ => axis,
    }
}

fn curve(series: &Series, k: usize) -> Curve {
    let points = series.times.iter().zip(&series.values[k]).map(|(&t, &value)| [t, value]);
    // Far outside the panel the curve need not be followed.
    let shown = points.take_while(|point| point[1].is_finite() && point[1].abs() < 1e30);
    Curve::new().open(shown).label(escaped(&series.label))
}

/// Returns the range of the first series with a margin.
fn range(series: &[Series], k: usize) -> Option<[f64; 2]> {
    let values = &series.first()?.values[k];
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Variations at the level of rounding errors are ignored.
    let varies = high - low > 1e-9 * low.abs().max(high.abs());
    varies.then_some([low - ROOM * (high - low), high + ROOM * (high - low)])
}
