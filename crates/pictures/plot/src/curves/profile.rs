//! Coupled profiles as curves.

use hemiola_figure::{Axis, Curve, Dash, Figure, Legend, Panel};
use hemiola_stability::{CoupledProfile, ProfileValue};

use crate::curves::limits::MARKERS;
use crate::escaped;

/// Draws coupled profiles, the remaining fraction of the decoupled step over the coupling strength γ. A single pair
/// shows its three readings; several pairs are compared by the practical one.
///
/// ```
/// let method = hemiola_tableau::library::method("shome-haug-jay-2-5")?;
/// let profile = hemiola_stability::coupled_profile(&method, 0.05, &[0.1, 0.2])?;
/// let svg = hemiola_plot::profile_figure(&[("shome-haug-jay-2-5", &profile)]).to_svg()?;
/// assert!(svg.contains("practical") && svg.contains("skew"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn profile_figure(profiles: &[(&str, &CoupledProfile)]) -> Figure {
    type Reading = fn(&ProfileValue) -> f64;
    const READINGS: [(&str, Reading); 3] = [
        ("practical", |value| value.practical.value),
        ("strict", |value| value.strict.value),
        ("skew", |value| value.skew.value),
    ];
    let curves: Vec<(String, &CoupledProfile, Reading)> = match profiles {
        [(_, profile)] => READINGS.iter().map(|(name, reading)| ((*name).to_owned(), *profile, *reading)).collect(),
        several => several.iter().map(|(name, profile)| (escaped(name), *profile, READINGS[0].1)).collect(),
    };
    let names: Vec<&str> = profiles.iter().map(|(name, _)| *name).collect();
    let damping = profiles.first().map_or(0.0, |(_, profile)| profile.damping);
    let highest =
        curves.iter().flat_map(|(_, profile, reading)| profile.values.iter().map(reading)).fold(1.0, f64::max);
    let axes = Panel::new(Axis::new("coupling *γ*"), Axis::new("*t*^{*}/*t*_{0}").range(0.0, 1.05 * highest));
    let panel = curves.into_iter().zip(MARKERS.iter().cycle()).fold(
        axes.without_zero_lines().legend(Legend::Below),
        |panel, ((label, profile, reading), marker)| {
            let points = profile.values.iter().map(|value| [value.gamma, reading(value)]);
            panel.curve(Curve::new().open(points).label(label).dash(Dash::Solid).marker(*marker).width(0.8))
        },
    );
    let description = format!(
        "Coupled profile of {} at damping {damping}: smallest remaining fraction of the decoupled step over the coupling strength",
        names.join(", ")
    );
    Figure::one_column().description(description).panel(panel)
}
