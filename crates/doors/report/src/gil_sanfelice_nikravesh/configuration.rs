//! Figure 6: the configuration of the pendulum system.

use hemiola_figure::{Color, Figure, Marker, Points};

use crate::gil_sanfelice_nikravesh::pendulum::{ANGLE, PARTICLE, Pendulum};
use crate::sketch::{Sketch, spring};

/// Half the width of the drawn spring in m.
const HALF_WIDTH: f64 = 0.03;
/// Drawn length of the spring, in m; its actual length of 0.02 mm would be invisible.
const DRAWN: f64 = 0.22;
/// Number of segments of an arc.
const CORNERS: u32 = 24;
/// Radius of the arc of θ in m.
const ARC: f64 = 0.3;

/// Draws the bar on its joint with θ, its center r₁, and the particle r₂ on its spring, which is drawn longer than in reality.
pub(crate) fn configuration(pendulum: &Pendulum) -> Figure {
    let y = &pendulum.model.initial;
    let center = [y[0], y[1]];
    let end = center.map(|x| 2.0 * x);
    let angle = y[ANGLE];
    // Position of the particle, drawn below the end of the bar.
    let particle = [y[PARTICLE[0]], y[PARTICLE[1]] - DRAWN];
    let arc = (0..=CORNERS).map(|k| {
        let part = angle * f64::from(k) / f64::from(CORNERS);
        [ARC * part.sin(), -ARC * part.cos()]
    });
    let arc: Vec<[f64; 2]> = arc.collect();
    let named = |at: [f64; 2], name: &str, marker: Marker| Points::new([at]).names([name]).marker(marker);
    let panel = Sketch::new([-0.25, 1.05], [-1.1, 0.2])
        .dashed([[0.0, 0.0], [0.0, -0.55]])
        .line(&arc, Color::GRAY, 0.6)
        .line(&[[-0.12, 0.0], [0.12, 0.0]], Color::BLACK, 2.0)
        .line(&[[0.0, 0.0], end], Color::BLUE, 3.0)
        .line(&spring(end, particle, HALF_WIDTH, 0.0), Color::BLACK, 0.7)
        .points(named([0.0, 0.0], "joint", Marker::Circle).color(Color::BLACK))
        .points(named(center, "r₁: m₁, J₁", Marker::Square).color(Color::BLUE))
        .text_on_the_left([0.6 * ARC, -1.15 * ARC], "θ")
        .points(named(particle, "r₂: m₂ on k", Marker::Circle).color(Color::VERMILION))
        .panel();
    Figure::one_column()
        .description("The pendulum: a bar on a joint, and a particle on a spring at its end")
        .panel(panel)
}
