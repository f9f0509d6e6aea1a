//! A machine in space: from the side and from above.

use hemiola_figure::{Axis, Color, Curve, Dash, Figure, Panel};

/// Lines in space, each through points (x, y, z) in m.
type Lines = [Vec<[f64; 3]>];

/// The path behind the machine.
const PATH: Color = Color(200, 200, 200);
/// What is left free about the machine, in parts of its size.
const ROOM: f64 = 0.3;
/// The height of a panel in parts of its width.
const HEIGHT: f64 = 0.45;

/// A machine from the side (x, z) and from above (x, y), in the same scale, with the way that a point of it has gone.
///
/// `size` is half of the width of the window, which follows the machine.
///
/// ```
/// let cart = [vec![[0.0, 0.0, 0.5], [2.0, 0.0, 0.5]], vec![[0.0, -0.5, 0.5], [0.0, 0.5, 0.5]]];
/// let figure = hemiola_plot::outline_figure(&cart, &[[-1.0, 0.0, 0.5], [0.0, 0.0, 0.5]], 1.5, "*t* = 0");
/// assert!(figure.to_svg()?.contains("in m"));
/// # Ok::<(), hemiola_figure::FigureError>(())
/// ```
#[must_use]
pub fn outline_figure(lines: &Lines, path: &[[f64; 3]], size: f64, title: &str) -> Figure {
    let [low, high] = bounds(lines);
    let middle = [0, 1, 2].map(|k| 0.5 * (low[k] + high[k]));
    let size = size * (1.0 + ROOM);
    let view = |k: usize, label: &str, title: &str| {
        let x = Axis::new("*x* in m").range(middle[0] - size, middle[0] + size);
        let y = Axis::new(label).range(middle[k] - HEIGHT * size, middle[k] + HEIGHT * size);
        let seen = |point: &[f64; 3]| [point[0], point[k]];
        let near = path.iter().filter(|point| (point[0] - middle[0]).abs() <= 2.0 * size).map(seen);
        let behind = Curve::new().open(near).color(PATH).dash(Dash::Solid).width(2.0).below();
        let panel = Panel::new(x, y).title(title).without_zero_lines().equal_aspect().height(HEIGHT).curve(behind);
        let line = |line: &Vec<[f64; 3]>| {
            let color = if line.len() > 2 { Color::BLACK } else { Color::BLUE };
            Curve::new().open(line.iter().map(seen)).color(color).dash(Dash::Solid).width(0.8)
        };
        lines.iter().map(line).fold(panel, Panel::curve)
    };
    let figure = Figure::one_column().columns(1).description("A machine from the side and from above");
    figure.panel(view(2, "*z* in m", title)).panel(view(1, "*y* in m", ""))
}

/// Half of the largest extent of lines along x, for the window.
#[must_use]
pub fn outline_size(lines: &Lines) -> f64 {
    let [low, high] = bounds(lines);
    // What is higher or broader than long must fit as well.
    (0..3).map(|k| 0.5 * (high[k] - low[k]) / if k == 0 { 1.0 } else { HEIGHT }).fold(0.1, f64::max)
}

/// The least and the largest coordinates.
fn bounds(lines: &Lines) -> [[f64; 3]; 2] {
    let points = || lines.iter().flatten();
    if points().next().is_none() {
        return [[0.0; 3]; 2];
    }
    let least = |k: usize| points().map(|point| point[k]).fold(f64::INFINITY, f64::min);
    let most = |k: usize| points().map(|point| point[k]).fold(f64::NEG_INFINITY, f64::max);
    [[0, 1, 2].map(least), [0, 1, 2].map(most)]
}
