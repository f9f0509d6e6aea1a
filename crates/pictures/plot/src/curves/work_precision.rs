//! Work-precision diagrams: errors over steps or cost.

use hemiola_figure::{Axis, Color, Curve, Dash, Figure, Legend, Panel};

use crate::curves::limits::MARKERS;
use crate::escaped;
use crate::slope_triangle::{CurveWithOrder, with_triangles};

/// Errors of one method.
#[derive(Clone, Debug, PartialEq)]
pub struct PrecisionCurve {
    /// Name in the legend.
    pub label: String,
    /// Pairs of work and error, both positive.
    pub points: Vec<[f64; 2]>,
    /// Order shown by a slope triangle beside the curve, if any.
    pub order: Option<f64>,
}

/// Largest error shown; larger ones are meaningless.
const LARGEST: f64 = 10.0;

/// Draws errors of several methods over `work` on logarithmic axes, with a slope triangle for each of
/// their orders. A dotted line marks the wanted error, if there is one.
///
/// ```
/// use hemiola_plot::{PrecisionCurve, precision_figure};
/// let points = (1..8).map(|k| [f64::exp2(k.into()), f64::exp2(-4.0 * f64::from(k))]).collect();
/// let svg = precision_figure("steps", &[PrecisionCurve { label: "rk4".into(), points, order: Some(4.0) }], None, "RK4").to_svg()?;
/// assert!(svg.contains(">rk4</text>") && svg.contains(">relative error</text>"));
/// # Ok::<(), hemiola_figure::FigureError>(())
/// ```
#[must_use]
pub fn precision_figure(work: &str, curves: &[PrecisionCurve], wanted: Option<f64>, description: &str) -> Figure {
    Figure::one_column().description(description).panel(precision_panel(work, curves, wanted))
}

/// Draws the panel of [`precision_figure`].
pub(crate) fn precision_panel(work: &str, curves: &[PrecisionCurve], wanted: Option<f64>) -> Panel {
    let x = Axis::new(work).logarithmic();
    let panel = Panel::new(x, Axis::new("relative error").logarithmic()).without_zero_lines();
    let shown = |curve: &PrecisionCurve| -> Vec<[f64; 2]> {
        curve.points.iter().copied().filter(|[work, error]| *work > 0.0 && *error > 0.0 && *error < LARGEST).collect()
    };
    let panel = curves.iter().zip(MARKERS.iter().cycle()).fold(panel, |panel, (curve, marker)| {
        let line = Curve::new().open(shown(curve)).label(escaped(&curve.label)).marker(*marker);
        panel.curve(line.dash(Dash::Solid).width(0.8))
    });
    let works: Vec<f64> = curves.iter().flat_map(&shown).map(|[work, _]| work).collect();
    let [low, high] = [works.iter().copied().fold(f64::INFINITY, f64::min), works.iter().copied().fold(0.0, f64::max)];
    let panel = match wanted {
        Some(error) if low < high => panel
            .curve(Curve::new().open([[low, error], [high, error]]).color(Color::GRAY).dash(Dash::Dotted).width(0.8)),
        _ => panel,
    };
    let drawn: Vec<CurveWithOrder> =
        curves.iter().map(|curve| CurveWithOrder { points: shown(curve), order: curve.order }).collect();
    with_triangles(panel, &drawn).legend(Legend::Below)
}
