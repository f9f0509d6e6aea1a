//! Limits of optimal polynomials over the number of stages or over the damping.

use hemiola_figure::{Axis, Curve, Dash, Figure, Legend, Marker, Panel};
use hemiola_polynomial::{Axis as HalfLine, Spectrum};

/// Independent variable of a limit figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitVariable {
    /// The number of stages s.
    Stages,
    /// The damping η.
    Damping,
}

/// Limits of one order.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitCurve {
    /// The order p.
    pub order: usize,
    /// Pairs of stages or damping, and limit.
    pub points: Vec<[f64; 2]>,
}

/// Draws the limits on one spectrum, with a curve for each order.
///
/// Over stages, a second panel shows the efficiency on an axis: L/s on the imaginary axis. On the negative real axis,
/// limits grow like s², so it shows L/s² and both axes are logarithmic.
///
/// ```
/// use hemiola_plot::{LimitCurve, LimitVariable, limits_figure};
/// use hemiola_polynomial::{Axis, Spectrum};
/// let curve = LimitCurve { order: 1, points: vec![[2.0, 1.0], [3.0, 2.0]] };
/// let svg = limits_figure(&Spectrum::Axis(Axis::Imaginary), LimitVariable::Stages, &[curve]).to_svg()?;
/// // A panel of L, and one of L/s.
/// assert!(svg.contains(">limit <tspan") && svg.contains(">L</tspan>/<tspan"));
/// # Ok::<(), hemiola_figure::FigureError>(())
/// ```
#[must_use]
pub fn limits_figure(spectrum: &Spectrum, variable: LimitVariable, curves: &[LimitCurve]) -> Figure {
    let (label, name) = match variable {
        LimitVariable::Stages => ("stages *s*", "stages"),
        LimitVariable::Damping => ("damping *η*", "damping"),
    };
    let ratio = match spectrum {
        Spectrum::Axis(HalfLine::Imaginary) if variable == LimitVariable::Stages => Some(("*L*/*s*", 1)),
        Spectrum::Axis(HalfLine::Real) if variable == LimitVariable::Stages => Some(("*L*/*s*^{2}", 2)),
        _ => None,
    };
    let scaled = |axis: Axis| if let Some((_, 2)) = ratio { axis.logarithmic() } else { axis };
    let across = || match (ratio, variable) {
        (Some((_, 2)), _) | (_, LimitVariable::Damping) => scaled(Axis::new(label)),
        _ => Axis::new(label).whole_numbers(),
    };
    let limits = panel(across(), scaled(Axis::new("limit *L*")), curves, |[_, limit]| limit);
    let description = format!("Limits on the {spectrum} over {name}");
    let Some((ratio, power)) = ratio else {
        return Figure::one_column().description(description).panel(limits);
    };
    let ratios = panel(across(), Axis::new(ratio), curves, |[s, limit]| limit / s.powi(power));
    // One legend serves both panels.
    Figure::two_columns().description(description).panel(limits).panel(ratios.legend(Legend::Hidden))
}

fn panel(x: Axis, y: Axis, curves: &[LimitCurve], value: impl Fn([f64; 2]) -> f64) -> Panel {
    let drawn = curves.iter().filter(|curve| !curve.points.is_empty());
    drawn.zip(MARKERS.iter().cycle()).fold(Panel::new(x, y).without_zero_lines(), |panel, (curve, marker)| {
        let line = Curve::new().open(curve.points.iter().map(|&point| [point[0], value(point)]));
        let line = line.label(format!("*p* = {}", curve.order));
        let has_room = curve.points.len() <= MARKED;
        panel.curve(if has_room { line.dash(Dash::Solid).marker(*marker).width(0.8) } else { line })
    })
}

/// Largest number of points with markers; more would overlap.
const MARKED: usize = 30;
/// Markers of the curves in order, which distinguish them in black and white.
pub(crate) const MARKERS: [Marker; 4] = [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond];
