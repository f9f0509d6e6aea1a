//! Dispersion and dissipation of methods along the imaginary axis.

use std::f64::consts::PI;

use hemiola_figure::{Axis, Curve, Figure, Legend, Panel};
use hemiola_stability::{Dispersion, stability_limit};
use hemiola_tableau::Method;
use num_complex::Complex64;

use crate::view::check_range;
use crate::{MapError, escaped};

/// Number of points of a curve.
const POINTS: usize = 400;
/// End of the curves if the imaginary stability limits of the methods are zero or infinite.
const WITHOUT_LIMIT: f64 = PI;
/// End of the curves relative to the largest limit.
const BEYOND: f64 = 1.05;

/// Largest error shown: larger ones are of no practical interest and would flatten the rest.
const LARGEST: f64 = 0.5;
/// Smallest range of an axis: methods that conserve energy have no dissipation up to rounding.
const SMALLEST: f64 = 1e-12;
/// Tolerance for a phase jump of π, because the phase also changes continuously between two points.
const JUMP: f64 = 0.2;

/// Draws the dissipation 1 − |R(iy)| and the phase error y − arg R(iy) of every partition of every method in two panels
/// over y.
///
/// ```
/// let methods = ["rk4", "kutta-3"].map(|id| hemiola_tableau::library::method(id).unwrap());
/// let svg = hemiola_plot::dispersion_figure(&methods, None)?.to_svg()?;
/// assert!(svg.contains("rk4") && svg.contains("kutta-3"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`MapError`] if there are no methods, if the range is empty, or if a phase cannot be tracked.
pub fn dispersion_figure(methods: &[Method], range: Option<(f64, f64)>) -> Result<Figure, MapError> {
    check_range("y", range)?;
    if methods.is_empty() {
        return Err(MapError::Nothing { what: "methods" });
    }
    let mut curves = Vec::new();
    let mut farthest = 0.0f64;
    for method in methods {
        for (place, partition) in method.partitions().iter().enumerate() {
            let limit = stability_limit(method, place, Complex64::I)?.value();
            farthest = farthest.max(if limit.is_finite() { limit } else { WITHOUT_LIMIT });
            let name = match (methods.len(), method.partitions().len()) {
                (1, 1) => String::new(),
                (1, _) => escaped(&partition.name),
                (_, 1) => escaped(method.id()),
                _ => escaped(&format!("{}, {}", method.id(), partition.name)),
            };
            curves.push((name, Dispersion::new(method, place)?));
        }
    }
    let end = if farthest > 0.0 { BEYOND * farthest } else { WITHOUT_LIMIT };
    let (from, to) = range.unwrap_or((0.0, end));
    let at = |k: usize| from + (to - from) * (k as f64 / POINTS as f64);
    let panel = |label: &str, value: fn(&Dispersion, f64) -> f64| {
        let lines: Vec<Vec<Vec<[f64; 2]>>> = curves.iter().map(|(_, errors)| lines(errors, value, at)).collect();
        let values = || lines.iter().flatten().flatten().map(|point| point[1].clamp(-LARGEST, LARGEST));
        let (low, high) = (values().fold(0.0, f64::min), values().fold(0.0, f64::max));
        let margin = (0.05 * (high - low)).max(SMALLEST);
        let y = Axis::new(label).range(low - margin, high + margin);
        let axes = Panel::new(Axis::new("*y*").range(from, to), y).legend(Legend::Auto);
        let named = curves.iter().zip(lines);
        named.fold(axes, |panel, ((name, _), lines)| {
            panel.curve(lines.into_iter().fold(Curve::new(), Curve::open).label(name))
        })
    };
    let names: Vec<&str> = methods.iter().map(Method::name).collect();
    let description = format!("Dissipation and dispersion of {} along the imaginary axis", names.join(", "));
    let dissipation = panel("dissipation 1 − |*R*(i*y*)|", Dispersion::dissipation);
    let dispersion = panel("phase error *y* − arg *R*(i*y*)", Dispersion::phase_error);
    // One legend serves both panels.
    Ok(Figure::two_columns().description(description).panel(dissipation).panel(dispersion.legend(Legend::Hidden)))
}

/// Samples a finite error over y. The line is broken at zeros of R, where the phase jumps by π.
fn lines(errors: &Dispersion, value: fn(&Dispersion, f64) -> f64, at: impl Fn(usize) -> f64) -> Vec<Vec<[f64; 2]>> {
    let points: Vec<[f64; 2]> =
        (0..=POINTS).map(at).map(|y| [y, value(errors, y)]).filter(|point| point[1].is_finite()).collect();
    let is_joined = |a: &[f64; 2], b: &[f64; 2]| ((b[1] - a[1]).abs() - PI).abs() > JUMP;
    points.chunk_by(is_joined).map(<[_]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    #[test]
    fn methods_that_conserve_energy_have_a_figure() {
        for id in ["gauss-2", "stormer-verlet", "implicit-midpoint"] {
            let figure = dispersion_figure(&[library::method(id).unwrap()], None).unwrap();
            assert!(figure.to_svg().is_ok(), "{id}");
        }
    }

    #[test]
    fn the_phase_is_broken_where_r_vanishes() {
        // The slow partition of MPRK P3 has a zero at √6 i.
        let errors = |id: &str| Dispersion::new(&library::method(id).unwrap(), 0).unwrap();
        let pieces = |id: &str| lines(&errors(id), Dispersion::phase_error, |k| 2.7 * k as f64 / POINTS as f64);
        assert_eq!(pieces("rk4").len(), 1);
        let broken = pieces("mprk-p3");
        assert!(broken.len() == 2 && (broken[1][0][0] - 6f64.sqrt()).abs() < 0.01, "{}", broken.len());
    }
}
