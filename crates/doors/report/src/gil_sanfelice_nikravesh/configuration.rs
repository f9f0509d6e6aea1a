//! Figure 6: the configuration of the pendulum system.

use hemiola_figure::{Axis, Color, Curve, Dash, Figure, Marker, Panel, Points};

use crate::gil_sanfelice_nikravesh::pendulum::{ANGLE, PARTICLE, Pendulum};

/// Number of windings of the drawn spring, and half its width in m.
const WINDINGS: u32 = 6;
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
    let line = |points: Vec<[f64; 2]>| Curve::new().open(points).color(Color::BLACK).dash(Dash::Solid);
    let thin = |points: Vec<[f64; 2]>| line(points).color(Color::GRAY).width(0.6);
    let arc = (0..=CORNERS).map(|k| {
        let part = angle * f64::from(k) / f64::from(CORNERS);
        [ARC * part.sin(), -ARC * part.cos()]
    });
    let named = |at: [f64; 2], name: &str, marker: Marker| Points::new([at]).names([name]).marker(marker);
    let panel = Panel::new(Axis::new("*x* in m").range(-0.25, 1.05), Axis::new("*y* in m").range(-1.1, 0.2))
        .without_zero_lines()
        .equal_aspect()
        .curve(thin(vec![[0.0, 0.0], [0.0, -0.55]]).dash(Dash::Dashed))
        .curve(thin(arc.collect()))
        .curve(line(vec![[-0.12, 0.0], [0.12, 0.0]]).width(2.0))
        .curve(line(vec![[0.0, 0.0], end]).color(Color::BLUE).width(3.0))
        .curve(line(spring(end, particle)).width(0.7))
        .points(named([0.0, 0.0], "joint", Marker::Circle).color(Color::BLACK))
        .points(named(center, "r₁: m₁, J₁", Marker::Square).color(Color::BLUE))
        .points(Points::new([[0.6 * ARC, -1.15 * ARC]]).names(["θ"]).names_on_the_left())
        .points(named(particle, "r₂: m₂ on k", Marker::Circle).color(Color::VERMILION));
    Figure::one_column()
        .description("The pendulum: a bar on a joint, and a particle on a spring at its end")
        .panel(panel)
}

/// Returns a zigzag between two points.
fn spring(from: [f64; 2], to: [f64; 2]) -> Vec<[f64; 2]> {
    let along = [to[0] - from[0], to[1] - from[1]];
    let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
    let across = [-along[1] / length, along[0] / length];
    let corner = |k: u32| {
        let part = (f64::from(k) + 0.5) / f64::from(2 * WINDINGS);
        let side = if k.is_multiple_of(2) { HALF_WIDTH } else { -HALF_WIDTH };
        [0, 1].map(|i: usize| from[i] + part * along[i] + side * across[i])
    };
    std::iter::once(from).chain((0..2 * WINDINGS).map(corner)).chain([to]).collect()
}
