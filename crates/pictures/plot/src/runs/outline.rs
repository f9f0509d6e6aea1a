//! A machine in space: from the side, from above, and along its path.

use hemiola_figure::{Axis, Color, Curve, Dash, Figure, Marker, Panel, Points};

/// Polylines in space, as points (x, y, z) in m.
type Lines = [Vec<[f64; 3]>];

/// Color of the tracks.
const TRACK: Color = Color(190, 190, 190);
/// Color of the whole path, part of which lies ahead.
const WHOLE: Color = Color(225, 225, 225);
/// Margin around the machine relative to its size.
const ROOM: f64 = 0.3;
/// Ratio of height to width of a panel.
const HEIGHT: f64 = 0.45;

/// A machine and its tracks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MachineOutline {
    /// Lines through its bodies, joints and wheels, in m.
    pub lines: Vec<Vec<[f64; 3]>>,
    /// Tracks of its wheels, or of its center, up to the current position.
    pub tracks: Vec<Vec<[f64; 3]>>,
    /// Path of its center over the whole run.
    pub way: Vec<[f64; 3]>,
    /// Current position of its center.
    pub middle: [f64; 3],
}

/// Draws a machine from the side (x, z) and from above (x, y), to the same scale and over its tracks. If it moves
/// farther than its own size, a third panel shows its whole path from above with the current position. A planar
/// machine, whose lines all have the same y, is drawn only from the side.
///
/// `size` is half the width of the window, which follows the machine.
///
/// ```
/// use hemiola_plot::{MachineOutline, outline_figure};
/// let lines = vec![vec![[0.0, 0.0, 0.5], [2.0, 0.0, 0.5]], vec![[0.0, -0.5, 0.5], [0.0, 0.5, 0.5]]];
/// let way = vec![[-30.0, 0.0, 0.5], [0.0, 0.0, 0.5], [30.0, 4.0, 0.5]];
/// let cart = MachineOutline { lines, tracks: vec![way[..2].to_vec()], way, middle: [0.0, 0.0, 0.5] };
/// let svg = outline_figure(&cart, 1.5, "*t* = 0").to_svg()?;
/// assert_eq!(svg.matches("in m").count(), 6);
/// # Ok::<(), hemiola_figure::FigureError>(())
/// ```
#[must_use]
pub fn outline_figure(outline: &MachineOutline, size: f64, title: &str) -> Figure {
    let [low, high] = bounds(&outline.lines);
    let middle = [0, 1, 2].map(|k| 0.5 * (low[k] + high[k]));
    let half = size * (1.0 + ROOM);
    let view = |k: usize, label: &str, title: &str| {
        let x = Axis::new("*x* in m").range(middle[0] - half, middle[0] + half);
        let y = Axis::new(label).range(middle[k] - HEIGHT * half, middle[k] + HEIGHT * half);
        let seen = |point: &[f64; 3]| [point[0], point[k]];
        let track = |(n, track): (usize, &Vec<[f64; 3]>)| {
            let near = track.iter().filter(|point| (point[0] - middle[0]).abs() <= 2.0 * half).map(seen);
            let curve = Curve::new().open(near).color(TRACK).dash(Dash::Solid).width(2.0).below();
            if n == 0 { curve.label("path so far") } else { curve }
        };
        let panel = Panel::new(x, y).title(title).without_zero_lines().equal_aspect().height(HEIGHT);
        let panel = outline.tracks.iter().enumerate().map(track).fold(panel, Panel::curve);
        let of_kind = |is_wheel: bool| {
            let lines = outline.lines.iter().filter(|line| (line.len() > 2) == is_wheel);
            lines.fold(Curve::new().dash(Dash::Solid).width(0.8), |curve, line| curve.open(line.iter().map(seen)))
        };
        let has = |is_wheel: bool| outline.lines.iter().any(|line| (line.len() > 2) == is_wheel);
        let bodies = has(false).then(|| of_kind(false).color(Color::BLUE).label("bodies and joints"));
        let wheels = has(true).then(|| of_kind(true).color(Color::BLACK).label("wheels"));
        bodies.into_iter().chain(wheels).fold(panel, Panel::curve)
    };
    let figure = Figure::one_column().columns(1).legend_below();
    let side = view(2, "*z* in m", title);
    if low[1] == high[1] {
        return figure.description("A machine from the side").panel(side);
    }
    let figure = figure.description("A machine from the side and from above");
    let figure = figure.panel(side).panel(view(1, "*y* in m", "from above"));
    if goes_far(&outline.way, size) { figure.panel(way(outline, size)) } else { figure }
}

/// Returns whether a path extends farther than the length of a machine.
fn goes_far(way: &[[f64; 3]], size: f64) -> bool {
    let [low, high] = bounds(&[way.to_vec()]);
    (0..2).any(|k| high[k] - low[k] > 2.0 * size)
}

/// Draws the whole path from above with the current position. Each axis shows at least half a machine, since on a
/// straight path the range would otherwise consist of rounding errors.
fn way(outline: &MachineOutline, size: f64) -> Panel {
    let [low, high] = bounds(std::slice::from_ref(&outline.way));
    let axis = |k: usize, label: &str| {
        let (middle, least) = (0.5 * (low[k] + high[k]), 0.5 * size);
        let is_narrow = high[k] - low[k] < 2.0 * least;
        if is_narrow { Axis::new(label).range(middle - least, middle + least) } else { Axis::new(label) }
    };
    let whole = Curve::new().open(outline.way.iter().map(|point| [point[0], point[1]])).label("whole path");
    let here = Points::new([[outline.middle[0], outline.middle[1]]])
        .marker(Marker::Circle)
        .size(5.0)
        .color(Color::BLUE)
        .label("position");
    let panel = Panel::new(axis(0, "*x* in m"), axis(1, "*y* in m")).title("the whole path").without_zero_lines();
    panel.height(HEIGHT).curve(whole.color(WHOLE).dash(Dash::Solid).width(2.0)).points(here)
}

/// Returns half the largest extent of lines, in units of the window along x.
#[must_use]
pub fn outline_size(lines: &Lines) -> f64 {
    let [low, high] = bounds(lines);
    // Machines that are higher or wider than long must fit as well.
    (0..3).map(|k| 0.5 * (high[k] - low[k]) / if k == 0 { 1.0 } else { HEIGHT }).fold(0.1, f64::max)
}

/// Returns the smallest and the largest coordinates.
fn bounds(lines: &Lines) -> [[f64; 3]; 2] {
    let points = || lines.iter().flatten();
    if points().next().is_none() {
        return [[0.0; 3]; 2];
    }
    let least = |k: usize| points().map(|point| point[k]).fold(f64::INFINITY, f64::min);
    let most = |k: usize| points().map(|point| point[k]).fold(f64::NEG_INFINITY, f64::max);
    [[0, 1, 2].map(least), [0, 1, 2].map(most)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_ways_are_not_drawn_as_their_rounding() {
        let lines = vec![vec![[0.0, -0.5, 0.5], [2.0, 0.5, 0.5]]];
        let way = (0..40).map(|k| [f64::from(k), if k % 2 == 0 { 1e-16 } else { -7e-16 }, 0.5]).collect();
        let straight = MachineOutline { lines, tracks: Vec::new(), way, middle: [0.0, 0.0, 0.5] };
        let svg = outline_figure(&straight, 1.0, "*t* = 0").to_svg().unwrap();
        assert!(svg.contains("the whole path") && !svg.contains("×10"), "{svg}");
    }
}
