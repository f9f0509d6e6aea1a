//! The spectral radius of step matrices over the step size.

use hemiola_figure::{Axis, Color, Curve, Dash, Figure, Legend, Panel, Region};
use hemiola_stability::StableSteps;

use crate::escaped;

/// A method on a system.
#[derive(Clone, Copy, Debug)]
pub struct SystemCurve<'a> {
    /// Name of the method.
    pub label: &'a str,
    /// Spectral radius ρ(M) at each step size; infinite values lie outside the panel.
    pub radii: &'a [f64],
    /// Stable step sizes; the gaps between them are shaded.
    pub steps: &'a StableSteps,
}

/// Margin above one relative to the depth below it.
const ABOVE: f64 = 0.35;
/// Smallest depth shown; curves that stay closer to one do not narrow the range further.
const SHALLOWEST: f64 = 1e-3;

/// Draws ρ(M(h)) of several methods over the step size h, with the level one dashed and gaps shaded.
///
/// ```
/// use hemiola_plot::{SystemCurve, system_figure};
/// use hemiola_stability::BlockSystem;
/// let rk4 = hemiola_tableau::library::method("rk4")?.to_f64();
/// let system = BlockSystem::new(&[vec![0.0, 1.0], vec![-1.0, -0.2]], vec![0, 0])?;
/// let steps: Vec<f64> = (0..=100).map(|k| 0.04 * f64::from(k)).collect();
/// let curve = SystemCurve {
///     label: "rk4",
///     radii: &system.spectral_radii(&rk4, &steps)?,
///     steps: &system.stable_steps(&rk4, 4.0, &())?,
/// };
/// let svg = system_figure("oscillator", &steps, &[curve]).to_svg()?;
/// assert!(svg.contains(">rk4</text>") && svg.contains(">step <tspan"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn system_figure(name: &str, steps: &[f64], curves: &[SystemCurve<'_>]) -> Figure {
    let farthest = steps.last().copied().unwrap_or(1.0);
    let stable = curves.iter().flat_map(|curve| curve.radii).filter(|radius| **radius <= 1.0);
    let depth = stable.fold(SHALLOWEST, |depth, radius| depth.max(1.0 - radius));
    let (low, high) = (1.0 - 1.1 * depth, 1.0 + ABOVE * depth);
    let y = Axis::new("*ρ*(*M*)").range(low.max(0.0), high);
    let panel = Panel::new(Axis::new("step *h*").range(0.0, farthest), y).without_zero_lines();
    let level = Curve::new().open([[0.0, 1.0], [farthest, 1.0]]).color(Color::GRAY).dash(Dash::Dashed).width(0.8);
    let panel = curves.iter().fold(panel, |panel, curve| shaded(panel, curve, (low.max(0.0), high)));
    let panel = curves.iter().fold(panel, |panel, curve| {
        // Infinite values lie above the panel in any case.
        let points = steps.iter().zip(curve.radii).map(|(&h, &radius)| [h, radius.min(1e6)]);
        panel.curve(Curve::new().open(points).label(escaped(curve.label)))
    });
    let description = format!("Spectral radius of step matrices over the step, {name}");
    Figure::one_column().description(description).panel(panel.curve(level).legend(Legend::Below))
}

/// Shades the gaps of one method from the bottom to the top.
fn shaded(panel: Panel, curve: &SystemCurve<'_>, (low, high): (f64, f64)) -> Panel {
    let band =
        |region: Region, &(from, to): &(f64, f64)| region.polygon([[from, low], [to, low], [to, high], [from, high]]);
    if curve.steps.gaps.is_empty() {
        return panel;
    }
    panel.region(curve.steps.gaps.iter().fold(Region::new(), band).color(Color::GRAY))
}
