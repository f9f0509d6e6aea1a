//! Draws the stability regions of the classical methods of orders 1 to 4, and their moduli along the imaginary axis.
//!
//! `cargo run -p hemiola-figure --example stability_regions -- regions.svg`

use std::error::Error;
use std::f64::consts::TAU;

use hemiola_figure::{Axis, Curve, Figure, Panel, Region};

/// Number of boundary points per turn of θ.
const STEPS: usize = 400;

type Complex = [f64; 2];

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "stability_regions.svg".to_owned());
    std::fs::write(path, Figure::two_columns().panel(regions()).panel(moduli()).to_svg()?)?;
    Ok(())
}

fn regions() -> Panel {
    let axes = (Axis::new("Re(*z*)").range(-4.0, 1.5), Axis::new("Im(*z*)").range(-3.5, 3.5));
    let panel = Panel::new(axes.0, axes.1).title("|*R*_{p}(*z*)| = 1").equal_aspect();
    let panel = panel.region(Region::new().polygon(boundary(4)).label("stable for *p* = 4"));
    (1..=4)
        .rev()
        .fold(panel, |panel, order| panel.curve(Curve::new().closed(boundary(order)).label(format!("*p* = {order}"))))
}

fn moduli() -> Panel {
    let panel = Panel::new(Axis::new("*y*").range(0.0, 3.2), Axis::new("|*R*_{p}(i*y*)|").range(0.0, 2.0));
    (1..=4).rev().fold(panel.title("on the imaginary axis"), |panel, order| {
        let modulus = |y: f64| {
            let [re, im] = exponential_sum([0.0, y], order);
            [y, re.hypot(im)]
        };
        panel.curve(Curve::new().open((0..=320).map(|k| modulus(0.01 * f64::from(k)))).label(format!("*p* = {order}")))
    })
}

/// Traces the curve R(z) = e^{iθ} through z = 0 by continuation in θ with Newton's method; it closes after `order`
/// turns.
fn boundary(order: usize) -> Vec<Complex> {
    let mut z = [0.0, 0.0];
    let follow = |k: usize| {
        let theta = TAU * k as f64 / STEPS as f64;
        for _ in 0..8 {
            let value = exponential_sum(z, order);
            let residual = [value[0] - theta.cos(), value[1] - theta.sin()];
            let step = divide(residual, exponential_sum(z, order - 1));
            z = [z[0] - step[0], z[1] - step[1]];
        }
        z
    };
    (0..order * STEPS).map(follow).collect()
}

/// Evaluates Σ_{k ≤ order} zᵏ/k!. Its derivative is the sum for `order − 1`.
fn exponential_sum(z: Complex, order: usize) -> Complex {
    (1..=order).rev().fold([1.0, 0.0], |sum, k| {
        let [re, im] = multiply(sum, z);
        [1.0 + re / k as f64, im / k as f64]
    })
}

fn multiply(a: Complex, b: Complex) -> Complex {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

fn divide(a: Complex, b: Complex) -> Complex {
    let [re, im] = multiply(a, [b[0], -b[1]]);
    let norm = b[0] * b[0] + b[1] * b[1];
    [re / norm, im / norm]
}
