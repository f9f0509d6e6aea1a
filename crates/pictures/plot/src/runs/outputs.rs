//! Forces, energies and powers over time.

use hemiola_figure::{Axis, Color, Curve, Dash, Figure, Panel};

use crate::escaped;
use crate::runs::series::Series;

/// Ratio of height to width of a panel.
const HEIGHT: f64 = 0.38;
/// Magnitude above which values are shown in thousands of their unit.
const THOUSAND: f64 = 1e4;

/// Fraction of a run that counts as its start.
const START: f64 = 0.1;
/// Smallest ratio of the whole range to the range after the start at which the start is cut off.
const SPIKE: f64 = 4.0;
/// Margin around the range after the start.
const ROOM: f64 = 0.08;

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

/// Draws panels of quantities over time in a column, with a common legend. Large values are shown in kN, kJ or kW. If
/// a transient at the start of a quantity with a unit exceeds the rest by far, the range is that of the rest, and the
/// title says so.
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
    // Quantities without a unit are variables, whose start matters most.
    let clip = clipped(panel, [first, last]).filter(|_| !panel.unit.is_empty());
    let (y, title) = match clip {
        Some(clip) => {
            (Axis::new(&label).range(scale * clip.range[0], scale * clip.range[1]), clip.title(scale, &label))
        }
        None => (Axis::new(&label), String::new()),
    };
    let curve = |series: &Series| {
        let points = series.times.iter().zip(series.values.iter().flatten());
        let points = points.map(|(&t, &value)| [t, scale * value]).take_while(|[_, value]| value.is_finite());
        let place = names.iter().position(|name| *name == series.label).unwrap_or(0);
        let (color, dash) = (COLORS[place % COLORS.len()], DASHES[place / COLORS.len() % DASHES.len()]);
        Curve::new().open(points).label(escaped(&series.label)).color(color).dash(dash).width(0.8)
    };
    panel.series.iter().map(curve).fold(Panel::new(x, y).title(title).height(HEIGHT), Panel::curve)
}

/// Range without the transient at the start of a run, which would flatten everything after it.
struct ClippedRange {
    range: [f64; 2],
    /// Value farthest outside the range.
    farthest: f64,
}

impl ClippedRange {
    fn title(&self, scale: f64, label: &str) -> String {
        let unit = label.rsplit_once(" in ").map_or(String::new(), |(_, unit)| format!(" {unit}"));
        let value = crate::minus(format!("{:.2e}", scale * self.farthest).parse().unwrap_or(self.farthest));
        format!("start cut off: reaches {value}{unit}")
    }
}

/// Returns the range after the start of a run if the whole range is several times as long.
fn clipped(panel: &OutputPanel, [first, last]: [f64; 2]) -> Option<ClippedRange> {
    let all = || {
        let series = panel.series.iter();
        let points =
            series.flat_map(|series| series.times.iter().copied().zip(series.values.iter().flatten().copied()));
        points.filter(|(_, value)| value.is_finite())
    };
    let extent = |points: &mut dyn Iterator<Item = f64>| {
        points.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)])
    };
    let settled = first + START * (last - first);
    let [low, high] = extent(&mut all().filter(|(t, _)| *t >= settled).map(|(_, value)| value));
    let [least, most] = extent(&mut all().map(|(_, value)| value));
    if !(high > low && most - least > SPIKE * (high - low)) {
        return None;
    }
    let room = ROOM * (high - low);
    let farthest = if low - least > most - high { least } else { most };
    Some(ClippedRange { range: [low - room, high + room], farthest })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(start: f64) -> OutputPanel {
        let times: Vec<f64> = (0..=1000).map(|k| 0.005 * f64::from(k)).collect();
        let value = |t: &f64| 50.0 * t.sin() + start * (-t / 0.02).exp();
        let series = Series { label: "wheel".into(), values: vec![times.iter().map(value).collect()], times };
        OutputPanel { label: "force along".into(), unit: "N".into(), series: vec![series] }
    }

    #[test]
    fn a_spike_at_the_start_does_not_flatten_the_rest() {
        let clip = clipped(&panel(-2000.0), [0.0, 5.0]).unwrap();
        assert!(clip.farthest == -2000.0 && (-60.0..-49.0).contains(&clip.range[0]), "{:?}", clip.range);
        let svg = outputs_figure(&[panel(-2000.0)], "s", "").to_svg().unwrap();
        assert!(svg.contains("start cut off: reaches −2000 N"), "{svg}");
        // The start of a variable is shown.
        let variable = OutputPanel { unit: String::new(), ..panel(-2000.0) };
        assert!(!outputs_figure(&[variable], "s", "").to_svg().unwrap().contains("cut off"));
        // A start that is no larger than what follows stays inside.
        assert!(clipped(&panel(-100.0), [0.0, 5.0]).is_none());
    }
}
