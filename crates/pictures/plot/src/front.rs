//! Pareto fronts of two conflicting objectives.

use hemiola_figure::{Axis, Color, Curve, Dash, Figure, Marker, Panel, Points};

/// Ratio of values from which an axis is logarithmic.
const LOGARITHMIC: f64 = 10.0;
/// Margins below and above the values, as fractions of their range; the names of points stand above and to the right.
const ROOM: [f64; 2] = [0.05, 0.1];

/// Draws a front with its points numbered from 1. An axis is logarithmic if its values are positive and span more than
/// a factor of ten; its label may use markup.
///
/// ```
/// let front = [[0.19, 0.4], [0.2, 0.1], [0.3, 0.0]];
/// let svg = hemiola_plot::front_figure(&front, ["error norm", "largest coefficient"], "A front").to_svg()?;
/// assert!(svg.contains(">error norm</text>") && svg.contains(">3</text>"));
/// # Ok::<(), hemiola_figure::FigureError>(())
/// ```
#[must_use]
pub fn front_figure(points: &[[f64; 2]], labels: [&str; 2], description: &str) -> Figure {
    let axis = |k: usize| axis(labels[k], points.iter().map(|point| point[k]));
    let line = Curve::new().open(points.iter().copied()).color(Color::GRAY).dash(Dash::Solid).width(0.7);
    // Both ends are named first, so that they keep their numbers in crowded places.
    let order: Vec<usize> = points.len().checked_sub(1).into_iter().chain(0..points.len().saturating_sub(1)).collect();
    let numbers = order.iter().map(|k| (k + 1).to_string());
    let places = order.iter().map(|&k| points[k]);
    let markers = Points::new(places).names(numbers).marker(Marker::Circle).color(Color::BLUE);
    let panel = Panel::new(axis(0), axis(1)).without_zero_lines().curve(line).points(markers);
    Figure::one_column().description(description).panel(panel)
}

/// Group of designs with a common appearance: their common label, and the number and both objectives of each.
pub type DesignGroup = (String, Vec<(usize, [f64; 2])>);

/// Draws designs by two objectives, the first to be minimized and the second to be maximized. Each group has a color
/// and a marker, named by its label; each point has the number of its design.
///
/// ```
/// let groups = [("order 2".to_owned(), vec![(1, [0.9, 1.4]), (2, [0.7, 3.0])]), ("order 3".to_owned(), vec![(3, [1.8, 2.0])])];
/// let svg = hemiola_plot::sweep_figure(&groups, ["error", "step"], "Designs").to_svg()?;
/// assert!(svg.contains(">order 3</text>") && svg.contains(">2</text>"));
/// # Ok::<(), hemiola_figure::FigureError>(())
/// ```
#[must_use]
pub fn sweep_figure(groups: &[DesignGroup], labels: [&str; 2], description: &str) -> Figure {
    const LOOKS: [(Color, Marker); 4] = [
        (Color::BLUE, Marker::Circle),
        (Color::VERMILION, Marker::Square),
        (Color::GREEN, Marker::Triangle),
        (Color::PURPLE, Marker::Diamond),
    ];
    let all = || groups.iter().flat_map(|(_, points)| points);
    let axis = |k: usize| axis(labels[k], all().map(|(_, point)| point[k]));
    let panel = Panel::new(axis(0), axis(1)).without_zero_lines();
    let panel = groups.iter().zip(LOOKS.iter().cycle()).fold(panel, |panel, ((label, points), &(color, marker))| {
        let places = Points::new(points.iter().map(|(_, point)| *point));
        let named = places.names(points.iter().map(|(number, _)| number.to_string())).label(label.as_str());
        panel.points(named.color(color).marker(marker))
    });
    Figure::one_column().description(description).panel(panel)
}

/// Creates an axis with margins around its values, logarithmic if they are positive and far apart.
fn axis(label: &str, values: impl Iterator<Item = f64>) -> Axis {
    let axis = Axis::new(label);
    let (least, most) =
        values.fold((f64::INFINITY, 0.0f64), |(least, most), value| (least.min(value), most.max(value)));
    let (ratio, range) = (most / least, most - least);
    if least > 0.0 && ratio > LOGARITHMIC {
        axis.logarithmic().range(least / ratio.powf(ROOM[0]), most * ratio.powf(ROOM[1]))
    } else if range > 0.0 {
        axis.range(least - ROOM[0] * range, most + ROOM[1] * range)
    } else {
        axis
    }
}
