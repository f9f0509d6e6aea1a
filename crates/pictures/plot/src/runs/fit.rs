//! Parameter fits: measurements and model, residuals, and confidence ellipses.

use hemiola_figure::{Axis, Color, Curve, Dash, Figure, Panel, Points};

/// A measured variable and its fit.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedVariable {
    /// Label of its axis.
    pub label: String,
    /// Times of the measurements.
    pub times: Vec<f64>,
    /// Measured values.
    pub measured: Vec<f64>,
    /// Times and values of the fitted solution.
    pub fitted: Vec<[f64; 2]>,
    /// Residuals divided by the standard deviation.
    pub residuals: Vec<f64>,
}

/// Joint confidence region of two parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfidenceEllipse {
    /// Labels of the parameters.
    pub labels: [String; 2],
    /// Values of the parameters.
    pub center: [f64; 2],
    /// Points of the ellipse.
    pub points: Vec<[f64; 2]>,
}

const HEIGHT: f64 = 0.55;
const BAND: Color = Color(170, 170, 170);

/// Draws, for each variable, a panel with measurements and fit and one with residuals, then a panel per pair of
/// parameters.
///
/// ```
/// use hemiola_plot::{FittedVariable, fit_figure};
/// let times = vec![0.0, 1.0, 2.0];
/// let variable = FittedVariable {
///     label: "*x* in m".into(),
///     measured: vec![0.1, 0.9, 2.1],
///     fitted: vec![[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]],
///     residuals: vec![1.0, -1.0, 1.0],
///     times,
/// };
/// assert!(fit_figure(&[variable], &[], "A fit").to_svg()?.contains(">measured</text>"));
/// # Ok::<(), hemiola_figure::FigureError>(())
/// ```
#[must_use]
pub fn fit_figure(variables: &[FittedVariable], ellipses: &[ConfidenceEllipse], description: &str) -> Figure {
    let figure = Figure::two_columns().columns(2).legend_below().description(description);
    let figure =
        variables.iter().fold(figure, |figure, variable| figure.panel(fit(variable)).panel(residuals(variable)));
    ellipses.iter().fold(figure, |figure, ellipse| figure.panel(pair(ellipse)))
}

fn points(times: &[f64], values: &[f64]) -> Vec<[f64; 2]> {
    times.iter().zip(values).map(|(t, value)| [*t, *value]).collect()
}

fn fit(variable: &FittedVariable) -> Panel {
    let panel = Panel::new(Axis::new("time *t*"), Axis::new(&variable.label)).height(HEIGHT).without_zero_lines();
    let fitted = Curve::new().open(variable.fitted.iter().copied()).color(Color::BLUE).dash(Dash::Solid);
    let measured =
        Points::new(points(&variable.times, &variable.measured)).label("measured").color(Color::BLACK).size(2.0);
    panel.curve(fitted.label("fitted")).points(measured)
}

fn residuals(variable: &FittedVariable) -> Panel {
    let panel = Panel::new(Axis::new("time *t*"), Axis::new("residual over deviation")).height(HEIGHT);
    let ends = [variable.times.first(), variable.times.last()].map(|time| time.copied().unwrap_or(0.0));
    let level = |y: f64| Curve::new().open(ends.map(|t| [t, y])).color(BAND).dash(Dash::Solid).width(0.6).below();
    let panel = panel.curve(level(2.0).label("two standard deviations")).curve(level(-2.0));
    panel.points(Points::new(points(&variable.times, &variable.residuals)).color(Color::BLACK).size(2.0))
}

fn pair(ellipse: &ConfidenceEllipse) -> Panel {
    let [x, y] = &ellipse.labels;
    let panel = Panel::new(Axis::new(x), Axis::new(y)).height(HEIGHT).without_zero_lines();
    let outline = Curve::new().closed(ellipse.points.iter().copied()).color(Color::BLUE).dash(Dash::Solid);
    panel.curve(outline.label("95 % confidence")).points(Points::new([ellipse.center]).color(Color::BLUE))
}
