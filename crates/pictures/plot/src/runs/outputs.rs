//! Forces, energies and powers over time.

use hemiola_figure::{Axis, Color, Curve, Dash, Figure, Panel};

use crate::escaped;
use crate::runs::series::Series;

/// Ratio of height to width of a panel.
const HEIGHT: f64 = 0.38;
/// Magnitude above which values are shown in thousands of their unit.
const THOUSAND: f64 = 1e4;

/// Colors by the order in which labels appear; they repeat with the next dash pattern.
const COLORS: [Color; 7] =
    [Color::BLUE, Color::VERMILION, Color::GREEN, Color::BLACK, Color::PURPLE, Color::ORANGE, Color::SKY];
const DASHES: [Dash; 4] = [Dash::Solid, Dash::Dashed, Dash::DashDot, Dash::Dotted];

/// A panel of related quantities over time.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputPanel {
    /// Name of the quantities, such as `load`.
    pub label: String,
    /// Their unit; empty for dimensionless numbers.
    pub unit: String,
    /// Curves, each with a single list of values.
    pub series: Vec<Series>,
}

/// Draws panels of quantities over time in a column, with a common legend. Large values are shown in kN, kJ or kW.
///
/// ```
/// use hemiola_plot::{OutputPanel, Series, outputs_figure};
/// let times: Vec<f64> = (0..50).map(|k| 0.1 * f64::from(k)).collect();
/// let load = |label: &str, by: f64| {
///     Series { label: label.into(), values: vec![times.iter().map(|t| 2e4 + by * t.sin()).collect()], times: times.clone() }
/// };
/// let panel = OutputPanel { label: "load".into(), unit: "N".into(), series: vec![load("left", 1e3), load("right", -1e3)] };
/// let svg = outputs_figure(&[panel], "s", "Loads of two wheels").to_svg()?;
/// assert!(svg.contains(">load in kN</text>") && svg.contains(">left</text>"));
/// # Ok::<(), hemiola_figure::FigureError>(())
/// ```
#[must_use]
pub fn outputs_figure(panels: &[OutputPanel], unit: &str, description: &str) -> Figure {
    let time = if unit.is_empty() { "time *t*".to_owned() } else { format!("time *t* in {unit}") };
    // Equal labels have equal colors in all panels.
    let mut names: Vec<&str> = Vec::new();
    for series in panels.iter().flat_map(|panel| &panel.series) {
        if !names.contains(&series.label.as_str()) {
            names.push(&series.label);
        }
    }
    let panel =
        |(k, panel): (usize, &OutputPanel)| drawn(panel, &names, if k + 1 == panels.len() { &time } else { "" });
    let page = Figure::one_column().columns(1).legend_below().description(description);
    panels.iter().enumerate().map(panel).fold(page, Figure::panel)
}

fn drawn(panel: &OutputPanel, names: &[&str], time: &str) -> Panel {
    let values = || panel.series.iter().flat_map(|series| series.values.iter().flatten());
    let largest = values().copied().filter(|value| value.is_finite()).fold(0.0f64, |most, value| most.max(value.abs()));
    let scale = if largest >= THOUSAND && !panel.unit.is_empty() { 1e-3 } else { 1.0 };
    let label = match panel.unit.as_str() {
        "" => panel.label.clone(),
        unit => format!("{} in {}{unit}", panel.label, if scale < 1.0 { "k" } else { "" }),
    };
    let x = Axis::new(time);
    let times = || panel.series.iter().flat_map(|series| series.times.iter().copied());
    let (first, last) = (times().fold(f64::INFINITY, f64::min), times().fold(f64::NEG_INFINITY, f64::max));
    let x = if first < last { x.range(first, last) } else { x };
    let curve = |series: &Series| {
        let points = series.times.iter().zip(series.values.iter().flatten());
        let points = points.map(|(&t, &value)| [t, scale * value]).take_while(|[_, value]| value.is_finite());
        let place = names.iter().position(|name| *name == series.label).unwrap_or(0);
        let (color, dash) = (COLORS[place % COLORS.len()], DASHES[place / COLORS.len() % DASHES.len()]);
        Curve::new().open(points).label(escaped(&series.label)).color(color).dash(dash).width(0.8)
    };
    panel.series.iter().map(curve).fold(Panel::new(x, Axis::new(label)).height(HEIGHT), Panel::curve)
}
