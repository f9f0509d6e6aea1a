//! Coupled profiles of four sizes as functions of the coupling strength.

use std::error::Error;

use hemiola::figure::{Axis, Color, Curve, Dash, Figure, Panel};
use hemiola::stability::coupled_profile;

use crate::pair::{DAMPING, Pair, Variant};
use crate::tables::variants;

/// Number of points per curve, evenly spread over the coupling strengths (0, STRONGEST].
const POINTS: usize = 160;
const STRONGEST: f64 = 0.4;

/// Size of each panel and the published pairs to compare with: pairs of the same order, and of similar size if there
/// are any.
const PANELS: [([usize; 2], &[&str]); 4] = [
    ([2, 5], &["shome-haug-jay-2-5", "mprk-p2"]),
    ([3, 7], &["mprk-p3"]),
    ([4, 6], &["perk-4-9-5"]),
    ([4, 8], &["perk-4-9-5"]),
];

/// Labels and styles of published pairs.
const LOOKS: [(&str, &str, Color, Dash); 4] = [
    ("shome-haug-jay-2-5", "Shome, Haug & Jay, 2–5", Color::BLACK, Dash::Dotted),
    ("mprk-p2", "PETSc P2, 2–4", Color::GREEN, Dash::DashDot),
    ("mprk-p3", "PETSc P3, 4–8", Color::PURPLE, Dash::DashDotDot),
    ("perk-4-9-5", "paired explicit, 5–9", Color::ORANGE, Dash::LongDash),
];

/// Draws one panel for each of four sizes as SVG.
pub(crate) fn profiles(own: &[Pair], published: &[Pair]) -> Result<String, Box<dyn Error>> {
    let mut figure = Figure::two_columns().columns(2).legend_below();
    for (size, others) in PANELS {
        let Some((plain, coupled)) = variants(own, Variant::Coupled).find(|(pair, _)| pair.evaluations == size) else {
            continue;
        };
        let gamma = Axis::new("coupling strength *γ*").range(0.0, STRONGEST);
        let mut panel = Panel::new(gamma, Axis::new("profile *t*^{∗}/*t*_{0}").range(0.3, 1.02));
        panel = panel.title(format!("{}, order {}", plain.size(), plain.order)).height(0.55);
        panel = panel.curve(curve(plain)?.label("error-optimal").color(Color::BLUE).dash(Dash::Dashed));
        panel =
            panel.curve(curve(coupled)?.label("coupled-stable").color(Color::VERMILION).dash(Dash::Solid).width(1.5));
        for pair in published.iter().filter(|pair| others.contains(&pair.method.id())) {
            if let Some((_, label, color, dash)) = LOOKS.into_iter().find(|(id, ..)| *id == pair.method.id()) {
                panel = panel.curve(curve(pair)?.label(label).color(color).dash(dash));
            }
        }
        figure = figure.panel(panel);
    }
    Ok(figure.to_svg()?)
}

fn curve(pair: &Pair) -> Result<Curve, Box<dyn Error>> {
    let gammas: Vec<f64> = (1..=POINTS).map(|k| STRONGEST * k as f64 / POINTS as f64).collect();
    let profile = coupled_profile(&pair.method, DAMPING, &gammas)?;
    // The value at zero coupling is 1 by definition: the decoupled step.
    let points = std::iter::once([0.0, 1.0]).chain(profile.values.into_iter().map(|at| [at.gamma, at.practical.value]));
    Ok(Curve::new().open(points))
}
