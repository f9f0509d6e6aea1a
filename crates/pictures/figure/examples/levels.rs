//! Draws two functions of the plane as filled levels, in color and in black and white, as SVG, PNG and PDF.
//!
//! `cargo run --release -p hemiola-figure --example levels -- directory`

use std::error::Error;
use std::f64::consts::TAU;
use std::path::PathBuf;

use hemiola_figure::{Axis, ColorMap, Curve, Figure, Levels, Panel, Region, Style};

fn main() -> Result<(), Box<dyn Error>> {
    let directory = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_owned()));
    for (name, style) in [("color", Style::Color), ("monochrome", Style::Monochrome)] {
        for (kind, figure) in [("column", column(style)), ("page", page(style))] {
            let scene = figure.scene()?;
            let file = |extension: &str| directory.join(format!("levels-{kind}-{name}.{extension}"));
            std::fs::write(file("svg"), scene.to_svg())?;
            std::fs::write(file("png"), scene.to_png(200.0)?)?;
            std::fs::write(file("pdf"), scene.to_pdf()?)?;
        }
    }
    Ok(())
}

/// Builds a one-column figure of the error of the explicit Euler method, |1 + z − e^z| ≈ |z|²/2.
fn column(style: Style) -> Figure {
    Figure::one_column().style(style).panel(errors().curve(boundary(1.0).label("|1 + *z*| = 1")))
}

/// Builds a figure of four panels with a common legend.
fn page(style: Style) -> Figure {
    let curves =
        |panel: Panel| panel.curve(boundary(1.0).label("*ρ*(*S*) = 1")).curve(boundary(0.6).label("*ρ*(*S*) = 0.6"));
    let regions = (0..4).fold(axes(), |panel, k| {
        let center = [-1.5 + 0.5 * f64::from(k), 0.4 * f64::from(k % 2)];
        panel.region(Region::new().polygon(circle(center, 0.8)).label(format!("*κ* = {k}")))
    });
    Figure::two_columns()
        .style(style)
        .columns(2)
        .legend_below()
        .panel(curves(errors().title("‖*S* − e^{*Z*}‖")))
        .panel(curves(moduli().title("|1 + *z*|")))
        .panel(curves(regions.title("regions")))
        .panel(
            Panel::new(Axis::new("*t*").range(0.0, 50.0), Axis::new("log_{10} |√*κ* *q*_{∞}|").range(0.02, 0.09))
                .height(0.15),
        )
}

fn axes() -> Panel {
    Panel::new(Axis::new("Re(*z*)").range(-2.5, 1.0), Axis::new("Im(*z*)").range(-1.5, 1.5)).equal_aspect()
}

fn errors() -> Panel {
    let disc = |exponent: i32| [circle([0.0, 0.0], (2.0 * 10_f64.powi(exponent)).sqrt())];
    let levels = (-5..=0).fold(Levels::at_most(), |levels, k| levels.level(10_f64.powi(k), disc(k)));
    axes().levels(levels.label("‖*S* − e^{*Z*}‖"))
}

fn moduli() -> Panel {
    let levels = (1..=8).map(|k| 0.25 * f64::from(k));
    let levels =
        levels.fold(Levels::at_most().ground(), |levels, value| levels.level(value, [circle([-1.0, 0.0], value)]));
    axes().levels(levels.color_map(ColorMap::Diverging).center(1.0).label("*ρ*(*S*)"))
}

fn boundary(level: f64) -> Curve {
    Curve::new().closed(circle([-1.0, 0.0], level))
}

fn circle([x, y]: [f64; 2], radius: f64) -> Vec<[f64; 2]> {
    (0..400).map(|k| TAU * f64::from(k) / 400.0).map(|t| [x + radius * t.cos(), y + radius * t.sin()]).collect()
}
