//! Scenes that cover everything that can be drawn.

use std::f64::consts::TAU;

use hemiola_figure::{
    Axis, ColorMap, Curve, Dash, Diagram, Figure, Fill, Font, Gallery, Levels, Marker, NodeStyle, Panel, Points,
    Region, Scene, Style,
};

fn circle([x, y]: [f64; 2], radius: f64) -> Vec<[f64; 2]> {
    (0..400).map(|k| TAU * f64::from(k) / 400.0).map(|t| [x + radius * t.cos(), y + radius * t.sin()]).collect()
}

fn axes() -> Panel {
    Panel::new(Axis::new("Re(*z*)").range(-2.5, 1.0), Axis::new("Im(*z*)").range(-1.5, 1.5)).equal_aspect()
}

/// Returns a scene with a region, curves that leave the panel, markers, scripts and symbols.
pub(crate) fn region() -> Scene {
    let panel = axes()
        .title("|*R*_{4}(*z*)| ≤ 1, ‖*S*‖_{∞} ≥ √2")
        .region(Region::new().polygon(circle([-1.0, 0.0], 1.0)).label("stable for *p* = 4"))
        .curve(Curve::new().closed(circle([-1.0, 0.0], 1.0)).dash(Dash::Solid).label("boundary"))
        .curve(Curve::new().closed(circle([0.2, 0.3], 1.2)).dash(Dash::Solid))
        .points(Points::new([[0.0, 0.0], [-1.0, 1.0], [-2.0, -0.5]]).names(["*a*", "*b*", "*c*"]).label("points"));
    Figure::one_column().panel(panel).scene().unwrap()
}

/// Returns a region with two holes. For the last regions, one hole is cut by the panel.
fn pierced(k: u32) -> Region {
    let at = |x: f64, y: f64| [x + 0.4 * f64::from(k), y];
    let region = Region::new().polygon(circle(at(-1.3, 0.1 * f64::from(k)), 1.1));
    region.polygon(circle(at(-1.5, 0.1), 0.4)).polygon(circle(at(-0.8, 0.2), 0.2)).label(format!("region {k}"))
}

/// Returns a scene with hatchings in regions with holes.
pub(crate) fn hatchings() -> Scene {
    let panel = |regions: &[u32]| regions.iter().fold(axes().title("holes"), |panel, &k| panel.region(pierced(k)));
    let figure = Figure::two_columns().style(Style::Monochrome).font(Font::Serif);
    figure.panel(panel(&[0, 1, 2, 3, 4, 5])).panel(panel(&[0, 4])).scene().unwrap()
}

/// Returns a scene with translucent regions with holes, one of whose outlines crosses itself.
pub(crate) fn translucent() -> Scene {
    let star = (0..5).map(|k| 2.0 * TAU * f64::from(k) / 5.0).map(|t| [-0.5 + 1.4 * t.sin(), -1.4 * t.cos()]);
    let panel = (0..3).fold(axes(), |panel, k| panel.region(pierced(k).opacity(0.4)));
    Figure::one_column().panel(panel.region(Region::new().polygon(star).opacity(0.6))).scene().unwrap()
}

/// Returns a scene with levels, a color bar, and dashed lines above them.
pub(crate) fn levels() -> Scene {
    let values = (1..=8).map(|k| 0.25 * f64::from(k));
    let levels =
        values.fold(Levels::at_most().ground(), |levels, value| levels.level(value, [circle([-1.0, 0.0], value)]));
    let levels = levels.color_map(ColorMap::Diverging).center(1.0).label("*ρ*(*S*)");
    let dashes = [Dash::Dashed, Dash::DashDot, Dash::Dotted, Dash::LongDash, Dash::DashDotDot];
    let panel = (1..).zip(dashes).fold(axes().levels(levels), |panel, (k, dash)| {
        panel.curve(Curve::new().closed(circle([-1.0, 0.0], 0.3 * f64::from(k))).dash(dash).label(format!("{k}")))
    });
    Figure::one_column().legend_below().panel(panel).scene().unwrap()
}

/// Returns a scene of diagrams with two kinds of nodes.
pub(crate) fn gallery() -> Scene {
    let slow = NodeStyle::default();
    let fast = NodeStyle { marker: Marker::Circle, fill: Fill::Open };
    let tree = |leaves: u32| {
        let tree = (0..leaves).fold(Diagram::new(), |tree, k| {
            let leaf = [f64::from(k) - 0.5 * f64::from(leaves - 1), 1.0];
            tree.edge([0.0, 0.0], leaf).node(leaf, if k % 2 == 0 { slow } else { fast })
        });
        tree.node([0.0, 0.0], fast).caption(format!("1/*γ* = 1/{}", leaves + 1))
    };
    let gallery = (1..8).fold(Gallery::one_column(), |gallery, leaves| gallery.diagram(tree(leaves)));
    gallery.key(slow, "slow").key(fast, "fast").note("The root is fast.").scene().unwrap()
}

pub(crate) fn all() -> [(&'static str, Scene); 5] {
    [
        ("region", region()),
        ("hatchings", hatchings()),
        ("translucent", translucent()),
        ("levels", levels()),
        ("gallery", gallery()),
    ]
}
